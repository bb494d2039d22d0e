"""A comparison as rows for other tools: one a metric, group, rule, and system or pair, with every number in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.io.tables import csv_text
from medzh_score.render.compare_tables import tie_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.comparison.model import Comparison, PrintedRow
    from medzh_score.stats.pairwise import Difference, MetricComparison, SystemResult


Cell = str | int | float | None
OF_A_DIFFERENCE = (
    *("other", "difference", "difference_low", "difference_high", "p", "corrected_p", "test", "correction", "family"),
    *("swaps", "won", "lost", "tied", "detectable", "bounds_low", "bounds_high", "depends_on_unread", "difference_why"),
)
COLUMNS = (
    *("kind", "config", "rule", "metric", "breakdown", "group", "unit", "direction", "system"),
    *("value", "low", "high", "interval", "n", "rank", "rank_low", "rank_high", "tie", "unread_percent", "why"),
    *(*OF_A_DIFFERENCE, "gate", "allowed"),
)


def as_csv(comparison: Comparison) -> str:
    """Write the rows for programs; what has no value is written as nothing."""
    return csv_text(COLUMNS, tidy_rows(comparison))


def tidy_rows(comparison: Comparison) -> Iterator[dict[str, Cell]]:
    """Give rows of ``kind`` system (with the difference to the baseline, if any), beside, pair, or printed.

    True is 1. Of what stands ``beside``, by another rule, there is the value alone.
    """
    shared = {"config": comparison.config, "rule": comparison.rule, "unit": comparison.unit}
    shared["allowed"] = ";".join(comparison.allowed)
    for row in _rows(comparison):
        yield {**shared, **row}


def _rows(comparison: Comparison) -> Iterator[dict[str, Cell]]:
    outcomes: dict[tuple[str, str], str] = {(one.metric, one.label): one.outcome for one in comparison.judged}
    for found in comparison.found:
        shared: dict[str, Cell] = {"metric": found.metric, "breakdown": found.breakdown, "group": found.group}
        to_baseline = {one.label: one for one in found.differences if one.other == found.baseline}
        for standing in found.standings:
            one = to_baseline.get(standing.label)
            gate = None if found.breakdown else outcomes.get((found.metric, standing.label))
            of_one = {} if one is None else _difference(found, one)
            yield {**shared, "gate": gate, **_system(found, standing), **of_one}
            for rule, value in standing.by_rules.items():
                beside: dict[str, Cell] = {"kind": "beside", "rule": rule, "system": standing.label, "value": value}
                yield {**shared, **beside, "direction": standing.value.direction}
        if found.baseline is None:
            for one in found.differences:
                yield {**shared, "kind": "pair", "system": one.label, **_difference(found, one)}
    for row in comparison.printed:
        yield from _printed(row)


def _system(found: MetricComparison, standing: SystemResult) -> dict[str, Cell]:
    value = standing.value
    return {
        "kind": "system",
        "system": standing.label,
        "direction": value.direction,
        "value": value.value,
        "low": value.low,
        "high": value.high,
        "interval": value.interval,
        "n": value.n,
        "rank": standing.rank,
        "rank_low": standing.rank_low,
        "rank_high": standing.rank_high,
        "tie": tie_number(found, standing.label),
        "unread_percent": standing.unread,
        "why": value.why,
    }


def _difference(found: MetricComparison, one: Difference) -> dict[str, Cell]:
    tested = one.corrected is not None
    bounds = one.bounds
    cells: tuple[Cell, ...] = (
        one.other,
        one.value,
        one.low,
        one.high,
        one.p,
        one.corrected,
        one.test,
        found.correction if tested else None,
        found.family if tested else None,
        found.swaps if tested else None,
        one.won,
        one.lost,
        one.tied,
        one.detectable,
        None if bounds is None else bounds.low,
        None if bounds is None else bounds.high,
        int(one.depends_on_unread),
        one.why,
    )
    return dict(zip(OF_A_DIFFERENCE, cells, strict=True))


def _printed(row: PrintedRow) -> Iterator[dict[str, Cell]]:
    system = f"{row.table}: {row.row}"
    for metric, value in row.values.items():
        yield {"kind": "printed", "metric": metric, "system": system, "value": value, "why": "; ".join(row.remarks)}
