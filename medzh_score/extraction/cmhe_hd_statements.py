"""What clauses say of a doctor's answer, and whether they could deny a verdict; in Chinese and English, narrowly."""

from __future__ import annotations

import re

from medzh_score.configs.cmhe_hd_words import NO, YES

CLAUSE = re.compile(
    r"(?:(?!但是?|不过|然而|\b(?:but|however)\b)(?:[^，。；！？\n,;!?：:.]|\.(?!\s|$)))+", re.IGNORECASE
)
HEDGE = re.compile(
    r"可能|也许|或许|大概|似乎|好像|疑似|不确定|无法|难以|不能(?:完全)?(?:确定|判断|确认|肯定|回答|提供)|很难|几乎|不好说|说不准|未必|不一定|是否|是不是|如果|假如|除非|若|抱歉"
    r"|\b(?:may|might|could|maybe|perhaps|possibly|probably|seem(?:s|ed)?|appears?|likely|unsure|uncertain|unclear"
    r"|cannot|can't|unable|whether|if|depends?|hard to|difficult to|not sure|hardly|almost|sorry)\b",
    re.IGNORECASE,
)
# Wide on purpose: these only deny.
FALSE = re.compile(
    r"不真实|不属实|不实|虚假|误导|错误|不准确|不正确|不对|有误|不妥|欠妥|欠准确|不合理"
    r"|不合适|不恰当|不当|不可靠|不可信|不成立|幻觉|谬误|谣言"
    r"|错|问题|危险|害|漏洞|失误|延误|违背|违反|风险|致命"
    r"|\b(?:untrue|misleading|misleads?|false|inaccura\w+|incorrect\w*|misinformation|erroneous|errors?|mistak\w+|wrong\w*"
    r"|hallucinat\w+|dangerous\w*|harmful|unsafe|problem\w*|issues?|bad|inappropriate|unreliable|flaw\w*"
    r"|contradict\w*|outdated|unsupported|delay\w*|kill\w*|harm\w*|risk\w*)\b",
    re.IGNORECASE,
)
TRUE = re.compile(
    r"正确|准确|真实|属实|无误|可靠|可信|合理|合适|恰当|妥当|对(?![于象照比待面方症应])|没错|靠谱|科学|好|专业|道理|符合|有帮助|有效|可行|可取|全面|同意|赞同"
    r"|\b(?:accura\w+|correct\w*|true|truth\w*|reliable|appropriate\w*|sound|factual\w*|reasonable|right|fine|good|valid"
    r"|safe|okay|ok|agree\w*"
    r"|helpful|sensible|follows?|consistent|agrees|professional|useful|adequate|well|supported|evidence-based)\b",
    re.IGNORECASE,
)
NEGATION = re.compile(
    r"[没沒不无無未非勿别莫欠缺]|避免|排除|杜绝|纠正|澄清|失|绝无|否|[难難]|几乎|反驳|怀疑"
    r"|\b(?:no|not|without|nothing|none|neither|nor|never|free of|avoid\w*|lack\w*|hardly|far from|exclud\w+|doubt\w*"
    r"|disagree\w*|rul\w+ out|correct(?:s|ed) the|refut\w+|den(?:y|ies)|barely|fail\w*|devoid)\b|n't\b",
    re.IGNORECASE,
)
PATIENT = re.compile(r"患者|病人|网上|\b(?:patient|user|internet)", re.IGNORECASE)

_BAD = r"(?:不真实|不属实|不实|虚假|有?误导性?|错误|不准确)"
_BADS = rf"{_BAD}(?:的?(?:、|和|或者?|与|以及|及)?{_BAD})*的?(?:信息|内容|成分|之处|说法)?"
_GOOD = r"(?:正确|准确|真实|属实|可靠|合理|准确无误)"
_ANSWER = r"(?:该|这位|这个)?(?:医生|医师|大夫)?的?(?:回答|回复|答复)(?:的?内容)?中?"
_ADVICE = r"(?:该|这位)?(?:医生|医师|大夫)的(?:回答|回复|答复|建议)"
_WRONG = r"(?:untrue|misleading|false|inaccurate|incorrect|erroneous)"
_WRONGS = rf"{_WRONG}(?:(?:\s+or|\s+and|\s+nor|/)\s*{_WRONG})*"
_RIGHT = r"(?:accurate|correct|truthful|true|reliable|appropriate)"
_RIGHTS = rf"{_RIGHT}(?:\s+and\s+{_RIGHT})?"
_THE = r"(?:the|this)\s+(?:doctor's\s+)?(?:answers?|responses?|reply|replies|advice)"
_INFORMATION = rf"{_WRONGS}\s+(?:information|claims?|content|statements?)"
SAID = {
    YES: re.compile(
        rf"{_ANSWER}(?:存在|包含|含有?|有|带有|具有)了?(?:一些|明显的?|严重的?)?(?:{_BADS}|问题)"
        rf"|{_ADVICE}(?:是(?:错误|虚假|不正确|不准确|不真实)的|不正确|不准确|不真实|有误|并?不{_GOOD})"
        rf"|{_THE}\s+(?:(?:contains?|includes?|provides?|has|have)\s+(?:some\s+)?{_INFORMATION}"
        rf"|(?:is|are)\s+{_WRONGS}|(?:is|are)(?:\s+not|n't)\s+{_RIGHTS})"
        rf"|there\s+is\s+{_INFORMATION}\s+in\s+{_THE}",
        re.IGNORECASE,
    ),
    NO: re.compile(
        rf"{_ANSWER}(?:并?(?:没有|未)(?:包含|存在|含有?|发现)?|并?不(?:包含|存在|含有?)|并?无)(?:任何|明显的?)?(?:{_BADS}|问题)"
        rf"|{_ADVICE}(?:是{_GOOD}的|{_GOOD})|(?:没有|未发现|无)(?:任何)?{_BADS}"
        rf"|{_THE}\s+(?:(?:does|do)(?:\s+not|n't)\s+(?:contain|include|provide|have)\s+(?:any\s+)?{_INFORMATION}"
        rf"|contains?\s+no\s+{_INFORMATION}|(?:is|are)\s+{_RIGHTS}|(?:is|are)(?:\s+not|n't)\s+{_WRONGS}"
        rf"|(?:is|are)\s+neither\s+{_WRONGS})"
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


def says_nothing(clause: str) -> bool:
    """Say whether a clause neither calls anything true or false nor denies or hedges anything.

    Parameters
    ----------
    clause : str
        Of a response.
    """
    return not any(pattern.search(clause) for pattern in (FALSE, TRUE, NEGATION, HEDGE))


def hedged(text: str) -> bool:
    """Say whether a text has a word that leaves it open.

    Parameters
    ----------
    text : str
        A response.
    """
    return HEDGE.search(text.replace("’", "'")) is not None
