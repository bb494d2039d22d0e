"""Where the row of a source stands from which a record was made, found by the texts that both hold."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.encodings import encoding_of
from dataset_scripts.files.json_lines import decoded_lines, text_suffix
from dataset_scripts.files.workbooks import first_sheet
from medzh_score.files.csv_reader import csv_reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

RUN = 3  # characters of the runs that are compared: one name of a disease seldom holds another's


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


def nearest_rows(records: Sequence[Sequence[str]], rows: Iterable[Any]) -> list[str]:
    """Give for each record, as its texts, the row that was most likely its source, as JSON; empty where none is near.

    That is the row whose cells equal the most characters of the record's texts and, of equal ones, which shares the
    most runs of three characters with them.
    """
    holders, runs = defaultdict(list), defaultdict(list)
    for place, texts in enumerate(records):
        for text in {_folded(text) for text in texts} - {""}:
            holders[text].append(place)
        for run in {run for text in texts for run in _runs(text)}:
            runs[run].append(place)
    best = [((0, 0), "")] * len(records)
    for row in rows:
        cells = {_folded(cell) for cell in _cells(row)}
        equal, shared = Counter[int](), Counter[int]()
        for cell in cells & holders.keys():
            equal.update(dict.fromkeys(holders[cell], len(cell)))
        for run in {run for cell in cells for run in _runs(cell)} & runs.keys():
            shared.update(runs[run])
        for place in equal.keys() | shared.keys():
            if (near := (equal[place], shared[place])) > best[place][0]:
                best[place] = near, json.dumps(row, ensure_ascii=False)
    return [row for _, row in best]


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


def _folded(text: str) -> str:
    return "".join(text.split())


def _runs(text: str) -> Iterator[str]:
    folded = _folded(text)
    return (folded[place : place + RUN] for place in range(len(folded) - RUN + 1))
