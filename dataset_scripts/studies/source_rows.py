"""Where the row of a source stands from which a record was made, found by the texts that both hold."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.encodings import encoding_of
from dataset_scripts.files.json_lines import decoded_lines, text_suffix
from dataset_scripts.files.workbooks import first_sheet
from medzh_score.files.csv_reader import csv_reader
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

RUN = 3  # characters of the runs that are compared: one name of a disease seldom holds another's
MEMBERS = re.compile(r"[\s、，,；;|/：:。【】\[\]]+")  # between the members of a list
APART = 10_000  # characters between two names that do not stand together

MOST = 3  # rows that are equally near

Score = tuple[int, ...]


@dataclass(frozen=True)
class Sought:
    """What a row is known by."""

    texts: tuple[str, ...]  # of the record
    names: tuple[str, ...] = ()  # of which its fact speaks, the subject first


def rows_of(path: Path) -> list[Any]:
    """Read a source as rows: objects of JSON, rows of a table by its head, or lines of another text."""
    suffix = text_suffix(path)
    if suffix == ".xlsx":
        return _by_head(first_sheet(path))
    lines = list(decoded_lines(path, encoding_of(lambda: _numbered(path), path)))
    if suffix in {".csv", ".tsv"}:
        separator = "\t" if "\t" in lines[0] else ","
        return _by_head(list(csv_reader([f"{line}\n" for line in lines], separator=separator)))
    return _of_json("\n".join(lines)) or [line for line in lines if line.strip()]


def nearest_rows(records: Sequence[Sought], rows: Iterable[Any]) -> list[str]:
    """Give for each record the row that was its source, as JSON; empty where none is near.

    Of a record whose fact has names that is the row that holds them, best as members of its lists, begins with the
    first of them, and has them close together. Of others it is the row that has most in common with the record's
    texts: characters of cells that equal one, and runs of three. Of different rows that are equally near the first
    three stand there, one a line.
    """
    nearness = _Nearness(records)
    best: list[tuple[Score, list[Any]]] = [((0,), []) for _ in records]
    for row in rows:
        read = _Row(row)
        for place, score in chain(nearness.of_texts(read), nearness.of_names(read)):
            if score > best[place][0]:
                best[place] = score, [row]
            elif score == best[place][0] and len(best[place][1]) < MOST and row not in best[place][1]:
                best[place][1].append(row)
    return ["\n".join(json.dumps(row, ensure_ascii=False) for row in found) for _, found in best]


class _Row:
    """A row, folded."""

    def __init__(self, row: object) -> None:
        self.cells = [fold(cell) for cell in _cells(row)]
        self.members = {fold(part) for cell in _cells(row) for part in MEMBERS.split(cell)}.union(self.cells)
        self.whole = "\n".join(self.cells)


class _Nearness:
    """How near rows are to records: by the names of a fact, or by the texts of a record that names nothing."""

    def __init__(self, records: Sequence[Sought]) -> None:
        self._names = {place: [*map(fold, one.names)] for place, one in enumerate(records) if one.names}
        self._holders, self._runs = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
        for place, record in enumerate(records):
            for text in {fold(text) for text in record.texts if not record.names} - {""}:
                self._holders[text].append(place)
            for run in {run for text in record.texts if not record.names for run in _runs(text)}:
                self._runs[run].append(place)

    def of_names(self, row: _Row) -> Iterator[tuple[int, Score]]:
        for place, names in self._names.items():
            if all(name in row.whole for name in names):
                listed = sum(name in row.members for name in names)
                gap = min((_gap(names, cell) for cell in row.cells), default=APART)
                yield place, (1, listed, int(row.cells[0] == names[0]), -gap)

    def of_texts(self, row: _Row) -> Iterator[tuple[int, Score]]:
        equal, shared = Counter[int](), Counter[int]()
        for cell in self._holders.keys() & set(row.cells):
            equal.update(dict.fromkeys(self._holders[cell], len(cell)))
        for run in {run for cell in row.cells for run in _runs(cell)} & self._runs.keys():
            shared.update(self._runs[run])
        for place in equal.keys() | shared.keys():
            yield place, (1, equal[place] + shared[place])


def _gap(names: Sequence[str], cell: str) -> int:
    """Count the characters from the first name to the last as a member of a list, at the closest within a sentence."""
    if names[0] not in cell or names[-1] not in cell:
        return APART
    first, last = re.escape(names[0]), re.escape(names[-1])
    between = re.compile(f"{first}((?:(?!{first})[^。；;])*?){last}(?![^，,、。；;【（()）])")
    return min((len(found[1]) for found in between.finditer(cell)), default=APART)


def _numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as stream:
        yield from enumerate(stream, start=1)


def _by_head(rows: list[list[str]]) -> list[Any]:
    head = rows[0] if rows else []
    return [dict(zip(head, row, strict=False)) for row in rows[1:]]


def _of_json(text: str) -> list[Any]:
    """Read one document of JSON, or one a line; nothing where the text is neither."""
    try:
        whole = json.loads(text)
    except ValueError:
        try:
            return [json.loads(line) for line in text.split("\n") if line.strip()]
        except ValueError:
            return []
    if isinstance(whole, list):
        return whole
    lists = [value for value in whole.values() if isinstance(value, list)] if isinstance(whole, dict) else []
    return [row for values in lists for row in values if isinstance(row, dict)] or [whole]


def _cells(row: object) -> Iterator[str]:
    if isinstance(row, dict):
        for value in row.values():
            yield from _cells(value)
    elif isinstance(row, list):
        for value in row:
            yield from _cells(value)
    elif row is not None:
        yield str(row)


def _runs(text: str) -> Iterator[str]:
    folded = fold(text)
    return (folded[place : place + RUN] for place in range(len(folded) - RUN + 1))
