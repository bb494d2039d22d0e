"""Sheets as workbooks (.xlsx): the first sheet as the rows of a CSV file, and a CSV file as a workbook."""

from __future__ import annotations

import csv
import io
import os
import re
import zipfile
from typing import TYPE_CHECKING, Any

from medzh_score.files.archives import BoundedZip, zip_bytes
from medzh_score.files.bounds import RAISE, Passing, bound, check_unpacked
from medzh_score.files.csv_reader import csv_reader
from medzh_score.messages.errors import MedzhError, printable
from medzh_score.messages.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import IO

ENDING = ".xlsx"
INSIDE = "xl/workbook.xml"  # by which a zip file is known as one
CELLS = 1 << 24  # of a sheet, blank ones between others among them: all its rows in sixteen columns
TAGS = 1 << 19  # of a row, which is parsed as one: thirty-two a cell of the most that a sheet may have
BLOCK = 1 << 20  # bytes of a sheet that are looked at together
LEAST = 16  # cells that a row counts, blank ones too
LARGEST = 1 << 28  # bytes of all members unpacked, which take more in memory
LONGEST_CELL = 32_767  # characters, which the format allows
LONGEST_FORMULA = 1 << 16  # bytes, with the cell around it; the format allows 8,192 characters
# A formula behind which no value stands, or an empty one; of a formula that gives texts that is a value.
UNCOMPUTED = re.compile(
    rb"<(?:\w+:)?c\b([^<>]*)>\s*<(?:\w+:)?f\b(?:[^<>]*/>|[^<>]*>[^<>]*</(?:\w+:)?f\s*>)\s*"
    rb"(<(?:\w+:)?v\s*/>\s*|<(?:\w+:)?v\s*>\s*</(?:\w+:)?v\s*>\s*)?</(?:\w+:)?c\s*>",
    re.ASCII,
)
TEXT = re.compile(rb"\bt=[\"']str[\"']", re.ASCII)
REFERENCE = re.compile(rb"\br=[\"']([A-Z]+[0-9]+)[\"']", re.ASCII)
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # which XML cannot say
# How workbooks write UTF-16 units that XML cannot say; of surrogates, pairs alone are characters.
ESCAPED = re.compile(
    r"_x(?![Dd][89A-Fa-f])[0-9A-Fa-f]{4}_|_x[Dd][89ABab][0-9A-Fa-f]{2}__x[Dd][C-Fc-f][0-9A-Fa-f]{2}_", re.ASCII
)
ROW = re.compile(rb"</?(?:[\w.-]+:)?row[\s/>]")
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
        problem = f"is no workbook that can be read: {type(error).__name__}"
        raise MedzhError(problem, file=path, expected="a workbook in the form of .xlsx") from error
    if filled:
        problem, advice = "has several sheets with rows", "keep one, or save each as a file of its own"
        raise MedzhError(problem, file=path, expected="rows on the first sheet alone", found=filled[0], advice=advice)


def open_sheets(stream: IO[bytes], path: Path) -> Sequence[Any]:
    """Open a workbook, whose sheets openpyxl reads as they are gone through."""
    from openpyxl.reader.excel import ExcelReader

    reader: Any = ExcelReader(stream, read_only=True, data_only=True)
    reader.archive = _Parts(path, stream, LARGEST)
    reader.read()
    reader.archive.sheets_alone = True
    return reader.wb.worksheets  # type: ignore[no-any-return]


class _Values(Passing):
    """A stream of a sheet whose rows have not too many tags, and in which each formula stands with its value.

    The value of a formula that nobody computed is unknown.
    """

    def __init__(self, stream: IO[bytes], path: Path) -> None:
        super().__init__(stream)
        self._path, self._before, self._tags = path, b"", 0

    def read(self, size: int = -1) -> bytes:
        """Read a block, however much is asked for, which parsers do not mind."""
        part = self.source.read(size if size < 0 else BLOCK)
        self._count_tags(part)
        self._refuse_uncomputed(part)
        return part

    def _count_tags(self, part: bytes) -> None:
        rows = [found.start() for found in ROW.finditer(part)]
        self._tags += part.count(b"<", 0, rows[0] if rows else len(part))
        if self._tags > bound(TAGS):
            problem, expected = "a row has too many cells", f"at most {bound(TAGS):,} tags"
            raise MedzhError(problem, file=self._path, expected=expected, advice=RAISE)
        if rows:
            self._tags = part.count(b"<", rows[-1])

    def _refuse_uncomputed(self, part: bytes) -> None:
        seen = self._before + part
        self._before = seen[-LONGEST_FORMULA:]
        for found in UNCOMPUTED.finditer(seen):
            if found.group(2) and TEXT.search(found.group(1)):
                continue
            cell = REFERENCE.search(found.group(1))
            raise MedzhError(
                "holds a formula without its value",
                file=self._path,
                field=cell.group(1).decode("ascii") if cell else None,
                expected="values, as programs store them beside formulas",
                advice="open and save it in a program that computes it, or keep values alone",
            )


class _Parts(BoundedZip):
    """The parts of a workbook; once all others are read, sheets alone are opened."""

    sheets_alone = False

    def open(self, name: str | zipfile.ZipInfo, *mode: Any, **others: Any) -> Any:  # noqa: ANN401 - as zipfile's own
        """Open a part."""
        part = super().open(name, *mode, **others)
        return _Values(part, self.path) if self.sheets_alone else part


def rows_in(sheet: Any, path: Path) -> Iterator[Sequence[Any]]:  # noqa: ANN401 - openpyxl's own
    """Go through rows; between cells that stand far apart openpyxl makes blank ones."""
    cells, most = 0, bound(CELLS)
    for row in sheet.iter_rows(values_only=True):
        cells += max(len(row), LEAST)
        if cells > most:
            problem = "a sheet has too many cells, blank ones among them"
            raise MedzhError(problem, file=path, expected=f"at most {most:,}", found=sheet.title, advice=RAISE)
        yield [unescaped(cell) if isinstance(cell, str) else cell for cell in row]


def unescaped(text: str) -> str:
    """Read the escapes of a text.

    Examples
    --------
    >>> unescaped("正确_x002C_ _x005F_x000D_ _xD842__xDFB7_")
    '正确, _x000D_ 𠮷'
    """
    return ESCAPED.sub(_character, text)


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


def as_named(out: str | None, content: bytes, else_csv: str = "--out FILE.csv") -> bytes:
    """Give a CSV file as it is, or as a workbook where the name of what is written ends so."""
    return from_csv(content, out, else_csv) if out is not None and str(out).lower().endswith(ENDING) else content


def from_csv(content: bytes, name: str, else_csv: str = "--out FILE.csv") -> bytes:
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
                    f"the cell of {quotable(row[0])} is longer than a workbook holds",
                    file=name,
                    line=number,
                    field=head[place - 1],
                    expected=f"at most {LONGEST_CELL} characters",
                    found=f"{len(value)}",
                    advice=f"write the sheet as CSV: {else_csv}",
                )
            cell = sheet.cell(number, place)
            shown = CONTROLS.sub(lambda found: printable(found.group()), value)
            cell.value = ESCAPED.sub(lambda found: f"_x005F{found.group()}", shown)
            cell.data_type = "s"  # a text, whatever it begins with: never a formula
    stream = io.BytesIO()
    book.save(stream)
    with zipfile.ZipFile(stream) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["docProps/core.xml"] = TIMES.sub(NO_TIME, members["docProps/core.xml"])
    return zip_bytes(members)


def _rows(content: bytes) -> Iterator[list[str]]:
    yield from csv_reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
