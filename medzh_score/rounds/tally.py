"""What the files of a round about items have said so far: which value stands, and why others lack one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from medzh_score.benchmark.judgements import Judgements, Key, Said, Source
from medzh_score.rounds.item_rows import EMPTY, FAILED, UNNAMED, UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from medzh_score.benchmark.rounds import Round
    from medzh_score.files.input_file import Input
    from medzh_score.rounds.item_rows import Row

Place = tuple["Path", int]  # file, line
Lacking = tuple[Key, Source | None]  # of one source where the round has many


@dataclass
class Tally:
    """What the files of a round have said so far."""

    later: Round
    standing: dict[Key, dict[Source, Said]] = field(default_factory=dict)
    places: dict[Key, Place] = field(default_factory=dict)
    lacking: dict[Lacking, str] = field(default_factory=dict)
    overridden: int = 0
    unrated: int = 0
    unnamed: int = 0
    others: int = 0
    uncoded: set[tuple[Key, Source]] = field(default_factory=set)

    def value(self, key: Key, row: Row, said: Said) -> None:
        """Take a value; it wins over what an earlier file said, of the same source where there are many."""
        source, standing = row.source, self.standing.setdefault(key, {})
        self.overridden += source in standing if self.later.many else bool(standing)
        if not self.later.many:
            standing.clear()
        standing[source], self.places[key] = said, (row.path, row.number)
        (self.uncoded.discard if row.code else self.uncoded.add)((key, source))
        for mine in (self._mine(source), None):
            self.lacking.pop((key, mine), None)

    def nothing(self, key: Key, row: Row, why: str) -> None:
        """Note that a response says nothing; it takes no value away."""
        mine, standing = self._mine(row.source), self.standing.get(key)
        if not standing:
            self.places[key] = row.path, row.number
        if not standing or (mine and mine not in standing):
            self.lacking[key, mine] = why

    def _mine(self, source: Source) -> Source | None:
        """Keep sources apart where there are many; a request that failed does not say of whom it was asked."""
        return source if self.later.many and source.name != UNNAMED else None

    def judgements(self, inputs: Sequence[Input]) -> Judgements:
        """Give what stands, the sources by name."""
        found: dict[Source, dict[Key, Said]] = {}
        for key, standing in self.standing.items():
            for source, said in standing.items():
                found.setdefault(source, {})[key] = said
        return Judgements(
            dict(sorted(found.items())),
            self.overridden,
            self.unrated,
            self.places,
            self._those(UNREADABLE),
            self._those(EMPTY),
            self._those(FAILED),
            self.unnamed,
            unverified=sum(source in self.standing[key] for key, source in self.uncoded),
            others=self.others,
            inputs=tuple(inputs),
        )

    def _those(self, why: str) -> tuple[Key, ...]:
        return tuple(sorted(key for (key, _), reason in self.lacking.items() if reason == why))
