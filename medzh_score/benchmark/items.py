"""How records form items, clusters and groups, and what one prediction answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from medzh_score.benchmark.variants import ONE, Variants

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray


Record = dict[str, Any]
WITHHELD = "(withheld)"  # in the place of what a report of a private config does not say


class Query(msgspec.Struct, frozen=True, gc=False):
    """One prompt for a record or a question group, to which one prediction belongs."""

    id: str  # the id that a prediction repeats
    members: tuple[int, ...]  # the indices of the records that it answers, in the order in which they are asked
    context: Any  # what the rules need to know to read an answer
    variants: Variants = ONE  # those in which it can be asked
    # the id of the group, where this is a record of a group that is asked alone: a group is answered as a whole or in
    # its parts, never both
    part_of: str | None = None


@dataclass(frozen=True)
class ItemIndex:
    """The items, clusters and groups of the records of a config."""

    items: tuple[str, ...]  # the id of each item, the thing that is counted
    # shape (items, members): the record indices of each item, in the order that the config's statistics expect
    members: NDArray[np.int64]
    clusters: NDArray[np.int64]  # shape (items,): the cluster, which is resampled, that each item belongs to, from 0
    groups: Mapping[str, Sequence[str]]  # for each breakdown the label of each item
    # the labels of a breakdown in their order, where it is not the alphabet's
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    # shape (items,): numbers that the statistics need to know of each item, such as which option is right
    item_values: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    # texts that the statistics need to know of each item, such as its reference answer
    item_texts: Mapping[str, Sequence[tuple[str, ...]]] = field(default_factory=dict)


def one_query_per_record(records: Sequence[Record], _layout: ItemIndex) -> list[Query]:
    """Make one query per record, in one option order and without context for the rules."""
    return [Query(record["id"], (index,), None) for index, record in enumerate(records)]


@dataclass(frozen=True)
class OneItemPerRecord:
    """A layout with one item per record, independent of the order of the file."""

    # for each breakdown its labels in their order
    breakdowns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    # from a record to its label, for breakdowns whose label is not the field of their name
    labels: Mapping[str, Callable[[Record], str]] = field(default_factory=dict)
    # facts and texts: from a record to the number, or the texts, that the statistics need to know of it
    item_values: Mapping[str, Callable[[Record], int]] = field(default_factory=dict)
    item_texts: Mapping[str, Callable[[Record], tuple[str, ...]]] = field(default_factory=dict)
    unit: str = "id"  # the field that the records of a unit share
    within: str = "id"  # the field by which they stand in it

    def __call__(self, records: Sequence[Record]) -> ItemIndex:
        """Lay records out."""
        order = sorted(range(len(records)), key=lambda index: (records[index][self.unit], records[index][self.within]))
        rows = [records[index] for index in order]
        opens = [index == 0 or rows[index - 1][self.unit] != row[self.unit] for index, row in enumerate(rows)]
        return ItemIndex(
            items=tuple(row["id"] for row in rows),
            members=np.array(order, np.int64)[:, np.newaxis],
            clusters=np.cumsum(np.array(opens, bool)) - 1,
            groups={name: [self._label(name, row) for row in rows] for name in self.breakdowns},
            orders=self.breakdowns,
            item_values={
                name: np.array([fact(row) for row in rows], np.int64) for name, fact in self.item_values.items()
            },
            item_texts={name: [text(row) for row in rows] for name, text in self.item_texts.items()},
        )

    def _label(self, name: str, row: Record) -> str:
        label: str = self.labels[name](row) if name in self.labels else row[name]
        return label
