"""What somebody probably meant who wrote a name otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

ALIKE = 0.6  # of 1, as difflib compares; below, a guess would mislead


def closest(written: str, names: Iterable[str]) -> str | None:
    """Give the name that is most like what was written, hyphens before it aside; None where none is.

    Examples
    --------
    >>> closest("scor", ["score", "show"]), closest("SDAK", ["sdak", "tcmd"]), closest("--data", ["--width"])
    ('score', 'sdak', None)
    """
    from difflib import get_close_matches

    by_form = {_form(name): name for name in names}
    found = get_close_matches(_form(written), by_form, 1, ALIKE)
    return by_form[found[0]] if found else None


def _form(name: str) -> str:
    return name.lower().lstrip("-").replace("-", "_")
