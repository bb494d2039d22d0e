"""A table in a width: texts are folded, columns go on beneath, and what has no room is left out and named.

No word is cut. First cells are folded, between words or Chinese characters. Where that is not enough, columns go on in
further blocks, each beside the columns that tell the rows apart, or beside the numbers of the rows where those take too
much. What says more of a value (`BESIDE`) stays in its block; where it has no room there it is left out, the last of
`BESIDE` first. So is a column that has no room even beside numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rich.cells import cell_len

from medzh_score.messages.catalogue import worded
from medzh_score.messages.errors import printable
from medzh_score.show.cells import HEADS, worded_heads, worded_rows
from medzh_score.show.wrapping import longest_piece, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.tables import Table

BESIDE = ("95% interval", "std", "n")
EDGE, GAP = 1, 3  # before the first column, and between two
READABLE = 24  # no cell is folded narrower
READABLE_HEAD = 6  # and no head: three characters of Chinese
INTERVAL = re.compile(r"\S+ (?:to|至) \S+")  # one number, as far as reading goes


@dataclass(frozen=True)
class Column:
    """A column as it is drawn; its name is its head in English."""

    name: str
    head: str
    cells: tuple[str, ...]
    numeric: bool

    @cached_property
    def natural(self) -> int:
        """How wide it is with nothing folded."""
        return max(map(cell_len, (self.head, *self.cells)))

    @cached_property
    def least(self) -> int:
        """How narrow it can be."""
        return max(_least(self.head, READABLE_HEAD), *(_least(one, READABLE) for one in self.cells), 0)

    def folded(self, width: int) -> Column:
        """Fold head and cells."""
        if self.natural <= width:
            return self
        return Column(
            self.name, wrapped(self.head, width), tuple(_folded(one, width) for one in self.cells), self.numeric
        )


Block = tuple[Column, ...]


@dataclass(frozen=True)
class Fitted:
    """The columns of each block, the names of those that have no room, and what these say of rows that have numbers."""

    blocks: tuple[Block, ...]
    left_out: tuple[str, ...] = ()
    numbered: tuple[str, ...] = ()


def fitted(table: Table, decimals: int, width: int) -> Fitted:
    """Find what of a table stands where."""
    columns = _columns(table, decimals)
    if _room(columns) <= width:
        return Fitted((_shrunk(columns, width),))
    keys, rest = names, _ = _split(columns)
    numbers = (
        Column(
            "row", worded("row", HEADS), tuple(str(number) for number in range(1, len(table.rows) + 1)), numeric=True
        ),
    )
    if any(_room((*numbers, one)) <= width < _room((*keys, one)) for one, *_ in _groups(rest or keys[-1:])):
        keys, rest = numbers, columns
    blocks: list[Block] = []
    left_out: list[str] = []
    numbered: list[str] = []
    for group in _groups(rest):
        kept, dropped = _kept(keys, group, width)
        left_out += [_named(one, group[0], table.columns) for one in dropped]
        numbered += [_numbered(one) for one in dropped if any(one is name for name in names)]
        if kept and blocks and _room((*blocks[-1], *kept)) <= width:
            blocks[-1] += kept
        elif kept:
            blocks.append((*keys, *kept))
    return Fitted(tuple(_shrunk(block, width) for block in blocks or [keys]), tuple(left_out), tuple(numbered))


def _columns(table: Table, decimals: int) -> Block:
    rows = worded_rows(table, decimals)
    return tuple(
        Column(
            name,
            printable(head),
            tuple(printable(row[place]) for row in rows),
            numeric=place > 0 and all(not isinstance(row[place], str) for row in table.rows),
        )
        for place, (name, head) in enumerate(zip(table.columns, worded_heads(table.columns), strict=True))
    )


def _least(text: str, readable: int) -> int:
    if INTERVAL.fullmatch(text):
        return cell_len(text)
    return max(longest_piece(text), min(cell_len(text), readable))


def _folded(text: str, width: int) -> str:
    return text if cell_len(text) <= width or INTERVAL.fullmatch(text) else wrapped(text, width)


def _room(columns: Sequence[Column]) -> int:
    return EDGE + sum(one.least for one in columns) + GAP * (len(columns) - 1)


def _shrunk(columns: Block, width: int) -> Block:
    """Fold columns where room is short: what there is beyond their least is shared by how much more they want."""
    wants = [one.natural - one.least for one in columns]
    spare = min(width - _room(columns), sum(wants))
    widths = [one.least + want * spare // max(sum(wants), 1) for one, want in zip(columns, wants, strict=True)]
    return tuple(one.folded(part) for one, part in zip(columns, widths, strict=True))


def _split(columns: Block) -> tuple[Block, Block]:
    """Part the columns that tell the rows apart, as few as do, from the rest."""
    rows = list(zip(*(one.cells for one in columns), strict=True))
    different = len(set(rows))
    keys = next(count for count in range(1, len(columns) + 1) if len({row[:count] for row in rows}) == different)
    return columns[:keys], columns[keys:]


def _groups(columns: Block) -> list[Block]:
    """Put what says more of a value to the value."""
    groups: list[Block] = []
    for one in columns:
        if groups and one.name in BESIDE:
            groups[-1] += (one,)
        else:
            groups.append((one,))
    return groups


def _kept(keys: Block, group: Block, width: int) -> tuple[Block, Block]:
    """Part the columns of a group that have room in a block of their own from those that have none."""
    order = sorted(range(len(group)), key=lambda place: _rank(group[place]))
    counts = range(len(group), 0, -1)
    most = next((count for count in counts if _room((*keys, *(group[place] for place in order[:count]))) <= width), 0)
    kept, dropped = sorted(order[:most]), sorted(order[most:])
    return tuple(group[place] for place in kept), tuple(group[place] for place in dropped)


def _rank(column: Column) -> int:
    return BESIDE.index(column.name) if column.name in BESIDE else -1


def _named(column: Column, value: Column, heads: Sequence[str]) -> str:
    return column.head if heads.count(column.name) == 1 else f"{value.head} {column.head}"


def _numbered(column: Column) -> str:
    """Say what stands in each row of a column that told the rows apart."""
    return f"{column.head}: {'; '.join(f'{number} {one}' for number, one in enumerate(column.cells, 1))}"
