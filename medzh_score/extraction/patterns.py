"""Expressions of the engine: each with a text that it must match and one, as near as possible, that it must not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Over = Literal["text", "signs"]


@dataclass(slots=True)
class Expression:
    """An expression with its examples; the pattern is looked up at each use, so that a test can take it away."""

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


def over_signs(name: str, pattern: str, matches: str, misses: str) -> Expression:
    """Compile one that runs over the signs of a text, not over the text itself."""
    return expression(name, pattern, matches=matches, misses=misses, over="signs")
