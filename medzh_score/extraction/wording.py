"""Rules as data: a wording with its name, an example that it must match and one that it must not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re


@dataclass(frozen=True)
class Wording:
    """A wording that says something, as a kind of answer declares it.

    Attributes
    ----------
    name : str
        As in the report and in `explain`; unique in its module.
    expression : re.Pattern
        Where it matches, it is said; applied with ``search`` to a prepared text.
    matches : str
        A text in which it must be found; a test runs them all.
    misses : str
        A text, as near as possible, in which it must not be found.
    value : str or None
        What is said thereby; None where the expression's groups, or the kind, say it.
    """

    name: str
    expression: re.Pattern[str]
    matches: str
    misses: str
    value: str | None = None
