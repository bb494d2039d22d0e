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
from medzh_score.extraction.cmhe_hd_statements import excepted, hedged, stated
from medzh_score.extraction.preparation import prepared

if TYPE_CHECKING:
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
STOP = r"(?=\s*(?:$|[\n，。、,.;；:：!！(（—–-]|</))(?!\s*-?\s*(?:or|and)\b)"
PLAIN = r"(?=\s+(?:the|there|it|this|that|doctor|because|since|I)\b)"  # No the doctor's answer is fine

# The form that the prompts ask for, repeated; a label of it before the verdict goes, too.
ECHO = re.compile(
    r"\[?\b(?:Answer\s*[:：]\s*)?\[?\bYes\s*(?:/|or)\s*No\b\]?\s*[:：]?|[“\"]?是[”\"]?\s*(?:/|或者?|还是)\s*[“\"]?否[”\"]?\s*[:：]?",
    re.IGNORECASE,
)
OPENING = re.compile(rf"\s*{WORD}(?:{STOP}|{PLAIN})", re.IGNORECASE)
MARKER = (
    r"(?:\b(?:answer|verdict|judge?ment|conclusion)\"?(?:\s+is|\s*[:：=])"
    r"|(?<!医生)(?<!医生的)(?:答案|判断结果|判断|判定|结论|结果|回答)(?:应该?)?(?:[是为]\s*[:：]?|\s*[:：])"
    r"|(?:回答|作答|选择|选|判断为|判定为|应答|答)\s*[:：]?\s*(?=[“\"「『'])"
    r"|^答\s*[:：]"
    r"|\bI(?:'d|\s+would)\s+(?:say|answer)[,:]?|<answer>|\\boxed)\s*"
)
MARKED = re.compile(rf"{MARKER}{WORD}{STOP}", re.IGNORECASE | re.MULTILINE)
FINAL = re.compile(
    rf"(?:最终|最后|更正|修正|\bfinal\s+|\bcorrected\s+)[^\n，。,.]{{0,6}}?{MARKER}{WORD}{STOP}", re.IGNORECASE
)
# 是否包含误导信息：否. A label that denies would turn the verdict round.
LABELLED = re.compile(
    r"^(?![^\n：:]*(?:没有|不含|不包含|不存在|未|\b(?:no|not|free)\b))[^\n：:]{0,60}"
    rf"(?:不真实|虚假|误导|幻觉|untrue|misleading|hallucinat)[^\n：:]{{0,60}}[：:]\s*{WORD}{STOP}",
    re.IGNORECASE | re.MULTILINE,
)
CLOSING = re.compile(rf"\n\s*{WORD}[。.！!]*$", re.IGNORECASE)
SENTENCE = re.compile(r"[^。！？!?\n.]*(?:\.(?!\s|$)[^。！？!?\n.]*)*")

UNFINISHED = answer(None, "unfinished thinking")
EMPTY = answer(None, "empty")
EITHER = answer(None, "either")
CONTRADICTION = answer(None, "contradiction")
HEDGED = answer(None, "hedge")
NOTHING = answer(None, "nothing found")


def read(text: str, _side: object) -> Answer:
    r"""Read the verdict of a response.

    Thinking and markup are taken off. A verdict is a word at the beginning (Yes, No, 是, 否, 有 …), after a marker
    (Answer:, 答案是, 结论：), after a label (是否包含误导信息：) or alone on the last line; a final answer outranks the
    others, which must agree. A word that the sentence after it, or the rest of the response in so many words, denies is
    none. Without a word, what the sentences say of the answer decides.

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
    final = [_value(found["word"]) for found in FINAL.finditer(text)]
    if final:
        return answer(final[-1], "marker")
    opening, closing = OPENING.match(text), CLOSING.search(text)
    marked = {_value(found["word"]) for pattern in (MARKED, LABELLED) for found in pattern.finditer(text)}
    values = marked | {_value(found["word"]) for found in (opening, closing) if found}
    if len(values) > 1:
        return CONTRADICTION
    if not values:
        return _of_statements(text)
    (value,) = values
    if _denied(value, text, text[opening.end() :] if opening else ""):
        return CONTRADICTION
    return answer(value, "word" if opening or closing else "marker")


def _denied(value: str, text: str, rest: str) -> bool:
    """Say whether a verdict is denied: by the sentence that it opens, or anywhere in so many words."""
    sentence = _first_sentence(rest)
    chained = OPENING.match(sentence.lstrip("，,、 "))
    if chained and _value(chained["word"]) != value:
        return True
    held, called = stated(sentence)
    said = held | called | stated(text)[0]
    if value == NO and excepted(sentence):
        return True
    return value not in said and bool(said)


def _first_sentence(rest: str) -> str:
    """Give what follows the opening word in its sentence; where nothing does, the sentence after it."""
    for found in SENTENCE.finditer(rest):
        if found.group().strip(" ，,、—–-:："):
            return found.group()
    return ""


def _of_statements(text: str) -> Answer:
    held, called = stated(text)
    said = held or called
    if len(said) > 1 or (held and called and held != called):
        return CONTRADICTION
    if said:
        return answer(next(iter(said)), "statement")
    return HEDGED if hedged(text) else NOTHING


def _value(word: str) -> str:
    return VALUES[word.lower()]
