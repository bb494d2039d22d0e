"""Which options a prepared response to a group commits itself to, part by part, where all that it says agrees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction.letters_agreed import CONTRADICTION, CORRECTS, Found
from medzh_score.extraction.letters_said import EXPLICIT, Said
from medzh_score.extraction.option_letters import EMPTY, NOTHING, REFUSAL, choose
from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.refusals import refused
from medzh_score.extraction.tcmd_groups import BEFORE, OPENS_A_LINE, choices, own_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.tcmd_choice import Choice, Question
    from medzh_score.extraction.tcmd_groups import Words

IN_ORDER = "in order"
NOTHING_FOUND = {"nothing found": NOTHING, "empty": EMPTY}


def choices_that_agree(text: str, questions: Sequence[Question]) -> list[Found]:
    """Read what a response to a group of questions commits itself to.

    Answers are told apart by their numbers, or by their order, as ``strict-1`` does it. Then all that is numbered with
    the same number, what its section says, and a list of the answers to all of them must agree, after the last
    correction.

    Parameters
    ----------
    text : str
        The prepared response.
    questions : sequence of Question
        What was asked, in order.

    Returns
    -------
    list of Found
        One a question.
    """
    read = choices(text, questions)
    if not any(choice.binding for choice in read):
        none = REFUSAL if text and refused(text) else None
        return [none or NOTHING_FOUND.get(choice.rule) or Found("", choice.rule) for choice in read]
    words = own_words(text, questions)
    return [_agreed(place, choice, words, questions) for place, choice in enumerate(read)]


def _agreed(place: int, choice: Choice, words: Words, questions: Sequence[Question]) -> Found:
    said = _said(place, words, questions, sections=choice.rule != IN_ORDER)
    if choice.shown is None:
        return Found("", choice.rule, [one for one in said if not one.letters])
    letter = LETTERS[choice.shown]
    sides = _after_corrections(said, words.text)
    if any(one.letters != letter for one in sides):
        return Found("", CONTRADICTION, sides)
    return Found(letter, choice.rule, sides)


def _said(place: int, words: Words, questions: Sequence[Question], *, sections: bool) -> list[Said]:
    """Gather what is said of one question: by its number, in its section, in lists of the answers to all.

    Beside answers in order, numbered sections may be an analysis, and several labels after a number those answers.
    """
    found = [
        Said(_letter(pair.choice), pair.choice.rule, pair.start, _line_end(words.text, pair.start), EXPLICIT)
        for pair in words.pairs
        if pair.place == place and pair.choice.binding and (sections or pair.choice.shown is not None)
    ]
    for listed in words.lists:
        opens = OPENS_A_LINE.search(words.text, max(0, listed.start - BEFORE), listed.start)
        if listed.kind == "answer" and len(listed.letters) == len(questions) and opens:
            end = _line_end(words.text, listed.start)
            found.append(Said(listed.letters[place], "in order", listed.start, end, EXPLICIT))
    if sections and len(words.heads) == len(questions):
        found += _in_section(place, words, questions[place])
    return sorted(found, key=lambda said: said.start)


def _in_section(place: int, words: Words, question: Question) -> list[Said]:
    """Read a numbered section by itself, up to what is said of another question or of all."""
    start = words.heads[place].end()
    ends = [head.start() for head in words.heads[place + 1 : place + 2]]
    ends += [pair.start for pair in words.pairs if pair.start > start and pair.place != place]
    ends += [listed.start for listed in words.lists if listed.start > start and len(listed.letters) > 1]
    section = words.text[start : min(ends, default=len(words.text))]
    gap = len(section) - len(section.lstrip())
    found = choose(section.strip(), question, several=False)
    moved = [one._replace(start=one.start + start + gap, end=one.end + start + gap) for one in found.said]
    return moved if found.letters or found.rule == CONTRADICTION else []


def _after_corrections(said: list[Said], text: str) -> list[Said]:
    for number in range(len(said) - 1, 0, -1):
        one, before = said[number], said[number - 1]
        if one.letters != before.letters and CORRECTS.search(text, before.start, one.start):
            return said[number:]
    return said


def _letter(choice: Choice) -> str:
    return "" if choice.shown is None else LETTERS[choice.shown]


def _line_end(text: str, start: int) -> int:
    """Find where what begins at a place ends: with the line, or with its first words."""
    end = text.find("\n", start)
    return min(len(text) if end < 0 else end, start + SHOWN)


SHOWN = 16  # characters of an answer to a part that are shown
