"""A table as a page shows it: heads and cells in both languages, and which columns sort as numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from medzh_score.messages.catalogue import FOLDER, in_chinese
from medzh_score.messages.errors import printable
from medzh_score.messages.languages import CHINESE, ENGLISH, results_in
from medzh_score.show.cells import TITLES, worded_heads, worded_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markupsafe import Markup

    from medzh_score.benchmark.tables import Table


Made = TypeVar("Made")


def said(text: str, section: str = FOLDER) -> Markup:
    """Give whole texts, or by a section a word, in both languages.

    Examples
    --------
    >>> said("95% interval", "heads")
    Markup('<span lang="en">95% interval</span><span lang="zh">95% 区间</span>')
    """
    return both(text, in_chinese(text, section))


@lru_cache(maxsize=1 << 14)
def both(english: str, chinese: str) -> Markup:
    """Give a text in both languages; one that is the same in both, such as a name, once.

    Examples
    --------
    >>> both("<1>", "<1>")
    Markup('&lt;1&gt;')
    """
    from markupsafe import Markup, escape

    if english == chinese:
        return escape(printable(english))
    pair = Markup('<span lang="en">{}</span><span lang="zh">{}</span>')
    return pair.format(printable(english), printable(chinese))


def in_both(make: Callable[[], Made]) -> tuple[Made, Made]:
    """Make something in English, then in Chinese."""
    with results_in(ENGLISH):
        english = make()
    with results_in(CHINESE):
        return english, make()


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
