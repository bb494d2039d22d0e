"""Sheets that people filled in and that came back for a stage of a recipe."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, TypeVar

from dataset_scripts.rounds.answer_files import FILLED, answer_files
from dataset_scripts.rounds.responses import UNNAMED, Responses, check_once
from medzh_score.files.input_file import InputFile
from medzh_score.files.sheets import read_rows
from medzh_score.messages.errors import MedzhError
from medzh_score.rounds.filled_cells import asked_columns, filled

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
    from pathlib import Path

    K = TypeVar("K", bound=Hashable)


def read_sheets(
    folder: Path, rows: Mapping[str, Mapping[str, str]], values: Mapping[str, tuple[str, ...]]
) -> Responses[str, dict[str, str]]:
    """Read every ``filled*`` sheet of a stage, in the order of the numbers in their names.

    Of each row the value of each column that it asks for. A blank row is not answered.
    """
    return _read_filled(folder, rows, values, ("id",), row_of)


def read_ratings(
    folder: Path, rows: Mapping[str, Mapping[str, str]], values: Mapping[str, tuple[str, ...]]
) -> Responses[tuple[str, str], dict[str, str]]:
    """Read every ``filled*`` sheet of a stage in which several raters stand side by side."""
    return _read_filled(folder, rows, values, ("id", "rater"), rating_of)


def row_of(row: Mapping[str, str]) -> str:
    """Say which row was filled in."""
    return row["id"]


def rating_of(row: Mapping[str, str]) -> tuple[str, str]:
    """Say which row was filled in by whom, where several raters stand side by side.

    Gives the id, and the rater's name, of which case, width and surplus space do not count.

    Examples
    --------
    >>> rating_of({"id": "rating-1", "rater": "Dr.  Ｌi"})
    ('rating-1', 'dr. li')
    """
    return row["id"], " ".join(unicodedata.normalize("NFKC", row.get("rater", "")).split()).casefold()


def _read_filled(
    folder: Path,
    rows: Mapping[str, Mapping[str, str]],
    values: Mapping[str, tuple[str, ...]],
    keys: tuple[str, ...],
    key_of: Callable[[Mapping[str, str]], K],
) -> Responses[K, dict[str, str]]:
    files, backups = answer_files(folder, FILLED)
    found: Responses[K, dict[str, str]] = Responses(backups=backups)
    for path in files:
        here: dict[K, dict[str, str]] = {}
        stale: list[str] = []
        lines = 0
        for number, row in _rows(path, (*keys, *values)):
            lines += 1
            if row["id"] not in rows:
                stale.append(row["id"])
                continue
            sent = rows[row["id"]]
            columns = asked_columns(sent, values)
            _check_unchanged(row, {column: sent[column] for column in values if column not in columns}, path, number)
            if cells := filled(row, columns, path, number):
                _check_named(row, keys, path, number)
                check_once(key_of(row), here, path, number)
                _check_unchanged(row, sent, path, number)
                here[key_of(row)] = cells
                found.by[key_of(row)] = row.get("rater") or UNNAMED
        found.add(here, stale, lines, path)
    return found


def _rows(path: Path, required: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    with InputFile(path) as file:
        yield from read_rows(file, required)


def _check_named(row: Mapping[str, str], keys: tuple[str, ...], path: Path, number: int) -> None:
    if "rater" in keys and not row["rater"]:
        expected = "the name of who filled the row in"
        raise MedzhError("is blank", file=path, line=number, field="rater", expected=expected)


def _check_unchanged(row: Mapping[str, str], sent: Mapping[str, str], path: Path, number: int) -> None:
    for column, text in sent.items():
        if column in row and _letters(row[column]) != _letters(text):
            raise MedzhError(
                "is a read-only column, and was changed",
                file=path,
                line=number,
                field=column,
                expected=text,
                found=row[column],
                advice="write back what stood there, and say in the other columns if it is not right",
            )


def _letters(text: str) -> str:
    """Leave out what spreadsheets change: white space, and the apostrophe before what looks like a formula."""
    return "".join(text.split()).removeprefix("'")
