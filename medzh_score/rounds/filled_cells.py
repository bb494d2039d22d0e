"""The cells of a sheet that people fill in: which are asked for, and what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.rounds import Between, expected
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from medzh_score.benchmark.rounds import Allowed


# What a cell to fill in holds where nothing is asked in its row; Excel would not take a hyphen for a text.
NOT_ASKED = "/"
# What spreadsheets and people write in a column of yes and no.
SAME = {"是": "yes", "true": "yes", "1": "yes", "y": "yes", "否": "no", "false": "no", "0": "no", "n": "no"}


def asked_columns(row: Mapping[str, str], values: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Say which of the columns to fill in a row asks for: those in which it does not hold `NOT_ASKED`.

    Examples
    --------
    >>> asked_columns({"question": "…", "fluent": "/"}, {"right": ("1", "0"), "fluent": ("yes", "no")})
    {'right': ('1', '0')}
    """
    return {column: allowed for column, allowed in values.items() if row.get(column) != NOT_ASKED}


def filled(row: Mapping[str, str], values: Mapping[str, Allowed], path: Path, number: int) -> dict[str, str]:
    """Take the value of each column as a person filled it in; empty where all are blank.

    Case does not matter to the values that a column may hold, and 是, true, 1 and y are a yes, 否, false, 0 and n a no,
    unless they are values themselves. Numbers stand in their shortest form.

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
