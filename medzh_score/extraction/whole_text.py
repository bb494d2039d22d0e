"""The rules of open questions: the answer is the whole text, as it came or without what is not said to the reader."""

from __future__ import annotations

import re

from medzh_score.config import Answer, answer
from medzh_score.extraction.preparation import NEXT_QUESTION, spoken

EMPTY = answer(None, "empty")
UNCLOSED = answer(None, "unclosed")

# The heads of our own prompts, with which base models go on; NEXT_QUESTION knows the line 问题：.
NEXT_PROMPT = re.compile(r"\n[^\S\n]*+(?:假设你是一位能力出众的儿科医生|场景：[^\n]*+\n请结合这一场景)")


def raw(text: str, _side: object) -> Answer:
    """Take the whole text as it came, thinking and all: the paper says nothing else.

    Parameters
    ----------
    text : str
        The prediction.
    _side : object
        Not looked at.

    Returns
    -------
    Answer
        The text by the rule ``whole text``; None by the rule ``empty`` where it is nothing but white space. Texts are
        not shared between answers: there are as many as predictions.

    Examples
    --------
    >>> raw("多饮水。", None).value, raw(" ", None).rule
    ('多饮水。', 'empty')
    """
    return EMPTY if not text or text.isspace() else Answer(text, "whole text")


def prepared(text: str, side: object) -> Answer:
    r"""Take off the text what is not said to the reader; markup and widths stay as they are.

    Thinking blocks go, and the rest from the end of the model's turn or from a line on that opens another question.

    Parameters
    ----------
    text : str
        The prediction.
    side : object
        Not looked at.

    Returns
    -------
    Answer
        The text that stays by the rule ``prepared``, or ``whole text`` with the very text where nothing was taken off;
        None by the rule ``empty`` where nothing stays, or ``unclosed`` where a thinking block is never closed.

    Examples
    --------
    >>> prepared("<think>发热……</think>\n多饮水。", None).value
    '多饮水。'
    """
    said = spoken(text)
    if said is None:
        return UNCLOSED
    if "\n" in said:
        said = _own_answer(said)
    if said == text:
        return raw(text, side)
    said = said.strip()
    return Answer(said, "prepared") if said else EMPTY


def _own_answer(text: str) -> str:
    """Cut where another question begins, once something has been said."""
    start = len(text) - len(text.lstrip())
    for opening in (NEXT_QUESTION, NEXT_PROMPT):
        if found := opening.search(text, start):
            text = text[: found.start()]
    return text
