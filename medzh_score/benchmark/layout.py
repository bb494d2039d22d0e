"""How records form items, units and groups, and what one prediction answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.benchmark.variants import ONE, Variants

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray


Record = dict[str, Any]
WITHHELD = "(withheld)"  # in the place of what a report of a private config does not say


class Asked(msgspec.Struct, frozen=True, gc=False):
    """What one prediction answers: a record, or a group of records that is prompted as a whole.

    Attributes
    ----------
    id : str
        The id that a prediction repeats.
    members : tuple of int
        The indices of the records that it answers, in the order in which they are asked.
    side : object
        What the rules need to know to read an answer.
    variants : Variants
        Those in which it can be asked.
    part_of : str or None
        The id of the group, where this is a record of a group that is asked alone: a group is answered as a whole or
        in its parts, never both.
    """

    id: str
    members: tuple[int, ...]
    side: Any
    variants: Variants = ONE
    part_of: str | None = None


@dataclass(frozen=True)
class Layout:
    """How the records of a config form items, units and groups.

    Attributes
    ----------
    items : tuple of str
        The id of each item, the thing that is counted.
    members : array of int, shape (items, members)
        The record indices of each item, in the order that the config's statistics expect.
    units : array of int, shape (items,)
        The unit, the thing that is resampled, that each item belongs to, from 0.
    groups : mapping of str to sequence of str
        For each breakdown the label of each item.
    orders : mapping of str to sequence of str
        The labels of a breakdown in their order, where it is not the alphabet's.
    facts : mapping of str to array of int, shape (items,)
        Numbers that the statistics need to know of each item, such as which option is right.
    texts : mapping of str to sequence of tuple of str
        Texts that the statistics need to know of each item, such as its reference answer.
    """

    items: tuple[str, ...]
    members: NDArray[np.int64]
    units: NDArray[np.int64]
    groups: Mapping[str, Sequence[str]]
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    facts: Mapping[str, NDArray[np.int64]] = field(default_factory=dict)
    texts: Mapping[str, Sequence[tuple[str, ...]]] = field(default_factory=dict)


def each_alone(records: Sequence[Record], _layout: Layout) -> list[Asked]:
    """Let each record be asked by itself, in one variant, with nothing that the rules need to know of it."""
    return [Asked(record["id"], (index,), None) for index, record in enumerate(records)]
