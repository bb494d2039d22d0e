"""What clauses say of a doctor's answer, and whether they could deny a verdict; in Chinese and English, narrowly."""

from __future__ import annotations

import re

from medzh_score.configs.cmhe_hd_words import NO, YES
from medzh_score.extraction.cmhe_hd_cues import (
    ABOUT,
    CLAUSE,
    CONTRAST,
    FALSE,
    HEDGE,
    NEGATION,
    OPEN,
    PATIENT,
    PRAISED,
    SPARED,
    STANCE,
    TRUE,
)

_BAD = r"(?:不真实|不属实|不实|虚假|有?误导性?|错误|不准确)"
_BADS = rf"{_BAD}(?:的?(?:、|和|或者?|与|以及|及)?{_BAD})*的?(?:信息|内容|成分|之处|说法)?"
_GOOD = r"(?:正确|准确|真实|属实|可靠|合理|准确无误)"
_I = r"(?:(?:我|本人)(?:认为|判断|觉得))?"
_DOCTOR = r"(?:该|这位|这个)?(?:医生|医师|大夫)"
_ANSWER = rf"{_I}(?:{_DOCTOR}的?|该|此|上述)?(?:(?:回答|回复|答复)(?:的?内容)?)?中?"
_ADVICE = rf"{_I}{_DOCTOR}的(?:回答|回复|答复|建议)"
_MUCH = r"(?:一些|一定的?|明显的?|严重的?)?"
_WRONG = r"(?:untrue|misleading|false|inaccurate|incorrect|erroneous)"
_WRONGS = rf"{_WRONG}(?:(?:\s+or|\s+and|\s+nor|/)\s*{_WRONG})*"
_RIGHT = r"(?:accurate|correct|truthful|true|reliable|appropriate)"
_RIGHTS = rf"{_RIGHT}(?:\s+and\s+{_RIGHT})?"
_THE = (
    r"(?:(?:in\s+my\s+opinion|i\s+(?:think|believe))\s+(?:that\s+)?)?"
    r"(?:the|this)\s+(?:doctor's\s+)?(?:answers?|responses?|reply|replies|advice)"
)
_INFORMATION = (
    rf"(?:any\s+|some\s+)?{_WRONGS}\s+(?:information|claims?|content|statements?)"
    r"(?:\s+(?:about|on|regarding)\s+[\w\s-]+)?"
)
_HAS = r"(?:contains?|includes?|provides?|has|have)"
_HAS_NOT = r"(?:(?:does|do)(?:\s+not|n't)\s+(?:contain|include|provide|have)|contains?\s+no)"
_IS_NOT = r"(?:is|are)(?:\s+not|n't)"
SAID = {
    YES: re.compile(
        rf"{_ANSWER}(?:确实)?(?:存在|包含|含有?|有|带有|具有)(?:了|着)?{_MUCH}{_BADS}"
        rf"|{_ANSWER}(?<=[答复中])(?:存在|有)(?:一些|明显的?|严重的?)?问题"
        rf"|{_ADVICE}(?:是(?:错误|虚假|不正确|不准确|不真实)的|不正确|不准确|不真实|有误|并?不{_GOOD})"
        rf"|{_ADVICE}(?:并非|并不是)没有(?:任何)?{_BADS}|{_DOCTOR}(?:给出|提供)了?{_MUCH}{_BADS}"
        rf"|{_THE}\s+(?:{_HAS}\s+{_INFORMATION}|(?:is|are)\s+{_WRONGS}|{_IS_NOT}\s+{_RIGHTS})"
        rf"|there\s+is\s+{_INFORMATION}\s+in\s+{_THE}",
        re.IGNORECASE,
    ),
    NO: re.compile(
        rf"{_ANSWER}(?:并?(?:没有|未)(?:包含|存在|含有?|发现|出现)?|并?不(?:包含|存在|含有?)|并?无)(?:任何|明显的?)?{_BADS}"
        rf"|{_ANSWER}(?<=[答复中])(?:并?没有|并?不存在|并?无)(?:任何|明显的?)?问题"
        rf"|{_ADVICE}(?:是{_GOOD}的|{_GOOD})|{_DOCTOR}(?:并?没有|并?未)(?:给出|提供)(?:任何)?{_BADS}"
        rf"|{_THE}\s+(?:{_HAS_NOT}\s+{_INFORMATION}|(?:is|are)\s+{_RIGHTS}|{_IS_NOT}\s+{_WRONGS}"
        rf"|(?:is|are)\s+neither\s+{_WRONGS}"
        rf"|(?:is|are)\s+{_RIGHTS}\s+and\s+(?:{_HAS_NOT}\s+{_INFORMATION}|not\s+{_WRONGS}))"
        rf"|there\s+is\s+no\s+{_INFORMATION}(?:\s+in\s+(?:{_THE}|the\s+dialog(?:ue)?))?|nothing\s+misleading(?:\s+here)?",
        re.IGNORECASE,
    ),
}


