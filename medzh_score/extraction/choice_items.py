"""Options that a response lists: each by label and text, or by its text alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.option_texts import Met
from medzh_score.extraction.option_wordings import LETTERS

if TYPE_CHECKING:
    from medzh_score.extraction.tcmd_choice import Question

BEFORE_ITEM = re.compile(r"\s*+(?:[-•·]\s*+|[（(]?\d{1,2}[.、)）](?!\d)\s*+)?")
LABEL = re.compile(r"[（(]?([A-H])(?![A-Za-z0-9])(?:选?项)?[)）]?[.．、:：\s]*+")
AFTER_ITEM = re.compile(r"[，,；;、\s]*(?:和|与|及|以及|还有)?")
ENDS = re.compile(r"\s*(?:[。.！!；;\n]|\Z)")
FEWEST = 2  # options, to be a list


def items(text: str, start: int, question: Question) -> tuple[str, int] | None:
    """Read options that are listed from a place on, each by label and text or by its text alone.

    Parameters
    ----------
    text : str
        The prepared response.
    start : int
        The place.
    question : Question
        What was asked.

    Returns
    -------
    tuple of (str, int) or None
        The labels and where the last of them ends; None where there are fewer than two, a label stands before another
        option's text, or the last is not the end of a sentence or of all.
    """
    letters, place = "", start
    while (met := _item(text, place, question)) is not None:
        letter, end = met
        letters += letter
        gap = AFTER_ITEM.match(text, end)
        place = gap.end() if gap else end
        last = end
    if len(set(letters)) < FEWEST or not ENDS.match(text, last):
        return None
    return letters, last


def _joined(text: str, start: int, question: Question) -> Met | None:
    """Find an option's text right before a word that joins it to another: 脑炎和肺炎."""
    for option, written in enumerate(question.texts.texts):
        rest = text[start + len(written) :]
        if written and text.startswith(written, start) and rest.startswith(("和", "与", "及", "以及")):
            return Met(option, rest)
    return None


def _item(text: str, place: int, question: Question) -> tuple[str, int] | None:
    opening = BEFORE_ITEM.match(text, place)
    place = opening.end() if opening else place
    label = LABEL.match(text, place)
    for letter, start in ((label[1], label.end()) if label else ("", place), ("", place)):
        met = question.texts.leading(text, start) or _joined(text, start, question)
        # Only a text as the question has it: where it is written otherwise nobody knows where it ends.
        if met is None or not text.startswith(question.texts.texts[met.option].strip(), start):
            continue
        own = question.own(letter) if letter else met.option
        if own is None or not question.texts.same(own, met.option) or question.texts.repeated(met.option):
            return None
        return LETTERS[own], start + len(question.texts.texts[met.option].strip())
    return None
