"""Which options a prepared response to a group commits itself to: by number, in numbered sections, or in order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.option_labels import announced, marks
from medzh_score.extraction.option_wordings import LETTERS
from medzh_score.extraction.tcmd_choice import EMPTY, NOT_GIVEN, NOTHING, SEVERAL, Choice
from medzh_score.extraction.tcmd_lines import BARE, COMPACT, COMPACT_PAIR, line_choice
from medzh_score.extraction.tcmd_numbers import INDEX, NUMBER, Pair, number, pairs
from medzh_score.extraction.tcmd_question import chosen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.tcmd_choice import Question

Found = dict[int, Choice]  # by the question's place

KINDS_BY_STRENGTH = ("answer", "choose", "option", "reply", "verdict", "conclusion")
HEAD = re.compile(rf"(?:\A|[\s。；;！!，,])({INDEX})([.、:：)）]?+)(?!\d)")
TITLED = re.compile(r"[^，,。；;：:不非\n]{1,20}(?:[：:]|[是为])\s?([A-H])[。.；;]?")  # 辨证：A
WRONG_TITLE = re.compile("错|误|排除|干扰|备选|选项")
WEIGHED = re.compile(  # A错，B对
    r"(?:[A-H](?:选?项)?[是为]?(?:错误?|不对|不正确|×)的?[\s，,、；;]*+)++([A-H])(?:选?项)?[是为]?(?:对|正确|√)的?[\s，,。；;]*+"
)
SENTENCE = re.compile(r"[。\n]")
LINE_ENDS = re.compile(r"[；;\n]")
COUNTS = re.compile("题|问|空|第")
RANGE = re.compile(
    r"(?<!\d)1(?:[、,，/]\d){0,8}\s?[-~～—–至到、,，/]\s?(\d{1,2})\s?小?题?[.、:：)）\s]*+([A-H](?:[\s、，,]*+[A-H])*+)(?![A-Za-z0-9])"
)
# The instruction's own example of a form: 请按“1.A 2.C 3.B”的格式作答.
FORM = re.compile(r"[“\"「『](?:答案[：:])?1[.、]?[A-H][^”\"」』\n]{0,60}[”\"」』]\s?的?(?:格式|形式)")

# Pairs that are given as what the answer is not: 1.C 2.A（而非1.A 2.C）.
PAIR = rf"{INDEX}[.、:：)）选是为\s]*+[A-H](?![A-Za-z0-9])[\s,，;；、]*+"
EXCLUDED = re.compile(rf"[（(，,]?\s?(?:而|并)?(?:不是|非)\s?(?:{PAIR})++[）)]?")
# The number of a next question and its first words.
NEXT = re.compile(rf"\n[^\S\n]*+({INDEX})[.、:：)）]?[^\S\n]*+(?!{INDEX}|[A-Ha-h](?![A-Za-z]))\w")
OPENS_A_LINE = re.compile(
    r"(?:\A|\n)\W*+(?:所以|因此|因而|故|综上所述|综上|总之|最终|最后|正确|最佳|参考|标准|本题|各题|三题|两题|[的，,])*+\Z"
)
BEFORE = 20  # characters in which the beginning of a line is looked for


class Listed(NamedTuple):
    """The labels of a marker.

    Attributes
    ----------
    kind : str
        Of the marker.
    letters : str
        The labels in their order.
    start : int
        Where the marker begins.
    """

    kind: str
    letters: str
    start: int


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
    text = _without_examples(text)
    found = _found(text, questions)
    rest = NOT_GIVEN if any(choice.binding for choice in found.values()) else NOTHING
    return [found.get(place, rest) for place in range(len(questions))]


class Words(NamedTuple):
    """What a response says of the questions, told apart.

    Attributes
    ----------
    text : str
        Without examples of the form and without what is said of a next question.
    pairs : list of Pair
        Numbered answers.
    lists : list of Listed
        The labels of each marker.
    heads : list of re.Match
        What begins the sections.
    """

    text: str
    pairs: list[Pair]
    lists: list[Listed]
    heads: list[re.Match[str]]


def own_words(text: str, questions: Sequence[Question]) -> Words:
    """Tell apart what a response says of the questions.

    Parameters
    ----------
    text : str
        The prepared response.
    questions : sequence of Question
        What was asked, in order.
    """
    text = _without_examples(text)
    numbered = pairs(text, questions)
    text = text[: _next_question(text, numbered, len(questions))]
    numbered = [pair for pair in numbered if pair.start < len(text)]
    return Words(text, numbered, _lists(text), _heads(text, len(questions)))


def _without_examples(text: str) -> str:
    if "格式" in text or "形式" in text:
        text = FORM.sub("", text)
    if "非" in text or "不是" in text:
        text = EXCLUDED.sub(" ", text)
    return text


def _found(text: str, questions: Sequence[Question]) -> Found:
    if BARE.fullmatch(text):
        return _in_order([letter for letter in text if letter in LETTERS], questions)
    if COMPACT.fullmatch(text):
        return _compact(text, questions)
    if ranged := _range(text, questions):
        return ranged
    numbered = pairs(text, questions)
    text = text[: _next_question(text, numbered, len(questions))]
    numbered = [pair for pair in numbered if pair.start < len(text)]
    lists = _lists(text)
    if listed := _only_list(text, lists, questions, numbered):
        return listed
    found = _last_of_each(numbered)
    committed = _binding(found)
    heads = _heads(text, len(questions)) if len(committed) < len(questions) else []
    sections = _sections(text, questions, heads, numbered)
    found = {**sections, **found, **_binding(sections), **committed}
    return found or _markers_in_order(lists, questions, heads) or _lines(text, questions)


def _binding(found: Found) -> Found:
    return {place: choice for place, choice in found.items() if choice.binding}


def _next_question(text: str, numbered: Sequence[Pair], count: int) -> int:
    """Find where a next question begins, as base models invent them: a number too high after all were answered."""
    open_places = set(range(count))
    for pair in sorted(numbered, key=lambda pair: pair.start):
        if pair.choice.binding:
            open_places.discard(pair.place)
        if not open_places:
            following = (found for found in NEXT.finditer(text, pair.start) if number(found[1]) > count)
            return next((found.start() for found in following), len(text))
    return len(text)


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


def _only_list(text: str, lists: Sequence[Listed], questions: Sequence[Question], numbered: Sequence[Pair]) -> Found:
    """Read the labels after the only 答案 of a text, or after one that sums up the others: one for each question.

    Beside numbered answers it counts where it has a line of its own after them: there 1. and 2. may be an analysis.
    """
    answers = [listed for listed in lists if listed.kind == "answer"]
    if not answers or len(answers[-1].letters) != len(questions) or 1 < len(answers) <= len(questions):
        return {}
    last = answers[-1]
    if len(answers) > 1 or numbered:
        committed = max((pair.start for pair in numbered if pair.choice.binding), default=-1)
        opens = OPENS_A_LINE.search(text, max(0, last.start - BEFORE), last.start)
        if last.start < committed or not opens:
            return {}
    return _in_order(last.letters, questions)


def _lists(text: str) -> list[Listed]:
    """Give the labels of each marker, in order."""
    found = [(mark, announced(text, mark)) for mark in marks(text)]
    return [
        Listed(mark.kind, labels.letters, mark.start) for mark, labels in reversed(found) if labels and not labels.why
    ]


def _markers_in_order(lists: Sequence[Listed], questions: Sequence[Question], heads: Sequence[re.Match[str]]) -> Found:
    """Read one marker a question, or one for all; where there are several kinds, those of the strongest.

    Fewer labels than questions are those of the first, but not where the text is numbered: then nobody knows.
    """
    for kind in KINDS_BY_STRENGTH:
        alike = [listed.letters for listed in lists if listed.kind == kind]
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
    read = [_titled(line, question) for line, question in zip(lines, questions, strict=True)]
    if not all(read):
        read = [line_choice(line, question, opens=True) for line, question in zip(lines, questions, strict=True)]
    return {
        place: Choice(choice.shown, "in order") if choice.binding else choice
        for place, choice in enumerate(read)
        if choice
    }


def _titled(line: str, question: Question) -> Choice | None:
    """Read 治法：C; not 错误：C."""
    titled = TITLED.fullmatch(line)
    return question.labelled(titled[1], "numbered") if titled and not WRONG_TITLE.search(line) else None


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
        titled = TITLED.fullmatch(section) or WEIGHED.fullmatch(section)
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
