"""Captions of comparisons and paragraphs on the statistical methods, from facts and one template per language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from medzh_score.comparison.comparability import recipe_signed
from medzh_score.render.compare_tables import compared_items
from medzh_score.render.display import number
from medzh_score.render.screen import declared_screen
from medzh_score.ui.errors import NAMED
from medzh_score.ui.i18n import in_chinese
from medzh_score.ui.numbers import POINT

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
GENERATION = "generation"
BETWEEN = {"en": " ", "zh": ""}  # sentences


def captions(comparison: Comparison, options: DisplayOptions, unit: str | None = None) -> list[str]:
    """Return the caption in each language: metrics and their unit, systems, config, items, runs and rule."""
    facts = replace(_facts_of(comparison), unit=unit or comparison.unit)
    return [_written(one, "caption", comparison, facts, options) for one in options.languages]


def methods(comparison: Comparison, options: DisplayOptions) -> list[str]:
    """Return the paragraph on the statistical methods in each language."""
    facts = _facts_of(comparison)
    return [_written(one, "methods", comparison, facts, options) for one in options.languages]


def marks(table: PaperTable, options: DisplayOptions) -> list[str]:
    """Explain bold, ≈, † and published rows if a table has them."""
    return [_marks(table, one) for one in options.languages]


def summary_captions(summary: Summary, table: PaperTable | None, options: DisplayOptions) -> list[str]:
    """Return the caption of a summary in each language, with the marks of its table."""
    shared = {
        "systems": len(summary.systems),
        "baseline": summary.baseline,
        "family": summary.family,
        "recipes": {column.config: recipe_signed(column.signature) for column in summary.columns},
    }
    if table is None:
        return [_written(one, "summary", shared, summary.columns, options) for one in options.languages]
    shared["baseline"] = None
    parts = [
        (_written(one, "summary", shared, summary.columns, options), _marks(table, one)) for one in options.languages
    ]
    return [BETWEEN[one].join(filter(None, pair)) for one, pair in zip(options.languages, parts, strict=True)]


def _marks(table: PaperTable, language: Language) -> str:
    words = _template(language)
    there = {
        words.BOLD: any(cell.best for cell in table.cells),
        words.ALIKE: any(cell.alike for cell in table.cells),
        words.DEPENDS: any(cell.depends for cell in table.cells),
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
    made.globals |= {
        "rounded": _rounded,
        "generation": _generation_in_chinese if language == "zh" else _listed_generation,
    }
    return made.get_template(f"captions_{language}.jinja").module


def _rounded(ends: Iterable[float], decimals: int) -> list[str]:
    return [*dict.fromkeys(number(end, decimals) for end in ends)]


@dataclass(frozen=True)
class Family:
    """Comparisons whose p values are adjusted together."""

    correction: Correction
    size: int


@dataclass(frozen=True)
class Facts:
    """Facts of caption and methods. A mapping from a kind to metrics has an empty tuple if the kind is that of all."""

    metrics: tuple[str, ...]  # in the order of the comparison
    unit: str  # of the table
    breakdowns: tuple[str, ...]
    recipe: str  # of the data
    runs: tuple[int, ...]  # the fewest and the most
    excluded: str  # that are not complete in all systems
    items: str  # that are compared, with the number of clusters
    # items in denominators, the fewest and the most, to metrics; empty if all items are in all
    counted: Mapping[tuple[int, ...], tuple[str, ...]]
    baseline: str | None  # of all tests; None if all pairs are compared
    intervals: Mapping[str, tuple[str, ...]]
    of_differences: Mapping[str, tuple[str, ...]]
    tests: Mapping[str, tuple[str, ...]]
    families: Mapping[Family, tuple[str, ...]]
    permutations: tuple[int, ...]  # the fewest and the most; empty without a permutation test
    unparsed: tuple[float, ...]  # the lowest and the highest rate on all items, in percent
    detectable: Mapping[str, tuple[float, ...]]  # by metric: the least and the largest MDD on all items, in pp
    generation: Mapping[str, str]  # by label; of the empty label if it is the same for all
    depends: bool  # whether a difference is sensitive to unparsed answers
    beside: tuple[str, ...]  # rules whose values are shown and not compared


def _facts_of(comparison: Comparison) -> Facts:
    found = comparison.found
    permutations = [
        one.permutations for one in found if any(each.test not in {None, "mcnemar mid-p"} for each in one.differences)
    ]
    on_all = [one for one in found if not one.breakdown]
    counted = _holding(on_all, lambda one: {_ends(each.value.n for each in one.standings)})
    items = comparison.units if comparison.items is None else comparison.items
    point = POINT[comparison.unit]
    detectable = {
        one.metric: _ends(None if each.detectable is None else each.detectable / point for each in one.differences)
        for one in on_all
    }
    return Facts(
        metrics=tuple(dict.fromkeys(one.metric for one in found)),
        unit=comparison.unit,
        breakdowns=tuple(dict.fromkeys(one.breakdown for one in found if one.breakdown)),
        recipe=recipe_signed(comparison.signature),
        runs=_ends(system.runs for system in comparison.systems),
        items=compared_items(comparison),
        excluded=declared_screen(comparison.config).clusters(comparison.left_out),
        counted={} if list(counted) == [_ends([items])] else counted,
        baseline=found[0].baseline,
        intervals=_holding(found, lambda one: {each.value.interval for each in one.standings} - {None}),
        of_differences=_holding(found, lambda one: {each.interval for each in one.differences} - {None}),
        tests=_holding(found, lambda one: {each.test for each in one.differences} - {None}),
        families=_holding(found, _families),
        permutations=_ends(permutations),
        unparsed=_ends(standing.unparsed for one in on_all for standing in one.standings),
        detectable={metric: ends for metric, ends in detectable.items() if ends},
        generation=_generation(comparison),
        depends=any(each.depends_on_unparsed for one in found for each in one.differences),
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


def _generation(comparison: Comparison) -> dict[str, str]:
    if GENERATION in comparison.signature:
        return {"": comparison.signature[GENERATION]}
    return {system.label: system.differing.get(GENERATION, "unknown") for system in comparison.systems}


def _listed_generation(facts: Facts, options: DisplayOptions, translate: Callable[[str], str] = str) -> str:
    if "" in facts.generation:
        return translate(facts.generation[""])
    alike: dict[str, list[str]] = {}
    for label, generation in facts.generation.items():
        alike.setdefault(translate(generation), []).append(options.name(label))
    listed = [f"{generation} ({_first(names, ', ')})" for generation, names in alike.items()]
    return _first(listed, "; ")


def _generation_in_chinese(facts: Facts, options: DisplayOptions) -> str:
    return _listed_generation(facts, options, in_chinese)


def _first(names: Sequence[str], between: str) -> str:
    return between.join([*names[:NAMED], *["…"][: len(names) > NAMED]])
