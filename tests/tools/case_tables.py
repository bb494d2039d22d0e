"""Tables of cases: texts and what is made of them, a row a case, in TOML files of tests/data."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

DATA = Path(__file__).parent.parent / "data"


def case_tables(name: str) -> dict[str, list[Any]]:
    """Read the tables of a file; an empty object stands for None, which TOML has not.

    Parameters
    ----------
    name : str
        Of the file in tests/data, without its end.

    Returns
    -------
    dict of str to list
        The rows of each table.
    """
    read: dict[str, list[Any]] = _with_none(tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8")))
    assert all(read.values()), f"a table of {name} has no row"
    return read


def failing(rows: Iterable[Sequence[Any]], call: Callable[..., Any]) -> list[tuple[Any, ...]]:
    """Give the rows of which something else comes than their last cell says, each with what comes of it.

    Parameters
    ----------
    rows : iterable of sequence
        The arguments of a call, and what is expected of it.
    call : callable
        Takes the arguments of a row.

    Returns
    -------
    list of tuple
        Empty where each case holds.

    Examples
    --------
    >>> failing([[1, 2, 3], [2, 2, 5]], lambda one, other: one + other)
    [(2, 2, 5, 'found', 4)]
    """
    found = [(*row, "found", _outcome(call, row[:-1])) for row in rows]
    return [row for row in found if row[-3] != row[-1]]


def _outcome(call: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    try:
        return call(*arguments)
    except Exception as error:  # noqa: BLE001 - of whatever kind, it is named with its row, and the others are tried
        return f"raised {error!r}"


def _with_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_none(one) for key, one in value.items()} or None
    return [_with_none(one) for one in value] if isinstance(value, list) else value
