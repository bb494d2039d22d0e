"""Sheets: UTF-8 CSV files with a byte order mark that go out to people and come back filled in."""

from __future__ import annotations

import csv
import io
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from medzh_score.csv_reader import csv_dicts
from medzh_score.errors import MedzhError
from medzh_score.readers.lines import open_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

# A spreadsheet runs a cell that starts like this as a formula; the leading apostrophe keeps it a text.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
DIGITS = 9
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how .xlsx and .ods begin, and how .xls does
AS_CSV = 'save it from the spreadsheet as "CSV UTF-8", with commas between the cells'
# What spreadsheets and people write in a column of yes and no.
SAME = {"是": "yes", "true": "yes", "1": "yes", "y": "yes", "否": "no", "false": "no", "0": "no", "n": "no"}


@dataclass(frozen=True)
class Judgements:
    """What people and models said in a later round, keyed by item and run; the run is 0 of a round about records.

    Attributes
    ----------
    values : mapping of (str, int) to mapping of str to str
        For each item id and run the value of each column.
    raters : tuple of str
        Whose values stand, in alphabetical order.
    overridden : int
        How many values of an earlier file a later one replaced.
    unrated : int
        How many rows of sheets came back blank.
    places : mapping of (str, int) to (Path, int)
        File and line of each item and run of which something came back, for messages.
    unreadable : tuple of (str, int)
        Those that have no value because a response could not be read; sorted.
    empty, failed : tuple of (str, int)
        Those that have none because the response was empty, or the request failed; sorted.
    unnamed : int
        How many readable responses do not say which model gave them.
    by_rater : tuple of int
        How many values of each rater stand.
    """

    values: Mapping[tuple[str, int], Mapping[str, str]]
    raters: tuple[str, ...]
    overridden: int = 0
    unrated: int = 0
    places: Mapping[tuple[str, int], tuple[Path, int]] = field(default_factory=dict)
    unreadable: tuple[tuple[str, int], ...] = ()
    empty: tuple[tuple[str, int], ...] = ()
    failed: tuple[tuple[str, int], ...] = ()
    unnamed: int = 0
    by_rater: tuple[int, ...] = ()

    @property
    def unanswered(self) -> tuple[tuple[str, int], ...]:
        """Those that have no value because nothing was said; sorted."""
        return tuple(sorted({*self.empty, *self.failed}))

    @property
    def came_back(self) -> AbstractSet[tuple[str, int]]:
        """Those to which something was said, readable or not, be it an empty text."""
        return {*self.values, *self.unreadable, *self.empty}


