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
from medzh_score.extraction.cmhe_hd_statements import clauses, denies, hedged, says_nothing, stated
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
STOP = r"(?=\s*(?:$|[\n，。、,.;；:：!！(（—–-]|</))(?!\s*-?\s*(?:or|and)\b)(?!\.?\s*\d)"
PLAIN = r"(?<=[Oos])(?=\s+(?:the|there|this)\b)"  # No the doctor's answer is fine

# The form and the question that the prompts ask for, repeated; a label of it before the verdict goes, too.
ECHO = re.compile(
    r"\[?\b(?:Answer\s*[:：]\s*)?\[?\bYes\s*(?:/|or)\s*No\b\]?\s*[:：]?|[“\"]?是[”\"]?\s*(?:/|或者?|还是)\s*[“\"]?否[”\"]?\s*[:：]?"
    r"|\bDoes\s+the\s+(?:doctor's\s+)?answer\s+contain\s+(?:any\s+)?(?:untrue\s+or\s+)?misleading\s+information\s*\?",
    re.IGNORECASE,
)
OPENING = re.compile(rf"\s*{WORD}(?:{STOP}|{PLAIN})", re.IGNORECASE)
# Only at the beginning of a sentence, so that it is the model's own: not the doctor's, nor a test's.
START = r"(?:^|(?<=[。！？；.!?;])\s*)(?:(?:综上所述|综上|因此|所以|故|so|therefore|thus|hence)[，,]?\s*)?"
MARKER = (
    rf"(?:{START}(?:"
    r"\"?(?:the\s+|my\s+)?(?:final\s+|corrected\s+)?(?:answer|verdict|judge?ment|conclusion)\"?(?:\s+is|\s*[:：=])"
    r"|(?:我的|最终|最后的?|更正后的)?(?:答案|判断结果|判断|判定|结论)(?:应该?)?(?:[是为]\s*[:：]?|\s*[:：])"
    r"|应?(?:回答|选择|选|判断为|判定为)(?:为|是)?\s*[:：]?\s*(?=[“\"「『'])"
    r"|I(?:'d|\s+would)\s+(?:say|answer)[,:]?)"
    r"|^(?:回答|答)\s*[:：]|<answer>|\\boxed)\s*"
)
MARKED = re.compile(rf"{MARKER}{WORD}{STOP}", re.IGNORECASE | re.MULTILINE)
_UNTRUE = r"(?:不真实|不实|虚假|有?误导性?|错误|幻觉)"
LABELLED = re.compile(
    rf"^是否(?:包含|存在|含有?|有)(?:任何)?{_UNTRUE}(?:的?(?:、|和|或者?)?{_UNTRUE})*的?(?:信息|内容)?\s*[：:]\s*{WORD}{STOP}"
    rf"|^(?:contains?\s+)?(?:(?:untrue|false)\s+or\s+)?misleading\s+information\s*[：:]"
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
SENTENCE = re.compile(r"[^。！？!?\n.]*(?:\.(?!\s|$)[^。！？!?\n.]*)*")

QUESTION = re.compile(r"[?？]")

UNFINISHED = answer(None, "unfinished thinking")
EMPTY = answer(None, "empty")
EITHER = answer(None, "either")
CONTRADICTION = answer(None, "contradiction")
HEDGED = answer(None, "hedge")
NOTHING = answer(None, "nothing found")


def read(text: str, _side: object) -> Answer:
    r"""Read the verdict of a response.

    Thinking and markup are taken off. A verdict is a word at the beginning (Yes, No, 是, 否, 有 …), after a marker
    (Answer:, 答案是, 结论：), after a label (是否包含误导信息：) or alone on the last line. All verdicts of a response
    must agree. A word is none where anything beside it could deny it, or where its sentence hedges. Without a word, a
    statement counts only where it has one of a few forms and nothing else is called true or false.

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
        choice itself), ``contradiction``, ``hedge``, ``unfinished thinking`` or ``nothing found``.

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
    left = ECHO.sub("", said).strip()
    return _verdict(left) if left.strip("。.!！ ") else EITHER


@lru_cache(maxsize=1 << 14)
def _verdict(text: str) -> Answer:
    opening, closing = OPENING.match(text), CLOSING.search(text)
    marked = [found for pattern in (MARKED, LABELLED) for found in pattern.finditer(text)]
    found = [*marked, *(one for one in (opening, closing) if one)]
    if not found:
        return _of_statements(text)
    values = {_value(one["word"] or one["said"]) if one.re is LABELLED else _value(one["word"]) for one in found}
    values |= {_value(one.group()) for one in ALONE.finditer(text)}
    if len(values) > 1:
        return CONTRADICTION
    (value,) = values
    if QUESTION.search(text) or any(hedged(_first_sentence(text[one.end() :])) for one in found):
        return HEDGED
    if any(denies(clause, value) for clause in _beside(text, found)):
        return CONTRADICTION
    return answer(value, "word" if opening or closing else "marker")


def _beside(text: str, found: Sequence[re.Match[str]]) -> Iterator[str]:
    """Give the clauses of a text around its verdicts."""
    start = 0
    for one in sorted(found, key=lambda one: one.start()):
        yield from clauses(text[start : one.start()])
        start = max(start, one.end())
    yield from clauses(text[start:])


def _first_sentence(rest: str) -> str:
    """Give what follows a word in its sentence; where nothing does, the sentence after it."""
    for found in SENTENCE.finditer(rest):
        if found.group().strip(" ，,、—–-:："):
            return found.group()
    return ""


def _of_statements(text: str) -> Answer:
    """Read a text that begins with a statement of the answer, beside which nothing is called true or false."""
    parts = clauses(text)
    values = [stated(part) for part in parts]
    said = {value for value in values if value}
    if len(said) > 1:
        return CONTRADICTION
    if hedged(text) or QUESTION.search(text):
        return HEDGED
    if values and values[0] and all(value or says_nothing(part) for part, value in zip(parts, values, strict=True)):
        return answer(values[0], "statement")
    return NOTHING


def _value(word: str) -> str:
    return VALUES[word.lower()]
