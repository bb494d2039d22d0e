"""Groups too small to be shown: of a private config they are put together before anything is computed of them.

Every reader of a result takes its groups from there: a group that is not among them can be shown by none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING

from medzh_score.benchmark.layout import WITHHELD
from medzh_score.statistics.values import withheld_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.benchmark.layout import Layout
    from medzh_score.statistics.sums import GroupKey
    from medzh_score.statistics.values import Value

    Values = Mapping[GroupKey, Mapping[str, Value]]

FEWEST = 5  # items of a group that is shown
SIGNED = f"groups under {FEWEST} items"


def without_small_groups(layout: Layout, counted: Sequence[bool]) -> Layout:
    """Put the items of each breakdown's small groups together, so that no difference gives one of them away."""
    return replace(layout, groups={name: _together(labels, counted) for name, labels in layout.groups.items()})


def _together(labels: Sequence[str], counted: Sequence[bool]) -> list[str]:
    withheld = small(Counter(compress(labels, counted)))
    return [WITHHELD if label in withheld else label for label in labels]


def without_small_values(by_group: Values) -> dict[GroupKey, dict[str, Value]]:
    """Withhold what a metric has in groups of which few items count in it, as those that have none of an answer."""
    kept = {key: dict(named) for key, named in by_group.items()}
    for breakdown in {breakdown for breakdown, _ in by_group}:
        groups = {group: named for (name, group), named in by_group.items() if name == breakdown and group}
        for metric in next(iter(groups.values()), {}):
            counts = {group: named[metric].n for group, named in groups.items() if named[metric].n}
            for group in small(counts):
                kept[breakdown, group][metric] = withheld_value(groups[group][metric])
    return kept


def small(counts: Mapping[str, int]) -> set[str]:
    """Choose the groups that are withheld: those that are small, and more until nobody can take one from all.

    What is withheld can be had as all items less those that are shown. So it is no single group, and not small itself,
    where there are others to add: the next smallest, of equals the first by name. What is withheld already is several.

    Examples
    --------
    >>> sorted(small({"a": 30, "b": 4, "c": 9})), sorted(small({"a": 30, "b": 2, "c": 2, "d": 12})), small({"a": 5})
    (['b', 'c'], ['b', 'c', 'd'], set())
    """
    order = sorted(counts, key=lambda label: (label != WITHHELD, counts[label], label))
    count = sum(label == WITHHELD or counts[label] < FEWEST for label in order)
    several = 1 if WITHHELD in counts else 2
    while 0 < count < len(order) and (count < several or sum(counts[label] for label in order[:count]) < FEWEST):
        count += 1
    return set(order[:count])
