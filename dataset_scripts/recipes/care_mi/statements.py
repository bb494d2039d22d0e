"""True statement, false statement and question by the rules of the CARE-MI paper (section 3)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from medzh_score.text.folding import fold

# What a stem ends in that is joined with its answer as it stands, by the released code.
JOINED = re.compile("(?:属于|可致|选用|首选|选择|[是为的于])$")
ASKS = re.compile("什么|哪|谁|怎|如何|为何|何[时种处者项]|多少|几[个岁天月周次种]|是否|能否|可否|[吗呢]")
# Where a stem points to its options: 下列, and 以下 that is no measure (3岁以下) and not half a word (以下腹痛为主).
OPTIONS_BELOW = re.compile(
    "下列|下述|(?<![0-9一二三四五六七八九十半个岁周月天日时次米克升度%％A-Za-z脐膝膈])以下(?![肢腹段端部颌壁])"
)
# Behind 的 an answer makes a noun of the stem (与早孕无关的停经), unless it is an amount (占总能量的50%).
AMOUNT_BEHIND = re.compile(r"第?[0-9一二三四五六七八九十百]+[^A-Za-z]*$")

MOST_LIKELY = re.compile(r"最可能(?!的)")
SHOULD_BE = re.compile(r"应[是为]")
VERB = re.compile(r"[应为是可]")
# Words in which such a character is no verb of its own: 不 inside one of them denies nothing.
OTHER_WORDS = re.compile(
    "反应|应激|适应|效应|应答|应用|供应|感应|对应|相应|顺应|应急|应力|应变|响应"
    "|行为|为主|为了|人为|为宜|为佳|为好|为止|为期|因为|以为|认为|较为|更为|极为|最为|尤为|颇为|为何|转化为|为什么"
    "|是否|但是|于是|还是|或是|可是|凡是|若是|只是|总是|要是"
    "|称为|成为|作为|视为|名为|变为|转为|改为|列为|定为|约[是为]|应[该当]?(?:首先)?(?:诊断|考虑)为"
    "|可疑|许可|认可|可乐|可可|可待因|可的松|可卡因|可逆|可溶|可塑|可比|宁可|可靠|可信|可见光|可吸入"
)
DENIED = frozenset("不非未无没勿莫")
# What denies in a clause that ends in 的, as in 不属于…的是: one 不 more denies twice.
DENYING = re.compile("不(?!孕|育|良|全|足|称|协调)|[非无未]|错误|有误|除外|除了")
CLAUSE = re.compile("[，,。；;：:]")
# Between the parts of an answer: 不是早产儿，小于胎龄儿 denies the first alone. Not within brackets or a number.
APART = re.compile(r"(?:[，；;]|,(?!\d{3}(?!\d)))(?![^（(]*[)）])")
NO_VERB, OTHER_WORD, DENIED_ALREADY = "no-verb", "other-word", "already-denied"
DESCRIBING, ONLY_LIKELY, SEVERAL_PARTS = "describing", "only-likely", "several-parts"

# What is counted or measured: an option in another unit, or in none, is false of itself.
UNIT = re.compile(
    r"(?<=[0-9一二三四五六七八九十半两])\s?(?:[A-Za-zμµ%％‰℃]+|个?月|[岁周天日年次张万克分]|小时|毫[升克])"
)

# A statement that holds one of these cannot be asked about by putting 吗 behind it.
NOT_PLAIN = re.compile(f"{ASKS.pattern}|[?？。！!；;]")
BEFORE_ANSWER = re.compile("[是为]$")
DIAGNOSED = re.compile("(?:应|应该|应当|可|首先|(考虑))诊断为$")
CONSIDERED = re.compile("(?:应|可|首先|应首先|首先应)考虑为$")
# 称为 and the like are verbs of their own, and 以…为 is a frame.
FRAME = re.compile("以[^，,]*为$|(?:称|分|视|作|变|转|改|列|成|定义|认|行|因)为$|[上下左右前后]为$")
WHEN = re.compile("(?:时间|时期|时刻|日期)(?:应|约|一般|是在)?[是为]$")
AMOUNT = re.compile(
    r"[<>≤≥＜＞±约第每近昼夜生后出少多于妊娠孕]*[0-9０-９.．～~\-—/%％一二三四五六七八九十两半百]+[^一-鿿]*"
    r"(?:个|岁|半|月|周|天|日|小时|分钟|分|秒|次|倍|年|克|毫升|毫克|厘米|度|万|张|支|级|百分位|以[上下内前后]|左右|末|[～~\-—]|[0-9]|[A-Za-z/％%，,、（）()μ])*"
)
LIST = re.compile("[一-鿿]{2,}[、，,及和][一-鿿]{2,}")
COUNTED = re.compile("(?:疾病|病毒|病原体?|药物)(?:应)?[是为]$")
KIND = re.compile("(?:药物|药|疫苗|细菌|病菌|菌|病毒|病原体|激素|类型|种类|免疫球蛋白|贫血)(?:应)?[是为]$")


@dataclass(frozen=True)
class Negation:
    """A statement denied by rule.

    Attributes
    ----------
    text : str
        The false statement; empty where no rule is safe.
    rule : str
        The rule that fired, or why none did.
    """

    text: str
    rule: str


def join(stem: str, answer: str) -> str | None:
    """Join what is asked and its answer to a true statement, where the end of the one leads to the other.

    Parameters
    ----------
    stem : str
        What an examination question asks, without case and question mark.
    answer : str
        The right option.

    Returns
    -------
    str or None
        The statement without a full stop; None where a stem asks, points to its options or ends in no such word.

    Examples
    --------
    >>> join("最可能的诊断是", "子宫破裂"), join("哪项处理是错误的", "剖宫产")
    ('最可能的诊断是子宫破裂', None)
    """
    found = JOINED.search(stem)
    if not found or ASKS.search(stem) or OPTIONS_BELOW.search(stem):
        return None
    if found.group() == "的" and not AMOUNT_BEHIND.match(answer):
        return None
    return f"{stem}{answer}"


def negate(statement: str, end: int | None = None) -> Negation:
    """Deny a statement by rule.

    In the order of the released code: 不 goes before the last 应是 or 应为, else before the last of 应, 为, 是 and 可;
    最可能 that is not 最可能的 comes first. Ours is that the answer at the end is not looked at; that the 是 of
    最可能病因是 is denied; and that no rule is followed behind 可能, where the answer has several parts, of which 不
    denies the first, and where the place is inside another word, is denied already, or describes a noun.

    Parameters
    ----------
    statement : str
        A true statement without a full stop.
    end : int, optional
        Where its answer begins; by default all of it is looked at.

    Examples
    --------
    >>> negate("最可能的诊断是子宫破裂").text, negate("出血的原因最可能是子宫收缩乏力").rule
    ('最可能的诊断不是子宫破裂', 'only-likely')
    """
    end = len(statement) if end is None else end
    rule, place, likely = _place(statement, end)
    if place < 0:
        return Negation("", NO_VERB)
    if likely and place + len("最可能") < end - 1 and end < len(statement) and BEFORE_ANSWER.search(statement[:end]):
        rule, place, likely = f"negation-{statement[end - 1]}", end - 1, False
    reason = ONLY_LIKELY if likely else _unsafe(statement, place, end)
    return Negation("", reason) if reason else Negation(f"{statement[:place]}不{statement[place:]}", rule)


def _place(statement: str, end: int) -> tuple[str, int, bool]:
    """Say which rule of the released code fires, where, and whether it is that of 最可能."""
    for pattern in (MOST_LIKELY, SHOULD_BE, VERB):
        if hits := [hit for hit in pattern.finditer(statement) if hit.end() <= end]:
            return f"negation-{hits[-1].group()}", hits[-1].start(), pattern is MOST_LIKELY
    return "", -1, False


def _unsafe(statement: str, place: int, end: int) -> str:
    before = statement[:place]
    reasons = (
        (OTHER_WORD, any(word.start() <= place < word.end() for word in OTHER_WORDS.finditer(statement))),
        (ONLY_LIKELY, before.endswith("可能")),
        (DENIED_ALREADY, before[-1:] in DENIED),
        (DENIED_ALREADY, statement[place] in "是为" and before.endswith("的") and _denies(before)),
        (DESCRIBING, statement[place] in "应可" and "的" in statement[place:end]),
        (SEVERAL_PARTS, APART.search(statement[end:]) is not None),
    )
    return next((reason for reason, holds in reasons if holds), "")


def _denies(text: str) -> bool:
    """Say whether the last clause of a text denies something."""
    return DENYING.search(CLAUSE.split(text)[-1]) is not None


def replace_answer(statement: str, answer: str, wrong: str) -> str | None:
    """Put a wrong option in the place of the answer, where it stands for the last time.

    Returns
    -------
    str or None
        The false statement; None where the answer does not stand in the statement, where the option has not the same
        units, or where it says the same.

    Examples
    --------
    >>> replace_answer("诊断是早产", "早产", "流产"), replace_answer("头围是34cm", "34cm", "3kg")
    ('诊断是流产', None)
    """
    place = statement.rfind(answer)
    if not answer or place < 0 or _units(answer) != _units(wrong):
        return None
    false = f"{statement[:place]}{wrong}{statement[place + len(answer) :]}"
    return None if fold(false) == fold(statement) else false


def _units(option: str) -> frozenset[str]:
    return frozenset(fold(unit) for unit in UNIT.findall(option))


def ask_whether(statement: str, context: str = "") -> str | None:
    """Ask whether a statement holds, by 吗 behind it; None where it holds a question or several sentences.

    Examples
    --------
    >>> ask_whether("最可能的诊断是早产", "女，30岁。")
    '女，30岁。最可能的诊断是早产吗？'
    """
    return None if NOT_PLAIN.search(statement) else f"{context}{statement}吗？"


def ask_openly(statement: str, answer: str, context: str = "") -> str | None:
    """Ask for the answer of a statement: all up to the 是 or 为 before it, then 什么, 多少, 何时, 哪种 or 哪些.

    Returns
    -------
    str or None
        The question; None where the answer does not follow 是 or 为 at the end, where that is part of another word,
        where the statement denies, and where the question would hold its answer or point to options.

    Examples
    --------
    >>> ask_openly("新生儿的正常呼吸频率是40～60次/分", "40～60次/分")
    '新生儿的正常呼吸频率是多少？'
    """
    asked = statement.removesuffix(answer)
    if not answer or asked == statement or not BEFORE_ANSWER.search(asked) or FRAME.search(asked):
        return None
    shown = f"{context}{asked}"
    if fold(answer) in fold(shown) or OPTIONS_BELOW.search(shown) or _denies(asked):
        return None
    if found := DIAGNOSED.search(asked):
        return f"{context}{asked[:-3]}{'' if found[1] else '作出'}什么诊断？"
    if CONSIDERED.search(asked):
        return f"{context}{asked[:-1]}什么？"
    return f"{context}{asked[:-1]}是{_interrogative(asked, answer)}？"


def _interrogative(asked: str, answer: str) -> str:
    if WHEN.search(asked):
        return "何时"
    if AMOUNT.fullmatch(answer):
        return "多少"
    if LIST.search(answer) and COUNTED.search(asked):
        return "哪些"
    return "哪种" if KIND.search(asked) else "什么"
