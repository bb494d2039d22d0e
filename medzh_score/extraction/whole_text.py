"""The rules of open questions: the answer is the whole text, as it came or without what is not said to the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.answers import Reading, Span
from medzh_score.extraction.expressions import expression
from medzh_score.extraction.preparation import in_one_width
from medzh_score.extraction.reasoning import answer_pieces, may_hold_marks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.extraction.reasoning import Pieces


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
    answer = answer_in(text)
    if answer is None:
        return UNFINISHED
    said = answer.text
    before = len(said) - len(said.lstrip())
    if found := NEXT_PROMPT.pattern.search(in_one_width(said), before):
        said = said[: found.start()]
    if said == text:
        return raw(text, side)
    said = said.strip()
    return Reading(said, OWN, tuple(answer.places(before, before + len(said)))) if said else EMPTY


class AnswerIn(NamedTuple):
    """The answer in a text, and the pieces of the text that make it up, of which the first ``before`` are left out."""

    text: str
    pieces: Pieces
    before: int = 0

    def places(self, first: int, last: int) -> Iterator[Span]:
        """Find where characters of the answer stand in the text."""
        first, last = first + self.before, last + self.before
        for start, end in self.pieces:
            if first < last and first < end - start:
                yield Span(start + first, min(end, start + last))
            first, last = max(0, first - end + start), last - end + start


def answer_in(text: str) -> AnswerIn | None:
    """Find the answer in a text, all of it where it holds no reasoning and no tokens; None where reasoning never ends.

    Examples
    --------
    >>> answer_in("<think>A or B?</think> **C**<|im_end|>").text, answer_in("<think>A or B?")
    ('**C**', None)
    """
    whole = [(0, len(text))]
    pieces = answer_pieces(in_one_width(text)) if may_hold_marks(text) else whole  # one character for one
    if pieces is None:
        return None
    if pieces == whole:
        return AnswerIn(text, pieces)
    said = "".join(text[start:end] for start, end in pieces)
    return AnswerIn(said.strip(), pieces, len(said) - len(said.lstrip()))


def answer_text(text: str) -> str:
    """Give the answer in a text, blank where there is none: as all rules read it, unless reasoning is kept."""
    answer = answer_in(text)
    return "" if answer is None else answer.text
