"""What caption and methods must name: gathered from a comparison, before it is put into words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from medzh_score.messages.errors import NAMED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.show.comparison.showing import Showing
    from medzh_score.statistics.comparison.found import Correction, MetricComparison

One = TypeVar("One")
Number = TypeVar("Number", int, float)
DECODING = "decoding"


@dataclass(frozen=True)
class Family:
    """Comparisons that were corrected together."""

    correction: Correction
    size: int


@dataclass(frozen=True)
class Facts:
    """What caption and methods name.

    Attributes
    ----------
    metrics : tuple of str
        In the order of the comparison.
    breakdowns : tuple of str
        By which groups are shown.
    counted : mapping of tuple of int to tuple of str
        How many items stand in the denominators on all items, the fewest and the most of a system; from each to its
        metrics, or to none where it is that of all.
    baseline : str or None
        The one that all tests compare with; None where all pairs are compared.
    of_differences : mapping of str to tuple of str
        Of which kinds the intervals of differences are, as ``intervals``.
    intervals, tests : mapping of str to tuple of str
        Of which kinds the intervals of values are, and which tests were made; from each to its metrics, or to none
        where it is that of all.
    families : mapping of Family to tuple of str
        The same of how p values were corrected, and how many together.
    swaps : tuple of int
        How many times rows were swapped, the fewest and the most; empty where no test swaps.
    unread : tuple of float
        The lowest and the highest share unread on all items, in percent.
    detectable : mapping of str to tuple of float
        By metric, the smallest differences on all items that would be found: the least and the largest of them.
    decoding : mapping of str to str
        By label; of the empty label where all are decoded alike.
    depends : bool
        Whether any difference depends on unread answers.
    beside : tuple of str
        The rules whose values stand beside those that are compared.
    """

    metrics: tuple[str, ...]
    breakdowns: tuple[str, ...]
    counted: Mapping[tuple[int, ...], tuple[str, ...]]
    baseline: str | None
    of_differences: Mapping[str, tuple[str, ...]]
    intervals: Mapping[str, tuple[str, ...]]
    tests: Mapping[str, tuple[str, ...]]
    families: Mapping[Family, tuple[str, ...]]
    swaps: tuple[int, ...]
    unread: tuple[float, ...]
    detectable: Mapping[str, tuple[float, ...]]
    decoding: Mapping[str, str]
    depends: bool
    beside: tuple[str, ...]


def facts_of(comparison: Comparison) -> Facts:
    """Gather what caption and methods name."""
    found = comparison.found
    swapped = [one.swaps for one in found if any(each.test not in {None, "mcnemar mid-p"} for each in one.differences)]
    on_all = [one for one in found if not one.breakdown]
    unread = [standing.unread for one in on_all for standing in one.standings]
    return Facts(
        metrics=tuple(dict.fromkeys(one.metric for one in found)),
        breakdowns=tuple(dict.fromkeys(one.breakdown for one in found if one.breakdown)),
        counted=_holding(on_all, _counted),
        baseline=found[0].baseline,
        of_differences=_holding(found, lambda one: {each.interval for each in one.differences if each.interval}),
        intervals=_holding(found, _kinds),
        tests=_holding(found, _tests),
        families=_holding(found, _families),
        swaps=_ends(swapped),
        unread=_ends(unread),
        detectable={one.metric: ends for one in on_all if (ends := _detectable(one))},
        decoding=_decoding(comparison),
        depends=any(each.depends_on_unread for one in found for each in one.differences),
        beside=found[0].beside,
    )


def _ends(numbers: Sequence[Number]) -> tuple[Number, ...]:
    """Give the least and the largest, once where they are equal."""
    return tuple(sorted({min(numbers), max(numbers)})) if numbers else ()


def _detectable(one: MetricComparison) -> tuple[float, ...]:
    return _ends([each.detectable for each in one.differences if each.detectable is not None])


def _counted(one: MetricComparison) -> set[tuple[int, ...]]:
    return {_ends([each.value.n for each in one.standings])}


def _kinds(one: MetricComparison) -> set[str]:
    return {each.value.interval for each in one.standings if each.value.interval is not None}


def _tests(one: MetricComparison) -> set[str]:
    return {each.test for each in one.differences if each.test is not None}


def _families(one: MetricComparison) -> set[Family]:
    tested = any(each.corrected is not None for each in one.differences)
    return {Family(one.correction, one.family)} if tested else set()


def _holding(
    found: Iterable[MetricComparison], of: Callable[[MetricComparison], Iterable[One]]
) -> dict[One, tuple[str, ...]]:
    """Say of each thing for which metrics it holds; of what holds alone and for all, nothing."""
    holds: dict[One, dict[str, None]] = {}
    for one in found:
        for what in sorted(of(one), key=str):
            holds.setdefault(what, {})[one.metric] = None
    every = {one.metric for one in found}
    return {what: () if len(holds) == 1 and set(names) == every else tuple(names) for what, names in holds.items()}


def _decoding(comparison: Comparison) -> dict[str, str]:
    if DECODING in comparison.signature:
        return {"": comparison.signature[DECODING]}
    return {system.label: system.differing.get(DECODING, "unknown") for system in comparison.systems}


def listed_decoding(facts: Facts, showing: Showing) -> str:
    """List how systems are decoded, with those that each way is of."""
    if "" in facts.decoding:
        return facts.decoding[""]
    alike: dict[str, list[str]] = {}
    for label, decoding in facts.decoding.items():
        alike.setdefault(decoding, []).append(showing.name(label))
    listed = [f"{decoding} ({_first(names)})" for decoding, names in alike.items()]
    return "; ".join([*listed[:NAMED], *["…"][: len(listed) > NAMED]])


def _first(names: Sequence[str]) -> str:
    return ", ".join([*names[:NAMED], *["…"][: len(names) > NAMED]])
