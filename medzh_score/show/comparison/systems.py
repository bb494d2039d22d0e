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


def by_breakdown(comparison: Comparison) -> list[tuple[MetricComparison, ...]]:
    """Put together what stands in one table: a metric of all items, or of the groups of one breakdown."""
    tables: dict[tuple[str, str], list[MetricComparison]] = {}
    for found in comparison.found:
        tables.setdefault((found.metric, found.breakdown), []).append(found)
    return [tuple(alike) for alike in tables.values()]


def system_tables(
    comparison: Comparison, alike: Sequence[MetricComparison], showing: Showing, order: Sequence[int]
) -> Iterator[Table]:
    """Put a metric of all items, or by a breakdown, into a table of systems."""
    breakdown, decimals = alike[0].breakdown, showing.decimals(comparison.unit)
    rows = [
        ((found.group,) if breakdown else ()) + row for found in alike for row in _rows(found, showing, order, decimals)
    ]
    heads = ((breakdown,) if breakdown else ()) + _heads(alike[0], showing)
    yield Table(titled(comparison, alike[0]), heads, tuple(rows))


def titled(comparison: Comparison, found: MetricComparison) -> str:
    """Name a metric with its unit, its better direction, and the breakdown."""
    arrow = ARROWS[found.standings[0].value.direction]
    by = f", by {found.breakdown}" if found.breakdown else ""
    return f"{found.metric}{' ' if arrow else ''}{arrow} ({comparison.unit}){by}"


def _heads(found: MetricComparison, showing: Showing) -> tuple[str, ...]:
    beside = () if found.baseline is None else (f"minus {showing.name(found.baseline)}", *BESIDE)
    return ("system", "value", INTERVAL, *found.beside, *beside, "rank", INTERVAL, "tie", "unread %")


def _rows(
    found: MetricComparison, showing: Showing, order: Sequence[int], decimals: int
) -> Iterator[tuple[str | int | None, ...]]:
    to_baseline = {one.label: one for one in found.differences if one.other == found.baseline}
    none = (NONE,) * (1 + len(BESIDE))
    for standing in (found.standings[place] for place in order):
        value, one = standing.value, to_baseline.get(standing.label)
        beside = () if found.baseline is None else none if one is None else difference_cells(one, decimals)
        yield (
            showing.name(standing.label),
            number(value.value, decimals),
            span(value.low, value.high, decimals),
            *(number(one, decimals) for one in standing.by_rules.values()),
            *beside,
            standing.rank,
            span(standing.rank_low, standing.rank_high, 0),
            tie_number(found, standing.label),
            number(standing.unread, UNREAD_DECIMALS),
        )


def tie_number(found: MetricComparison, label: str) -> int | None:
    """Give the number of the group of ties that a system is in, from 1 for the best."""
    return next((number for number, group in enumerate(found.ties, 1) if label in group), None)
