"""Whether what stands beside a verdict says the same: `Yes, the advice is wrong`, but not `Yes, drink more water`.

A model that answers as if it were the doctor begins in the same way as one that answers the prompt: "Yes, patients
with hypertension need treatment", 是的，建议尽快就医. Such a word is an answer only where a reason of the model's own
follows.
"""

from __future__ import annotations

import re

from medzh_score.configs.cmhe_hd_words import NO, YES
from medzh_score.extraction.cmhe_hd_cues import FALSE, NEGATION, PATIENT, TRUE
from medzh_score.extraction.cmhe_hd_statements import clauses, stated

# Words that answer a person; the prompts ask for others. They need a reason even before a full stop.
SPOKEN = frozenset({"是的", "有的", "不是的", "不是", "不", "没", "肯定", "肯定的"})
SENTENCE = re.compile(r"[^。！？!?\n.]*(?:\.(?!\s|$)[^。！？!?\n.]*)*")
LINE = re.compile(r".*")
FIELD = re.compile(r"\s*,\s*[\n\"]")  # the next field of an object
ANNOUNCES = re.compile(
    r"(?:具体|理由|原因|解释|说明|依据)*(?:见|如|是|为)?(?:上|下|前述|上述|以上|以下)?(?:所[述示])?(?:几[点条])?"
    r"|</?answer>|(?:see\s+(?:above|below)|as\s+follows|(?:my\s+|the\s+)?(?:reasons?|explanation)(?:\s+(?:is|are))?(?:\s+as\s+follows)?)",
    re.IGNORECASE,
)
# The answer, its advice or its claims, as what is judged; not the doctor as one who says something.
_NOUN = r"(?:回答|答复|回复|建议|说法|解释|观点|推荐|内容|表述|描述|做法|信息|剂量|用量)"
JUDGED = re.compile(
    rf"(?:医生|医师|大夫)的?{_NOUN}|(?:该|这个|这种|此|上述){_NOUN}|(?:回答|答复|回复)"
    r"|\b(?:doctor|physician)'s\s+\w+|\b(?:the|this)\s+(?:answers?|response|reply|replies|advice|recommendation|suggestion"
    r"|claim|statement|explanation|information|dose|dosage)\b|\b(?:everything|all)\s+(?:that\s+)?the\s+doctor\b",
    re.IGNORECASE,
)
SPEAKER = re.compile(
    r"(?:医生|医师|大夫)(?:给出|提供|说错|说得|说的|没有?说错|(?:正确|准确|错误)(?!的))|\bthe\s+(?:doctor|physician)\s+(?:is|was|made|makes|gave|gives"
    r"|provide[sd]|\w+ly)\b",
    re.IGNORECASE,
)
_THINGS = r"(?:疾?病|药物?|治疗|结构|器官|骨|疗法|检查|症)"
SAYS: dict[str, re.Pattern[str]] = {
    YES: re.compile(
        rf"误导|不实|虚假|不真实|编造|捏造|(?:医生|医师|大夫)[却竟]|(?:这种|这个|该|”){_THINGS}?[^，。]{{0,4}}不存在"
        r"|\b(?:untrue|misleading|misinformation|hallucinat\w+|fabricat\w+"
        r"|no\s+such\s+(?:disease|bone|organ|drug|medicine|treatment|condition))\b",
        re.IGNORECASE,
    ),
    NO: re.compile(
        r"符合[^，。]{0,6}(?:医学|临床|诊疗|指南|常识|规范|共识)"
        r"|\b(?:in\s+line|consistent|in\s+accordance|complies|agrees)\s+with\b",
        re.IGNORECASE,
    ),
}
_BAD = re.compile(
    r"错|误|不正确|不准确|\b(?:wrong\w*|incorrect\w*|false\w*|inaccura\w+|mistak\w+|errors?)\b", re.IGNORECASE
)
WISH = re.compile(r"应|若|希望|\b(?:should|would|ought|must|needs?)\b", re.IGNORECASE)
# "It" is the answer only in the words of the question.
IT = {
    YES: re.compile(
        r"(?:剂量|用量)(?:明显)?(?:[过偏太][大高小低]|有误|不对)了?|it\s+(?:does|(?:does\s+)?contains?\b.{3,60}|is\s+(?:untrue|misleading)(?:\s+or\s+\w+)?)",
        re.IGNORECASE,
    ),
    NO: re.compile(
        r"it\s+(?:does(?:\s+not|n't)(?:\s+contain\b.{3,60})?|contains\s+no\b.{3,60}|is(?:\s+not|n't)\s+(?:untrue|misleading))",
        re.IGNORECASE,
    ),
}


def stands_alone(text: str, word: str, end: int) -> bool:
    """Say whether a verdict is a sentence of its own; one that answers a person must be a line of its own.

    Parameters
    ----------
    text : str
        The response.
    word : str
        The verdict.
    end : int
        Where it ends.

    Examples
    --------
    >>> stands_alone("是。注意休息。", "是", 1), stands_alone("是的。注意休息。", "是的", 2)
    (True, False)
    """
    if FIELD.match(text, end):
        return True
    found = (LINE if word.lower() in SPOKEN else SENTENCE).match(text, end)
    return found is None or all(ANNOUNCES.fullmatch(one) for one in clauses(found.group()))


def supports(clause: str, value: str) -> bool:
    """Say whether a clause gives a reason for a verdict, and not what any doctor might say.

    Parameters
    ----------
    clause : str
        Of a response.
    value : str
        The verdict.

    Examples
    --------
    >>> supports("该剂量有误", "Yes"), supports("过量有害", "Yes"), supports("医生的建议合理", "No")
    (True, False, True)
    """
    if stated(clause) == value or IT[value].fullmatch(clause):
        return True
    left, wrong = FALSE.subn("#", clause)
    left, right = TRUE.subn("#", left)
    says = SAYS[value].search(clause) is not None
    if value == NO:
        judged = JUDGED.search(clause) is not None or SPEAKER.search(clause) is not None
        right_now = right > 0 and not wrong and not NEGATION.search(left) and not WISH.search(clause)
        return says or (judged and right_now)
    if PATIENT.search(clause):
        return False
    negated = NEGATION.search(SAYS[YES].sub("#", left)) is not None
    judged = JUDGED.search(clause) is not None or (SPEAKER.search(clause) and _BAD.search(clause)) is not None
    return says or (wrong > 0 and judged and not negated)
