"""A text brought into the form in which the words around a disease are looked for, and places in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from medzh_score.terminology.disease_names import BULLET
from medzh_score.terminology.traditional import simplified_characters

if TYPE_CHECKING:
    from collections.abc import Sequence

    Span = tuple[int, int]

# Marks of Markdown, and space inside lines but what parts Latin words and numbers.
DROPPED = re.compile(r"[*_`~\\\u200b\ufeff]+|(?<![a-z0-9])[^\S\n]+|[^\S\n]+(?![a-z0-9\s])")
FULL = str.maketrans({"【": "[", "】": "]", "「": "[", "」": "]", "\r": "\n", "\u2028": "\n", "\u2029": "\n"})


def compacted(form: str, spans: Sequence[Span]) -> tuple[str, list[Span]]:
    r"""Drop from a text what says nothing, and move places in it.

    Parameters
    ----------
    form : str
        In NFKC; folded further or not.
    spans : sequence of (int, int)
        Places, from left to right.

    Returns
    -------
    tuple of (str, list of (int, int))
        In lower case and simplified characters, closed by a line end; and the places in it.

    Examples
    --------
    >>> compacted("**排除** A16.2", [(7, 12)])
    ('排除a16.2\n', [(2, 7)])
    """
    text = _lowered(BULLET.sub(r"\1-", form).translate(FULL).translate(simplified_characters()))
    if DROPPED.search(text) is None:
        return text + "\n", list(spans)
    starts, before = [0], [0]  # where something was dropped, and how much up to there
    for found in DROPPED.finditer(text):
        starts.append(found.end())
        before.append(before[-1] + found.end() - found.start())

    def moved(place: int) -> int:
        return place - before[bisect_left(starts, place + 1) - 1]

    return DROPPED.sub("", text) + "\n", [(moved(start), moved(end)) for start, end in spans]


def _lowered(text: str) -> str:
    """Lower a text character by character: the few that would become two stay."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
