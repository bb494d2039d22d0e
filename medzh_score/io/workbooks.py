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
GUIDES = ("Guide", "填写说明")  # titles of the sheet with the guide, which is not read
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
LONGEST_MERGED, MOST_MERGED = 256, 1 << 16  # bytes of an element, and rows of a merged cell
MERGED = re.compile(rb"<(?:\w+:)?mergeCell\b[^<>]*?\bref=[\"']([A-Z]+[0-9]+:[A-Z]+[0-9]+)[\"']", re.ASCII)
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
        others = [one for one in others if one.title not in GUIDES]
        filled = [one.title for one in others if any(cell is not None for row in rows_in(one, path) for cell in row)]
        first.reset_dimensions()  # programs state wrong ones, and cells beyond them would be lost
        merged = _merged_down(first)
        for number, row in enumerate(rows_in(first, path), 1):
            cells = [_text(cell) for cell in row]
            for place in merged.get(number, {}):
                cells += [""] * (place + 1 - len(cells))
                cells[place] = merged[number][place] or cells[place]
                _carry(merged, number, place, cells[place])
            yield cells or [""]
    except MedzhError:
        raise
    except Exception as error:  # archives, XML and cells raise some twenty kinds of errors where bytes are damaged
        problem = _("cannot open the workbook: {name}", name=type(error).__name__)
        raise MedzhError(problem, file=path, expected=_("an .xlsx workbook")) from error
    if filled:
        problem, advice = (
            _("more than one sheet contains rows"),
            _("keep one sheet, or save each sheet as a separate file"),
        )
        raise MedzhError(problem, file=path, expected=_("rows only on the first sheet"), found=filled[0], advice=advice)


def _merged_down(sheet: Any) -> dict[int, dict[int, str]]:  # noqa: ANN401 - openpyxl's own
    """Find cells that are merged over several rows of a column: by row and place, filled from the first one down."""
    from openpyxl.utils import range_boundaries

    merged: dict[int, dict[int, str]] = {}
    with sheet._get_source() as source:  # noqa: SLF001 - read-only sheets say nothing of merged cells
        before = b""
        while part := source.read(BLOCK):
            seen = before + part
            for found in MERGED.finditer(seen):
                left, top, right, bottom = (one or 0 for one in range_boundaries(found.group(1).decode("ascii")))
                if left == right and bottom > top:
                    for row in range(top, min(bottom, top + MOST_MERGED) + 1):
                        merged.setdefault(row, {}).setdefault(left - 1, "")
            before = seen[-LONGEST_MERGED:]
    return merged


def _carry(merged: dict[int, dict[int, str]], row: int, place: int, value: str) -> None:
    """Give the value of a merged cell to the row below, if that belongs to it."""
    if value and place in merged.get(row + 1, {}):
        merged[row + 1][place] = value


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
                _("the cell contains a formula without a stored value"),
                file=self._path,
                field=cell.group(1).decode("ascii") if cell else None,
                expected=_("a stored value for each formula"),
                advice=_("open and save the file in a spreadsheet program, or keep only values"),
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
            problem = _("a sheet has too many cells, including blank cells")
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
