"""Sheets: UTF-8 CSV files with a byte order mark that go out to people and come back filled in."""

from __future__ import annotations

import csv
import io
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from medzh_score.between import Between, expected
from medzh_score.csv_reader import csv_dicts
from medzh_score.errors import MedzhError
from medzh_score.readers.broken_lines import CONFLICT, conflict, is_marker, likely_gb18030
from medzh_score.readers.lines import open_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.between import Allowed

# A spreadsheet runs a cell that starts like this as a formula; the leading apostrophe keeps it a text.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
DIGITS = 9
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how .xlsx and .ods begin, and how .xls does
SEPARATORS = {",": "comma", "\t": "tab"}
AS_CSV = 'save it from the spreadsheet as "CSV UTF-8", with commas between the cells'
# What a cell to fill in holds where nothing is asked in its row; Excel would not take a hyphen for a text.
NOT_ASKED = "/"
# What spreadsheets and people write in a column of yes and no.
SAME = {"是": "yes", "true": "yes", "1": "yes", "y": "yes", "否": "no", "false": "no", "0": "no", "n": "no"}


class Source(NamedTuple):
    """Who said something in a later round.

    Attributes
    ----------
    name : str
        The rater's, the judge's or the model's.
    kind : {"person", "model"}
        A filled sheet is a person's, a response a model's.
    """

    name: str
    kind: Literal["person", "model"]


Key = tuple[str, int]  # item, run
Said = Mapping[str, str]  # the value of each column


@dataclass(frozen=True)
class Judgements:
    """What people and models said in a later round, keyed by item and run; the run is 0 of a round about records.

    Attributes
    ----------
    sources : mapping of Source to mapping of (str, int) to mapping of str to str
        For each source, by name, the value of each column for each item id and run. Of one item and run there is one
        source, unless the round declares many.
    overridden : int
        How many values of an earlier file a later one replaced.
    unrated : int
        How many rows of sheets came back blank.
    places : mapping of (str, int) to (Path, int)
        File and line of each item and run of which something came back, for messages.
    unreadable : tuple of (str, int)
        Those that lack a value because a response could not be read; sorted, once for each source.
    empty, failed : tuple of (str, int)
        Those that lack one because the response was empty, or the request failed; sorted.
    unnamed : int
        How many readable responses do not say which model gave them.
    unverified : int
        How many values that stand came without the code of what they judge.
    others : int
        How many rows judge answers that are not at hand, those of other models.
    due : array of bool, shape (items, runs), or None
        What the round was due to judge of the answers that are scored: of a rule's answers what was drawn. A value
        outside counts nothing. None of a round about records, and where nothing was drawn: then all is due.
    """

    sources: Mapping[Source, Mapping[Key, Said]]
    overridden: int = 0
    unrated: int = 0
    places: Mapping[Key, tuple[Path, int]] = field(default_factory=dict)
    unreadable: tuple[Key, ...] = ()
    empty: tuple[Key, ...] = ()
    failed: tuple[Key, ...] = ()
    unnamed: int = 0
    unverified: int = 0
    others: int = 0
    due: NDArray[np.bool_] | None = field(default=None, compare=False)

    @cached_property
    def values(self) -> Mapping[Key, Said]:
        """What was said of each item and run: of a round of many sources by the last of them."""
        return {key: said for mine in self.sources.values() for key, said in mine.items()}

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Of which kinds those are who said anything."""
        return frozenset(source.kind for source, mine in self.sources.items() if mine)

    @cached_property
    def by_each(self) -> set[Key]:
        """The items and runs of which each model said something that said anything, and some person if any did."""
        models = [set(mine) for source, mine in self.sources.items() if source.kind == "model" and mine]
        people = {key for source, mine in self.sources.items() if source.kind == "person" for key in mine}
        return set.intersection(*models, *([people] if people else [])) if models or people else set()

    def due_in(self, items: int, runs: int) -> NDArray[np.bool_]:
        """Say what was due: all where nothing was drawn.

        Parameters
        ----------
        items, runs : int
            The shape of what is scored.
        """
        import numpy as np

        return np.ones((items, runs), bool) if self.due is None else self.due

    @property
    def raters(self) -> tuple[str, ...]:
        """Whose values stand, in alphabetical order; with their kind where two have one name."""
        often = Counter(source.name for source in self.sources)
        return tuple(one.name if often[one.name] == 1 else f"{one.name} ({one.kind})" for one in self.sources)

    def by_name(self, key: Key) -> dict[str, Said]:
        """Give what each said of an item and run, under the names of `raters`.

        Parameters
        ----------
        key : (str, int)
            Item and run.
        """
        sources = zip(self.raters, self.sources.values(), strict=True)
        return {name: mine[key] for name, mine in sources if key in mine}

    @property
    def by_rater(self) -> tuple[int, ...]:
        """How many values of each rater stand."""
        return tuple(map(len, self.sources.values()))

    @property
    def unanswered(self) -> tuple[Key, ...]:
        """Those that have no value because nothing was said; sorted."""
        return tuple(sorted([*self.empty, *self.failed]))

    @property
    def came_back(self) -> AbstractSet[Key]:
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
    path: Path, required: Sequence[str], *, untouched: Sequence[str] = (), separator: str = ","
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
    separator : str
        What stands between cells.

    Yields
    ------
    (int, dict of str to str)
        The number of the line on which the row ends, and its cells without surrounding space; blank rows are passed
        over.

    Raises
    ------
    MedzhError
        If it cannot be read, is a workbook or not UTF-8, lacks a column or has it twice, a row is longer than its head,
        or a quotation mark stands where none may or is never closed: what follows would all be in its cell.
    """
    _refuse_workbook(path)
    with open_text(path) as stream, io.TextIOWrapper(stream, encoding="utf-8", newline="") as text:
        rows, ended = csv_dicts(text, separator=separator, strict=True), 0
        try:
            found = [name.strip() for name in rows.fieldnames or []]
            rows.fieldnames = found
            _check_head(found, required, path)
            ended = rows.line_num
            for row in rows:
                ended = rows.line_num
                _refuse_conflict(row, path, ended)
                if any(cell.strip() for cell in row.pop(None, ())):
                    raise _longer_than(len(found), separator, path, ended)
                cells = {
                    name: (value or "") if name in untouched else (value or "").strip() for name, value in row.items()
                }
                if any(value.strip() for value in cells.values()):
                    yield ended, cells
        except UnicodeDecodeError as error:
            raise _not_utf8(path) from error
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


