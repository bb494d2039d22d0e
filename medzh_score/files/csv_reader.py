"""CSV readers that each keep to a limit of their own: that of the csv module is one for the whole process."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any, Self, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

LARGEST_CELL = 1 << 26  # characters, where models and crawled files fill cells
ORDINARY_CELL = 1 << 17  # characters, where a longer cell shows a quotation mark that is never closed


class CsvReader:
    """A reader that states its limit for each row, and leaves the process's as it was."""

    def __init__(self, reader: Any, largest: int) -> None:  # noqa: ANN401 - the type of csv.reader has no name
        self._reader = reader
        self._largest = largest

    def __iter__(self) -> Self:
        """Give itself."""
        return self

    def __next__(self) -> list[str]:
        """Read a row."""
        before = csv.field_size_limit(self._largest)
        try:
            return cast("list[str]", next(self._reader))
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
    return CsvReader(csv.reader(lines, delimiter=separator, strict=strict), largest)


def csv_dicts(
    lines: Iterable[str], *, largest: int = LARGEST_CELL, separator: str = ",", strict: bool = False
) -> csv.DictReader[str]:
    """Open a reader of rows by the names in the head."""
    rows = csv.DictReader(lines, delimiter=separator, strict=strict)
    rows.reader = cast("Any", CsvReader(rows.reader, largest))
    return rows
