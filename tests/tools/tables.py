"""Tables that a test goes through as a whole: each row that fails is named, in one failure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

DATA = Path(__file__).parents[1] / "data"


def rows_of(file: str, table: str) -> list[tuple[Any, ...]]:
    """Give the rows of a table: what is given, and last what is expected of it."""
    lines = [json.loads(line) for line in (DATA / file).read_text(encoding="utf-8").splitlines()]
    return [(*line["given"], line["expected"]) for line in lines if line["table"] == table]


def holds(rows: Iterable[tuple[Any, ...]], of: Callable[..., Any]) -> None:
    """Fail with every row whose last column is not what a function gives for the others."""
    listed = list(rows)
    found = [(given, expected, _value(of, given)) for *given, expected in listed]
    wrong = [
        f"{given!r}: expected {expected!r}, found {value!r}" for given, expected, value in found if value != expected
    ]
    assert listed, "a table without rows tests nothing"
    assert not wrong, "\n".join([f"{len(wrong)} of {len(listed)} rows:", *wrong])


def _value(of: Callable[..., Any], given: list[Any]) -> Any:
    try:
        return of(*given)
    except Exception as error:  # noqa: BLE001 - a row that breaks must not hide the others
        return error
