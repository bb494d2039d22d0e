"""The rules of open questions: the answer is the whole text, as it came or without what is not said to the reader."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.config import Answer, answer
from medzh_score.extraction.locating import part, runs, stripped
from medzh_score.extraction.preparation import NEXT_QUESTION, spoken
from medzh_score.extraction.preparation_places import locate_spoken
from medzh_score.extraction.reading import Reading, Span

if TYPE_CHECKING:
    from medzh_score.extraction.preparing import Located

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


def explain_raw(text: str, side: object) -> Reading:
    """Say of the whole text that it is the answer.

    Parameters
    ----------
    text : str
        The prediction.
    side : object
        Not looked at.
    """
    found = raw(text, side)
    return Reading(found.value, found.rule, () if found.value is None else (Span(0, len(text)),))


def explain(text: str, side: object) -> Reading:
    """Say what of a text is the answer.

    Parameters
    ----------
    text : str
        The prediction.
    side : object
        Not looked at.

    Returns
    -------
    Reading
        As `prepared` gives it, with all that it leaves.

    Examples
    --------
    >>> explain("<think>发热……</think>多饮水。", None).spans
    (Span(start=19, end=23),)
    """
    found = prepared(text, side)
    located = None if found.value is None else locate(text)
    return Reading(found.value, found.rule, () if located is None else runs(located))


def locate(text: str) -> Located | None:
    """Locate what `prepared` leaves of a text.

    Parameters
    ----------
    text : str
        The prediction.

    Returns
    -------
    Located or None
        None where a thinking block is never closed.
    """
    located = locate_spoken(text)
    if located is None:
        return None
    located = part(located, 0, len(_own_answer(located.text)))
    return located if located.text == text else stripped(located)


def _own_answer(text: str) -> str:
    """Cut where another question begins, once something has been said."""
    start = len(text) - len(text.lstrip())
    for opening in (NEXT_QUESTION, NEXT_PROMPT):
        if found := opening.search(text, start):
            text = text[: found.start()]
    return text
