"""The reader of CMExam, as CSV and as the spreadsheet of its validation split."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from dataset_scripts.recipes.tcmd_documents import read_bytes
from dataset_scripts.recipes.tcmd_options import from_texts
from dataset_scripts.recipes.tcmd_rows import Raw, Reading
from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

COLUMNS = ("Question", "Options", "Answer", "Explanation")
ANNOTATIONS = ("Medical Discipline", "Clinical Department")
# The spreadsheet separates options by a backslash and an n, the CSV by line ends.
SEPARATOR = re.compile(r"\\n|\r?\n")


def read_cmexam_csv(file: Path) -> Reading:
    """Read ``train.csv``, ``val.csv`` or ``test_with_annotations.csv`` of CMExam.

    Parameters
    ----------
    file : Path
        UTF-8, with at least the columns of ``COLUMNS``.

    Returns
    -------
    Reading
        Every row; groups and types are not marked, and nothing names a row.

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
        return _read(((reader.line_num, row) for row in reader if row), file)
    except csv.Error as error:
        raise MedzhError(f"not CSV: {error}", file=file, line=reader.line_num) from error


def read_cmexam_xlsx(file: Path) -> Reading:
    """Read ``val.xlsx``, the validation split of CMExam as a spreadsheet.

    Parameters
    ----------
    file : Path
        Its first sheet has at least the columns of ``COLUMNS``.

    Returns
    -------
    Reading
        Every row; groups and types are not marked, and nothing names a row.

    Raises
    ------
    MedzhError
        If it is not such a spreadsheet.
    """
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(io.BytesIO(read_bytes(file)), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        rows = [["" if cell is None else str(cell) for cell in row] for row in sheet.iter_rows(values_only=True)]
    except (InvalidFileException, zipfile.BadZipFile, KeyError, IndexError, ValueError) as error:
        raise MedzhError(f"not a spreadsheet that can be read: {error}", file=file) from error
    return _read(enumerate(rows, start=1), file)


def _read(rows: Iterable[tuple[int, Sequence[str]]], file: Path) -> Reading:
    reading = Reading()
    for cells in _cells(iter(rows), file):
        raw = Raw(
            cells["Question"],
            from_texts(SEPARATOR.split(cells["Options"])),
            cells["Answer"] if cells["Answer"] != "nan" else "",
            cells["Explanation"],
        )
        labels = tuple(f"{name}: {cells[name].strip()}" for name in ANNOTATIONS if cells.get(name, "").strip())
        reading.add(raw, labels=labels)
    return reading


def _cells(rows: Iterator[tuple[int, Sequence[str]]], file: Path) -> Iterator[dict[str, str]]:
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
