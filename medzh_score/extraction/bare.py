"""The choice sets' rule ``bare``: the whole text is letters, which is all that the strict column of the paper takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading, Span
from medzh_score.benchmark.option_letters import LETTERS
from medzh_score.extraction.expressions import expression

if TYPE_CHECKING:
    from collections.abc import Sequence

AROUND = " \t\r\n\u3000()（）[]【】<>＜＞《》「」{}.。．"
BARE = expression(
    "bare letters",
    r"[A-ZＡ-Ｚ](?:[ ,，、]*[A-ZＡ-Ｚ])*",
    matches="A、C",
    misses="选",
)
_WIDE = {code: chr(code - 0xFEE0) for code in range(ord("Ａ"), ord("Ｚ") + 1)}


def read(text: str, options: Sequence[str]) -> Reading:
    """Read a text that is letters of options and nothing else, brackets and a full stop aside.

    Examples
    --------
    >>> [read(text, ("钙", "铁", "锌")).value for text in ("C", "（A、C）。", "答案：A", "D", "A，A")]
    ['C', 'AC', None, None, None]
    """
    said = text.strip(AROUND)
    if not said:
        return Reading(None, "empty" if not text or text.isspace() else "nothing")
    if not BARE.pattern.fullmatch(said):
        return Reading(None, "nothing")
    letters = [sign for sign in said.translate(_WIDE) if sign in LETTERS]
    if len(set(letters)) < len(letters) or max(letters) > LETTERS[len(options) - 1]:
        return Reading(None, "no such option")
    start = text.index(said)
    return Reading("".join(sorted(letters)), "letters", (Span(start, start + len(said)),), clear=True)
