"""The tables that CMHE-HD's rebuilt recipe reads: CSV files of CMD and cMedQA2, the latter as they are or zipped."""

from __future__ import annotations

import codecs
import csv
import io
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from dataset_scripts.user_files.values import DAMAGE
from medzh_score.files.archives import BoundedZip
from medzh_score.files.csv_reader import csv_reader
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medzh_score.files.csv_reader import CsvReader

ZIPPED = b"PK\x03\x04"
CELLS, DAMAGED = "rows with another number of cells than the header", "rows with characters that were lost"


@dataclass
class CsvRows:
    """The rows of a table."""

    header: list[str]
    rows: list[dict[str, str]] = field(default_factory=list)  # cells by column, without blanks around them
    left_out: Counter[str] = field(default_factory=Counter)  # by reason


def read_table(path: Path, columns: Sequence[str], encoding: str) -> CsvRows:
    """Read a CSV file, or the one CSV file in a ZIP archive.

    What is sound UTF-8 is read as that in any case. A row with bytes that are not in the encoding is left out, and so
    is one with another number of cells than the header: these are crawled files.
    """
    text = _text(path, encoding)
    reader = csv_reader(io.StringIO(text, newline=""))
    last = 0
    try:
        table = CsvRows([cell.strip() for cell in next(reader, [])])
        twice = [name for name, count in Counter(table.header).items() if name in columns and count > 1]
        if twice:
            raise MedzhError("a column stands twice", file=path, line=1, field=twice[0], found=", ".join(table.header))
        for missing in (column for column in columns if column not in table.header):
            expected, found = ", ".join(columns), ", ".join(table.header)
            raise MedzhError("a column is missing", file=path, line=1, field=missing, expected=expected, found=found)
        for place, cells in _placed(reader):
            last = place
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(table.header):
                table.left_out[CELLS] += 1
            elif any(DAMAGE.search(cell) for cell in cells):
                table.left_out[DAMAGED] += 1
            else:
                table.rows.append({name: cell.strip() for name, cell in zip(table.header, cells, strict=True)})
    except csv.Error as error:
        raise MedzhError(f"is no such table: {error}", file=path, line=reader.line_num) from error
    _check_whole(text, last, path)
    if not table.rows:
        found = ", ".join(f"{count:,} {reason}" for reason, count in sorted(table.left_out.items())) or "no rows"
        advice = f"save it as {encoding.upper()}, if it is in another encoding" if table.left_out[DAMAGED] else None
        raise MedzhError("has no row that can be used", file=path, found=found, advice=advice)
    return table


def _placed(reader: CsvReader) -> Iterator[tuple[int, list[str]]]:
    """Give each row with the number of lines before it."""
    place = reader.line_num
    for cells in reader:
        yield place, cells
        place = reader.line_num


def _check_whole(text: str, last: int, path: Path) -> None:
    """Refuse a table whose last row opens a quote that nothing closes: it is cut off, or that row swallowed others."""
    lines = islice(io.StringIO(text, newline=""), last, None)
    try:
        list(csv_reader(lines, strict=True))
    except csv.Error as error:
        if "unexpected end of data" in str(error):
            advice = "fetch it again, or close the quote"
            raise MedzhError("a quote is never closed", file=path, line=last + 1, advice=advice) from error


def _text(path: Path, encoding: str) -> str:
    content = _content(path)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise MedzhError("is UTF-16", file=path, expected=encoding.upper(), advice=f"save it as {encoding.upper()}")
    try:
        return content.decode("utf-8-sig")  # Chinese text in GB18030 never is sound UTF-8 by chance
    except UnicodeDecodeError:
        return content.decode(encoding, "replace").removeprefix("\ufeff")


def _content(path: Path) -> bytes:
    try:
        content = path.read_bytes()
        return _unpacked(content, path) if content.startswith(ZIPPED) else content
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=path, advice="name a file") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError) as error:
        raise MedzhError(f"cannot be unpacked: {error}", file=path, advice="fetch it again, or unpack it") from error


def _unpacked(content: bytes, path: Path) -> bytes:
    with BoundedZip(path, io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith(".csv") and "__MACOSX" not in name]
        if len(names) != 1:
            expected, found = "an archive with one CSV file", ", ".join(archive.namelist())
            raise MedzhError("is no such archive", file=path, expected=expected, found=found, advice="unpack it")
        return archive.read(names[0])
