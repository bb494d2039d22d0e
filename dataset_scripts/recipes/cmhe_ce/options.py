"""CMHE-CE's options: two concepts near the right one in the MeSH tree, and one far from it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from dataset_scripts.recipes.cmhe_ce.classes import places
from dataset_scripts.terminology.mesh_distance import Places, distance
from medzh_score.benchmark.draws import draw_first, draw_one
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipes.cmhe_ce.concepts import Concept
    from dataset_scripts.terminology.mesh_distance import Place

NEAR, FAR = 3, 6  # steps in the tree: near options are at most so far, far ones at least
NEAR_OPTIONS = 2
# Where near options are looked for until there are two: in all branches or the drawn one, and how far.
SEARCHES = ((False, NEAR), (True, NEAR), (True, NEAR + 1), (True, NEAR + 2))
NO_NEAR = f"fewer than two options within {SEARCHES[-1][1]} steps"
NO_FAR = f"no option {FAR} or more steps away"


@dataclass(frozen=True)
class Chosen:
    """The options beside a concept."""

    near: tuple[Concept, ...]  # two
    far: Concept  # the one that is easily ruled out
    distances: Mapping[str, int]  # from the concept, by identifier
    widened: int  # how often the search for near ones was widened


@dataclass(frozen=True)
class Pool:
    """The concepts of one class that can be options for each other."""

    concepts: tuple[Concept, ...]  # by identifier

    @cached_property
    def stands(self) -> tuple[tuple[Place, ...], ...]:
        """The places of each concept."""
        return tuple(places(one.numbers) for one in self.concepts)

    @cached_property
    def tree(self) -> Places:
        """The places, to be found from one."""
        return Places.of(self.stands)

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The Chinese name of each concept, folded: no two options are alike."""
        return tuple(fold(one.name).casefold() for one in self.concepts)

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each concept is, by identifier."""
        return {one.identifier: index for index, one in enumerate(self.concepts)}

    def near(self, index: int, branch: str, farthest: int) -> set[int]:
        """Find the positions of near options: within some steps of one of the right concept's tree numbers."""
        (place,) = places([branch])
        return {other for other in self.tree.near(place, farthest) if self.shown[index] != self.shown[other]}

    def is_far(self, index: int, other: int) -> bool:
        """Say whether a concept can be the far option."""
        return self.shown[index] != self.shown[other] and self.distance(index, other) >= FAR

    def distance(self, index: int, other: int) -> int:
        """Count the steps between two concepts, over all places of both."""
        return distance(self.stands[index], self.stands[other])


def choose(concepts: Sequence[Concept], seed: int) -> tuple[dict[str, Chosen], Counter[tuple[str, str]]]:
    """Choose options for concepts (paper, section 3.3), and count those without, by class and reason.

    Near ones are drawn from those within three steps of one of the concept's tree numbers, itself drawn; where there
    are fewer than two, from all of its tree numbers, then within four steps, then five. The far one is drawn from those
    of the class that are six or more steps away from it, over all tree numbers of both.
    """
    pools: dict[str, list[Concept]] = {}
    for one in sorted(concepts, key=lambda one: one.identifier):
        pools.setdefault(one.kind.name, []).append(one)
    ready = {name: Pool(tuple(own)) for name, own in pools.items()}
    chosen: dict[str, Chosen] = {}
    without: Counter[tuple[str, str]] = Counter()
    for concept in concepts:
        found = _for_one(concept, ready[concept.kind.name], seed)
        if isinstance(found, str):
            without[concept.kind.name, found] += 1
        else:
            chosen[concept.identifier] = found
    return chosen, without


def _for_one(concept: Concept, pool: Pool, seed: int) -> Chosen | str:
    index = pool.positions[concept.identifier]
    near, widened = _near(index, pool, seed)
    if len(near) < NEAR_OPTIONS:
        return NO_NEAR
    taken = {pool.shown[one] for one in near}
    far = draw_one(
        range(len(pool.concepts)),
        lambda other: pool.shown[other] not in taken and pool.is_far(index, other),
        f"{concept.identifier}:far",
        seed,
    )
    if far is None:
        return NO_FAR
    distances = {pool.concepts[other].identifier: pool.distance(index, other) for other in (*near, far)}
    return Chosen(tuple(pool.concepts[one] for one in near), pool.concepts[far], distances, widened)


def _near(index: int, pool: Pool, seed: int) -> tuple[list[int], int]:
    """Draw near options, in ever wider searches until there are two; what a narrower one found stays."""
    found: list[int] = []
    for widened, branches, farthest in _searches(pool.concepts[index], seed):
        there = set().union(*(pool.near(index, branch, farthest) for branch in branches))
        for other in _drawn(there, index, pool, seed):
            if pool.shown[other] not in {pool.shown[one] for one in found}:
                found.append(other)
            if len(found) == NEAR_OPTIONS:
                return found, widened
    return found, len(SEARCHES)


def _searches(concept: Concept, seed: int) -> Iterator[tuple[int, Sequence[str], int]]:
    own = [number for number in concept.numbers if concept.kind.holds(number)]
    drawn = draw_first(own, lambda number: f"{concept.identifier}:{number}", 1, seed)
    for widened, (everywhere, farthest) in enumerate(SEARCHES):
        yield widened, own if everywhere else drawn, farthest


def _drawn(there: set[int], index: int, pool: Pool, seed: int) -> list[int]:
    identifier = pool.concepts[index].identifier
    return draw_first(there, lambda other: f"{identifier}:{pool.concepts[other].identifier}", len(there), seed)
