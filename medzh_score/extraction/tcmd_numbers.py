"""Numbered answers of a response to a group of questions: 1.A 2.C 3.B, 第一题选A, 1. 湿热瘀阻证."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.option_labels import joined, label_at, taken_back
from medzh_score.extraction.option_wordings import AFTER_STRONG, CONNECTIVE, DENIED_AFTER, DENIED_BETWEEN, LETTERS
from medzh_score.extraction.tcmd_choice import CONTRADICTION, NEGATED, SEVERAL, Choice
from medzh_score.extraction.tcmd_lines import EXPLAINED
from medzh_score.extraction.tcmd_question import SETS_OFF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.tcmd_choice import Question

CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
CHINESE = "一二三四五六七八九十"
# The number of a question, in the forms in which it stands before an answer.
INDEX = (
    rf"(?:第\s?(?:\d{{1,2}}|[{CHINESE}])\s?(?:个?小?[题问空]|个问题)?"
    rf"|[（(【\[](?:\d{{1,2}}|[{CHINESE}])[)）】\]]"
    r"|(?:问题|小?题|[Qq]uestion\s?|Q)\s?\d{1,2}|\d{1,2}\s?小?[题问]"
    rf"|\d{{1,2}}|[{CIRCLED}]|[{CHINESE}](?=[、.:：)）]))"
)
NUMBERED = re.compile(
    rf"(?:(?<![A-Za-z0-9~～-])(?<![0-9]\.)|(?=[第题问小（(【\[{CIRCLED}]))({INDEX})(?![0-9~～])"
    rf"((?:{CONNECTIVE}|[.、，,]|(?:正确|最佳|参考|标准)?答案|[应故]选)*+)"
)
NUMBER = re.compile(rf"\d+|[{CIRCLED}{CHINESE}]")
COMMITTED_BETWEEN = re.compile("选(?!项)|答案|[是为]")
AFTER_NUMBERED = re.compile(rf"\Z|[\s。.，,；;、:：)）】\]”\"’'」』|…<（(√{CIRCLED}第题问小]")
PAIR_ENDS = re.compile(rf"[)）】\]”\"’'」』]*\s*(?:\Z|[。.，,；;、|<]|{INDEX})")
PAIRS_GO_ON = re.compile(rf"\s*(?:\Z|[。.；;\n]|{INDEX})")
PROSE = re.compile(rf"(?!{INDEX})\w")
REMARKS = re.compile(r"[”\"’'」』)）】\]]*\s?[.、:：]")
CROSSED = re.compile(r"\s?×")
# What calls the option wrong whose text it follows: A.桂枝汤错误, A.桂枝汤（不对）.
CALLED_WRONG = re.compile(r"[\s，,：:（(]*+[是为]?(?:错(?![杂综])|有误|不对|不正确|不符|不合|[应可]?排除|×)")
WORD_BEFORE = re.compile(r"[^\W为是选择案]")  # 推荐等级2B
REMARK = 80  # characters of what follows a label that are compared with its option


class Pair(NamedTuple):
    """A number, and what is chosen there.

    Attributes
    ----------
    place : int
        Of the question, from 0.
    start : int
        Where the number stands in the text.
    choice : Choice
        What is chosen.
    """

    place: int
    start: int
    choice: Choice


def pairs(text: str, questions: Sequence[Question]) -> list[Pair]:
    """Read numbers with a label or an option's text after them.

    Parameters
    ----------
    text : str
        The prepared response.
    questions : sequence of Question
        What was asked, in order. Other numbers are passed over.

    Returns
    -------
    list of Pair
        By what counts more, the least first: an option's text, a label that is tied to its number (1A), a label that
        is set off (1.A); each in the order of the text.
    """
    tied: list[Pair] = []
    labelled: list[Pair] = []
    named: list[Pair] = []
    beyond = False
    for found in NUMBERED.finditer(text):
        place = number(found[1]) - 1
        if not 0 <= place < len(questions):
            beyond = beyond or (place > 0 and questions[-1].texts.leading(text, found.end()) is not None)
        elif choice := _labelled(text, found, questions[place]):
            (labelled if found[2] or not found[1].isdecimal() else tied).append(Pair(place, found.start(), choice))
        elif choice := _named(text, found, questions[place]):
            named.append(Pair(place, found.start(), choice))
    lettered = labelled or tied  # beside 1.A, 2B is a grade of evidence
    return lettered if beyond else [*named, *lettered]  # numbered texts that go on too far are a list of options


def number(index: str) -> int:
    """Read the number of a question.

    Parameters
    ----------
    index : str
        As it is written: 2, (2), 第二题, ②.
    """
    found = NUMBER.search(index)
    digits = found.group() if found else "0"
    for numerals in (CIRCLED, CHINESE):
        if digits in numerals:
            return numerals.index(digits) + 1
    return int(digits)


def _labelled(text: str, found: re.Match[str], question: Question) -> Choice | None:
    """Read the label after a number; None where there is none, or where it begins a remark on that option."""
    letters, between = label_at(text, found.end()), found[2]
    tied = found[1].isdecimal() and not between and found.start() > 0
    if not letters.isupper() or (tied and WORD_BEFORE.match(text, found.start() - 1)):
        return None
    end = found.end() + len(letters)
    others, last = _joined_on_line(text, end)
    committed = COMMITTED_BETWEEN.search(between) is not None
    if DENIED_BETWEEN.search(between) or DENIED_AFTER.match(text, last) or CROSSED.match(text, last):
        return NEGATED
    after = AFTER_NUMBERED.match(text, last) or (committed and AFTER_STRONG.match(text, last))
    if not after and not question.texts.leading(text, end):
        return None
    if why := _taken_back(text, found.start()):
        return Choice(None, why)
    if len({*letters, *others}) > 1:
        return SEVERAL if question.own(max(letters)) is not None else None
    return _with_text(text, end, letters[0], question, committed=committed)


def _joined_on_line(text: str, end: int) -> tuple[str, int]:
    """Read the labels that are given together with the one that ends at a place, up to the end of the line."""
    others, last = joined(text, end, PAIRS_GO_ON)
    line_ends = text.find("\n", end, last)
    if line_ends < 0:
        return others, last
    return "".join(letter for letter in text[end:line_ends] if letter in LETTERS), line_ends


def _taken_back(text: str, start: int) -> str:
    """Say why the pair at a place is no answer; what was called wrong before it is another: A错误 2.C."""
    why = taken_back(text, start)
    return "" if why == "negated" and text[start - 1].isspace() else why


def _with_text(text: str, end: int, letter: str, question: Question, *, committed: bool) -> Choice | None:
    """Compare a label with what follows it: its own option's text, another's, or a remark."""
    own = question.own(letter)
    label = question.labelled(letter, "numbered")
    gap = SETS_OFF.match(text, end)
    start = gap.end() if gap else end
    met = question.texts.leading(text, start)
    if own is not None and _called_wrong(text, start, question.texts.texts[own]):
        return NEGATED
    if met and own is not None:
        ends = PAIR_ENDS.match(met.rest) is not None
        if question.texts.same(own, met.option):
            return label if ends or committed else None
        return CONTRADICTION if ends else label
    remarked = REMARKS.match(text, end) or text.endswith("选项", 0, end - 1)
    if committed or not remarked or not PROSE.match(text, start):
        return label
    line = text[start : start + REMARK].partition("\n")[0]
    if EXPLAINED.match(line) or (own is not None and question.texts.resembles(line, own)):
        return label
    return None


def _called_wrong(text: str, start: int, option: str) -> bool:
    """Say whether an option's text stands at a place and is then called wrong."""
    if not option or not text.startswith(option, start):
        return False
    return CALLED_WRONG.match(text, start + len(option)) is not None


def _named(text: str, found: re.Match[str], question: Question) -> Choice | None:
    """Read an option's text after a number."""
    met = question.texts.leading(text, found.end())
    if not met or not PAIR_ENDS.match(met.rest) or DENIED_BETWEEN.search(found[2]):
        return None
    return question.told(met.option, "numbered")
