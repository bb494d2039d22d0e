"""CMHE-HD by ``strict-1``: the verdict that a whole response commits itself to, in a word or in a sentence.

The paper asks for "Yes" or "No" and does not say how responses were read. Chinese models answer 是, 否, 有 or 没有, and
some say 是的 to mean that the doctor is right: a word that its own sentence denies is no answer.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.config import answer
from medzh_score.configs.cmhe_hd_words import NO, YES
from medzh_score.extraction.cmhe_hd_statements import (
    clauses,
    denies,
    denies_anything,
    excepted,
    hedged,
    left_open,
    stated,
    takes_back,
    without_reports,
)
from medzh_score.extraction.cmhe_hd_support import SENTENCE, stands_alone, supports
from medzh_score.extraction.preparation import prepared

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.config import Answer

YES_WORDS = ("yes", "是的", "是", "有的", "有", "存在", "包含", "含有", "肯定的", "肯定")
NO_WORDS = (
    "no",
    "不是的",
    "不是",
    "不存在",
    "不包含",
    "不含有",
    "不含",
    "没有",
    "沒有",
    "没",
    "无",
    "否定的",
    "否定",
    "否",
    "不",
)
VALUES = dict.fromkeys(YES_WORDS, YES) | dict.fromkeys(NO_WORDS, NO)
_WORDS = "|".join(sorted(VALUES, key=len, reverse=True))
WORD = rf"[\[(（【「『“\"'<]*(?P<word>{_WORDS})[\])）】」』”\"'>]*"
STOP = r"(?=\s*(?:$|[\n，。、,.;；:：!！(（—–-]|</))(?!\s*-?\s*(?:or|and)\b)(?!\.?[^\S\n]*\d)"
PLAIN = r"(?<=[Oos\]])(?=\s+(?:the|there|this)\b)"  # No the doctor's answer is fine

_UNTRUE = r"(?:不真实|不实|虚假|有?误导性?|错误|幻觉)"
_QUESTION = (
    rf"(?:该?医生的?(?:回答|回复|答复)中?)?是否(?:包含|存在|含有?|有)(?:任何)?{_UNTRUE}"
    rf"(?:的?(?:、|和|或者?)?{_UNTRUE})*的?(?:信息|内容)?"
)
# The form and the question that the prompts ask for, repeated; a label of it before the verdict goes, too.
ECHO = re.compile(
    r"\[?\b(?:Answer\s*[:：]\s*)?\[?\bYes\s*(?:/|or)\s*No\b\]?\s*[:：]?|[“\"]?是[”\"]?\s*(?:/|或者?|还是)\s*[“\"]?否[”\"]?\s*[:：]?"
    r"|\bDoes\s+the\s+(?:doctor's\s+)?answer\s+contain\s+(?:any\s+)?(?:untrue\s+or\s+)?misleading\s+information\s*\?"
    rf"|^(?:问题\s*[:：]\s*)?(?:判断)?{_QUESTION}\s*[?？]",
    re.IGNORECASE | re.MULTILINE,
)
OPENING = re.compile(
    rf"\s*(?:(?:so|sure|certainly|ok|okay|well|好的)\s*[,，.!！。]\s*)?{WORD}(?:{STOP}|{PLAIN})", re.IGNORECASE
)
# Only at the beginning of a sentence, so that it is the model's own: not the doctor's, nor a test's.
START = (
    r"(?:^|(?<=[。！？；.!?;])\s*)(?:(?:综上所述|综上|因此|所以|故|so|therefore|thus|hence"
    r"|after\s+(?:careful(?:ly)?\s+)?(?:reading|reviewing)[\w\s]{0,30})[，,]?\s*)?(?:I\s+(?:think|believe)\s+(?:that\s+)?)?"
)
MARKER = (
    rf"(?:{START}(?:"
    r"\"?(?:the\s+|my\s+)?(?:final\s+|corrected\s+|correct\s+)?(?:answer|verdict|judge?ment|conclusion)\"?(?:\s+is\s*:?|\s*[:：=])"
    r"|(?:我的|最终|最后的?|更正后的)?(?:答案|判断结果|判断|判定|结论)(?:应该?)?(?:[是为]\s*[:：]?|\s*[:：])"
    r"|应?(?:回答|选择|选|判断为|判定为)(?:为|是)?\s*[:：]?\s*(?=[“\"「『'])"
    r"|I(?:'d|\s+would)\s+(?:say|answer)[,:]?)"
    r"|^(?:【(?:答案|判断|判断结果|结论|回答)】|(?:回答|答)\s*[:：])|^\s*\"(?:答案|判断|判断结果|结论|回答)\"\s*[:：]|<answer>|\\boxed)\s*"
)
MARKED = re.compile(rf"{MARKER}{WORD}{STOP}", re.IGNORECASE | re.MULTILINE)
LABELLED = re.compile(
    rf"^{_QUESTION}\s*[：:]\s*{WORD}{STOP}"
    rf"|^\s*\"?(?:(?:is|has|contains?)\s*)?(?:(?:untrue|false)\s*or\s*)?misleading(?:\s*information)?\"?\s*[：:]"
    rf"\s*{WORD.replace('word', 'said')}{STOP}",
    re.IGNORECASE | re.MULTILINE,
)
CLOSING = re.compile(rf"\n\s*{WORD}[。.！!]*$", re.IGNORECASE)
# A verdict word anywhere that stands between stops, brackets or quotes.
ALONE = re.compile(
    rf"(?:^|(?<=[\s，。、,.;；:：!！(（)）\[\]【】“”「」『』\"'<>—–>-]))(?P<word>{_WORDS})"
    r"(?=$|[\n，。、,.;；:：!！)）\]】”」』\"'<—–-]|\s*$)|\b(?P<yes>yes)\b",
    re.IGNORECASE | re.MULTILINE,
)
# What may stand before a statement: it leads to it, and says nothing.
PREFACE = re.compile(
    r"综上(?:所述)?|因此|所以|故|总之|结论|(?:我的)?(?:判断|判断结果|最终判断|答案|回答|答)(?:是|为)?|经过?(?:仔细)?(?:判断|分析|阅读|评估|核对|审查)"
    r"|根据(?:以上|上述|您提供的|提供的|这段|该)?(?:对话|内容|信息|描述|分析|判断)+(?:内容)?"
    r"|(?:so|therefore|thus|hence|in\s+conclusion|in\s+summary|sure)"
    r"|(?:based\s+on|according\s+to|after\s+(?:careful(?:ly)?\s+)?(?:reading|reviewing))\s+the\s+(?:above\s+|given\s+)?dialog(?:ue)?"
    r"|(?:the\s+|my\s+)?(?:final\s+)?answer(?:\s+is)?",
    re.IGNORECASE,
)
SAYING = re.compile(
    rf"(?:(?:因此|所以|故|so|therefore|thus|hence)\s*)?(?:(?:the\s+|my\s+)?answer(?:\s+is)?|(?:我的)?(?:答案|判断|结论)(?:应?[是为])?)?\s*{WORD}",
    re.IGNORECASE,
)
# Forms that preparation leaves as they are.
SIMPLE = str.maketrans("醫導沒準覆議內據斷虛訊關嗎誤", "医导没准复议内据断虚信关吗误")
QUESTION = re.compile(r"[?？]")

UNFINISHED = answer(None, "unfinished thinking")
EMPTY = answer(None, "empty")
EITHER = answer(None, "either")
CONTRADICTION = answer(None, "contradiction")
HEDGED = answer(None, "hedge")
NOTHING = answer(None, "nothing found")
UNSUPPORTED = answer(None, "unsupported")


def read(text: str, _side: object) -> Answer:
    r"""Read the verdict of a response.

    Thinking and markup are taken off. A verdict is a word at the beginning (Yes, No, 是, 否, 有 …), after a marker
    (Answer:, 答案是, 结论：), after a label (是否包含误导信息：) or alone on the last line. All verdicts of a response
    must agree. A word is none where anything beside it could deny it, where its sentence hedges, or where the sentence
    goes on and nothing in the response bears it out: 是的，注意休息 may be said to the patient. Without a word, a
    statement counts only where it has one of a few forms and nothing after it could take it back.

    Parameters
    ----------
    text : str
        The response, untouched.
    _side : object
        Not looked at.

    Returns
    -------
    Answer
        ``Yes`` or ``No`` by the rule ``word``, ``marker`` or ``statement``; None by the rule ``empty``, ``either`` (the
        choice itself), ``contradiction``, ``hedge``, ``unsupported``, ``unfinished thinking`` or ``nothing found``.

    Examples
    --------
    >>> read("**否**。医生的回答没有误导信息。", None).value, read("The answer contains false information.", None).value
    ('No', 'Yes')
    >>> read("是的，医生的回答是正确的。", None).rule
    'contradiction'
    """
    said = prepared(text)
    if said is None:
        return UNFINISHED
    if not said:
        return EMPTY
    left = ECHO.sub("", without_reports(said.translate(SIMPLE).replace("資信", "信息"))).strip()
    return _verdict(left) if left.strip("。.!！ ") else EITHER


@lru_cache(maxsize=1 << 14)
def _verdict(text: str) -> Answer:
    found = verdicts(text)
    if not found:
        return _of_statements(text)
    values = {_value(_word(one)) for one in found} | {_value(one.group()) for one in ALONE.finditer(text)}
    if len(values) > 1:
        return CONTRADICTION
    (value,) = values
    if QUESTION.search(text) or any(hedged(_first_sentence(text, one.end())) for one in found):
        return HEDGED
    others = list(_beside(text, found))
    if any(denies(clause, value) for clause in others) or (value == NO and excepted(text)):
        return CONTRADICTION
    alone = any(stands_alone(text, _word(one), one.end()) for one in found)
    if not alone and not any(supports(clause, value) for clause in others):
        return UNSUPPORTED
    return answer(value, "word" if any(one.re in {OPENING, CLOSING} for one in found) else "marker")


def verdicts(text: str) -> list[re.Match[str]]:
    """Find the words that a response offers as its verdict: marked, at the beginning, or on the last line.

    Parameters
    ----------
    text : str
        As the rule takes it, without what it passes over.
    """
    opening, closing = OPENING.match(text), CLOSING.search(text)
    marked = [found for pattern in (MARKED, LABELLED) for found in pattern.finditer(text)]
    return [*marked, *(one for one in (opening, closing) if one)]


def group_of(found: re.Match[str]) -> str:
    """Name the group that holds the word of a verdict.

    Parameters
    ----------
    found : re.Match
        One of `verdicts`.
    """
    return "said" if found.re is LABELLED and not found["word"] else "word"


def _word(found: re.Match[str]) -> str:
    return found[group_of(found)]


def _beside(text: str, found: Sequence[re.Match[str]]) -> Iterator[str]:
    """Give the clauses of a text around its verdicts."""
    start = 0
    for one in sorted(found, key=lambda one: one.start()):
        yield from clauses(text[start : one.start()])
        start = max(start, one.end())
    yield from clauses(text[start:])


def _first_sentence(text: str, start: int = 0) -> str:
    """Give what follows a word in its sentence; where nothing does, the sentence after it."""
    for found in SENTENCE.finditer(text, start):
        if found.group().strip(" ，,、—–-:："):
            return found.group()
    return ""


def _of_statements(text: str) -> Answer:
    """Read a text that begins with a statement of the answer, which nothing after it could take back."""
    parts = clauses(text)
    values = [said_by(part) for part in parts]
    said = {value for value in values if value}
    if len(said) > 1:
        return CONTRADICTION
    if QUESTION.search(text) or left_open(text) or hedged(_first_sentence(text)):
        return HEDGED
    place = next((place for place, part in enumerate(parts) if values[place] or not PREFACE.fullmatch(part)), 0)
    value = stated(parts[place]) if parts else None
    if not value or any(takes_back(part, value) for part in parts[place + 1 :]):
        return HEDGED if hedged(text) else NOTHING
    # What follows No in its own sentence must not deny anything that is not said in one of the forms.
    beside = [part for part in clauses(_first_sentence(text)) if not said_by(part)]
    if value == NO and (excepted(text) or any(denies_anything(part) for part in beside)):
        return NOTHING
    return answer(value, "statement")


def said_by(part: str) -> str | None:
    """Read a clause that is a verdict: a word with no more than what leads to it, or a statement.

    Parameters
    ----------
    part : str
        One of the `clauses` of a response.
    """
    word = SAYING.fullmatch(part)
    return _value(word["word"]) if word else stated(part)


def _value(word: str) -> str:
    return VALUES[word.lower()]
