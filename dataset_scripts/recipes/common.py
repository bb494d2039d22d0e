"""What the declarations of all configs have in common: the sample that ships with the package, and plain readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipe import sample

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
