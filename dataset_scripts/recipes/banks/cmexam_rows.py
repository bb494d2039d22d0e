"""The rows of CMExam, as CSV and as the spreadsheet of its validation split; what they hold is not looked at."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from dataset_scripts.files.json_lines import UTF_8, decoded_lines
from dataset_scripts.files.workbooks import first_sheet
from dataset_scripts.user_files.values import DAMAGE
from medzh_score.files.csv_reader import ORDINARY_CELL, csv_reader
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    Cells = dict[str, str]

COLUMNS = ("Question", "Options", "Answer", "Explanation")
# The spreadsheet separates options by a backslash and an n, the CSV by line ends.
SEPARATOR = re.compile(r"\\n|\r?\n")
SHOWN = 40  # characters of a cell in a message
ABSENT = "nan"  # what stands for no answer


def csv_rows(file: Path) -> Iterator[Cells]:
    """Read the rows of ``train.csv``, ``val.csv`` or ``test_with_annotations.csv``."""
    lines = (f"{line}\n" for line in decoded_lines(file, UTF_8))
    reader = csv_reader(lines, largest=ORDINARY_CELL, strict=True)
    try:
        yield from _cells(((reader.line_num, row) for row in reader if row), file)
    except csv.Error as error:
        raise MedzhError(f"not CSV: {error}", file=file, line=reader.line_num) from error


def sheet_rows(file: Path) -> Iterator[Cells]:
    """Read the rows of ``val.xlsx``, the validation split as a spreadsheet."""
    yield from _cells(enumerate(first_sheet(file), start=1), file)


def _cells(rows: Iterator[tuple[int, Sequence[str]]], file: Path) -> Iterator[Cells]:
    line, head = next(rows, (1, ()))
    for twice in (column for column in COLUMNS if list(head).count(column) > 1):
        raise MedzhError("a column stands twice", file=file, line=line, field=twice, found=", ".join(head))
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
        cells = dict(zip(head, row, strict=False))
        for column in COLUMNS[:3]:
            if DAMAGE.search(cells[column]):
                problem, expected = "holds a character that no text has", "no control character or U+FFFD"
                raise MedzhError(
                    problem, file=file, line=number, field=column, expected=expected, found=cells[column][:SHOWN]
                )
        yield cells
