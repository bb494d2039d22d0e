"""The forms that most responses have, read sooner: what they say is what `option_letters` says of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medzh_score.extraction.option_texts import OptionTexts
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
    r"(?:(?:【?(?:正确|最佳|参考|标准|本题)?答案】?(?:应?[是为])?[：:]? ?)([A-H])|([A-H]))(?=。)"
    r"(?![^\0]{0,16}(?:[更修纠订]正|改[为选成]|应改|不对|错|误|重新|[再仔复][看想查思次检审核细]|等|吗))"
)
# A conclusion that ends the response.
CLOSING = re.compile(
    r"(?:[。；！]\n?(?:因此|所以)?，?(?:正确|最佳|参考|标准|本题)?答案(?:应?[是为])?[：:]?([A-H])|[。；！，]\n?故选([A-H]))[。.]?\Z"
)
TAIL = 16  # characters in which a closing conclusion stands
# What may be more than prose: letters, another line, a tag, doubt, refusal, an example.
MORE = re.compile(
    r"[A-Za-zＡ-Ｚａ-ｚⒶ-ⓩ\u2000-\u2bff\ufe0f\U0001f000-\U0001faff<>\n\r\\{}*_`~$#\u200b-\u200d\ufeff]|题目|首选"
    r"|无法|难以|把握|拿不|说不|确定|肯定|抱歉|对不起|不能|不便|不会|不知|不清|不好"
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
    found = FRONT.match(text)
    before, after = (len(text), found.end()) if found else (0, 0)
    if found is None:
        found = CLOSING.search(text, max(0, len(text) - TAIL))
        before = found.start() if found else 0
    if found is None or MORE.search(text, after, before) or _names_an_option(text, texts):
        return None
    other = "label" if after else "conclusion"
    return _shown(found[1] or found[2], "answer" if found[1] else other, question)


def _shown(letter: str, rule: str, question: Question) -> tuple[str, str] | None:
    """Give what was read, where the question has that label."""
    return None if question.own(letter) is None else (letter, rule)


def _names_an_option(text: str, texts: OptionTexts) -> bool:
    return any(written in text for written in texts.beginnings)
