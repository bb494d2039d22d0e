"""Captions of comparisons and paragraphs on their statistics: facts, which a template a language puts into words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from medzh_score.render.display import number
from medzh_score.ui.errors import NAMED
from medzh_score.ui.i18n import CHINESE, current, in_chinese

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from medzh_score.comparison.across_configs import Summary
    from medzh_score.comparison.model import Comparison
    from medzh_score.render.display import DisplayOptions, Language
    from medzh_score.render.paper_table import PaperTable
    from medzh_score.stats.pairwise import MetricComparison
    from medzh_score.stats.permutation import Correction

One = TypeVar("One")
Number = TypeVar("Number", int, float)
DECODING = "decoding"
BETWEEN = {"en": " ", "zh": ""}  # sentences


def captions(comparison: Comparison, options: DisplayOptions) -> list[str]:
    """Give the caption, a text a language: what is shown, and how it was found."""
    facts = _facts_of(comparison)
    return [_written(one, "caption", comparison, facts, options) for one in options.languages]


def methods(comparison: Comparison, options: DisplayOptions) -> list[str]:
    """Give the paragraph on the statistics where it was asked for."""
    facts = _facts_of(comparison)
    return [_written(one, "methods", comparison, facts, options) for one in options.languages if options.methods]


def marks(table: PaperTable, options: DisplayOptions) -> list[str]:
    """Explain bold, ≈ and rows of papers where a table has them."""
    return [_marks(table, one) for one in options.languages]


def summary_captions(summary: Summary, table: PaperTable | None, options: DisplayOptions) -> list[str]:
    """Give the caption of a summary, a text a language; of a table with marks these, too."""
    columns = [(column, _facts_of(column)) for column in summary.columns]
    swaps = sorted({count for _, facts in columns for count in facts.swaps})
    shared = {
        "baseline": summary.baseline,
        "family": summary.family,
        "tests": [*dict.fromkeys(test for _, facts in columns for test in facts.tests)],
        "swaps": [*dict.fromkeys(swaps[:1] + swaps[-1:])],
        "seed": summary.columns[0].seed,
        "depends": next((facts for _, facts in columns if facts.depends), None),
    }
    said = [_written(one, "summary", shared, columns, options) for one in options.languages]
    if table is None:
        return said
    marked = [_marks(table, one) for one in options.languages]
    return [BETWEEN[one].join(filter(None, pair)) for one, *pair in zip(options.languages, said, marked, strict=True)]


def ended(title: str) -> str:
    """End a title as a sentence, before those of a caption."""
    return title + ("。" if current.get() == CHINESE else ".")


def _marks(table: PaperTable, language: Language) -> str:
    words = _template(language)
    there = {
        words.BOLD: any(cell.best for cell in table.cells),
        words.ALIKE: any(cell.alike for cell in table.cells),
        words.PRINTED: bool(table.printed),
    }
    return BETWEEN[language].join(sentence for sentence, has in there.items() if has)


def _written(language: Language, macro: str, *facts: object) -> str:
    lines = getattr(_template(language), macro)(*facts).split("\n")
    return BETWEEN[language].join(line for line in lines if line)


@cache
def _template(language: Language) -> Any:  # noqa: ANN401 - its macros are attributes
    from jinja2 import Environment, PackageLoader

    made = Environment(  # noqa: S701 - no markup: what is shown is escaped as its form needs it
        loader=PackageLoader("medzh_score", "render/templates"), trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {"thousands": "{:,}".format, "chinese": in_chinese}
    made.globals |= {"rounded": _rounded, "decoding": _decoding_in_chinese if language == "zh" else _listed_decoding}
    return made.get_template(f"captions_{language}.jinja").module


def _rounded(ends: Iterable[float], decimals: int) -> list[str]:
    return [*dict.fromkeys(number(end, decimals) for end in ends)]


@dataclass(frozen=True)
class Family:
    """Comparisons that were corrected together."""

    correction: Correction
    size: int


@dataclass(frozen=True)
class Facts:
    """What caption and methods name; of mappings from a kind to metrics these are none where it is that of all."""

    metrics: tuple[str, ...]  # in the order of the comparison
    breakdowns: tuple[str, ...]
    counted: Mapping[tuple[int, ...], tuple[str, ...]]  # items in denominators, the fewest and the most, to metrics
    baseline: str | None  # that all tests compare with; None where all pairs are compared
    intervals: Mapping[str, tuple[str, ...]]
    of_differences: Mapping[str, tuple[str, ...]]
    tests: Mapping[str, tuple[str, ...]]
    families: Mapping[Family, tuple[str, ...]]
    swaps: tuple[int, ...]  # the fewest and the most; empty where no test swaps
    unread: tuple[float, ...]  # the lowest and the highest share on all items, in percent
    detectable: Mapping[str, tuple[float, ...]]  # by metric, of all items: the least and the largest difference
    decoding: Mapping[str, str]  # by label; of the empty label where all are decoded alike
    depends: bool  # whether any difference depends on unread answers
    beside: tuple[str, ...]  # the rules whose values stand beside those that are compared


def _facts_of(comparison: Comparison) -> Facts:
    found = comparison.found
    swapped = [one.swaps for one in found if any(each.test not in {None, "mcnemar mid-p"} for each in one.differences)]
    on_all = [one for one in found if not one.breakdown]
    detectable = {one.metric: _ends(each.detectable for each in one.differences) for one in on_all}
    return Facts(
        metrics=tuple(dict.fromkeys(one.metric for one in found)),
        breakdowns=tuple(dict.fromkeys(one.breakdown for one in found if one.breakdown)),
        counted=_holding(on_all, lambda one: {_ends(each.value.n for each in one.standings)}),
        baseline=found[0].baseline,
        intervals=_holding(found, lambda one: {each.value.interval for each in one.standings} - {None}),
        of_differences=_holding(found, lambda one: {each.interval for each in one.differences} - {None}),
        tests=_holding(found, lambda one: {each.test for each in one.differences} - {None}),
        families=_holding(found, _families),
        swaps=_ends(swapped),
        unread=_ends(standing.unread for one in on_all for standing in one.standings),
        detectable={metric: ends for metric, ends in detectable.items() if ends},
        decoding=_decoding(comparison),
        depends=any(each.depends_on_unread for one in found for each in one.differences),
        beside=found[0].beside,
    )


def _ends(numbers: Iterable[Number | None]) -> tuple[Number, ...]:
    given = [one for one in numbers if one is not None]
    return tuple(sorted({min(given), max(given)})) if given else ()


def _families(one: MetricComparison) -> set[Family]:
    tested = any(each.corrected is not None for each in one.differences)
    return {Family(one.correction, one.family)} if tested else set()


def _holding(
    found: Iterable[MetricComparison], of: Callable[[MetricComparison], Iterable[One | None]]
) -> dict[One, tuple[str, ...]]:
    holds: dict[One, dict[str, None]] = {}
    for one in found:
        for what in sorted(of(one), key=str):
            if what is not None:
                holds.setdefault(what, {})[one.metric] = None
    every = {one.metric for one in found}
    return {what: () if len(holds) == 1 and set(names) == every else tuple(names) for what, names in holds.items()}


def _decoding(comparison: Comparison) -> dict[str, str]:
    if DECODING in comparison.signature:
        return {"": comparison.signature[DECODING]}
    return {system.label: system.differing.get(DECODING, "unknown") for system in comparison.systems}


def _listed_decoding(facts: Facts, options: DisplayOptions, translate: Callable[[str], str] = str) -> str:
    if "" in facts.decoding:
        return translate(facts.decoding[""])
    alike: dict[str, list[str]] = {}
    for label, decoding in facts.decoding.items():
        alike.setdefault(translate(decoding), []).append(options.name(label))
    listed = [f"{decoding} ({_first(names, ', ')})" for decoding, names in alike.items()]
    return _first(listed, "; ")


def _decoding_in_chinese(facts: Facts, options: DisplayOptions) -> str:
    return _listed_decoding(facts, options, lambda text: in_chinese(text, DECODING))


def _first(names: Sequence[str], between: str) -> str:
    return between.join([*names[:NAMED], *["…"][: len(names) > NAMED]])
