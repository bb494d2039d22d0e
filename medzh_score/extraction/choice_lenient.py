"""PeMeBench's choice sets by ``lenient-1``: what a careful reader would take, one option or several."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.config import answer
from medzh_score.extraction import choice_several as several
from medzh_score.extraction.choice_several import Several
from medzh_score.extraction.choice_side import LETTERS
from medzh_score.extraction.next_question import cut
from medzh_score.extraction.option_labels import marks, outranks, taken_back
from medzh_score.extraction.option_wordings import CONCLUDED, FAR_BEFORE
from medzh_score.extraction.preparation import prepared
from medzh_score.extraction.tcmd_choice import BINDING
from medzh_score.extraction.tcmd_lines import bare_choice, first_line, last_line, set_off
from medzh_score.extraction.tcmd_question import announcement, chosen

if TYPE_CHECKING:
    from medzh_score.config import Answer
    from medzh_score.extraction.choice_side import ChoiceSide
    from medzh_score.extraction.option_labels import Mark
    from medzh_score.extraction.tcmd_choice import Choice, Question

# A项、C项: the word behind each label goes, so that the labels stand together.
ITEM_WORD = re.compile(r"(?<=[A-H])(?:选?项)(?=[^\S\n]*(?:[、和与及]|以及)[^\S\n]*(?:选项)?[A-H])")
# The head of our own prompt, with which base models go on after their answer.
NEXT_PROMPT = re.compile(r"\n[^\S\n]*+以下是医学考试中的儿科选择题")
UNFINISHED = answer(None, "unfinished thinking")
EMPTY = answer(None, "empty")
NO_SUCH_LABEL = "no such label"


def read(text: str, side: ChoiceSide) -> Answer:
    """Read the options that a response commits itself to.

    Thinking and markup are taken off. One option is read as TCMD's ``strict-1`` reads it; several where they are joined
    (A、C、D, ACD, A和C), listed with their texts, or said to be all. The last commitment counts. What joins options by
    或, spans them (A～D) or repeats the whole list is no answer.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : ChoiceSide
        What was asked.

    Returns
    -------
    Answer
        The letters in order, each once. Where there are none, the rule says why: ``empty``, ``unfinished thinking``,
        ``either``, ``range``, ``several``, ``no such label``, ``contradiction``, ``negated``, ``supposed``,
        ``example`` or ``nothing found``.

    Examples
    --------
    >>> from medzh_score.extraction.choice_side import ChoiceSide
    >>> read("小儿易缺钙和锌，故选A和C。", ChoiceSide(("钙", "铁", "锌")))
    Answer(value='AC', rule='marker', note=None)
    """
    spoken = prepared(text)
    if spoken is None:
        return UNFINISHED
    if opening := NEXT_PROMPT.search(spoken):
        spoken = spoken[: opening.start()].rstrip()
    if not spoken:
        return EMPTY
    found = _chosen(ITEM_WORD.sub("", cut(spoken, side.question)), side.question)
    letters = "".join(sorted(set(found.letters)))
    if not letters:
        return answer(None, found.rule)
    known = set(LETTERS[: len(side.options)])
    return answer(letters, found.rule) if set(letters) <= known else answer(None, NO_SUCH_LABEL)


def _chosen(text: str, question: Question) -> Several:
    found = several.whole(text, question)
    if found:
        return found
    if not several.hinted(text, question):
        return _one(chosen(text, question))
    bare = bare_choice(text, question)
    if bare:
        return _one(bare)
    line = several.last_line(text) or _one_or_none(last_line(text, question))
    if not line or not set_off(text):
        line = _last_announced(text, question, line)
    if line and _binding(line):
        return line
    return _first_line(text, question) or line or Several("", "nothing found")


def _last_announced(text: str, question: Question, line: Several | None) -> Several | None:
    """Read what the last marker announces; a bare one, and a last line, give way to an earlier marker of the answer."""
    closing = several.concluded(text) or _concluded(text, question)
    if closing:
        return closing
    why, bare = None, line
    for mark in sorted([*marks(text), *several.own_marks(text)], key=lambda mark: -mark.start):
        found = _at(text, mark, question)
        if found and _binding(found):
            if outranks(text, mark):
                return found
            bare = bare or found
        why = why or found
    return bare or why


def _concluded(text: str, question: Question) -> Several | None:
    found = CONCLUDED.search(text, max(0, len(text) - FAR_BEFORE))
    return _one(question.labelled(found[1], "marker")) if found and not taken_back(text, found.start(1)) else None


def _at(text: str, mark: Mark, question: Question) -> Several | None:
    return several.after_mark(text, mark, question) or _one_or_none(announcement(text, mark, question))


def _first_line(text: str, question: Question) -> Several | None:
    opening = several.line(text.partition("\n")[0].rstrip(), opens=True)
    return opening or _one_or_none(first_line(text, question))


def _binding(found: Several) -> bool:
    return bool(found.letters) or found.rule in BINDING or found in {several.ONE_OF_THEM, several.SPAN}


def _one_or_none(choice: Choice | None) -> Several | None:
    return None if choice is None else _one(choice)


def _one(choice: Choice) -> Several:
    return Several("" if choice.shown is None else LETTERS[choice.shown], choice.rule)
