"""The forms that most responses have, read sooner: what they say is what `option_letters` says of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medzh_score.extraction.option_texts import OptionTexts

# A label that is all, maybe announced.
ALONE = re.compile(
    r"(?:([A-H])"
    r"|(?:【?(?:正确|最佳|参考|标准|本题)?答案】?(?:应?[是为])?[：:]? ?)([A-H])|故选([A-H])|应选([A-H]))[.。]?"
)
RULES = ("", "label", "answer", "conclusion", "choose")
ALONE_MOST = 12  # characters of such a text
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


def plain(text: str, texts: OptionTexts) -> tuple[str, str] | None:
    """Read the forms that most responses have.

    Parameters
    ----------
    text : str
        The response, untouched.
    texts : OptionTexts
        Of the question's options.

    Returns
    -------
    tuple of (str, str) or None
        The label and the rule; None where the whole reading is needed.
    """
    if len(text) <= ALONE_MOST:
        alone = ALONE.fullmatch(text)
        if alone is None or texts.lettered:
            return None
        group = alone.lastindex or 1
        return alone[group], RULES[group]
    front = FRONT.match(text)
    if front is not None:
        if MORE.search(text, front.end()) or texts.lettered or _names_an_option(text, texts):
            return None
        return (front[1], "answer") if front[1] else (front[2], "label")
    closing = CLOSING.search(text, max(0, len(text) - TAIL))
    if closing is None or MORE.search(text, 0, closing.start()) or texts.lettered or _names_an_option(text, texts):
        return None
    return (closing[1], "answer") if closing[1] else (closing[2], "conclusion")


def _names_an_option(text: str, texts: OptionTexts) -> bool:
    return any(written in text for written in texts.beginnings)
