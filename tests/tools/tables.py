"""Tables that a test goes through as a whole: a row a case, and each row that fails is named, in one failure."""

from __future__ import annotations

import tomllib
from typing import Any

from places import CASE_FILES


def case_tables(name):
    """Read the tables of a TOML file in tests/cases; an empty object stands for None, which TOML has not."""
    read: dict[str, list[Any]] = _with_none(tomllib.loads((CASE_FILES / f"{name}.toml").read_text(encoding="utf-8")))
    assert all(read.values()), f"a table of {name} has no row"
    return read


def holds(rows, of):
    """Fail with every row whose last column is not what a function gives for the others."""
    listed = list(rows)
    found = [(given, expected, _value(of, given)) for *given, expected in listed]
    wrong = [
        f"{given!r}: expected {expected!r}, found {value!r}" for given, expected, value in found if value != expected
    ]
    assert listed, "a table without rows tests nothing"
    assert not wrong, "\n".join([f"{len(wrong)} of {len(listed)} rows:", *wrong])


def _value(of, given):
    try:
        return of(*given)
    except Exception as error:  # noqa: BLE001 - a row that breaks must not hide the others
        return error


def _with_none(value):
    if isinstance(value, dict):
        return {key: _with_none(one) for key, one in value.items()} or None
    return [_with_none(one) for one in value] if isinstance(value, list) else value
