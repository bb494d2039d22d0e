"""Tables of systems: a metric of all items, and a metric of each group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.tables import Table
from medzh_score.show.comparison.cells import (
    ARROWS,
    BESIDE,
    DAGGER,
    INTERVAL,
    NONE,
    UNREAD_DECIMALS,
    difference_cells,
    number,
    span,
)
from medzh_score.statistics.comparison.corrections import LEVEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.show.comparison.showing import Showing
    from medzh_score.statistics.comparison.found import MetricComparison

    Cells = tuple[str | int | None, ...]
    from medzh_score.statistics.comparison.found import Difference


def by_breakdown(comparison: Comparison) -> list[tuple[MetricComparison, ...]]:
    """Put together what stands in one table: a metric of all items, or of the groups of one breakdown."""
    tables: dict[tuple[str, str], list[MetricComparison]] = {}
    for found in comparison.found:
        tables.setdefault((found.metric, found.breakdown), []).append(found)
    return [tuple(alike) for alike in tables.values()]


def system_tables(
    comparison: Comparison, alike: Sequence[MetricComparison], showing: Showing, order: Sequence[int]
) -> Iterator[Table]:
    """Put a metric of all items, or by a breakdown, into a table of systems and one of differences to the baseline."""
    first, decimals = alike[0], showing.decimals(comparison.unit)
    tables = [(("value", INTERVAL, *first.beside, "rank", INTERVAL, "tie", "unread %"), _values)]
    if first.baseline is not None:
        tables.append(((f"minus {showing.name(first.baseline)}", *BESIDE), _differences))
    for heads, rows_of in tables:
        rows = [
            ((found.group,) if first.breakdown else ()) + (showing.name(found.standings[place].label), *cells)
            for found in alike
            for place, cells in zip(order, rows_of(found, order, decimals), strict=True)
        ]
        keys = (first.breakdown, "system") if first.breakdown else ("system",)
        yield Table(titled(comparison, first), (*keys, *heads), tuple(rows))


def titled(comparison: Comparison, found: MetricComparison) -> str:
    """Name a metric with its unit, its better direction, and the breakdown."""
    arrow = ARROWS[found.standings[0].value.direction]
    by = f", by {found.breakdown}" if found.breakdown else ""
    return f"{found.metric}{' ' if arrow else ''}{arrow} ({comparison.unit}){by}"


def _values(found: MetricComparison, order: Sequence[int], decimals: int) -> Iterator[Cells]:
    for standing in (found.standings[place] for place in order):
        value = standing.value
        yield (
            number(value.value, decimals),
            span(value.low, value.high, decimals),
            *(number(one, decimals) for one in standing.by_rules.values()),
            standing.rank,
            span(standing.rank_low, standing.rank_high, 0),
            tie_number(found, standing.label),
            number(standing.unread, UNREAD_DECIMALS),
        )


def _differences(found: MetricComparison, order: Sequence[int], decimals: int) -> Iterator[Cells]:
    to_baseline = {one.label: one for one in found.differences if one.other == found.baseline}
    for standing in (found.standings[place] for place in order):
        one = to_baseline.get(standing.label)
        yield (NONE,) * (1 + len(BESIDE)) if one is None else difference_cells(one, decimals)


def tie_number(found: MetricComparison, label: str) -> int | None:
    """Give the number of the group of ties that a system is in, from 1 for the best."""
    return next((number for number, group in enumerate(found.ties, 1) if label in group), None)


LISTED = 8  # systems whose pairs, 28, are a list that can be read
FIRST = 10  # systems of a triangle: as many as have room in 60 columns
KEY = "> <: higher, lower than the system of the column, corrected p at most 0.05; =: not told apart; blank: no test"


def pair_tables(
    comparison: Comparison, alike: Sequence[MetricComparison], showing: Showing, order: Sequence[int]
) -> Iterator[Table]:
    """Put the pairs of a metric on all items, or in each group, into tables; none where there is a baseline."""
    for found in alike:
        if found.baseline is None:
            group = f": {found.group}" if found.breakdown else ""
            title = f"Pairs, {titled(comparison, found)}{group}"
            if len(order) <= LISTED:
                yield _listed(title, found, showing, order, showing.decimals(comparison.unit))
            else:
                yield _triangle(title, found, showing, order)


def said_of_pairs(comparison: Comparison) -> list[str]:
    """Say what the signs of a triangle mean, how many systems it leaves out, and where all are."""
    if len(comparison.systems) <= LISTED or all(found.baseline is not None for found in comparison.found):
        return []
    more = len(comparison.systems) - FIRST
    return [KEY, f"pairs of the first {FIRST} systems; {more} are left out: --to json and --to csv have all"][
        : 1 + (more > 0)
    ]


def _listed(title: str, found: MetricComparison, showing: Showing, order: Sequence[int], decimals: int) -> Table:
    rows = [
        (
            showing.name(one.label),
            showing.name(one.other),
            *difference_cells(one, decimals),
        )
        for one in _in_order(found, order)
    ]
    return Table(title, ("system", "other", "difference", *BESIDE), tuple(rows))


def _in_order(found: MetricComparison, order: Sequence[int]) -> list[Difference]:
    place = {found.standings[index].label: number for number, index in enumerate(order)}
    return sorted(found.differences, key=lambda one: sorted((place[one.label], place[one.other])))


def _triangle(title: str, found: MetricComparison, showing: Showing, order: Sequence[int]) -> Table:
    """Show of each pair of the first systems whether it is told apart; columns are numbered as rows."""
    shown = [found.standings[place].label for place in order[:FIRST]]
    signs = signs_of(found)
    rows: list[tuple[str | int, ...]] = [
        (number, showing.name(label), *(signs.get((label, other), "") for other in shown[: number - 1]))
        for number, label in enumerate(shown, 1)
    ]
    width = len(shown) - 1
    filled = tuple((*row, *[""] * (width + 2 - len(row))) for row in rows)
    return Table(title, ("", "system", *map(str, range(1, width + 1))), filled)


def signs_of(found: MetricComparison) -> dict[tuple[str, str], str]:
    """Say of each tested pair, either way round, whether the first is higher, lower or not told apart.

    The dagger stands where unread answers may turn the sign.
    """
    signs = {}
    for one in found.differences:
        if one.value is not None and one.corrected is not None:
            apart = one.corrected <= LEVEL and one.value != 0
            mark = DAGGER if one.depends_on_unread else ""
            signs[one.label, one.other] = ("=" if not apart else ">" if one.value > 0 else "<") + mark
            signs[one.other, one.label] = ("=" if not apart else "<" if one.value > 0 else ">") + mark
    return signs