def _longer_than(cells: int, separator: str, path: Path, number: int) -> MedzhError:
    return MedzhError(
        "the row has more cells than the head",
        file=path,
        line=number,
        expected=f"{cells} cells",
        advice=f"put a cell that holds a {SEPARATORS[separator]} in quotes",
    )


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


def _refuse_conflict(row: Mapping[str | None, object], path: Path, number: int) -> None:
    """Refuse two versions that were not merged: their markers stand on rows of their own, or inside a quoted cell."""
    first = row.get(next(iter(row)))
    if isinstance(first, str) and is_marker(first.encode("utf-8", "replace")):
        raise conflict(first.encode("utf-8", "replace"), path, number)
    for cell in row.values():
        if isinstance(cell, str) and "<<<<<<< " in cell and CONFLICT.search(cell):
            raise conflict(b"<<<<<<<", path, number)


def _not_utf8(path: Path) -> MedzhError:
    """Find the line: the decoder reads ahead of the rows."""
    problem = "is not UTF-8"
    with open_text(path) as stream:
        for number, line in enumerate(stream, 1):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError:
                if likely_gb18030(line):
                    problem = "is not UTF-8 but, it seems, GB18030"
                return MedzhError(problem, file=path, line=number, expected="UTF-8", advice=AS_CSV)
    return MedzhError(problem, file=path, expected="UTF-8", advice=AS_CSV)


def asked_columns(row: Mapping[str, str], values: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Say which of the columns to fill in a row asks for: those in which it does not hold `NOT_ASKED`.

    Parameters
    ----------
    row : mapping of str to str
        The cells, as they went out or came back.
    values : mapping of str to tuple of str
        The columns to fill in, each with the values that it may hold.

    Examples
    --------
    >>> asked_columns({"question": "…", "fluent": "/"}, {"right": ("1", "0"), "fluent": ("yes", "no")})
    {'right': ('1', '0')}
    """
    return {column: allowed for column, allowed in values.items() if row.get(column) != NOT_ASKED}


def filled(row: Mapping[str, str], values: Mapping[str, Allowed], path: Path, number: int) -> dict[str, str]:
    """Take what a person filled in.

    Parameters
    ----------
    row : mapping of str to str
        The cells.
    values : mapping of str to tuple of str or Between
        The columns to fill in, each with the values that it may hold, none of them where it may hold any text, or with
        the range of its number.
    path : Path
        The file, for the message.
    number : int
        The line, for the message.

    Returns
    -------
    dict of str to str
        The value of each column; empty where all are blank. Case does not matter to the values that a column may
        hold, and 是, true, 1 and y are a yes, 否, false, 0 and n a no, unless they are values themselves. Numbers stand
        in their shortest form.

    Raises
    ------
    MedzhError
        If a value is none of those allowed, or some of the columns alone are blank.

    Examples
    --------
    >>> filled({"clear": "YES", "right": "否"}, {"clear": ("yes", "no"), "right": ("yes", "no")}, "filled.csv", 2)
    {'clear': 'yes', 'right': 'no'}
    """
    found: dict[str, str] = {}
    for column, allowed in values.items():
        value = _value(row.get(column, ""), allowed)
        if value is None:
            raise MedzhError(
                "not a value of this column",
                file=path,
                line=number,
                field=column,
                expected=expected(allowed),
                found=row[column],
            )
        found[column] = value
    if not any(found.values()):
        return {}
    for column, allowed in values.items():
        if not found[column]:
            raise MedzhError(
                "is blank while the row's other values are filled in",
                file=path,
                line=number,
                field=column,
                expected=expected(allowed),
            )
    return found


def _value(written: str, allowed: Allowed) -> str | None:
    """Give what a cell says in the words of its column; None where it is none of them."""
    if isinstance(allowed, Between):
        return allowed.read(written) if written else ""
    if not allowed or not written or written in allowed:
        return written
    lower = written.lower()
    known = SAME[lower] if lower not in allowed and SAME.get(lower) in allowed else lower
    return known if known in allowed else None


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
