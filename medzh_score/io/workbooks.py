"""Sheets as workbooks (.xlsx): the first sheet as the rows of a CSV file, and a CSV file as a workbook."""

from __future__ import annotations

import csv
import io
import os
import re
import zipfile
from typing import TYPE_CHECKING, Any

from medzh_score.io.archive import BoundedZip
from medzh_score.io.limits import RAISE, StreamWrapper, bound, check_unpacked
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import IO

ENDING = ".xlsx"
INSIDE = "xl/workbook.xml"  # by which a zip file is known as one
CELLS = 1 << 24  # of a sheet, blank ones between others among them: all its rows in sixteen columns
BLOCK = 1 << 20  # bytes of a sheet that are looked at together
LEAST = 16  # cells that a row counts, blank ones too
LARGEST = 1 << 28  # bytes of all members unpacked, which take more in memory
LONGEST_FORMULA = 1 << 16  # bytes, with the cell around it; the format allows 8,192 characters
# A formula behind which no value stands, or an empty one; of a formula that gives texts that is a value.
UNCOMPUTED = re.compile(
    rb"<(?:\w+:)?c\b([^<>]*)>\s*<(?:\w+:)?f\b(?:[^<>]*/>|[^<>]*>[^<>]*</(?:\w+:)?f\s*>)\s*"
    rb"(<(?:\w+:)?v\s*/>\s*|<(?:\w+:)?v\s*>\s*</(?:\w+:)?v\s*>\s*)?</(?:\w+:)?c\s*>",
    re.ASCII,
)
TEXT = re.compile(rb"\bt=[\"']str[\"']", re.ASCII)
REFERENCE = re.compile(rb"\br=[\"']([A-Z]+[0-9]+)[\"']", re.ASCII)
# How workbooks write UTF-16 units that XML cannot say; of surrogates, pairs alone are characters.
ESCAPED = re.compile(
    r"_x(?![Dd][89A-Fa-f])[0-9A-Fa-f]{4}_|_x[Dd][89ABab][0-9A-Fa-f]{2}__x[Dd][C-Fc-f][0-9A-Fa-f]{2}_", re.ASCII
)


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
    content = io.BytesIO()
    text = io.TextIOWrapper(content, "utf-8", "replace", newline="")
    writer, size, packed = csv.writer(text), 0, stream.seek(0, os.SEEK_END)
    for row in first_sheet(stream, path):
        size += writer.writerow(row)
        check_unpacked(size, packed, path)  # a text may stand in many cells, and is stored once
    text.flush()
    return content.getvalue()


def first_sheet(stream: IO[bytes], path: Path) -> Iterator[list[str]]:
    """Go through the rows of a workbook's first sheet, which must be the only one with rows."""
    try:
        first, *others = open_sheets(stream, path)
        filled = [one.title for one in others if any(cell is not None for row in rows_in(one, path) for cell in row)]
        first.reset_dimensions()  # programs state wrong ones, and cells beyond them would be lost
        for row in rows_in(first, path):
            yield [_text(cell) for cell in row] or [""]
    except MedzhError:
        raise
    except Exception as error:  # archives, XML and cells raise some twenty kinds of errors where bytes are damaged
        problem = _("is no workbook that can be read: {name}", name=type(error).__name__)
        raise MedzhError(problem, file=path, expected=_("a workbook in the form of .xlsx")) from error
    if filled:
        problem, advice = _("has several sheets with rows"), _("keep one, or save each as a file of its own")
        raise MedzhError(
            problem, file=path, expected=_("rows on the first sheet alone"), found=filled[0], advice=advice
        )


def open_sheets(stream: IO[bytes], path: Path) -> Sequence[Any]:
    """Open a workbook, whose sheets openpyxl reads as they are gone through."""
    from openpyxl.reader.excel import ExcelReader

    reader: Any = ExcelReader(stream, read_only=True, data_only=True)
    reader.archive = _Parts(path, stream, LARGEST)
    reader.read()
    reader.archive.sheets_alone = True
    return reader.wb.worksheets  # type: ignore[no-any-return]


class _Values(StreamWrapper):
    """A stream of a sheet in which each formula stands with its value: that of one which nobody computed is unknown."""

    def __init__(self, stream: IO[bytes], path: Path) -> None:
        super().__init__(stream)
        self._path, self._before = path, b""

    def read(self, size: int = -1) -> bytes:
        """Read a block, however much is asked for, which parsers do not mind."""
        part = self.source.read(size if size < 0 else BLOCK)
        seen = self._before + part
        self._before = seen[-LONGEST_FORMULA:]
        for found in UNCOMPUTED.finditer(seen):
            if found.group(2) and TEXT.search(found.group(1)):
                continue
            cell = REFERENCE.search(found.group(1))
            raise MedzhError(
                _("holds a formula without its value"),
                file=self._path,
                field=cell.group(1).decode("ascii") if cell else None,
                expected=_("values, as programs store them beside formulas"),
                advice=_("open and save it in a program that computes it, or keep values alone"),
            )
        return part


class _Parts(BoundedZip):
    """The parts of a workbook; once all others are read, sheets alone are opened."""

    sheets_alone = False

    def open(self, name: str | zipfile.ZipInfo, *mode: Any, **others: Any) -> Any:  # noqa: ANN401 - as zipfile's own
        part = super().open(name, *mode, **others)
        return _Values(part, self.path) if self.sheets_alone else part


def rows_in(sheet: Any, path: Path) -> Iterator[Sequence[Any]]:  # noqa: ANN401 - openpyxl's own
    """Go through rows; between cells that stand far apart openpyxl makes blank ones."""
    cells, most = 0, bound(CELLS)
    for row in sheet.iter_rows(values_only=True):
        cells += max(len(row), LEAST)
        if cells > most:
            problem = _("a sheet has too many cells, blank ones among them")
            raise MedzhError(
                problem, file=path, expected=_("at most {most:,}", most=most), found=sheet.title, advice=RAISE
            )
        yield [ESCAPED.sub(_character, cell) if isinstance(cell, str) else cell for cell in row]


def _character(escape: re.Match[str]) -> str:
    return bytes.fromhex(re.sub("[_x]", "", escape.group())).decode("utf-16-be")


def _text(cell: Any) -> str:  # noqa: ANN401 - of a dozen types
    """Write a cell as a person sees it: 1, not 1.0, and TRUE."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)
