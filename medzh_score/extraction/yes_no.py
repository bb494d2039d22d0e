"""Stand-in."""

from __future__ import annotations

import re

from medzh_score.extraction.reading import Reading, Span
from medzh_score.extraction.whole_text import spoken as own_text

_SAID = re.compile(
    r"(?:\A|\n|结论[：:]\**|答案[：:]|Answer:)\s*\**(?:(?P<no>No|否|没有|不包含|不会|不是|无)|(?P<yes>Yes|是|有|包含|会))(?=[。，,.\s*|]|\Z)"
)


def read_yes_no(text: str, spoken: bool = False) -> Reading:  # noqa: FBT001, FBT002, ARG001
    """Read yes or no."""
    said = own_text(text)
    if said is None:
        return Reading(None, "unfinished thinking")
    if not said.strip():
        return Reading(None, "empty")
    offset = text.rfind(said.strip())
    found = list(_SAID.finditer(said.strip()))
    values = {match.lastgroup for match in found}
    if len(values) != 1:
        return Reading(None, "contradiction" if values else "nothing")
    (value,) = values
    spans = tuple(Span(offset + match.start(value or 0), offset + match.end(value or 0)) for match in found)
    return Reading(value, "answer", spans, clear=True)
