"""Questions of one kind or several in one benchmark: each is shown, asked and read as its own kind is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.benchmark.layout import Asked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.benchmark.answers import Reading
    from medzh_score.benchmark.layout import Layout, Record
    from medzh_score.extraction.question_kinds import Kind

KIND = "kind"  # the field of a record that names its kind, where there are several
SHOWN, HOW = "shown", "how"  # the fields of a prompt that a kind fills in


@dataclass(frozen=True)
class Kinds:
    """The kinds of a benchmark's questions by name; of one alone, records need not say which."""

    by_name: Mapping[str, Kind]

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """The names by the field of a record that holds one; empty where there is one kind."""
        return {KIND: tuple(self.by_name)} if len(self.by_name) > 1 else {}

    @property
    def columns(self) -> tuple[str, ...]:
        """The fields that one of them needs."""
        return tuple(dict.fromkeys(column for kind in self.by_name.values() for column in kind.columns))

    @property
    def written(self) -> str:
        """In which forms a second reader writes an answer."""
        return "；".join(dict.fromkeys(kind.written for kind in self.by_name.values()))

    def name_of(self, record: Record) -> str:
        """Name the kind of a record."""
        return str(record[KIND]) if self.labels else next(iter(self.by_name))

    def gold(self, record: Record) -> str:
        """Give the gold of a record as its kind has it."""
        return self.by_name[self.name_of(record)].gold(record)

    def fields(self, record: Record) -> dict[str, str]:
        """Fill in what a prompt takes of the kind."""
        kind = self.by_name[self.name_of(record)]
        return {SHOWN: kind.shown(record).strip(), HOW: kind.how(record)}

    def asked(self, records: Sequence[Record], _layout: Layout) -> list[Asked]:
        """Ask each record alone; its side holds the kind and what that needs to know."""
        names = [self.name_of(record) for record in records]
        return [
            Asked(record["id"], (place,), (name, self.by_name[name].side(record)))
            for place, (record, name) in enumerate(zip(records, names, strict=True))
        ]

    def read(self, text: str, side: tuple[str, object]) -> Reading:
        """Read an answer as its kind does."""
        name, known = side
        return self.by_name[name].read(text, known)
