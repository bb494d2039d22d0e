"""What each item contributed in each run, as columns: rule by rule, item by item, run by run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.report.results.columns import BREAKDOWN, ROWS, STATISTIC, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer
    from medzh_score.benchmark.layout import Layout
    from medzh_score.report.results.columns import Basis


def statistics_columns(basis: Basis) -> Iterator[dict[str, Any]]:
    """Give the columns of ``statistics.parquet``, rule by rule, so many rows at a time as are written at once."""
    layout = basis.layout
    for name, of_rule in basis.rules.items():
        table, counts = of_rule.answers, of_rule.statistics
        unread = _variants(layout, (one.codes(_is_unread) > 0 for one in table.by_run()))
        missing = _variants(layout, (one.missing for one in table.by_run()))
        for start in range(0, unread.size, ROWS):
            items, runs = np.divmod(np.arange(start, min(start + ROWS, unread.size)), len(table.runs))
            yield {
                "rule": named(np.zeros(len(items), np.int64), [name]),
                "item": named(items, layout.items),
                "unit": layout.units[items].astype(np.int32),
                "run": np.array(table.runs, np.int32)[runs],
                **{BREAKDOWN + breakdown: named(items, list(labels)) for breakdown, labels in layout.groups.items()},
                "unread": unread[items, runs],
                "missing": missing[items, runs],
                **{f"{STATISTIC}{place}": counts[items, runs, place] for place in range(counts.shape[2])},
            }


def _variants(layout: Layout, by_run: Iterable[NDArray[np.bool_]]) -> NDArray[np.int32]:
    """Count for each item and run the variants in which something holds of any of its records.

    Of each run comes an array of shape (records, 1, variants).
    """
    counts = [of_records[layout.members].any(axis=1).sum(axis=2, dtype=np.int32) for of_records in by_run]
    return np.concatenate(counts, axis=1)


def _is_unread(answer: Answer) -> int:
    return int(answer.value is None)
