"""Heads and cells of a table in the language of results: which words a column holds, its head says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.layout import WITHHELD
from medzh_score.messages.catalogue import worded
from medzh_score.report.numbers import cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.tables import Table

TITLES, HEADS, GROUPS = "titles", "heads", "groups"
# Of columns whose cells name groups of questions or claims.
GROUPED = frozenset(
    {"group", "class", "part", "partition", "right options", "kind", "type", "Atomic Type", "aspect", "source"}
)
COLUMN = "column "  # before its head: the section with the words of its cells


def worded_heads(columns: Sequence[str]) -> tuple[str, ...]:
    """Give the heads of columns."""
    return tuple(worded(head, HEADS) for head in columns)


def worded_rows(table: Table, decimals: int) -> list[tuple[str, ...]]:
    """Print the cells of a table; texts of others, such as names of models, stay as they are."""
    return [
        tuple(_worded_cell(head, value, decimals) for head, value in zip(table.columns, row, strict=True))
        for row in table.rows
    ]


def worded_word(head: str, text: str) -> str:
    """Give a word of a column, such as a group, which stands in heads and figures, too."""
    return worded(text, GROUPS if head in GROUPED or text == WITHHELD else COLUMN + head)


def _worded_cell(head: str, value: str | float | None, decimals: int) -> str:
    return worded_word(head, value) if isinstance(value, str) else cell(value, decimals)
