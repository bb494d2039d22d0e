"""What the parts around a verdict say of it: whether one denies it, takes it back, leaves it open or bears it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.configs.cmhe_hd_words import NO, YES
from medzh_score.extraction import cmhe_hd_support
from medzh_score.extraction import yes_no_wordings as wordings
from medzh_score.extraction.cmhe_hd_cues import ABOUT, CONTRAST, FALSE, HEDGE, NEGATION, PATIENT, STANCE, TRUE
from medzh_score.extraction.yes_no_parts import Cue

if TYPE_CHECKING:
    from collections.abc import Sequence

CHINESE, ENGLISH = wordings.STATEMENTS[:4], wordings.STATEMENTS[4:]


def stated(part: str) -> tuple[str, str] | None:
    """Read a part that is, as a whole, one of a few forms.

    Parameters
    ----------
    part : str
        Of a response, without space or quotes around it.

    Returns
    -------
    tuple of (str, str) or None
        What it says, and the name of the wording.

    Examples
    --------
    >>> stated("医生的回答包含误导信息"), stated("The answer is accurate"), stated("我不同意该回答存在误导信息")
    (('Yes', 'holds'), ('No', 'is accurate'), None)
    """
    for wording in ENGLISH if part.isascii() else CHINESE:
        if wording.expression.match(part) and wording.value:
            return wording.value, wording.name
    return None


def denies(part: str, cues: int, value: str) -> bool:
    """Say whether a part could deny a verdict.

    Parameters
    ----------
    part : str
        Of a response.
    cues : int
        What it may hold.
    value : str
        The verdict.

    Examples
    --------
    >>> every = ~0
    >>> denies("准确", every, "Yes"), denies("剂量有误", every, "Yes"), denies("剂量有误", every, "No")
    (True, False, True)
    """
    if not cues & (Cue.TRUE | Cue.FALSE):
        return False
    if value == YES and not cues & Cue.TRUE and not cues & (Cue.NEGATION | Cue.PATIENT):
        return False
    if value == NO and not cues & Cue.FALSE and not cues & Cue.NEGATION:
        return False
    said = stated(part.strip(" \n\"'“”-"))
    if said:
        return said[0] != value
    if value == YES:
        part = wordings.HARMED.sub("#", wordings.RIGHT_THING.sub("#", part))
    elif cues & Cue.NEGATION and wordings.NONE_OF_IT.fullmatch(part):
        return False
    left, wrong = FALSE.subn("#", part)
    left, right = TRUE.subn("#", left)
    negated = cues & Cue.NEGATION and NEGATION.search(left) is not None
    if value == NO:
        return bool(wrong or (right and negated))
    return bool(right or (wrong and (negated or PATIENT.search(part))))


def takes_back(part: str, cues: int, value: str) -> bool:
    """Say whether a part could take a statement before it back, or leave it open.

    Parameters
    ----------
    part : str
        Of a response, after a statement.
    cues : int
        What it may hold.
    value : str
        What the statement says.

    Examples
    --------
    >>> [takes_back(part, ~0, "No") for part in ("我不这么认为", "结核病可能复发", "医生可能记错了")]
    [True, False, True]
    """
    if denies(part, cues, value) or (cues & Cue.STANCE and STANCE.search(part)):
        return True
    return bool(cues & Cue.HEDGE and ABOUT.search(part) and HEDGE.search(part))


def judged_before(part: str, cues: int, value: str) -> bool:
    """Say whether a part before a conclusion judges the answer otherwise, or is another's view.

    Parameters
    ----------
    part : str
        Of a response, before a statement.
    cues : int
        What it may hold.
    value : str
        What the statement says.

    Examples
    --------
    >>> judged_before("医生的说法有误", ~0, "No"), judged_before("青霉素过敏者有风险", ~0, "No")
    (True, False)
    """
    if cues & Cue.STANCE and wordings.OTHERS.search(part):
        return True
    return value == NO and denies(part, cues, value) and wordings.OF_THE_ANSWER.search(part) is not None


def bears_out(text: str, parts: Sequence[tuple[int, int, int]], value: str) -> bool:
    """Say whether something beside a verdict gives a reason for it, and not what any doctor might say.

    Parameters
    ----------
    text : str
        A response.
    parts : sequence of (int, int, int)
        Start, end and cues of what stands around the verdict.
    value : str
        The verdict.
    """
    told = False  # what the doctor says has been told
    for start, end, cues in parts:
        part = text[start:end].strip(" \n\"'()[]（）【】“”「」—–-")
        if told and value == YES and wordings.THAT_IS_WRONG.match(part):
            return True
        told = told or wordings.DOCTOR_SAYS.search(part) is not None
        found = stated(part) if cues & Cue.STATEMENT else None
        if (found and found[0] == value) or cmhe_hd_support.supports(part, value):
            return True
    return False


def hedged(text: str) -> bool:
    """Say whether a text has a word that leaves it open.

    Parameters
    ----------
    text : str
        Of a response.
    """
    return HEDGE.search(text) is not None


def unsure(text: str) -> bool:
    """Say whether a text says in its own voice that it cannot tell.

    Parameters
    ----------
    text : str
        A response.

    Examples
    --------
    >>> unsure("我不太确定。"), unsure("抗生素无法治疗病毒感染。")
    (True, False)
    """
    return wordings.UNSURE.search(text) is not None


def excepted(text: str) -> bool:
    """Say whether a text has a word that makes an exception.

    Parameters
    ----------
    text : str
        A response, or a part of it.
    """
    return CONTRAST.search(text) is not None
