"""Expressions of the engine: each with a text that it must match and one, as near as possible, that it must not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Over = Literal["text", "signs"]


@dataclass(slots=True)
class Expression:
    """An expression with its examples.

    Attributes
    ----------
    name : str
        Unique.
    pattern : re.Pattern
        Looked up at each use, so that it can be taken away to see what it does.
    matches, misses : str
        What it must be found in, and what not.
    over : {"text", "signs"}
        What it runs over: prepared text, or the string of signs of it.
    """

    name: str
    pattern: re.Pattern[str]
    matches: str
    misses: str
    over: Over


ALL: list[Expression] = []


def expression(name: str, pattern: str, *, matches: str, misses: str, over: Over = "text") -> Expression:
    """Compile an expression and keep it with its examples, which a test runs."""
    made = Expression(name, re.compile(pattern), matches, misses, over)
    ALL.append(made)
    return made
