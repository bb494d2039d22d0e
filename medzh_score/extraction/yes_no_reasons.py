"""What the parts around a verdict say of it: whether one denies it, takes it back, leaves it open or bears it out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.configs.cmhe_hd_words import NO, YES
from medzh_score.extraction import cmhe_hd_cues as cues_of
from medzh_score.extraction import cmhe_hd_support
from medzh_score.extraction import yes_no_marks as marks
from medzh_score.extraction import yes_no_wordings as wordings
from medzh_score.extraction.yes_no_parts import DOCTOR, FALSE, HEDGE, NEGATION, PATIENT, SAYS, STANCE, STATEMENT, TRUE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.yes_no_parts import Part

EDGES = " \n\"'()[]（）【】“”「」『』‘’—–*-"
BRIEF = 8  # characters in which a part says little but its praise
CHINESE, ENGLISH = wordings.STATEMENTS[:4], wordings.STATEMENTS[4:]


@lru_cache(maxsize=1 << 14)
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
    return _may_deny(cues, value) and _denies(part.strip(EDGES), value)


def _may_deny(cues: int, value: str) -> bool:
    if value == YES:
        return bool(cues & TRUE or (cues & FALSE and cues & (NEGATION | PATIENT)))
    return bool(cues & FALSE or (cues & TRUE and cues & NEGATION))


def commits_otherwise(part: str, cues: int, value: str) -> bool:
    """Say whether a part of another sentence commits itself to the other side: no reason why the verdict stands.

    Parameters
    ----------
    part : str
        Of a response, in a sentence that the verdict does not open.
    cues : int
        What it may hold.
    value : str
        The verdict.

    Examples
    --------
    >>> every = ~0
    >>> commits_otherwise("牙膏会增加感染风险", every, "No"), commits_otherwise("医生的说法有误", every, "No")
    (False, True)
    >>> commits_otherwise("冷水冲洗是正确的做法", every, "Yes"), commits_otherwise("医生说得对", every, "Yes")
    (False, True)
    """
    if not (cues & STANCE or cues & NEGATION or cues & SAYS or _may_deny(cues, value)):
        return False
    return _commits_otherwise(part.strip(EDGES), value)


@lru_cache(maxsize=1 << 14)
def _commits_otherwise(part: str, value: str) -> bool:
    if "是否" in part:
        part = marks.WHETHER.sub("", part)
    said = stated(part)
    if said:
        return said[0] != value
    if marks.GREETS.fullmatch(part) or marks.SELF_CRITICAL.search(part) or marks.DISCLAIMS.search(part):
        return False
    if marks.TAKEN_BACK.search(part):
        return True
    if marks.TWICE.search(part):
        return value == NO
    if value == YES:
        return marks.NOTHING_FALSE.search(part) is not None or _praises(part)
    return _blames(part)


def _blames(part: str) -> bool:
    """Tell whether a part says that the answer is wrong: not that something else is, or that nothing is."""
    left = marks.NOT_FALSE.sub("", part)
    if marks.INFORMS.search(left):
        left = marks.HARM.sub("", left)
    about = marks.OF_THE_ANSWER.search(left) is not None or marks.WHAT_IS_SAID.search(left) is not None
    if marks.UNFOUNDED.search(part):
        return about or marks.BARE.match(part) is not None
    left = marks.TOWARDS.sub("#", left)
    if cues_of.FALSE.search(left):
        return about or len(part) <= BRIEF or marks.BARE.match(left) is not None
    found = cues_of.TRUE.search(left)
    return found is not None and about and marks.NOT_TRUE.search(left) is not None


@lru_cache(maxsize=1 << 12)
def excepts(later: str, *, same: bool) -> bool:
    """Say whether an exception after No could be the one that matters.

    Parameters
    ----------
    later : str
        What follows in the sentence of No, or another sentence.
    same : bool
        Which of them.

    Examples
    --------
    >>> excepts("，但剂量说得含糊", same=True), excepts("虽然没有提到药膏，但建议是对的", same=False)
    (True, False)
    """
    found = (cues_of.CONTRAST if same else marks.LATER_CONTRAST).search(later)
    if found is None:
        return False
    if not (same or marks.OF_THE_ANSWER.search(later) or marks.WHAT_IS_SAID.search(later)):
        return False
    tail = later[found.end() :]
    left = marks.NOT_FALSE.sub("", tail)
    if cues_of.FALSE.search(left) or marks.NOT_TRUE.search(left):
        return True
    if not same and marks.OMITS.search(tail):
        return False
    return left == tail and cues_of.TRUE.search(tail) is None


def is_bare(part: str) -> bool:
    """Say whether a part has no subject of its own.

    Parameters
    ----------
    part : str
        Of a response.

    Examples
    --------
    >>> is_bare("这是错误的"), is_bare("医生的说法是错误的")
    (True, False)
    """
    said = part.strip(EDGES)
    return marks.BARE.match(said) is not None and cues_of.ABOUT.search(said) is None


def is_of_others(part: str) -> bool:
    """Say whether a part tells what others than the doctor think.

    Parameters
    ----------
    part : str
        Of a response.

    Examples
    --------
    >>> is_of_others("有人认为不用打疫苗"), is_of_others("医生认为不用打疫苗")
    (True, False)
    """
    return marks.OTHERS.search(part) is not None


def _praises(part: str) -> bool:
    """Tell whether a part says that the answer is right: not that something else is."""
    if marks.CONCEDES.match(part):
        return False
    left = marks.NOT_TRUE.sub("#", marks.HARMED.sub("#", marks.RIGHT_THING.sub("#", part)))
    left = cues_of.FALSE.sub("#", marks.TOWARDS.sub("#", left))
    if cues_of.TRUE.search(left) is None:
        return False
    return (
        marks.OF_THE_ANSWER.search(part) is not None
        or (marks.BARE.match(left) or marks.PRAISE.match(left)) is not None
        or (len(part) <= BRIEF and marks.ITEM.match(part) is None)
    )


@lru_cache(maxsize=1 << 14)
def _denies(part: str, value: str) -> bool:
    said = stated(part)
    if said:
        return said[0] != value
    if marks.CRITICISES.search(part) or marks.TWICE.search(part):
        return value == NO and marks.TWICE.search(part) is not None
    if value == YES:
        return _denies_yes(marks.HARMED.sub("#", marks.RIGHT_THING.sub("#", part)))
    if marks.NONE_OF_IT.fullmatch(part):
        return False
    left, wrong = cues_of.FALSE.subn("#", marks.TOWARDS.sub("#", marks.NOT_FALSE.sub("", part)))
    return wrong > 0 or (cues_of.TRUE.search(left) is not None and _negated(cues_of.TRUE.sub("#", left)))


def _denies_yes(part: str) -> bool:
    left, wrong = cues_of.FALSE.subn("#", marks.TOWARDS.sub("#", part))
    if wrong and (_negated(cues_of.TRUE.sub("#", left)) or _is_of_the_patient(part)):
        return True
    if cues_of.TRUE.search(left) is None:
        return False
    return marks.PRAISE.search(left) is not None or len(part) <= BRIEF or marks.OF_THE_ANSWER.search(part) is not None


def _is_of_the_patient(part: str) -> bool:
    return cues_of.PATIENT.search(part) is not None and cues_of.FALSE.search(marks.HARM.sub("", part)) is not None


def _negated(left: str) -> bool:
    return cues_of.NEGATION.search(marks.NO_NEGATION.sub("", left)) is not None


def takes_back(part: str, cues: int, value: str, *, same: bool = True) -> bool:
    """Say whether a part could take a statement before it back, or leave it open.

    Parameters
    ----------
    part : str
        Of a response, after a statement.
    cues : int
        What it may hold.
    value : str
        What the statement says.
    same : bool
        Whether it stands in the sentence of the statement.

    Examples
    --------
    >>> [takes_back(part, ~0, "No") for part in ("我不这么认为", "结核病可能复发", "医生可能记错了")]
    [True, False, True]
    """
    if (denies if same else commits_otherwise)(part, cues, value) or (cues & STANCE and cues_of.STANCE.search(part)):
        return True
    return bool(cues & HEDGE and cues_of.ABOUT.search(part) and hedged(part))


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
    if cues & STANCE and marks.OTHERS.search(part):
        return True
    return value == NO and denies(part, cues, value) and marks.OF_THE_ANSWER.search(part) is not None


def bears_out(text: str, parts: Sequence[Part], value: str) -> bool:
    """Say whether something beside a verdict gives a reason for it, and not what any doctor might say.

    Parameters
    ----------
    text : str
        A response.
    parts : sequence of Part
        What stands around the verdict.
    value : str
        The verdict.
    """
    told = False  # what the doctor says has been told
    needed = (TRUE if value == NO else FALSE | TRUE) | SAYS | STATEMENT
    for start, end, cues, _ in parts:
        if cues & needed or (value == NO and cues & DOCTOR and cues & FALSE):
            part = text[start:end].strip(EDGES)
            if (told and value == YES and marks.THAT_IS_WRONG.match(part)) or supports(part, value):
                return True
        told = told or (cues & DOCTOR > 0 and marks.DOCTOR_SAYS.search(text, start, end) is not None)
    return False


@lru_cache(maxsize=1 << 14)
def supports(part: str, value: str) -> bool:
    """Say whether a part of a sentence gives a reason for a verdict.

    Parameters
    ----------
    part : str
        Of a response, without space or quotes around it.
    value : str
        The verdict.

    Examples
    --------
    >>> supports("内容正确", "No"), supports("医生忽视了风险", "Yes"), supports("注意休息", "No")
    (True, True, False)
    """
    found = stated(part)
    if value == NO and (marks.ACCURATE.fullmatch(part) or marks.APPROVES.fullmatch(part)):
        return True
    if marks.SAYS_IT[value].fullmatch(part):
        return True
    if value == NO and cues_of.ABOUT.search(part) and marks.NOT_FALSE.search(part):
        return cues_of.FALSE.search(marks.NOT_FALSE.sub("", part)) is None and not cues_of.CONTRAST.search(part)
    if value == YES and marks.CRITICISES.search(part):
        return True
    if value == YES and marks.MISLEADS.search(part) and not _negated(cues_of.FALSE.sub("#", part)):
        return True
    return (found is not None and found[0] == value) or cmhe_hd_support.supports(part, value)


@lru_cache(maxsize=1 << 14)
def hedged(text: str) -> bool:
    """Say whether a text has a word that leaves it open.

    Parameters
    ----------
    text : str
        Of a response.
    """
    search = cues_of.HEDGE.search
    return search(text) is not None and search(marks.HARMS.sub("", text)) is not None


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
    return marks.UNSURE.search(text) is not None


def excepted(text: str) -> bool:
    """Say whether a text has a word that makes an exception.

    Parameters
    ----------
    text : str
        A response, or a part of it.
    """
    return cues_of.CONTRAST.search(text) is not None
