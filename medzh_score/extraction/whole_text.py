"""The rules of open questions: the answer is the whole text, as it came or without what is not said to the reader."""

from __future__ import annotations

from medzh_score.benchmark.answers import Reading, Span
from medzh_score.extraction.expressions import expression
from medzh_score.extraction.preparation import answer_region, in_one_width

EMPTY = Reading(None, "empty")
UNFINISHED = Reading(None, "unfinished thinking")
WHOLE, OWN = "whole text", "own text"
# What a base model goes on with: the head of another question, or of one of our own prompts.
NEXT_PROMPT = expression(
    "next prompt",
    r"\n[^\S\n]*(?:\[?(?:题目|问题|试题|例题|用户|[Qq]uestion|User|Human)\]?[^\S\n]*:|假设你是一位能力出众的儿科医生"
    r"|场景:[^\n]*\n请结合这一场景)",
    matches="多饮水。\n问题:如何退热?",
    misses="问题:如何退热?\n多饮水。",
)


def raw(text: str, _side: object) -> Reading:
    """Take the whole text as it came, thinking and all: the paper says nothing else.

    Examples
    --------
    >>> raw("多饮水。", None).value, raw(" ", None).why
    ('多饮水。', 'empty')
    """
    return EMPTY if not text or text.isspace() else Reading(text, WHOLE, (Span(0, len(text)),))


def own(text: str, side: object) -> Reading:
    r"""Take of a text what is the answer, markup and all: not the thinking before it, not what others say after it.

    Examples
    --------
    >>> own("<think>发热……</think>\n多饮水。", None)
    Reading(value='多饮水。', why='own text', spans=(Span(start=20, end=24),), clear=False, note=None)
    """
    alike = in_one_width(text)  # one character for one, so places stay
    start, end = answer_region(alike)
    if end < 0:
        return UNFINISHED
    said = alike[start:end]
    if found := NEXT_PROMPT.pattern.search(alike, start + len(said) - len(said.lstrip()), end):
        end = found.start()
    if (start, end) == (0, len(text)):
        return raw(text, side)
    said = text[start:end].strip()
    if not said:
        return EMPTY
    start = text.index(said, start)
    return Reading(said, OWN, (Span(start, start + len(said)),))


def answer_text(text: str) -> str | None:
    """Give the answer in a text, as it stands; None where thinking never ends.

    Examples
    --------
    >>> answer_text("**C**<|im_end|>"), answer_text("<think>A or B?")
    ('**C**', None)
    """
    start, end = answer_region(in_one_width(text))
    return None if end < 0 else text[start:end]
