"""The forms that most responses have, read sooner: what they say is what `option_letters` says of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.extraction import dressing
from medzh_score.extraction.thinking import NEXT

if TYPE_CHECKING:
    from medzh_score.extraction.tcmd_choice import Question

# A label that is all, maybe announced.
ALONE = re.compile(
    r"(?:[（(]([A-H])[)）]|选?([A-H])(?:选?项)?"
    r"|(?:【?(?:正确|最佳|参考|标准|本题)?答案】?(?:应?[是为])?[：:]? ?)([A-H])|故选([A-H])|应选([A-H]))[.。]?"
)
RULES = ("", "label", "label", "answer", "conclusion", "choose")
ALONE_MOST = 12  # characters of such a text
# A label, before its option's text and nothing else.
SETS_OFF = frozenset(".、")
WITH_TEXT = re.compile(r"([A-H])[.、] ?")
# What announces a label, by the rule that reads it.
ANSWER = r"(?:【?(?:正确|最佳|参考|标准|本题)?答案】?(?:应?[是为])?[：:]? ?)"
CONCLUSION = "(?:故|因此|所以)应?选"
CHOOSE = "(?:故?本题)?应?选"
# A label at the beginning, with prose behind it, in which nothing takes it back.
FRONT = re.compile(
    rf"(?P<bold>\*\*)?(?:(?:因此，|所以|综上，)?{ANSWER}(?P<answer>[A-H])|(?P<label>[A-H])"
    rf"|{CONCLUSION}(?P<conclusion>[A-H])|{CHOOSE}(?P<choose>[A-H]))"
    r"(?(bold)\*\*|)(?=[。\n]\s*+\S)"
    r"(?![^\0]{0,16}(?:[更修纠订正]|改[为选成]|应改|不对|[错误×]|重新|[再仔复][看想查思次检审核细]|等[等一下]|吗))"
)
# A conclusion that ends the response.
CLOSING = re.compile(
    rf"(?:[。；！]\n*(?P<bold>\*\*)?(?:(?:因此|所以|综上|综上所述)?，?{ANSWER}(?P<answer>[A-H])|{CHOOSE}(?P<choose>[A-H]))"
    rf"|[。；！，]\n?{CONCLUSION}(?P<conclusion>[A-H]))[。.]?(?(bold)\*\*|)\Z"
)
TAIL = 20  # characters in which a closing conclusion stands
# Signs that may be more than prose: letters, a tag, another width or script. Quotes and dashes are prose.
SIGNS = re.compile(
    dressing.unusual().pattern[:-1]
    + r"A-Za-zⒶ-ⓩ>\r\u2000-\u2013\u2015-\u2017\u201a\u201b\u201e-\u2025\u2027-\u2bff\ufe0f]"
)
# Words that may be more: doubt, an example, another question. Each begins with literal characters, which is fast.
WORDS = re.compile(
    "题目|格式|示例|例如|比如|不太[确肯]|不是很[确肯]|不大[确肯]|不敢[确肯]|不可[确肯]|不确|不肯|不好说|没把|没有把|没有十|没十|拿不准|说不准"
    "|不能(?:[确肯判断得给]|选择|作答|回答)|无法|难以|没法"
)
# What may stand inside an option's text that is written otherwise than in the question.
LOOSE = re.compile("[^\\S\n]|[\u2e80-\u2fdf\uf900-\ufaff]")


def plain(text: str, question: Question) -> tuple[str, str] | None:
    """Read the forms that most responses have.

    Parameters
    ----------
    text : str
        The response, untouched.
    question : Question
        What was asked.

    Returns
    -------
    tuple of (str, str) or None
        The label and the rule; None where the whole reading is needed.
    """
    texts = question.texts
    if texts.lettered:
        return None
    if len(text) <= ALONE_MOST and (alone := ALONE.fullmatch(text)):
        group = alone.lastindex or 1
        return _shown(alone[group], RULES[group], question)
    if text[1:2] in SETS_OFF and (labelled := WITH_TEXT.match(text)) and (own := question.own(labelled[1])) is not None:
        rest = text[labelled.end() :]
        if rest and rest.removesuffix("。") == texts.texts[own] and texts.prosaic:
            return labelled[1], "label and text"
    return _at_either_end(text, question)


def _at_either_end(text: str, question: Question) -> tuple[str, str] | None:
    """Read a label that opens the response, or a conclusion that closes it, where all else is prose of other things."""
    front = FRONT.match(text)
    found = front or CLOSING.search(text, max(0, len(text) - TAIL))
    if found is None:
        return None
    after, before = (found.end(), len(text)) if front else (0, found.start())
    if SIGNS.search(text, after, before) or WORDS.search(text, after, before):
        return None
    texts = question.texts
    exact = texts.prosaic and not LOOSE.search(text)  # then an option can only stand there as it was shown
    for written in texts.texts if exact else texts.beginnings:
        if written in text:
            return None
    if front is None and "\n" in text and (text[0] in "【[\n" or "答案" in text[:before] or NEXT.search(text)):
        return None
    rule = found.lastgroup or ""
    return _shown(found[rule], rule, question)


def _shown(letter: str, rule: str, question: Question) -> tuple[str, str] | None:
    """Give what was read, where the question has that label."""
    return None if question.own(letter) is None else (letter, rule)
