"""What people and models said in a later round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.files.input_file import Input


class Source(NamedTuple):
    """Who said something in a later round: a filled sheet is a person's, a response a model's."""

    name: str
    kind: Literal["person", "model"]


Key = tuple[str, int]  # item, run
Said = Mapping[str, str]  # the value of each column


@dataclass(frozen=True)
class Judgements:
    """What people and models said in a later round, keyed by item and run; the run is 0 of a round about records.

    Attributes
    ----------
    sources : mapping of Source to mapping of (str, int) to mapping of str to str
        For each source, by name, the value of each column for each item id and run. Of one item and run there is one
        source, unless the round declares many.
    overridden : int
        How many values of an earlier file a later one replaced.
    unrated : int
        How many rows of sheets came back blank.
    places : mapping of (str, int) to (Path, int)
        File and line of each item and run of which something came back, for messages.
    unreadable : tuple of (str, int)
        Those that lack a value because a response could not be read; sorted, once for each source.
    empty, failed : tuple of (str, int)
        Those that lack one because the response was empty, or the request failed; sorted.
    unnamed : int
        How many readable responses do not say which model gave them.
    unverified : int
        How many values that stand came without the code of what they judge.
    others : int
        How many rows judge answers that are not at hand, those of other models.
    inputs : tuple of Input
        The files in which it came.
    due : array of bool, shape (items, runs), or None
        What the round was due to judge of the answers that are scored: of a rule's answers what was drawn. A value
        outside counts nothing. None of a round about records, and where nothing was drawn: then all is due.
    """

    sources: Mapping[Source, Mapping[Key, Said]]
    overridden: int = 0
    unrated: int = 0
    places: Mapping[Key, tuple[Path, int]] = field(default_factory=dict)
    unreadable: tuple[Key, ...] = ()
    empty: tuple[Key, ...] = ()
    failed: tuple[Key, ...] = ()
    unnamed: int = 0
    unverified: int = 0
    others: int = 0
    inputs: tuple[Input, ...] = ()
    due: NDArray[np.bool_] | None = field(default=None, compare=False)

    @cached_property
    def values(self) -> Mapping[Key, Said]:
        """What was said of each item and run: of a round of many sources by the last of them."""
        return {key: said for mine in self.sources.values() for key, said in mine.items()}

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Of which kinds those are who said anything."""
        return frozenset(source.kind for source, mine in self.sources.items() if mine)

    @cached_property
    def by_each(self) -> set[Key]:
        """The items and runs of which each model said something that said anything, and some person if any did."""
        models = [set(mine) for source, mine in self.sources.items() if source.kind == "model" and mine]
        people = {key for source, mine in self.sources.items() if source.kind == "person" for key in mine}
        return set.intersection(*models, *([people] if people else [])) if models or people else set()

    def due_in(self, items: int, runs: int) -> NDArray[np.bool_]:
        """Say what was due, shape (items, runs): all where nothing was drawn."""
        import numpy as np

        return np.ones((items, runs), bool) if self.due is None else self.due

    @property
    def raters(self) -> tuple[str, ...]:
        """Whose values stand, in alphabetical order; with their kind where two have one name."""
        often = Counter(source.name for source in self.sources)
        return tuple(one.name if often[one.name] == 1 else f"{one.name} ({one.kind})" for one in self.sources)

    def by_name(self, key: Key) -> dict[str, Said]:
        """Give what each said of an item and run, under the names of `raters`."""
        sources = zip(self.raters, self.sources.values(), strict=True)
        return {name: mine[key] for name, mine in sources if key in mine}

    @property
    def by_rater(self) -> tuple[int, ...]:
        """How many values of each rater stand."""
        return tuple(map(len, self.sources.values()))

    @property
    def unanswered(self) -> tuple[Key, ...]:
        """Those that have no value because nothing was said; sorted."""
        return tuple(sorted([*self.empty, *self.failed]))

    @property
    def came_back(self) -> AbstractSet[Key]:
        """Those to which something was said, readable or not, be it an empty text."""
        return {*self.values, *self.unreadable, *self.empty}
