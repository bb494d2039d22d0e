"""Groups too small to be shown: of a private config they are put together before anything is computed of them.

Every reader of a result takes its groups from there: a group that is not among them can be shown by none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.layout import WITHHELD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.benchmark.layout import Layout

FEWEST = 5  # items of a group that is shown
SIGNED = f"groups under {FEWEST} items"


def without_small_groups(layout: Layout) -> Layout:
    """Put the items of each breakdown's small groups together, so that no difference gives one of them away."""
    return replace(layout, groups={name: _together(labels) for name, labels in layout.groups.items()})


def _together(labels: Sequence[str]) -> list[str]:
    withheld = small(Counter(labels))
    return [WITHHELD if label in withheld else label for label in labels]


def small(counts: Mapping[str, int]) -> set[str]:
    """Choose the groups that are withheld: those that are small, and more until nobody can take one from all.

    What is withheld can be had as all items less those that are shown. So it is no single group, and not small itself,
    where there are others to add: the next smallest, of equals the first by name.

    Examples
    --------
    >>> sorted(small({"a": 30, "b": 4, "c": 9})), sorted(small({"a": 30, "b": 2, "c": 2, "d": 12})), small({"a": 5})
    (['b', 'c'], ['b', 'c', 'd'], set())
    """
    order = sorted(counts, key=lambda label: (counts[label], label))
    count = sum(counts[label] < FEWEST for label in order)
    while 0 < count < len(order) and (count == 1 or sum(counts[label] for label in order[:count]) < FEWEST):
        count += 1
    return set(order[:count])
