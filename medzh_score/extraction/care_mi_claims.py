"""The words in which a claim is affirmed or denied: verdicts on it, and its own verb with or without a negation."""

from __future__ import annotations

import re

_PARTICLE = r"(?:的|啊|呀|呢|了){0,2}"
_YES = re.compile(
    rf"(?:当然|确实|的确|就)?(?:是|对|正确|没错|不错|如此){_PARTICLE}|当然|确实|的确|同意|肯定|是这样{_PARTICLE}|答案是肯定的"
    r"|yes|true|correct|right|yeah|yep"
)
# Of a claim that itself denies, such as 不宜哺乳, these say that it is wrong; a bare 不是 may repeat it.
_WRONG = re.compile(
    rf"(?:当然|确实|的确|并)?(?:不对|不正确|错误|错|不同意|不成立){_PARTICLE}|答案是否定的|false|incorrect|wrong"
)
_NO = re.compile(
    rf"(?:当然|确实|的确|并)?(?:不是|不|否|不可能){_PARTICLE}|并非|并非如此|非也|(?:并)?不是这样{_PARTICLE}|no"
)
_SAYING = re.compile(
    r"(?:这|该|此|上述|以上|题中|题目中|题目|问题中|你|您)?(?:的|个|种|一|所述)*"
    r"(?:说法|陈述|观点|描述|表述|判断|论述|命题|理解)(?:是|为)?(?:完全)?"
    r"(?:(?P<yes>正确|对|准确|成立|属实)|(?P<no>不正确|不对|不准确|不成立|不属实|错误|错|有误))的?"
)
_NEGATED = re.compile(r"不[是为宜能可应会得需必要]|没有|无需|无须|禁止")
# Verbs of claims: an answer may use another of the same set. The longest stands first.
_VERBS = (
    ("可能会", "有可能", "可能"),
    ("可以", "能够", "能", "会", "可"),
    ("有助于", "有帮助", "助于", "有"),
    ("应该", "应当", "应", "需要", "需"),
    ("包含", "包括"),
    ("宜",),
)
_ECHO = tuple(
    re.compile(rf"(?P<not>并不|不|没|并没|无)?(?P<verb>{'|'.join(verbs)})(?:(?P<end>的|啊)?|(?P<object>.+))")
    for verbs in _VERBS
)
WILL = "会"
# What is not advised, or forbidden, of the one thing: to allow it, in whichever word, is to deny the claim.
_ALLOWED = r"(?P<not>不)?(?:可以|能够|可|能|宜|应该|应当|应)(?P<object>.+)"
_MOST_LIKELY = re.compile(r"最可能|最有可能")
_POSSIBLE = re.compile(r"有?可能")


def negated(claim: str) -> bool:
    """Tell whether a claim denies something.

    Parameters
    ----------
    claim : str
        A statement.

    Examples
    --------
    >>> negated("活动性肺结核的产妇不宜母乳喂养"), negated("叶酸有助于预防胎儿神经管缺陷")
    (True, False)
    """
    return _NEGATED.search(claim) is not None


def says_of_claim(clause: str, *, negative: bool) -> bool | None:
    """Read a clause that is nothing but a verdict on the claim.

    Parameters
    ----------
    clause : str
        Without punctuation around it, in half width and lower case.
    negative : bool
        Whether the claim denies something.

    Returns
    -------
    bool or None
        Whether the claim is said to hold; None where the clause is no verdict, or a 不 that may repeat the claim.

    Examples
    --------
    >>> says_of_claim("不是的", negative=False), says_of_claim("不是的", negative=True)
    (False, None)
    """
    if _YES.fullmatch(clause):
        return True
    if _WRONG.fullmatch(clause):
        return False
    if _NO.fullmatch(clause):
        return None if negative else False
    saying = _SAYING.fullmatch(clause)
    return None if saying is None else saying["yes"] is not None


def echo(clause: str, claim: str) -> bool | None:
    """Read a clause that repeats the claim's own verb, with or without a negation, and at most the claim's own words.

    Parameters
    ----------
    clause : str
        Without punctuation around it.
    claim : str
        The statement that was asked about.

    Returns
    -------
    bool or None
        Whether the claim is said to hold; None where the clause has another verb or other words.

    Examples
    --------
    >>> [echo(clause, "活动性肺结核的产妇不宜哺乳") for clause in ("不宜哺乳", "可以哺乳", "可以")]
    [True, False, None]
    """
    claim = _MOST_LIKELY.sub("", claim)
    for verbs, pattern in zip(_VERBS, _ECHO, strict=True):
        found = pattern.fullmatch(clause)
        said = re.search(
            rf"(不|没|无)?(?:{'|'.join(verbs)})", claim if verbs is _VERBS[0] else _POSSIBLE.sub("", claim)
        )
        if found and said and (found["object"] is None or found["object"] in claim):
            if said[1] and (WILL in found["verb"]) != (WILL in said[0]):
                return None  # 不会 to 不能使用: whether it may not be used, or will not be, is not said
            return (found["not"] is None) == (said[1] is None)
    said, found = re.search(_ALLOWED, claim), re.fullmatch(_ALLOWED, clause)
    if said and found and said["not"] and said["object"] == found["object"]:
        return found["not"] is not None
    return None
