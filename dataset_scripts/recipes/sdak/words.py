"""The words of ``words.toml``, read once."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("words.toml")


@cache
def table() -> dict[str, Any]:
    """Give the table as it stands."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def alternatives(name: str) -> str:
    """Give a list of the table as the alternatives of a regular expression."""
    return "|".join(table()[name])
