"""Tables of systems: a metric of all items, and a metric of each group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.tables import Table
from medzh_score.show.comparison.cells import (
    ARROWS,
    BESIDE,
    INTERVAL,
    NONE,
    UNREAD_DECIMALS,
    difference_cells,
    number,
    span,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.show.comparison.showing import Showing
    from medzh_score.statistics.comparison.found import MetricComparison

    Cells = tuple[str | int | None, ...]


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
