"""CSV readers that each keep to a limit of their own: that of the csv module is one for the whole process."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any, Self, cast

from medzh_score.files.bounds import RAISE, bound
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LARGEST_CELL = 1 << 23  # characters of a row and so of a cell, where models and crawled files fill cells
ORDINARY_CELL = 1 << 17  # characters, where a longer cell shows a quotation mark that is never closed


class CsvReader:
    """A reader that states its limit for each row, and leaves the process's as it was; a whole row has a bound, too."""

    def __init__(self, lines: Iterable[str], largest: int, separator: str, *, strict: bool) -> None:
        self._reader = csv.reader(self._counted(lines), delimiter=separator, strict=strict)
        self._largest = bound(largest)
        self._length = 0  # of the row that is being read

    def _counted(self, lines: Iterable[str]) -> Iterator[str]:
        longest = bound(LARGEST_CELL)
        for line in lines:
            self._length += len(line)
            if self._length > longest:
                raise MedzhError(f"a row is longer than {longest:,} characters", advice=RAISE)
            yield line

    def __iter__(self) -> Self:
        """Give itself."""
        return self

    def __next__(self) -> list[str]:
        """Read a row."""
        before, self._length = csv.field_size_limit(self._largest), 0
        try:
            return next(self._reader)
        finally:
            csv.field_size_limit(before)

    @property
    def line_num(self) -> int:
        """How many lines were read."""
        return int(self._reader.line_num)


def csv_reader(
    lines: Iterable[str], *, largest: int = LARGEST_CELL, separator: str = ",", strict: bool = False
) -> CsvReader:
    """Open a reader of rows.

    Examples
    --------
    >>> list(csv_reader(["a,b"]))
    [['a', 'b']]
    """
    return CsvReader(lines, largest, separator, strict=strict)


def csv_dicts(
    lines: Iterable[str], *, largest: int = LARGEST_CELL, separator: str = ",", strict: bool = False
) -> csv.DictReader[str]:
    """Open a reader of rows by the names in the head."""
    rows: csv.DictReader[str] = csv.DictReader(())
    rows.reader = cast("Any", CsvReader(lines, largest, separator, strict=strict))
    return rows
