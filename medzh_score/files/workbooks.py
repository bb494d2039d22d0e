"""Sheets as workbooks (.xlsx): the first sheet as the rows of a CSV file, and a CSV file as a workbook."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from typing import TYPE_CHECKING, Any

from medzh_score.files.csv_reader import csv_reader
from medzh_score.files.zipping import zip_bytes
from medzh_score.messages.errors import MedzhError, printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO

ENDING = ".xlsx"
INSIDE = "xl/workbook.xml"  # by which a zip file is known as one
LARGEST = 1 << 28  # bytes of all members unpacked: a small file may unpack to more than memory holds
LONGEST_CELL = 32_767  # characters, which the format allows
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # which XML cannot say
TIMES = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
NO_TIME = b"1980-01-01T00:00:00Z"  # a real one would change the bytes


def is_workbook(stream: IO[bytes]) -> bool:
    """Say whether a file is a workbook, and leave it at its beginning; a damaged archive is none."""
    try:
        with zipfile.ZipFile(stream) as archive:
            return INSIDE in archive.namelist()
    except (zipfile.BadZipFile, OSError, NotImplementedError):
        return False
    finally:
        stream.seek(0)


def as_csv(stream: IO[bytes], path: Path) -> bytes:
    """Write the first sheet of a workbook as CSV: blank cells are empty, formulas the values stored with them."""
    from openpyxl import load_workbook

    with zipfile.ZipFile(stream) as archive:
        unpacked = sum(member.file_size for member in archive.infolist())
    if unpacked > LARGEST:
        problem = f"would unpack to {unpacked >> 20} MB"
        raise MedzhError(problem, file=path, expected=f"at most {LARGEST >> 20} MB")
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    try:
        book = load_workbook(stream, read_only=True, data_only=True)
        for row in book.worksheets[0].iter_rows(values_only=True):
            writer.writerow(map(_text, row))
        filled = [sheet.title for sheet in book.worksheets[1:] if _is_filled(sheet)]
    except Exception as error:  # archives, XML and cells raise some twenty kinds of errors where bytes are damaged
        problem = f"is no workbook that can be read: {type(error).__name__}"
        raise MedzhError(problem, file=path, expected="a workbook in the form of .xlsx") from error
    if filled:
        problem, advice = "has several sheets with rows", "keep one, or save each as a file of its own"
        raise MedzhError(problem, file=path, expected="rows on the first sheet alone", found=filled[0], advice=advice)
    return text.getvalue().encode("utf-8", "replace")


def _is_filled(sheet: Any) -> bool:  # noqa: ANN401 - openpyxl's own
    """Say whether any cell holds something: what is read is the first sheet, and no row may be lost in silence."""
    return any(cell is not None for row in sheet.iter_rows(values_only=True) for cell in row)


def _text(cell: Any) -> str:  # noqa: ANN401 - of a dozen types
    """Write a cell as a person sees it: 1, not 1.0."""
    if cell is None:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def as_named(out: str | None, content: bytes) -> bytes:
    """Give a CSV file as it is, or as a workbook where the name of what is written ends so."""
    return from_csv(content, out) if out is not None and str(out).lower().endswith(ENDING) else content


def from_csv(content: bytes, name: str) -> bytes:
    """Make a workbook of that name of a CSV file, every cell a text; equal files give equal bytes."""
    from openpyxl import Workbook

    book = Workbook()
    sheet: Any = book.active
    sheet.freeze_panes = "A2"
    head: list[str] = []
    for number, row in enumerate(_rows(content), 1):
        head = head or row
        for place, value in enumerate(row, 1):
            if len(value) > LONGEST_CELL:
                raise MedzhError(
                    f"the cell of {row[0]} is longer than a workbook holds",
                    file=name,
                    line=number,
                    field=head[place - 1],
                    expected=f"at most {LONGEST_CELL} characters",
                    found=f"{len(value)}",
                    advice="write the sheet as CSV: --out FILE.csv",
                )
            cell = sheet.cell(number, place)
            cell.value = CONTROLS.sub(lambda found: printable(found.group()), value)
            cell.data_type = "s"  # a text, whatever it begins with: never a formula
    stream = io.BytesIO()
    book.save(stream)
    with zipfile.ZipFile(stream) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["docProps/core.xml"] = TIMES.sub(NO_TIME, members["docProps/core.xml"])
    return zip_bytes(members)


def _rows(content: bytes) -> Iterator[list[str]]:
    yield from csv_reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
