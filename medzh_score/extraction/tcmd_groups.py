"""Which options a prepared response to a group commits itself to: by number, in numbered sections, or in order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction.option_labels import announced, marks
from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.tcmd_choice import EMPTY, NOT_GIVEN, NOTHING, SEVERAL, Choice
from medzh_score.extraction.tcmd_lines import BARE, COMPACT, COMPACT_PAIR, line_choice
from medzh_score.extraction.tcmd_numbers import INDEX, NUMBER, number, pairs
from medzh_score.extraction.tcmd_question import chosen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.tcmd_choice import Question
    from medzh_score.extraction.tcmd_numbers import Pair

Found = dict[int, Choice]  # by the question's place

KINDS_BY_STRENGTH = ("answer", "choose", "option", "reply", "verdict", "conclusion")
HEAD = re.compile(rf"(?:\A|[\s。；;！!，,])({INDEX})([.、:：)）]?+)(?!\d)")
TITLED = re.compile(r"[^，,。；;：:不非\n]{1,20}(?:[：:]|[是为])\s?([A-H])[。.；;]?")  # 辨证：A
SENTENCE = re.compile(r"[。\n]")
LINE_ENDS = re.compile(r"[；;\n]")
COUNTS = re.compile("题|问|空|第")
RANGE = re.compile(
    r"(?<!\d)1(?:[、,，/]\d){0,8}\s?[-~～—–至到、,，/]\s?(\d{1,2})\s?小?题?[.、:：)）\s]*+([A-H](?:[\s、，,]*+[A-H])*+)(?![A-Za-z0-9])"
)
# The instruction's own example of a form: 请按“1.A 2.C 3.B”的格式作答.
FORM = re.compile(r"[“\"「『](?:答案[：:])?1[.、]?[A-H][^”\"」』\n]{0,60}[”\"」』]\s?的?(?:格式|形式)")


def choices(text: str, questions: Sequence[Question]) -> list[Choice]:
    """Read what a response to a group of questions commits itself to.

    Parameters
    ----------
    text : str
        The prepared response.
    questions : sequence of Question
        What was asked, in order.

    Returns
    -------
    list of Choice
        One a question. Answers are told apart by their numbers; where there are none, by their order. What is given
        beyond the last question is passed over.
    """
    if not text:
        return [EMPTY] * len(questions)
    if "格式" in text or "形式" in text:
        text = FORM.sub("", text)
    found = _found(text, questions)
    rest = NOT_GIVEN if any(choice.binding for choice in found.values()) else NOTHING
    return [found.get(place, rest) for place in range(len(questions))]


def _found(text: str, questions: Sequence[Question]) -> Found:
    if BARE.fullmatch(text):
        return _in_order([letter for letter in text if letter in LETTERS], questions)
    if COMPACT.fullmatch(text):
        return _compact(text, questions)
    if ranged := _range(text, questions):
        return ranged
    numbered = pairs(text, questions)
    found = _last_of_each(numbered)
    lists = [] if found else _lists(text)
    if listed := _only_list(lists, questions):
        return listed
    heads = _heads(text, len(questions)) if len(found) < len(questions) else []
    found = {**_sections(text, questions, heads, numbered), **found}
    return found or _markers_in_order(lists, questions, heads) or _lines(text, questions)


def _in_order(letters: Sequence[str], questions: Sequence[Question]) -> Found:
    return {
        place: question.labelled(letter, "in order") if len(letter) == 1 else SEVERAL
        for place, (letter, question) in enumerate(zip(letters, questions, strict=False))
    }


def _compact(text: str, questions: Sequence[Question]) -> Found:
    """Read a response that is nothing but numbers and labels."""
    return {
        int(index) - 1: questions[int(index) - 1].labelled(letter, "numbered")
        for index, letter in COMPACT_PAIR.findall(text)
        if 0 < int(index) <= len(questions)
    }


def _last_of_each(numbered: Sequence[Pair]) -> Found:
    """Take the last pair of each number; one that is taken back only where there is no other."""
    found: Found = {}
    for pair in numbered:
        if pair.choice.binding or pair.place not in found:
            found[pair.place] = pair.choice
    return found


def _range(text: str, questions: Sequence[Question]) -> Found:
    """Read 1-3 ACB, or 1、2、3：A、C、B."""
    found = RANGE.search(text)
    letters = [letter for letter in found[2] if letter in LETTERS] if found else []
    if found and len(letters) == len(questions) == int(found[1]):
        return _in_order(letters, questions)
    return {}


def _only_list(lists: Sequence[tuple[str, str]], questions: Sequence[Question]) -> Found:
    """Read the labels after the only 答案 of a text, where there is one for each question."""
    answers = [letters for kind, letters in lists if kind == "answer"]
    if len(answers) == 1 and len(answers[0]) == len(questions):
        return _in_order(answers[0], questions)
    return {}


def _lists(text: str) -> list[tuple[str, str]]:
    """Give the kind and the labels of each marker, in order."""
    found = [(mark.kind, announced(text, mark)) for mark in marks(text)]
    return [(kind, labels.letters) for kind, labels in reversed(found) if labels and not labels.why]


def _markers_in_order(
    lists: Sequence[tuple[str, str]], questions: Sequence[Question], heads: Sequence[re.Match[str]]
) -> Found:
    """Read one marker a question, or one for all; where there are several kinds, those of the strongest.

    Fewer labels than questions are those of the first, but not where the text is numbered: then nobody knows.
    """
    for kind in KINDS_BY_STRENGTH:
        alike = [letters for other, letters in lists if other == kind]
        if alike and len(alike[-1]) == len(questions):
            return _in_order(alike[-1], questions)
        if alike and (len(alike) >= len(questions) or len(heads) <= 1):
            return _in_order(alike[0] if len(alike) == 1 else alike, questions)
    return {}


def _lines(text: str, questions: Sequence[Question]) -> Found:
    """Read one line, or what a semicolon ends, a question."""
    lines = [line for line in map(str.strip, LINE_ENDS.split(text)) if line]
    if len(lines) != len(questions):
        return {}
    read = [line_choice(line, question, opens=True) for line, question in zip(lines, questions, strict=True)]
    return {
        place: Choice(choice.shown, "in order") if choice.binding else choice
        for place, choice in enumerate(read)
        if choice
    }


def _sections(
    text: str, questions: Sequence[Question], heads: Sequence[re.Match[str]], numbered: Sequence[Pair]
) -> Found:
    """Read each numbered section by itself, up to what is said of another question.

    Where only the last has an answer, its first sentence must say it: the rest may be about them all.
    """
    found: Found = {}
    for place, head in enumerate(heads):
        ends = [other.start() for other in heads[place + 1 : place + 2]]
        ends += [pair.start for pair in numbered if pair.place != place and pair.start >= head.end()]
        section = text[head.end() : min(ends, default=len(text))].strip()
        if place == len(heads) - 1 and place and not any(choice.binding for choice in found.values()):
            section = SENTENCE.split(section, maxsplit=1)[0]
        titled = TITLED.fullmatch(section)
        choice = questions[place].labelled(titled[1], "numbered") if titled else chosen(section, questions[place])
        if choice.rule not in {"empty", "nothing found"}:
            found[place] = choice
    return found


def _heads(text: str, most: int) -> list[re.Match[str]]:
    """Find what begins the sections 1, 2, …, in one style; none where numbers repeat or there are too many."""
    found = [head for head in HEAD.finditer(text) if head[2] or COUNTS.search(head[1]) or not head[1].isdecimal()]
    first = next((head for head in found if number(head[1]) == 1), None)
    if not first:
        return []
    style = _style(first)
    alike = [head for head in found if _style(head) == style]
    numbers = [number(head[1]) for head in alike]
    return alike if numbers == list(range(1, len(numbers) + 1)) and len(numbers) <= most else []


def _style(head: re.Match[str]) -> str:
    return NUMBER.sub("N", head[1]) + head[2]
