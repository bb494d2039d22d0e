"""Statistics added up inside units and groups, so many runs at once as bound the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.items import ItemIndex

    Sums = NDArray[np.float64]
    OfRules = Sequence[Sums] | Sums  # shape (rules, items, runs, k)
    UnitSums = tuple[NDArray[np.int64], Sums]  # the units that have any items, and their sums

COPIED = 2**20  # numbers that are put in the order of their units, or summed in units, at once
TOTAL = ("", "")  # the key of all items, beside (breakdown, group)
GroupKey = tuple[str, str]


def items_by_group(layout: ItemIndex) -> dict[GroupKey, NDArray[np.int64]]:
    """Find the items of each group; groups in the layout's order, or the alphabet's."""
    rows = {TOTAL: np.arange(len(layout.items))}
    for breakdown, labels in layout.groups.items():
        written = np.asarray(labels)
        there = set(labels)
        order = layout.orders.get(breakdown, ())
        for label in [*(label for label in order if label in there), *sorted(there.difference(order))]:
            rows[breakdown, label] = np.flatnonzero(written == label)
    return rows


def unit_sums(layout: ItemIndex, statistics: OfRules, rows: NDArray[np.int64]) -> UnitSums:
    """Add rows inside units: the units that have any, and their sums, shape (units, rules, runs, k)."""
    order = rows[np.argsort(layout.clusters[rows], kind="stable")]
    members, starts = np.unique(layout.clusters[order], return_index=True)
    _, runs, width = statistics[0].shape
    sums = np.empty((len(members), len(statistics), runs, width))
    for place, every in enumerate(statistics):
        for some in slices_of_runs(runs, len(order) * width):
            np.add.reduceat(every[order, some], starts, axis=0, out=sums[:, place, some])
    return members, sums


def sums_by_runs(
    layout: ItemIndex, statistics: OfRules, rows: NDArray[np.int64]
) -> Iterator[tuple[slice, NDArray[np.int64], Sums]]:
    """Give the `unit_sums` of so many runs at a time as bound the memory, and which those are."""
    _, runs, width = statistics[0].shape
    for some in slices_of_runs(runs, len(rows) * len(statistics) * width):
        yield some, *unit_sums(layout, [every[:, some] for every in statistics], rows)


def slices_of_runs(runs: int, numbers: int) -> Iterator[slice]:
    """Take so many runs at once as bound what is copied, where each has so many numbers."""
    at_once = max(1, COPIED // max(1, numbers))
    return (slice(start, start + at_once) for start in range(0, runs, at_once))


def column_sums(layout: ItemIndex, every: Sums, rows: NDArray[np.int64], column: int) -> Sums:
    """Add one column inside units, shape (units, runs)."""
    return unit_sums(layout, [every[..., column : column + 1]], rows)[1][:, 0, :, 0]
