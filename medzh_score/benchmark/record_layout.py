"""Layouts in which each record is an item: what items are sorted and joined by, and what is known of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from medzh_score.benchmark.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medzh_score.benchmark.layout import Record


def item_a_record(
    records: Sequence[Record],
    breakdowns: Mapping[str, Sequence[str]],
    *,
    labels: Mapping[str, Callable[[Record], str]] | None = None,
    facts: Mapping[str, Callable[[Record], int]] | None = None,
    texts: Mapping[str, Callable[[Record], tuple[str, ...]]] | None = None,
    unit: str = "id",
    within: str = "id",
) -> Layout:
    """Make an item of each record, in an order that is not the file's: intervals must not depend on that.

    Parameters
    ----------
    records : sequence of dict
        The records.
    breakdowns : mapping of str to sequence of str
        For each breakdown its labels in their order.
    labels : mapping of str to callable
        From a record to its label, for breakdowns whose label is not the field of their name.
    facts, texts : mapping of str to callable
        From a record to the number, or the texts, that the statistics need to know of it.
    unit : str
        The field that the records of a unit share.
    within : str
        The field by which they stand in it.

    Examples
    --------
    >>> rows = [{"id": "b", "part": "chat"}, {"id": "a", "part": "exam"}]
    >>> item_a_record(rows, {"part": ("chat", "exam")}).items
    ('a', 'b')
    """
    order = sorted(range(len(records)), key=lambda index: (records[index][unit], records[index][within]))
    rows: list[dict[str, Any]] = [records[index] for index in order]
    first_of_unit = [index == 0 or rows[index - 1][unit] != row[unit] for index, row in enumerate(rows)]
    label_of = labels or {}
    return Layout(
        items=tuple(row["id"] for row in rows),
        members=np.array(order, np.int64)[:, np.newaxis],
        units=np.cumsum(np.array(first_of_unit, bool)) - 1,
        groups={name: [label_of[name](row) if name in label_of else row[name] for row in rows] for name in breakdowns},
        orders=breakdowns,
        facts={name: np.array([fact(row) for row in rows], np.int64) for name, fact in (facts or {}).items()},
        texts={name: [text(row) for row in rows] for name, text in (texts or {}).items()},
    )
