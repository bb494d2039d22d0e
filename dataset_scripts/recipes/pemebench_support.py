"""Whether a text supports an answer: by the answer's pairs of characters, and by its numbers with their units."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

RUN = re.compile(r"[^\W_]+")
# Of lists: 1. 2、 (3) ①. They are no facts.
ENUMERATED = re.compile(r"(?:^|(?<=[\s。;,:、]))\(?\d{1,2}[)、.](?!\d)", re.MULTILINE)
CIRCLED = re.compile(r"[①-⓿]")
ARABIC = re.compile(r"(?<![A-Za-z\d.])\d+(?:,\d{3})+(?!\d)|(?<![A-Za-z\d.])\d+(?:\.\d+)?")
CHINESE = re.compile(r"[一二两三四五六七八九十]{1,3}(?=个月|个?小时|分钟|岁|天|日|周|年|月龄|倍|°c|mg|ml)")
DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
RANGE = re.compile(r"\s*(?:~|-|–|—|−|至|到|、|或|/)\s*")
# Units by how they are written, in the form that NFKC and small letters give.
_WRITTEN = {
    "mg": "毫克",
    "μg": "ug mcg 微克",
    "ng": "纳克",
    "g": "克",
    "kg": "千克 公斤",
    "ml": "毫升",
    "dl": "分升",
    "l": "升",
    "mmol": "毫摩尔",
    "μmol": "umol 微摩尔",
    "iu": "国际单位",
    "u": "单位",
    "h": "hr 个小时 小时",
    "min": "分钟",
    "s": "秒钟 秒",
    "d": "天 日",
    "周": "w 星期",
    "月": "个月 月龄 mo",
    "岁": "周岁",
    "年": "",
    "次": "",
    "°c": "摄氏度",
    "cm": "厘米",
    "mm": "毫米",
    "m": "米",
    "mmhg": "毫米汞柱",
    "kpa": "千帕",
    "cmh2o": "厘米水柱",
    "%": "",
    "‰": "",
    "倍": "",
    "分": "",
    "片": "",
    "滴": "",
    "粒": "",
    "度": "",
    "型": "",
    "期": "",
    "级": "",
    "价": "",
    "个": "",
    "种": "",
    "类": "",
    "点": "",
    "项": "",
    "步": "",
    "条": "",
    "组": "",
    "大类": "",
    "方面": "",
    "阶段": "",
}
UNITS = {written: unit for unit, others in _WRITTEN.items() for written in (unit, *others.split())}
UNIT = re.compile(r"\s*(" + "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True)) + r")(?![a-z])")
FURTHER = re.compile(r"\s*(?:[/·•.*×]|\()+\s*")
# An answer may count what the text lists: 包括以下3个方面.
COUNTERS = frozenset({"个", "种", "类", "点", "项", "步", "条", "组", "大类", "方面", "阶段", "次"})


@dataclass(frozen=True)
class Quantity:
    """A number of a text.

    Attributes
    ----------
    value : Decimal
        Its value, without final zeros.
    unit : tuple of str
        Its unit, part by part: ``("mg", "kg", "d")`` for mg/(kg·d); empty without one.
    spelled : bool
        Whether it is written in Chinese characters.
    """

    value: Decimal
    unit: tuple[str, ...]
    spelled: bool = False


def share(answer: str, question: str, text: str) -> float | None:
    """Say which share of an answer stands in a text.

    Parameters
    ----------
    answer : str
        The answer.
    question : str
        What it answers; what it repeats of it is not counted, unless the text has it.
    text : str
        The text, with its headings.

    Returns
    -------
    float or None
        Of the pairs of neighbouring letters, digits and Chinese characters of the answer, with their repetitions, how
        many stand in the text, from 0 to 1. Compatibility forms and case do not matter; no pair reaches over
        punctuation. None where the answer has no such pair.

    Examples
    --------
    >>> share("首选青霉素", "麻疹合并肺炎用什么药？", "抗感染首选青霉素。")
    1.0
    >>> share("多休息", "感冒怎么办？", "感冒宜多饮水。")
    0.0
    """
    there, asked = set(_pairs(text)), set(_pairs(question))
    counted = [pair in there for pair in _pairs(answer) if pair in there or pair not in asked]
    return sum(counted) / len(counted) if counted else None


def unknown_numbers(answer: str, question: str, text: str) -> tuple[list[str], list[str]]:
    """Find the numbers of an answer that a text does not have.

    Parameters
    ----------
    answer : str
        The answer.
    question : str
        What it answers; its numbers may be repeated.
    text : str
        The text.

    Returns
    -------
    absent : list of str
        Numbers that stand nowhere in the text.
    doubtful : list of str
        Numbers that stand there with another unit, counts of what the answer lists, and numbers in Chinese characters.

    Examples
    --------
    >>> unknown_numbers("每次10mg/kg，共3天，隔50小时复查", "怎么用药？", "每次10毫克/千克，共3次。")
    (['50 h'], ['3 d'])
    """
    known = {*quantities(text), *quantities(question)}
    exact = {(quantity.value, quantity.unit) for quantity in known}
    values = {quantity.value for quantity in known}
    absent, doubtful = [], []
    for quantity in quantities(answer):
        if (quantity.value, quantity.unit) in exact or (quantity.value in values and not quantity.unit):
            continue
        written = f"{quantity.value:f} {'/'.join(quantity.unit)}".strip()
        if quantity.value in values or quantity.spelled or (quantity.unit and quantity.unit[0] in COUNTERS):
            doubtful.append(written)
        else:
            absent.append(written)
    return absent, doubtful


def quantities(text: str) -> list[Quantity]:
    """Find the numbers of a text with their units.

    Parameters
    ----------
    text : str
        Any text. Numbers of lists and those inside names, as in CD4, are passed over; the first number of a range has
        the unit of the second.

    Examples
    --------
    >>> quantities("① 口服10～20mg/(kg·d)，三天")[0].unit
    ('mg', 'kg', 'd')
    """
    plain = ENUMERATED.sub(" ", unicodedata.normalize("NFKC", CIRCLED.sub(" ", text)).casefold())
    spelled = [(found, _value(found.group()), True) for found in CHINESE.finditer(plain)]
    written = [(found, Decimal(found.group().replace(",", "")), False) for found in ARABIC.finditer(plain)]
    numbers = sorted(spelled + written, key=lambda number: number[0].start())
    units = [_unit(plain, found.end()) for found, _, _ in numbers]
    for place in range(len(numbers) - 2, -1, -1):
        between = plain[numbers[place][0].end() : numbers[place + 1][0].start()]
        if not units[place] and RANGE.fullmatch(between):
            units[place] = units[place + 1]
    return [
        Quantity(value.normalize(), unit, in_chinese)
        for (_, value, in_chinese), unit in zip(numbers, units, strict=True)
    ]


def _pairs(text: str) -> list[str]:
    runs = RUN.findall(unicodedata.normalize("NFKC", text).casefold())
    return [run[place : place + 2] for run in runs for place in range(len(run) - 1)]


def _unit(text: str, start: int) -> tuple[str, ...]:
    parts: list[str] = []
    found = UNIT.match(text, start)
    while found:
        unit = UNITS[found[1]]
        parts.append("min" if unit == "分" and parts else unit)  # as in 次/分
        further = FURTHER.match(text, found.end())
        found = UNIT.match(text, further.end()) if further else None
    return tuple(parts)


def _value(spelled: str) -> Decimal:
    """Read a Chinese number up to 99."""
    tens, ten, ones = spelled.rpartition("十")
    if not ten:
        return Decimal("".join(str(DIGITS[digit]) for digit in spelled))
    return Decimal(10 * (DIGITS.get(tens, 1) if tens else 1) + DIGITS.get(ones, 0))
