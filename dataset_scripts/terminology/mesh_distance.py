"""Distances in the MeSH tree: steps between places, and which places are near one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Place = tuple[str, ...]


def place_of(number: str) -> Place:
    """Take a tree number apart: its category, the number of the subtree, and each level below.

    The category's letter is a node of its own, under one root for all categories.

    >>> place_of("C10.668.829")
    ('C', '10', '668', '829')
    """
    return (number[0], *number[1:].split("."))


def steps(one: Place, other: Place) -> int:
    """Count the steps between two places: up to the lowest node above both, and down again.

    >>> steps(place_of("C10.668"), place_of("C10.228.140")), steps(place_of("C10"), place_of("F03"))
    (3, 4)
    """
    shared = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        shared += 1
    return len(one) + len(other) - 2 * shared


def distance(ones: Iterable[Place], others: Sequence[Place]) -> int:
    """Give the distance of two descriptors: the fewest steps between any place of one and any of the other.

    >>> distance([place_of("C10.668"), place_of("C20.111")], [place_of("C20.222")])
    2
    """
    return min(steps(one, other) for one in ones for other in others)


@dataclass(frozen=True)
class Places:
    """Where descriptors stand, to be found from places near them."""

    # for each node the numbers of the descriptors at it, one level below it, and so on
    below: Mapping[Place, Sequence[set[int]]]

    @classmethod
    def of(cls, places: Iterable[Iterable[Place]]) -> Places:
        """Enter the places of descriptors, whose numbers are their positions."""
        below: dict[Place, list[set[int]]] = {}
        for index, own in enumerate(places):
            for place in own:
                for depth in range(len(place) + 1):
                    levels = below.setdefault(place[:depth], [])
                    while len(levels) <= len(place) - depth:
                        levels.append(set())
                    levels[len(place) - depth].add(index)
        return cls(below)

    def near(self, place: Place, farthest: int) -> set[int]:
        """Find the descriptors within some steps of a place, those at the place itself included.

        >>> tree = Places.of([[place_of("C10.668")], [place_of("C10.668.829")], [place_of("C20")]])
        >>> tree.near(place_of("C10.668"), 2)
        {0, 1}
        """
        found: set[int] = set()
        for up in range(min(farthest, len(place)) + 1):
            levels = self.below.get(place[: len(place) - up], ())
            found.update(*levels[: farthest - up + 1])
        return found
