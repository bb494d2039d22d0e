"""Edits of a text: what of it goes and what stands there instead, so that places in the raw text can be kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """Characters that go, and what stands in their place.

    Attributes
    ----------
    start, end : int
        In the text that is edited, the end exclusive.
    new : str
        Instead of them.
    """

    start: int
    end: int
    new: str = ""


Edits = Sequence[Edit]


def edited(text: str, edits: Edits) -> str:
    """Apply edits to a text.

    Parameters
    ----------
    text : str
        The text.
    edits : sequence of Edit
        In the order of the text, none within another.

    Examples
    --------
    >>> edited("**正确**", [Edit(0, 2), Edit(4, 6)])
    '正确'
    """
    parts: list[str] = []
    last = 0
    for start, end, new in edits:
        parts += (text[last:start], new)
        last = end
    parts.append(text[last:])
    return "".join(parts)


def moved(places: Sequence[int], edits: Edits) -> list[int]:
    """Apply edits to the places at which the characters of a text stood.

    Parameters
    ----------
    places : sequence of int
        For each character its place in the raw text, and one more for the end.
    edits : sequence of Edit
        As for `edited`.

    Examples
    --------
    >>> moved([0, 1, 2, 3], [Edit(0, 1), Edit(2, 3, "!!")])
    [1, 2, 2, 3]
    """
    kept: list[int] = []
    last = 0
    for start, end, new in edits:
        kept += places[last:start]
        kept += [places[start]] * len(new)
        last = end
    kept += places[last:]
    return kept
