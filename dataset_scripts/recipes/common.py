"""What the declarations of all configs have in common: the sample that ships with the package, and plain readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipe import sample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import Built, Make, Recipe, Record, SourceFile


def reads(read: Callable[[str, Mapping[str, SourceFile]], Built], recipe: str) -> Make:
    """Make the `make` of a recipe from a reader without random numbers."""

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
    """List wrong ids, the errors of each record, and duplicate contents.

    ``twice`` describes a duplicate by the record and the id of the earlier one.
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
