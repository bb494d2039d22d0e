"""Sheets: UTF-8 CSV files with a byte order mark that go out to people and come back filled in."""

from __future__ import annotations

import csv
import io
import re
import zlib
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from medzh_score.files.bounds import lines_of
from medzh_score.files.broken_lines import CONFLICT, conflict, is_marker, no_utf8
from medzh_score.files.csv_reader import csv_dicts
from medzh_score.files.encodings import GB18030, likely_encoding
from medzh_score.messages.errors import CONTROLS, MedzhError, printable
from medzh_score.messages.privacy import quotable_key
from medzh_score.messages.progress import called, say_in_the_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import IO

    from medzh_score.files.input_file import InputFile


# A spreadsheet runs a cell that starts like this as a formula; the leading apostrophe keeps it a text.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
LAID_OUT = "\t\r\n"  # controls that belong into a cell
DIGITS = 9
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how .xlsx and .ods begin, and how .xls does
SEPARATORS = {",": "comma", "\t": "tab"}
WIDE = re.compile("[\u0800-\U0010ffff]")  # characters of three bytes and more in UTF-8
ENOUGH = 1 << 22  # bytes by which an encoding is told
AS_CSV = 'save it from the spreadsheet as "CSV UTF-8", with commas between the cells'


def sheet_bytes(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """Write a sheet."""
    inert = ({name: _inert(value) for name, value in row.items()} for row in rows)
    return csv_text(columns, inert).encode("utf-8-sig")


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Write rows for programs: texts as they are, but nothing in them acts on a terminal."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, restval="")
    writer.writeheader()
    writer.writerows({name: _escaped(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _escaped(value: object) -> object:
    """Escape what acts on a terminal; lines stay."""
    if not isinstance(value, str):
        return value
    return CONTROLS.sub(lambda found: found.group() if found.group() in LAID_OUT else printable(found.group()), value)


def _inert(value: object) -> object:
    """Let a text be no formula."""
    return "'" + value if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def read_rows(
    file: InputFile, required: Sequence[str], *, untouched: Sequence[str] = (), separator: str = ","
) -> Iterator[tuple[int, dict[str, str]]]:
    """Read the rows of a sheet that came back."""
    path, stream = file.path, file.text()
    _refuse_workbook(stream, path)
    encoding = _encoding(file)  # before the text is gone to again: its streams are one
    text = io.TextIOWrapper(file.text(), encoding=encoding, newline="")
    rows, ended = csv_dicts(lines_of(text, path), separator=separator, strict=True), 0
    try:
        found = [name.strip() for name in rows.fieldnames or []]
        rows.fieldnames = found
        _check_head(found, required, path)
        ended = 1 if file.is_workbook else rows.line_num
        for row in rows:
            ended = ended + 1 if file.is_workbook else rows.line_num  # of a workbook the row, whatever its cells hold
            _refuse_conflict(row, path, ended)
            if any(cell.strip() for cell in row.pop(None, ())):
                raise _longer_than(len(found), separator, path, ended)
            cells = {name: (value or "") if name in untouched else (value or "").strip() for name, value in row.items()}
            if any(value.strip() for value in cells.values()):
                yield ended, cells
    except UnicodeDecodeError as error:
        raise _not_utf8(file) from error
    except MedzhError as error:
        if error.file is None:  # of the reader, which knows no file
            error.file, error.line = str(path), ended + 1
        raise
    except csv.Error as error:
        raise MedzhError(
            f"is not CSV: {error}",
            file=path,
            line=ended + 1,
            advice="in a cell that holds a quotation mark, double the mark and put the cell in quotes",
        ) from error
    except (OSError, EOFError, zlib.error) as error:
        raise MedzhError(
            f"cannot be read to its end: {error}", file=path, line=rows.line_num + 1, advice="transfer it again"
        ) from error
    finally:
        if not text.closed:
            text.detach()  # which would close the file with itself


def _encoding(file: InputFile) -> str:
    """Say in which encoding a sheet is: UTF-8, or GB18030, in which WPS saves CSV, where it is surely that.

    What is UTF-8 by a Chinese character, of three bytes, is that; two of 头痛 in GB18030 are letters of UTF-8, too.
    """
    other, strange, length = list[bytes](), False, 0
    with suppress(OSError, EOFError, zlib.error):  # what is packed may break off: reading says where
        for line in lines_of(file.text(), file.path):
            if not line.isascii():
                try:
                    if WIDE.search(line.decode("utf-8")):
                        return "utf-8"  # also where other lines are not: reading refuses those
                except UnicodeDecodeError:
                    strange = True
                if length < ENOUGH:
                    other.append(line)
                    length += len(line)
    if strange and likely_encoding(b"".join(other)) == GB18030:
        say_in_the_end(f"{called(file.path)}: read in GB18030")
        return "gb18030"
    return "utf-8"


def _longer_than(cells: int, separator: str, path: Path, number: int) -> MedzhError:
    return MedzhError(
        "the row has more cells than the head",
        file=path,
        line=number,
        expected=f"{cells} cells",
        advice=f"put a cell that holds a {SEPARATORS[separator]} in quotes",
    )


def _refuse_workbook(stream: IO[bytes], path: Path) -> None:
    if stream.read(max(map(len, WORKBOOKS))).startswith(WORKBOOKS):
        raise MedzhError("is a workbook", file=path, expected="a file of text", advice=AS_CSV)


def _check_head(found: Sequence[str], required: Sequence[str], path: Path) -> None:
    counts = Counter(found)
    if len(found) == 1 and found[0] not in required and any(mark in found[0] for mark in ";\t"):
        raise MedzhError(
            "its cells are not separated by commas",
            file=path,
            line=1,
            expected=", ".join(required),
            found=found[0],
            advice=AS_CSV,
        )
    for name in required:
        if name not in counts:
            raise MedzhError(
                "a column is missing", file=path, line=1, expected=", ".join(required), found=quotable_key(*found)
            )
    for name, count in counts.items():
        if name and count > 1:
            raise MedzhError("a column stands twice", file=path, line=1, found=quotable_key(name))


def _refuse_conflict(row: Mapping[str | None, object], path: Path, number: int) -> None:
    """Refuse two versions that were not merged: their markers stand on rows of their own, or inside a quoted cell."""
    first = row.get(next(iter(row)))
    if isinstance(first, str) and is_marker(first.encode("utf-8", "replace")):
        raise conflict(first.encode("utf-8", "replace"), path, number)
    for cell in row.values():
        if isinstance(cell, str) and "<<<<<<< " in cell and CONFLICT.search(cell):
            raise conflict(b"<<<<<<<", path, number)


def _not_utf8(file: InputFile) -> MedzhError:
    """Find the line: the decoder reads ahead of the rows; what the encoding is, all of them tell."""
    path, other = file.path, []
    for number, line in enumerate(lines_of(file.text(), path), 1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            other.append((number, line))
    likely = likely_encoding(b"".join(line for _, line in other))
    return MedzhError(no_utf8(likely), file=path, line=other[0][0], expected="UTF-8", advice=AS_CSV)


def number_in(row: Mapping[str, str], column: str, path: Path, number: int) -> int:
    """Read the run or the variant that a row is of; 0 where it does not say."""
    written = row.get(column) or "0"
    if not written.isdecimal() or len(written) > DIGITS:
        raise MedzhError(
            f"not a {column}", file=path, line=number, field=column, expected="a number from 0", found=written
        )
    return int(written)
