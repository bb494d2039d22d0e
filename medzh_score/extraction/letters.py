"""Stand-in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.reading import Reading, Span
from medzh_score.extraction.whole_text import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

_FOUND = re.compile(r"(?:答案[是为：:]*|故选|应选|选|\A|\n)\s*[<(（【*]*([A-Z](?:[、,，]?[A-Z])*)(?![A-Za-z])")


def asks_for_wrong(question: str) -> bool:
    """Say whether a question asks which option does not hold."""
    return "不正确" in question or "错误" in question


def read_letters(text: str, options: Sequence[str] | None, several: bool = False, wrong: bool = False) -> Reading:  # noqa: FBT001, FBT002, ARG001
    """Read letters."""
    said = spoken(text)
    if said is None:
        return Reading(None, "unfinished thinking")
    if not said.strip():
        return Reading(None, "empty")
    found = [match for match in _FOUND.finditer(text) if match.start() >= text.find(said)]
    values = {"".join(sorted(set(re.sub("[^A-Z]", "", match[1])))) for match in found}
    if options is not None:
        values = {value for value in values if ord(max(value)) - 65 < len(options)}
    if len(values) != 1:
        return Reading(None, "contradiction" if values else "nothing")
    (value,) = values
    spans = tuple(Span(*match.span(1)) for match in found)
    return Reading(value, "several" if len(value) > 1 and not several else "answer", spans, clear=True)