def clauses(text: str) -> list[str]:
    """Take a text apart at stops, commas, colons and "but".

    Parameters
    ----------
    text : str
        Without markup.
    """
    found = [one.group().strip(" \n\"'()[]（）【】“”「」—–-") for one in CLAUSE.finditer(text.replace("’", "'"))]
    return [one for one in found if one]


def stated(clause: str) -> str | None:
    """Read a clause that is, as a whole, one of a few forms.

    Parameters
    ----------
    clause : str
        Of a response.

    Returns
    -------
    str or None
        ``Yes`` where it says that the answer holds what is false, ``No`` where it says that it does not, else None.

    Examples
    --------
    >>> stated("医生的回答包含误导信息"), stated("The answer is accurate"), stated("我不同意该回答存在误导信息")
    ('Yes', 'No', None)
    """
    return next((value for value, form in SAID.items() if form.fullmatch(clause)), None)


def denies(clause: str, value: str) -> bool:
    """Say whether a clause could deny a verdict.

    Parameters
    ----------
    clause : str
        Of a response.
    value : str
        The verdict.

    Examples
    --------
    >>> denies("准确", "Yes"), denies("剂量有误", "Yes"), denies("剂量有误", "No")
    (True, False, True)
    """
    said = stated(clause)
    if said:
        return said != value
    left, wrong = FALSE.subn("#", clause)
    left, right = TRUE.subn("#", left)
    negated = NEGATION.search(left) is not None
    if value == NO:
        return wrong > 0 or (right > 0 and negated)
    return right > 0 or (wrong > 0 and (negated or PATIENT.search(clause) is not None))


def takes_back(clause: str, value: str) -> bool:
    """Say whether a clause could take a statement before it back, or leave it open.

    Parameters
    ----------
    clause : str
        Of a response, after a statement.
    value : str
        What the statement says.

    Examples
    --------
    >>> takes_back("我不这么认为", "No"), takes_back("结核病可能复发", "No"), takes_back("医生可能记错了", "No")
    (True, False, True)
    """
    about = ABOUT.search(clause) is not None
    return denies(clause, value) or STANCE.search(clause) is not None or (about and hedged(clause))


def denies_anything(clause: str) -> bool:
    """Say whether a clause has a word that denies.

    Parameters
    ----------
    clause : str
        Of a response.
    """
    return NEGATION.search(clause) is not None


def excepted(text: str) -> bool:
    """Say whether a text has a word that makes an exception.

    Parameters
    ----------
    text : str
        A response, or a part of it.
    """
    return CONTRAST.search(text) is not None


def hedged(text: str) -> bool:
    """Say whether a text has a word that leaves it open.

    Parameters
    ----------
    text : str
        A response.
    """
    return HEDGE.search(text.replace("’", "'")) is not None


def left_open(text: str) -> bool:
    """Say whether a text has a word that leaves a verdict open wherever it stands.

    Parameters
    ----------
    text : str
        A response.
    """
    return OPEN.search(text.replace("’", "'")) is not None


def without_reports(text: str) -> str:
    """Take out what a doctor is praised for saying, and the risks that something lowers.

    Parameters
    ----------
    text : str
        Without markup.

    Examples
    --------
    >>> without_reports("否，医生正确指出抗生素对病毒无效。")
    '否，医生正确指出。'
    """
    return SPARED.sub("", PRAISED.sub(r"\1", text))
