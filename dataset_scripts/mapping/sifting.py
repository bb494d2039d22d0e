"""Which rows of a user's files can become records, and what is wrong with each of the others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.mapping.interchange import Fault, row_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from dataset_scripts.mapping.interchange import Form, Row

# What no sound text has: control characters but tab and line ends, and the sign for a lost character.
DAMAGE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]")


@dataclass(frozen=True)
class Duplicates:
    """What makes two rows one record, where only the first of them is kept.

    Attributes
    ----------
    key : callable
        From a row to what equal ones share.
    fault : callable
        From a row and an earlier one like it to the fault of the row.
    """

    key: Callable[[Row], str]
    fault: Callable[[Row, Row], Fault]


def sift_rows(
    rows: Sequence[Row],
    faults: Sequence[Fault],
    *,
    shape: Form,
    faults_of: Callable[[Row], Iterator[Fault]],
    duplicates: Duplicates | None = None,
) -> tuple[list[Row], list[Fault]]:
    """Separate rows that can become a record each from those that cannot."""
    wrong = {id(fault.row): fault for fault in faults}
    first: dict[str, Row] = {}
    for row in (row for row in rows if id(row) not in wrong):
        found = row_fault(row, row.fields, shape) or next(faults_of(row), None)
        if found is None and duplicates is not None:
            earlier = first.setdefault(duplicates.key(row), row)
            found = None if earlier is row else duplicates.fault(row, earlier)
        if found is not None:
            wrong[id(row)] = found
    kept = [row for row in rows if id(row) not in wrong]
    return kept, [wrong[id(row)] for row in rows if id(row) in wrong]


def damage_in(row: Row, texts: Iterable[tuple[str, str | None]]) -> Iterator[Fault]:
    """Find texts that lost characters on their way."""
    listed = [(name, text) for name, text in texts if text]
    if not DAMAGE.search("\n".join(text for _, text in listed)):
        return
    for name, text in listed:
        if DAMAGE.search(text):
            yield Fault(row, name, "holds a character that no text has", "no control character or U+FFFD", text)
