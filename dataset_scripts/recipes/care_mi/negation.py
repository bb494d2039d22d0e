"""How a statement is denied by rule: the order of the released code, where it hits the verb (paper, section 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_LIKELY = re.compile(r"最可能(?!的)")
SHOULD_BE = re.compile(r"应[是为]")
VERB = re.compile(r"[应为是可]")
# Words in which such a character is no verb of its own: 不 inside one of them denies nothing. Where the last one is
# part of such a word, the rule is not followed, for the character before it may be no main verb either.
OTHER_WORDS = re.compile(
    "反应|应激|适应|效应|应答|应用|供应|感应|对应|相应|顺应|应急|应力|应变|响应"
    "|行为|为主|为了|人为|为宜|为佳|为好|为止|为期|因为|以为|认为|较为|更为|极为|最为|尤为|颇为|为何|转化为|为什么"
    "|是否|但是|于是|还是|或是|可是|凡是|若是|只是|总是|要是"
    "|称为|成为|作为|视为|名为|变为|转为|改为|列为|定为|约[是为]|应[该当]?(?:首先)?(?:诊断|考虑)为"
    "|可疑|许可|认可|可乐|可可|可待因|可的松|可卡因|可逆|可溶|可塑|可比|宁可|可靠|可信|可见光|可吸入"
)
# 的 behind 应 and 可 means that they stand in what describes a noun: 可选用的, 应注意的.
DESCRIBING = frozenset("应可")
DENIED = frozenset("不非未无没勿莫")
PERHAPS = "可能"
CLAUSE = re.compile("[，,。；;：:]")
# What denies in a clause that ends in 的, as in 不属于…的是: one 不 more denies twice.
DENYING = re.compile("不(?!孕|育|良|全|足|称|协调)|[非无未]|错误|有误|除外|除了")
# Between the parts of an answer: 不是早产儿，小于胎龄儿 denies the first alone. Not within brackets or a number.
APART = re.compile(r"(?:[，；;]|,(?!\d{3}(?!\d)))(?![^（(]*[)）])")
NONE, OTHER, TWICE, INSIDE = "no-verb", "other-word", "already-denied", "describing"
LIKELY, SEVERAL = "only-likely", "several-parts"


@dataclass(frozen=True)
class Denied:
    """What became of a statement."""

    text: str  # empty where no rule is safe
    rule: str  # the rule that fired, or why none did


def negate(statement: str, end: int | None = None) -> Denied:
    """Deny a statement by rule, looking up to where the answer begins, or say why no rule is safe.

    In the order of the released code: 最可能 that is not 最可能的; 不 goes before the last 应是 or 应为; 不 goes before
    the last of 应, 为, 是 and 可. Ours is that the answer at the end is not looked at; that the 是 of 最可能病因是 is
    denied; and that a model is asked where 可能 or 最可能 stands before the verb, for what is not likely, or not the
    likeliest, is no 不可能, where the answer has several parts, of which 不 denies the first, and where the place is
    inside another word, is denied already, or describes a noun.

    >>> negate("最可能的诊断是子宫破裂").text, negate("出血的原因最可能是子宫收缩乏力").rule
    ('最可能的诊断不是子宫破裂', 'only-likely')
    """
    end = len(statement) if end is None else end
    rule, place, length = _place(statement, end)
    if place < 0:
        return Denied("", NONE)
    if length and place + length < end - 1 and end < len(statement) and statement[end - 1] in "是为":
        rule, place, length = f"negation-{statement[end - 1]}", end - 1, 0
    reason = LIKELY if length else _unsafe(statement, place, end)
    if reason:
        return Denied("", reason)
    return Denied(f"{statement[:place]}不{statement[place:]}", rule)


def denies(text: str) -> bool:
    """Say whether the last clause of a text denies something.

    >>> denies("关于早产，错误的"), denies("不孕的原因"), denies("无发热，最常见的")
    (True, False, False)
    """
    return DENYING.search(CLAUSE.split(text)[-1]) is not None


def negated_as_released(statement: str) -> str:
    """Deny a statement as the released code does, which looks at all of it; "" where it would ask a model.

    >>> negated_as_released("新生儿的不良反应")
    '新生儿的不良反不应'
    """
    _, place, length = _place(statement, len(statement))
    if place < 0:
        return ""
    put = "不可能" if length else "不"
    return f"{statement[:place]}{put}{statement[place + length :]}"


def _place(statement: str, end: int) -> tuple[str, int, int]:
    """Say which rule of the released code fires, where, and over how many characters."""
    for pattern, replaced in ((MOST_LIKELY, len("最可能")), (SHOULD_BE, 0), (VERB, 0)):
        hits = [hit for hit in pattern.finditer(statement) if hit.end() <= end]
        if hits:
            return f"negation-{hits[-1].group()}", hits[-1].start(), replaced
    return "", -1, 0


def _unsafe(statement: str, place: int, end: int) -> str:
    if any(word.start() <= place < word.end() for word in OTHER_WORDS.finditer(statement)):
        return OTHER
    if statement[:place].endswith(PERHAPS):
        return LIKELY
    if place and statement[place - 1] in DENIED:
        return TWICE
    if statement[place] in "是为" and statement[:place].endswith("的") and denies(statement[:place]):
        return TWICE
    if statement[place] in DESCRIBING and "的" in statement[place:end]:
        return INSIDE
    return SEVERAL if APART.search(statement[end:]) else ""
