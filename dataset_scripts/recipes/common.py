"""What the declarations of all configs have in common: the sample that ships with the package, and plain readers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from dataset_scripts.recipe import sample
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import Built, Make, Recipe, Record, SourceFile


def reads(read: Callable[[str, Mapping[str, SourceFile]], Built], recipe: str) -> Make:
    """Make a recipe's `make` of a reader, which takes its name and the files and draws nothing."""

    def make(files: Mapping[str, SourceFile], _seed: int) -> Built:
        return read(recipe, files)

    return make


def mini(form: str, source: str, file: Path, make: Make, parameters: Mapping[str, int | str] | None = None) -> Recipe:
    """Declare the recipe of a sample in a form, such as "the form of TCMD"."""
    return sample(
        f"in {form}, written by hand by the authors of medzh",
        source,
        file,
        make,
        embedded_licence="Apache-2.0",
        embedded_citation="the authors of medzh",
        parameters=parameters or {},
    )


def check_records(
    splits: Mapping[str, Sequence[Record]],
    identify: Callable[[Record], str],
    faults_of: Callable[[Record], Iterable[str]],
    twice: Callable[[Record, str], str],
) -> list[str]:
    """List ids that are not their contents', the faults of each record, and contents that stand twice.

    ``twice`` says it of a record and of the id of the one before it.
    """
    problems: list[str] = []
    first: dict[str, str] = {}
    for record in (record for records in splits.values() for record in records):
        identifier = identify(record)
        found = [] if record["id"] == identifier else [f"expected the id of its content, {identifier}"]
        found += faults_of(record)
        if identifier in first:
            found.append(twice(record, first[identifier]))
        first.setdefault(identifier, record["id"])
        problems += [f"record {record['id']}: {problem}" for problem in found]
    return problems


TERM = re.compile(r"@([a-z_]+)")


def digest(table: Path) -> str:
    """Give the SHA-256 of a table's lines, whatever ends them."""
    return sha256(table.read_text(encoding="utf-8").encode("utf-8")).hexdigest()


def named(table: Path) -> str:
    """Name a table by its benchmark's folder and its own name."""
    return f"{table.parent.name}/{table.name}"


def signed(table: Path) -> str:
    """Name a table and its content, so that a build says which one it went by."""
    return f"{named(table)}, {digest(table)[:16]}"


@dataclass(frozen=True)
class Terms:
    """What ``@name`` stands for in the expressions of a table."""

    file: Path  # the table, for messages
    meanings: Mapping[str, str] = field(default_factory=dict)

    def compiled(self, expressions: Sequence[str], place: str) -> re.Pattern[str]:
        """Compile the expressions at a place of the table, of which one must be found."""
        try:
            return re.compile("|".join(self.expanded(text, place) for text in expressions))
        except re.error as error:
            raise MedzhError(_("not a pattern: {error}", error=error), file=self.file, field=place) from error

    def expanded(self, expression: str, place: str) -> str:
        """Put the meanings of terms in their places."""
        for name in TERM.findall(expression):
            if name not in self.meanings:
                known = ", ".join(self.meanings)
                raise MedzhError(_("no such list"), file=self.file, field=place, expected=known, found=name)
        return TERM.sub(lambda found: self.meanings[found[1]], expression)


def read_terms(file: Path, words: Mapping[str, str], expressions: Mapping[str, str]) -> Terms:
    """Read the terms of a table: words separated by spaces, and expressions, which may name terms before them."""
    meanings = {name: _either(listed.split()) for name, listed in words.items()}
    for name, expression in expressions.items():
        meanings[name] = f"(?:{Terms(file, meanings).expanded(expression, name)})"
    return Terms(file, meanings)


def _either(words: Sequence[str]) -> str:
    return "(?:" + "|".join(map(re.escape, sorted(set(words), key=lambda word: (-len(word), word)))) + ")"
