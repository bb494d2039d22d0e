"""Stand-in."""

from __future__ import annotations

import re

from medzh_score.extraction.reading import Reading, Span
from medzh_score.extraction.whole_text import spoken

_NO = re.compile("不正确|错误|不对|不完全正确|incorrect")
_YES = re.compile("正确|correct")


def read_verdict(text: str, noun: str | None = None) -> Reading:  # noqa: ARG001
    """Read a verdict."""
    said = spoken(text)
    if said is None:
        return Reading(None, "unfinished thinking")
    if not said.strip():
        return Reading(None, "empty")
    head = re.split("[，。；\n]", said.strip())[0]
    for value, pattern in (("incorrect", _NO), ("correct", _YES)):
        if found := pattern.search(head):
            start = text.index(head) + found.start()
            return Reading(value, "verdict", (Span(start, start + len(found[0])),), clear=True)
    return Reading(None, "nothing")
