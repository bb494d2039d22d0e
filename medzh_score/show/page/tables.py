"""A table as a page shows it: heads and cells in both languages, and which columns sort as numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.show.cells import TITLES, worded_heads, worded_rows
from medzh_score.show.page.words import both, in_both, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from medzh_score.benchmark.tables import Table

NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?(?: ?%| to -?\d.*| run)?")
NONE = "-"


@dataclass(frozen=True)
class Head:
    """The head of a column; numbers sort as such and stand at the right."""

    text: Markup | str
    numeric: bool = False


@dataclass(frozen=True)
class TableView:
    """A table of a page: plain texts are escaped, markup stays; the first cell of a row is its head."""

    title: Markup | str
    heads: tuple[Head, ...]
    rows: tuple[tuple[Markup | str, ...], ...]


def view_of(table: Table, decimals: int) -> TableView:
    """Show a table of results, with words and numbers as every other form has them."""
    heads, rows = in_both(lambda: worded_heads(table.columns)), in_both(lambda: worded_rows(table, decimals))
    cells = tuple(tuple(map(both, *pair)) for pair in zip(*rows, strict=True))
    numeric = [place > 0 and is_numeric([row[place] for row in rows[0]]) for place in range(len(table.columns))]
    return TableView(
        said(table.title, TITLES),
        tuple(Head(both(*pair), one) for *pair, one in zip(*heads, numeric, strict=True)),
        cells,
    )


def is_numeric(cells: Sequence[str]) -> bool:
    """Say whether a column holds numbers, as printed, beside dashes.

    Examples
    --------
    >>> is_numeric(["45.26%", "-"]), is_numeric(["40.10 to 50.20", "3"]), is_numeric(["7B", "3"])
    (True, True, False)
    """
    return all(one == NONE or NUMBER.fullmatch(one) for one in cells)
