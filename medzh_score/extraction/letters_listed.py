"""Options that a response lists: each by label and text, by its text and then its label, or by its text alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.choice_items import BEFORE_ITEM, ENDS, FEWEST, LABEL
from medzh_score.extraction.option_texts import Met
from medzh_score.extraction.option_wordings import LETTERS

if TYPE_CHECKING:
    from medzh_score.extraction.tcmd_choice import Question

JOINS = ("和", "与", "及", "以及", "（", "(")
AFTER_ITEM = re.compile(r"[，,；;、\s]*(?:和|与|及|以及|还有|and\b)?")
OWN_LABEL = re.compile(r"\s*[（(【]\s*([A-H])(?:选?项)?\s*[)）】]")
EXPLANATION = re.compile(r"[^\S\n]*[：:，,（(—-][^\n]*")
DENIES = re.compile(r"错|不正确|不对|不符|不选|排除|有误|×|无关")


def text_end(text: str, start: int, met: Met, question: Question) -> int:
    """Find where an option's text ends that was met at a place.

    Parameters
    ----------
    text : str
        A prepared response.
    start : int
        Where it begins.
    met : Met
        The option.
    question : Question
        What was asked.
    """
    written = question.texts.texts[met.option].strip()
    if text.startswith(written, start):
        return start + len(written)
    line = text.find("\n", start)
    line = len(text) if line < 0 else line
    first = met.rest[:1]
    found = text.find(first, start + len(question.texts.plain[met.option]), line) if first else -1
    return max(start + 1, line if found < 0 else found)


def listed_at(text: str, start: int, question: Question, *, explained: bool = False) -> tuple[str, int] | None:
    """Read options that are listed from a place on.

    Parameters
    ----------
    text : str
        The prepared response.
    start : int
        The place.
    question : Question
        What was asked.
    explained : bool
        Whether each may have a line with an explanation behind it, as in a list that is announced as the answer.

    Returns
    -------
    tuple of (str, int) or None
        The labels as they were shown and where the last of them ends; None where there are fewer than two, a label
        stands before another option's text, or the last is not the end of a sentence or of all.
    """
    letters, place, last = "", start, start
    while (item := item_at(text, place, question, explained=explained)) is not None:
        letter, last = item
        letters += letter
        gap = AFTER_ITEM.match(text, last)
        place = gap.end() if gap else last
    return (letters, last) if len(set(letters)) >= FEWEST and ENDS.match(text, last) else None


def _met(text: str, start: int, question: Question) -> Met | None:
    """Find an option's text as the question has it: written otherwise, nobody knows where it ends."""
    met = question.texts.leading(text, start)
    if met is not None:
        return met if text.startswith(question.texts.texts[met.option].strip(), start) else None
    for option, shown in enumerate(question.texts.texts):
        written = shown.strip()
        if written and text.startswith(written, start) and text.startswith(JOINS, start + len(written)):
            return Met(option, text[start + len(written) :])
    return None


def item_at(text: str, place: int, question: Question, *, explained: bool = False) -> tuple[str, int] | None:
    """Read one option at a place: label and text, text and label, or text.

    Parameters
    ----------
    text : str
        The prepared response.
    place : int
        The place.
    question : Question
        What was asked.
    explained : bool
        Whether what explains it, up to the end of the line, belongs to it.

    Returns
    -------
    tuple of (str, int) or None
        The label as it was shown, and where the option ends.
    """
    opening = BEFORE_ITEM.match(text, place)
    place = opening.end() if opening else place
    label = LABEL.match(text, place)
    for letter, start in ((label[1], label.end()) if label else ("", place), ("", place)):
        if not question.texts.may_begin(text, start) or (met := _met(text, start, question)) is None:
            continue
        end = start + len(question.texts.texts[met.option].strip())
        behind = OWN_LABEL.match(text, end)
        if behind:
            end = behind.end()
        said = letter or (behind[1] if behind else "")
        own = question.own(said) if said else met.option
        if own is None or not question.texts.same(own, met.option):
            return None
        if not said and question.texts.repeated(met.option):
            return None
        return LETTERS[question.order.index(own)], _behind(text, end) if explained else end
    return None


def _behind(text: str, end: int) -> int:
    """Pass over what explains an item up to the end of its line, unless it denies it."""
    found = EXPLANATION.match(text, end)
    return found.end() if found and not DENIES.search(found[0]) else end
