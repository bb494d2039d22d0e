"""The checks that all records with an id from their content have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from dataset_scripts.recipe import Record


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
