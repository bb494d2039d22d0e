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
WITH_TEXT = re.compile(r"([A-H])[.、] ?")
# A label at the beginning, with prose behind it, in which nothing takes it back.
FRONT = re.compile(
    r"(?P<bold>\*\*)?(?:(?:【?(?:正确|最佳|参考|标准|本题)?答案】?(?:应?[是为])?[：:]? ?)([A-H])|([A-H]))"
    r"(?:(?(bold)\*\*|(?!\*))(?=\n)|(?(bold)(?!)|)(?=。))"
    r"(?![^\0]{0,16}(?:[更修纠订正]|改[为选成]|应改|不对|[错误有×]|重新|[再仔复][看想查思次检审核细]|等|吗))"
)
# A conclusion that ends the response.
CLOSING = re.compile(
    r"(?:[。；！]\n*(?P<bold>\*\*)?(?:因此|所以)?，?(?:正确|最佳|参考|标准|本题)?答案(?:应?[是为])?[：:]?([A-H])"
    r"|[。；！，]\n?故选([A-H]))[。.]?(?(bold)\*\*|)\Z"
)
TAIL = 20  # characters in which a closing conclusion stands
# Signs that may be more than prose: letters, a tag, another width or script. Quotes and dashes are prose.
SIGNS = re.compile(
    dressing.unusual().pattern[:-1]
    + r"A-Za-zⒶ-ⓩ>\r\u2000-\u2013\u2015-\u2017\u201a\u201b\u201e-\u2025\u2027-\u2bff\ufe0f]"
)
# Words that may be more: doubt, refusal, an example, another question.
WORDS = re.compile(
    "题目|首选|无法|难以|把握|拿不|说不|确定|肯定|抱歉|对不起|不能|不便|不会|不知|不清|不好|格式|示例|例如|比如"
)


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
    if (labelled := WITH_TEXT.match(text)) and (own := question.own(labelled[1])) is not None:
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
    for written in question.texts.beginnings:
        if written in text:
            return None
    if front is None and "\n" in text and (text[0] in "【[\n" or "答案" in text[:before] or NEXT.search(text)):
        return None
    return _shown(found[2] or found[3], ("answer" if found[2] else "label" if front else "conclusion"), question)


def _shown(letter: str, rule: str, question: Question) -> tuple[str, str] | None:
    """Give what was read, where the question has that label."""
    return None if question.own(letter) is None else (letter, rule)
