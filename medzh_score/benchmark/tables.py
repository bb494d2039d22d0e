"""A table of results: a title, column heads and rows, before anything is known of how it is shown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Columns and rows.

    Attributes
    ----------
    title : str
        What it shows.
    columns : tuple of str
        The heads.
    rows : tuple of tuple
        Texts, whole numbers, numbers, and None for what has no value.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | None, ...], ...]
