"""Layouts in which each record is an item: what items are sorted and joined by, and what is known of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.layout import Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medzh_score.benchmark.layout import Record


@dataclass(frozen=True)
class ItemARecord:
    """A layout that makes an item of each record, in an order that is not the file's: intervals depend on none.

    Attributes
    ----------
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
    >>> ItemARecord({"part": ("chat", "exam")})([{"id": "b", "part": "chat"}, {"id": "a", "part": "exam"}]).items
    ('a', 'b')
    """

    breakdowns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    labels: Mapping[str, Callable[[Record], str]] = field(default_factory=dict)
    facts: Mapping[str, Callable[[Record], int]] = field(default_factory=dict)
    texts: Mapping[str, Callable[[Record], tuple[str, ...]]] = field(default_factory=dict)
    unit: str = "id"
    within: str = "id"

    def __call__(self, records: Sequence[Record]) -> Layout:
        """Lay records out.

        Parameters
        ----------
        records : sequence of dict
            The records.
        """
        order = sorted(range(len(records)), key=lambda index: (records[index][self.unit], records[index][self.within]))
        rows = [records[index] for index in order]
        opens = [index == 0 or rows[index - 1][self.unit] != row[self.unit] for index, row in enumerate(rows)]
        return Layout(
            items=tuple(row["id"] for row in rows),
            members=np.array(order, np.int64)[:, np.newaxis],
            units=np.cumsum(np.array(opens, bool)) - 1,
            groups={name: [self._label(name, row) for row in rows] for name in self.breakdowns},
            orders=self.breakdowns,
            facts={name: np.array([fact(row) for row in rows], np.int64) for name, fact in self.facts.items()},
            texts={name: [text(row) for row in rows] for name, text in self.texts.items()},
        )

    def _label(self, name: str, row: Record) -> str:
        label: str = self.labels[name](row) if name in self.labels else row[name]
        return label
