"""The rows of CMExam, as CSV and as the spreadsheet of its validation split; what they hold is not looked at."""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from dataset_scripts.recipes.tcmd_documents import read_bytes
from dataset_scripts.workbooks import first_sheet
from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    Cells = dict[str, str]

COLUMNS = ("Question", "Options", "Answer", "Explanation")
# The spreadsheet separates options by a backslash and an n, the CSV by line ends.
SEPARATOR = re.compile(r"\\n|\r?\n")
ABSENT = "nan"  # what stands for no answer


def csv_rows(file: Path) -> Iterator[Cells]:
    """Read the rows of ``train.csv``, ``val.csv`` or ``test_with_annotations.csv``.

    Parameters
    ----------
    file : Path
        UTF-8, with at least the columns of ``COLUMNS``.

    Yields
    ------
    dict of str to str
        The cells of a row by their columns.

    Raises
    ------
    MedzhError
        If it is not such a table.
    """
    try:
        content = read_bytes(file).removeprefix(BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        raise MedzhError("not UTF-8", file=file, expected="UTF-8", found=error.object[error.start :][:8]) from error
    reader = csv.reader(io.StringIO(content, newline=""), strict=True)
    try:
        yield from _cells(((reader.line_num, row) for row in reader if row), file)
    except csv.Error as error:
        raise MedzhError(f"not CSV: {error}", file=file, line=reader.line_num) from error


def sheet_rows(file: Path) -> Iterator[Cells]:
    """Read the rows of ``val.xlsx``, the validation split as a spreadsheet.

    Parameters
    ----------
    file : Path
        Its first sheet has at least the columns of ``COLUMNS``.

    Yields
    ------
    dict of str to str
        The cells of a row by their columns; an empty cell is an empty text.

    Raises
    ------
    MedzhError
        If it is not such a spreadsheet.
    """
    yield from _cells(enumerate(first_sheet(file), start=1), file)


def _cells(rows: Iterator[tuple[int, Sequence[str]]], file: Path) -> Iterator[Cells]:
    line, head = next(rows, (1, ()))
    for missing in (column for column in COLUMNS if column not in head):
        raise MedzhError(
            "a column is missing",
            file=file,
            line=line,
            field=missing,
            expected=", ".join(COLUMNS),
            found=", ".join(head),
        )
    for number, row in rows:
        if len(row) < len(COLUMNS):
            raise MedzhError("a row is too short", file=file, line=number, expected=", ".join(head), found=list(row))
        yield dict(zip(head, row, strict=False))
