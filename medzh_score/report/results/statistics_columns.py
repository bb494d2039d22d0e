"""What each item contributed in each run, as columns: rule by rule, item by item, run by run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.report.results.columns import BREAKDOWN, STATISTIC, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer
    from medzh_score.benchmark.layout import Layout
    from medzh_score.report.results.basis import Basis


def statistics_columns(basis: Basis) -> Iterator[dict[str, Any]]:
    """Give the columns of ``statistics.parquet``, rule by rule."""
    layout = basis.layout
    for name, of_rule in basis.rules.items():
        table, counts = of_rule.answers, of_rule.statistics
        items = np.repeat(np.arange(len(layout.items)), len(table.runs))
        yield {
            "rule": named(np.zeros(len(items), np.int64), [name]),
            "item": named(items, layout.items),
            "unit": layout.units[items].astype(np.int32),
            "run": np.tile(np.array(table.runs, np.int32), len(layout.items)),
            **{BREAKDOWN + breakdown: named(items, list(labels)) for breakdown, labels in layout.groups.items()},
            "unread": variants_of_items(layout, table.codes(_is_unread) > 0).ravel(),
            "missing": variants_of_items(layout, table.missing).ravel(),
            **{f"{STATISTIC}{place}": column.ravel() for place, column in enumerate(np.moveaxis(counts, 2, 0))},
        }


def variants_of_items(layout: Layout, of_records: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Count for each item and run the variants in which something holds of any of its records.

    ``of_records`` has the shape (records, runs, variants).
    """
    found = np.zeros((len(layout.items), *of_records.shape[1:]), bool)
    for members in layout.members.T:
        found |= of_records[members]
    counts: NDArray[np.int32] = found.sum(axis=2, dtype=np.int32)
    return counts


def _is_unread(answer: Answer) -> int:
    return int(answer.value is None)