def sheet_bytes(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """Write a sheet.

    Parameters
    ----------
    columns : sequence of str
        The heads: keys, read-only context, values to fill in, ``rater``.
    rows : iterable of mapping
        A row each; a column that is not in it stays empty. A text that a spreadsheet would run as a formula gets an
        apostrophe in front.

    Returns
    -------
    bytes
        CSV, UTF-8 with a byte order mark, CRLF line ends: what spreadsheets open without asking.
    """
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, restval="")
    writer.writeheader()
    writer.writerows({name: _inert(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode("utf-8-sig")


def _inert(value: object) -> object:
    return "'" + value if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def read_rows(
    path: Path, required: Sequence[str], *, untouched: Sequence[str] = ()
) -> Iterator[tuple[int, dict[str, str]]]:
    """Read the rows of a sheet that came back.

    Parameters
    ----------
    path : Path
        CSV, UTF-8 with or without a byte order mark.
    required : sequence of str
        Columns that it must have.
    untouched : sequence of str
        Columns whose surrounding space stays.

    Yields
    ------
    (int, dict of str to str)
        The number of the line on which the row ends, and its cells without surrounding space; blank rows are passed
        over.

    Raises
    ------
    MedzhError
        If it cannot be read, is a workbook or not UTF-8, lacks a column or has it twice, or a row is longer than its
        head.
    """
    _refuse_workbook(path)
    with open_text(path) as stream, io.TextIOWrapper(stream, encoding="utf-8", newline="") as text:
        rows = csv_dicts(text)
        try:
            found = [name.strip() for name in rows.fieldnames or []]
            rows.fieldnames = found
            _check_head(found, required, path)
            for row in rows:
                if any(cell.strip() for cell in row.pop(None, ())):
                    raise MedzhError(
                        "the row has more cells than the head",
                        file=path,
                        line=rows.line_num,
                        expected=f"{len(found)} cells",
                        advice="put a cell that holds a comma in quotes",
                    )
                cells = {
                    name: (value or "") if name in untouched else (value or "").strip() for name, value in row.items()
                }
                if any(value.strip() for value in cells.values()):
                    yield rows.line_num, cells
        except UnicodeDecodeError as error:
            raise MedzhError(
                "is not UTF-8",
                file=path,
                line=_line_that_is_not_utf8(path),
                expected="UTF-8",
                advice=AS_CSV,
            ) from error
        except csv.Error as error:
            raise MedzhError(f"is not CSV: {error}", file=path, line=rows.line_num) from error
        except (OSError, EOFError, zlib.error) as error:
            raise MedzhError(
                f"cannot be read to its end: {error}", file=path, line=rows.line_num + 1, advice="transfer it again"
            ) from error


def _refuse_workbook(path: Path) -> None:
    with open_text(path) as stream:
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
                "a column is missing", file=path, line=1, expected=", ".join(required), found=", ".join(found)
            )
    for name, count in counts.items():
        if name and count > 1:
            raise MedzhError("a column stands twice", file=path, line=1, found=name)


def _line_that_is_not_utf8(path: Path) -> int | None:
    """Find the line: the decoder reads ahead of the rows."""
    with open_text(path) as stream:
        for number, line in enumerate(stream, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                return number
    return None


def filled(row: Mapping[str, str], values: Mapping[str, tuple[str, ...]], path: Path, number: int) -> dict[str, str]:
    """Take what a person filled in.

    Parameters
    ----------
    row : mapping of str to str
        The cells.
    values : mapping of str to tuple of str
        The columns to fill in, each with the values that it may hold; none of them where it may hold any text.
    path : Path
        The file, for the message.
    number : int
        The line, for the message.

    Returns
    -------
    dict of str to str
        The value of each column; empty where all are blank. Case does not matter to the values that a column may
        hold, and 是, true, 1 and y are a yes, 否, false, 0 and n a no, unless they are values themselves.

    Raises
    ------
    MedzhError
        If a value is none of those allowed, or some of the columns alone are blank.

    Examples
    --------
    >>> filled({"clear": "YES", "right": "否"}, {"clear": ("yes", "no"), "right": ("yes", "no")}, "filled.csv", 2)
    {'clear': 'yes', 'right': 'no'}
    """
    found = {column: _value(row.get(column, ""), allowed) for column, allowed in values.items()}
    for column, allowed in values.items():
        if found[column] and allowed and found[column] not in allowed:
            raise MedzhError(
                "not a value of this column",
                file=path,
                line=number,
                field=column,
                expected=" or ".join(allowed),
                found=row[column],
            )
    if not any(found.values()):
        return {}
    for column, allowed in values.items():
        if not found[column]:
            raise MedzhError(
                "is blank while the row's other values are filled in",
                file=path,
                line=number,
                field=column,
                expected=" or ".join(allowed) or "a text",
            )
    return found


def _value(written: str, allowed: tuple[str, ...]) -> str:
    if not allowed or written in allowed:
        return written
    lower = written.lower()
    return SAME[lower] if lower not in allowed and SAME.get(lower) in allowed else lower


def number_in(row: Mapping[str, str], column: str, path: Path, number: int) -> int:
    """Read the run or the variant that a row is of; 0 where it does not say.

    Parameters
    ----------
    row : mapping of str to str
        The cells.
    column : str
        ``run`` or ``variant``.
    path : Path
        The file, for the message.
    number : int
        The line, for the message.

    Raises
    ------
    MedzhError
        If the cell holds no whole number.
    """
    written = row.get(column) or "0"
    if not written.isdecimal() or len(written) > DIGITS:
        raise MedzhError(
            f"not a {column}", file=path, line=number, field=column, expected="a number from 0", found=written
        )
    return int(written)
