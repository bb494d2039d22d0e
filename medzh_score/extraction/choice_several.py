"""Finding several labels, or the texts of several options, that a response commits itself to together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.choice_items import items
from medzh_score.extraction.option_labels import Mark, announced, joined, taken_back
from medzh_score.extraction.option_wordings import FAR_BEFORE, LETTERS
from medzh_score.extraction.tcmd_lines import BARE, EXPLAINED, HEADING, JUDGED, WRONG_ONES

if TYPE_CHECKING:
    from medzh_score.extraction.tcmd_choice import Question

JOIN = r"(?:[^\S\n]|[、,，;；&＆+/和与及]|以及|选项)*+"
LIST = rf"([A-H](?:{JOIN}[A-H])++)(?![A-Za-z0-9])"
LABELS = re.compile(r"[A-H](?:[^\S\n]|[、,，;；&＆+/和与及或]|以及|选项|and|or){0,6}[A-H]|[A-H]\s?或")
VERB = "BE"  # two labels, where a marker takes it for the English verb
EITHER = re.compile(r"或|/|\bor\b|可能|也可")
RANGE = re.compile(r"[A-H]\s*[-–—~～→至到]\s*[A-H]")
SEPARATED = re.compile(r"[a-h](?:[^\S\n]*[、,，][^\S\n]*[a-h])+[.。]?")
LINE = re.compile(rf"(?:[-•·]\s*+)?(?:选项[：:]?)?[\s“”\"'「『（(【\[]*+{LIST}(?:选?项)?[”\"'」』）)】\]]*+[^\S\n]*")
AFFIRMED = re.compile(
    r"(?:选?项)?[都均皆也]?(?:[是为](?:本题|该题|此题)?的?(?:正确|符合题意|应选)的?(?:答案|选项)|符合题意|[是为]答案)"
    r"[。.！!]?"
)
STOPS = re.compile(r"[。.！!；;，,：:（(]")
CONCLUDED = re.compile(
    rf"(?:因此|所以|故|综上所述|综上|可见)[，,]?(?:只有)?(?:选项)?[^\S\n]?{LIST}(?:选?项)?[都均皆]?[是为]?(?:正确|符合题意)的?"
    r"(?:答案|选项)?[。.！!]?\Z"
)
QUALIFIED = re.compile(rf"(?<![A-Za-z0-9]){LIST}(?:选?项)?[都均皆]?[是为](?:本题|该题|此题)?的?正确的?\Z")
HOLDS = re.compile(r"(?:有|包括|包含|共有)[^\S\n]*[：:]?\s*")
# Wordings that announce several alone; what denies them stands before: 不正确的有.
OWN = re.compile(
    r"(?:正确|符合题意|恰当|合适|应选|入选|可选)的?(?:选项|答案|说法|叙述|描述|项)?(?:有|包括|包含)[^\S\n]*[：:]?\s*"
)
ALL = re.compile(
    r"(?:以上|上述|这些)?(?:所有|各个?|[三四五]个?)?(?:选项|答案|说法|各项)?"
    r"(?:全选|全部都?(?:正确|对|选|是)|[都均皆](?:正确|对|选|是))(?:[。.！!]|\Z|\n)"
)


class Several(NamedTuple):
    """Labels that belong together.

    Attributes
    ----------
    letters : str
        Capital letters as they stand, or nothing where they are no answer.
    rule : str
        What found them, or why they are none.
    """

    letters: str
    rule: str


ONE_OF_THEM = Several("", "either")
SPAN = Several("", "range")
ECHO = Several("", "several")
NEGATED = Several("", "negated")


def whole(text: str, question: Question) -> Several | None:
    """Read a response that is nothing but several labels, or nothing but options of the question.

    Parameters
    ----------
    text : str
        The prepared response.
    question : Question
        What was asked.

    Returns
    -------
    Several or None
        None where it is anything else.
    """
    if question.texts.whole(text) is not None:
        return None
    if BARE.fullmatch(text):
        return _together(text, text)
    if SEPARATED.fullmatch(text):
        return _together(text.upper(), text)
    if ALL.fullmatch(text):
        return Several(LETTERS[: len(question.order)], "all")
    found = items(text, 0, question)
    return _items(found[0], question) if found and not text[found[1] :].strip(" \n。.") else None


def hinted(text: str, question: Question) -> bool:
    """Say whether several labels stand together, several options are named, or all of them are.

    Parameters
    ----------
    text : str
        The prepared response.
    question : Question
        What was asked.
    """
    if LABELS.search(text) or ALL.search(text):
        return True
    return sum(option.strip() in text for option in question.texts.texts if option.strip()) > 1


def _together(letters: str, between: str) -> Several | None:
    """Judge labels by what joins them; a run of letters that is no alphabet may be a word: CEA."""
    found = "".join(letter for letter in letters if letter in LETTERS)
    if len(set(found)) == 1:
        return None
    if EITHER.search(between):
        return ONE_OF_THEM
    if RANGE.search(between):
        return SPAN
    if found in between and found != "".join(sorted(set(found))):
        return None
    return Several(found, "labels")


def line(text: str, *, opens: bool = False) -> Several | None:
    """Read a line that is several labels.

    Parameters
    ----------
    text : str
        The line, without white space around it.
    opens : bool
        Whether the response begins with it: then a sentence may follow them.
    """
    found = LINE.match(text)
    if not found:
        return None
    rest = text[found.end() :]
    stop = STOPS.match(rest)
    ends = rest in {"", "。", "."} or AFFIRMED.fullmatch(rest) is not None
    goes_on = opens and ((stop is not None and not JUDGED.match(rest[stop.end() :].lstrip())) or EXPLAINED.match(rest))
    return _together(found[1], found[1]) if ends or goes_on else None


def last_line(text: str) -> Several | None:
    """Read the last line of several, unless it tells what is wrong.

    Parameters
    ----------
    text : str
        The prepared response.
    """
    before, _, last = text.rpartition("\n")
    if not before or WRONG_ONES.search(before.rstrip().rpartition("\n")[2].rstrip()[-HEADING:]):
        return None
    return line(last.strip())


def concluded(text: str) -> Several | None:
    """Read the last words of a response, as in 因此，A、C正确.

    Parameters
    ----------
    text : str
        The prepared response.
    """
    found = CONCLUDED.search(text, max(0, len(text) - FAR_BEFORE))
    if not found or taken_back(text, found.start(1)):
        return None
    return _together(found[1], found[1])


def after_mark(text: str, mark: Mark, question: Question) -> Several | None:
    """Read several labels, or several options, that a marker announces or that stand before it.

    Parameters
    ----------
    text : str
        The prepared response.
    mark : Mark
        The marker.
    question : Question
        What was asked.

    Returns
    -------
    Several or None
        None where it announces one option or none.
    """
    if text.endswith(VERB, 0, mark.end):
        mark = mark._replace(end=mark.end - len(VERB))
    holds = HOLDS.match(text, mark.end)
    mark = mark._replace(end=holds.end(), strong=True) if holds else mark
    labels = announced(text, mark)
    named = question.texts.leading(text, mark.end)  # an option may be called CEA, or A和B
    if labels and named is None and len(set(labels.letters)) > 1:
        _, last = joined(text, labels.end)
        return Several("", labels.why) if labels.why else _announced(labels.letters, text[mark.end : last])
    listed = items(text, mark.end, question)
    if listed and (mark.strong or mark.kind == "reply"):
        why = "negated" if mark.denied else taken_back(text, mark.start)
        return Several("", why) if why else _items(listed[0], question)
    if mark.strong and named is None and ALL.match(text, mark.end):
        return NEGATED if mark.denied else Several(LETTERS[: len(question.order)], "all")
    before = QUALIFIED.search(text, max(0, mark.start - FAR_BEFORE), mark.start)
    if before and not taken_back(text, before.start(1)):
        return _announced(before[1], before[1])
    return None


def _announced(letters: str, between: str) -> Several:
    if EITHER.search(between):
        return ONE_OF_THEM
    return Several("".join(letter for letter in letters if letter in LETTERS), "marker")


def own_marks(text: str) -> list[Mark]:
    """Find the wordings that announce several options alone: 正确的有.

    Parameters
    ----------
    text : str
        The prepared response.
    """
    return [
        Mark("answer", found.start(), found.end(), found.end(), denied=False, strong=True)
        for found in OWN.finditer(text)
    ]


def _items(letters: str, question: Question) -> Several:
    """Take options that are listed, but not all of them: that repeats the question."""
    return ECHO if len(set(letters)) == len(question.order) else Several(letters, "label and text")
