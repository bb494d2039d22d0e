"""The numbers of a Chinese medical text with sign, magnitude and unit, however they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

from dataset_scripts.recipes.pemebench.plain_writing import folded
from dataset_scripts.recipes.pemebench.units import MEASURES, UNITS, unit_at

if TYPE_CHECKING:
    from collections.abc import Iterable

DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
POWERS = {"十": 10, "百": 100, "千": 1000}
SCALES = {"百万": 10**6, "千万": 10**7, "万": 10**4, "亿": 10**8}
# 10 to a power, 15×10^9 or 15×109/L with the power's place lost; then 1,000 and 1 000; then all others.
ARABIC = re.compile(
    r"(?<![\d.])(?:(?:(?P<times>\d+(?:\.\d+)?)\s*[×x*·]\s*)?10\^(?P<power>[+-]?\d{1,2})(?!\d)"
    r"|(?P<lost>\d+(?:\.\d+)?)\s*[×x*]\s*10(?P<flat>\d{1,2})(?=\s*/)"
    r"|(?P<grouped>\d{1,3}(?:,\d{3})+(?!\d)|(?<![a-zα-ω])\d{1,3}(?:[^\S\n]\d{3})+(?!\d|\s?[年版]))(?P<part>\.\d+)?"
    r"|(?P<plain>\d+(?:\.\d+)?|\.\d+))"
    r"(?:\s*(?P<scale>百万|千万|万|亿)(?!分))?"
)
_SPELLED = "[零〇一二两三四五六七八九十百千万]"
CHINESE = re.compile(
    rf"百分之(?P<percent>{_SPELLED}+|\d+(?:\.\d+)?)|(?P<whole>[一二两三四五六七八九十]{_SPELLED}*)个?半(?=个?(?:月|小时|钟头))"
    rf"|(?P<number>[一二两三四五六七八九十]{_SPELLED}*|半)"
)
IDIOMS = re.compile(r"十分(?!钟)|[一两]次性|一[个种类点项步条组]|一大?类|一方面|一阶段|十二指肠|一度(?!房室|烧|烫)")
RANGE = re.compile(r"\s*(?:~|-|至|到|、|或|/)\s*")
KNOWN = frozenset(UNITS.values())
BEFORE = re.compile(r"(?:[^\W\d_]|[<>≥≤=]){1,2}$")


@dataclass(frozen=True)
class Quantity:
    """A number of a text."""

    value: Decimal  # with its magnitude, without final zeros and without sign
    unit: tuple[str, ...]  # part by part: mg, kg, d for mg/(kg·d); an unknown one as written; empty without one
    spelled: bool = False  # written in Chinese characters
    sign: str = ""  # -, ± or empty
    before: str = ""  # the two characters at most right before it; of a range's second number those before the first
    grouped: bool = False  # spaces group its digits, which may as well part two numbers

    @property
    def key(self) -> tuple[str, Decimal, tuple[str, ...]]:
        """What two numbers must share to be the same."""
        return self.sign, self.value, self.unit

    @property
    def words(self) -> str:
        """How a person reads it."""
        return f"{self.sign}{self.value:f} {'/'.join(self.unit)}".strip()


@dataclass(frozen=True)
class _Found:
    """A number and its place while its unit is looked for."""

    start: int
    end: int
    value: Decimal
    spelled: bool
    scaled: bool
    grouped: bool
    unit: tuple[str, ...]
    after: int  # where its unit ends


def quantities(text: str) -> list[Quantity]:
    """Find the numbers of a text with their units, in order; 20万, 2×10^5, 200 000 and 二十万 have one value.

    Numbers of lists and those inside names, as in CD4, are passed over; the first number of a range has the second's
    unit.

    >>> quantities("① 口服10～20mg/(kg·d)，三天")[0].unit
    ('mg', 'kg', 'd')
    >>> [str(found.value) for found in quantities("1∶10 000，20万U/kg，三岁半")]
    ['1', '1E+4', '2E+5', '3.5']
    """
    plain = folded(text)
    found: list[_Found] = []
    for number in sorted([*_arabic(plain), *_chinese(plain)], key=lambda number: number.start):
        if not found or number.start >= found[-1].after:  # else it is a part of a unit, as in m2
            found.append(number)
    joined = [False, *(bool(RANGE.fullmatch(plain[a.after : b.start])) for a, b in pairwise(found))]
    for place in range(len(found) - 2, -1, -1):
        here, behind = found[place], found[place + 1]
        if joined[place + 1] and not here.unit:
            scale = _scale_of(plain, behind) if not here.scaled else 1
            found[place] = replace(here, unit=behind.unit, value=here.value * scale)
    counted = []
    before = ""
    for place, number in enumerate(found):
        before = f"{before}|{found[place - 1].value:f}~" if joined[place] else _before(plain, number.start)
        further = place + 1 < len(found) and joined[place + 1]
        if joined[place] or further or _counts(plain, number):
            sign = "" if joined[place] else _sign(plain, number.start)
            value = number.value.normalize()
            counted.append(Quantity(value, number.unit, number.spelled, sign, before, number.grouped))
    return counted


def _arabic(plain: str) -> list[_Found]:
    return [_number(plain, match) for match in ARABIC.finditer(plain)]


def _number(plain: str, match: re.Match[str]) -> _Found:
    part = match.groupdict()
    if part["power"] is not None:
        value = Decimal(part["times"] or 1).scaleb(int(part["power"]))
    elif part["lost"]:
        value = Decimal(part["lost"]).scaleb(int(part["flat"]))
    else:
        value = Decimal(re.sub(r"[,\s]", "", part["plain"] or part["grouped"] + (part["part"] or "")))
    unit, after = unit_at(plain, match.end())
    return _Found(
        start=match.start(),
        end=match.end(),
        value=(value * SCALES.get(part["scale"] or "", 1)) + _half(plain, unit, after),
        spelled=False,
        scaled=bool(part["scale"]),
        grouped=bool(part["grouped"]) and "," not in part["grouped"],
        unit=unit,
        after=after,
    )


def _chinese(plain: str) -> list[_Found]:
    idioms = {place for idiom in IDIOMS.finditer(plain) for place in range(*idiom.span())}
    found = []
    for match in CHINESE.finditer(plain):
        unit, after = (("%",), match.end()) if match["percent"] else unit_at(plain, match.end())
        if match.start() in idioms or not KNOWN.intersection(unit):
            continue
        if match["percent"]:
            value = _value(match["percent"])
        elif match["whole"]:
            value = _value(match["whole"]) + Decimal("0.5")
        else:
            value = _value(match["number"]) + _half(plain, unit, after)
        place = _Found(
            match.start(), match.end(), value, spelled=True, scaled=False, grouped=False, unit=unit, after=after
        )
        found.append(place)
    return found


def _half(plain: str, unit: tuple[str, ...], after: int) -> Decimal:
    """Read what is behind 三岁半."""
    adds = unit in {("岁",), ("年",), ("d",), ("h",)} and plain[after : after + 1] == "半"
    return Decimal("0.5") if adds else Decimal(0)


def _counts(plain: str, number: _Found) -> bool:
    """Say whether a number is one: right behind a letter, as in CD4, only with a measure, a magnitude or a point."""
    if not re.match("[a-zα-ω]", plain[number.start - 1 : number.start]):
        return True
    measured = bool(number.unit) and number.unit[0] in MEASURES
    return measured or number.scaled or "." in plain[number.start : number.end]


def _sign(plain: str, start: int) -> str:
    before = plain[:start].rstrip()
    if not before.endswith(("-", "±")) or re.search(r"[a-z\d%)]\s*[-±]$", before):
        return "±" if before.endswith("±") else ""
    return before[-1]


def _before(plain: str, start: int) -> str:
    found = BEFORE.search(re.sub(r"\s+", "", plain[max(0, start - 8) : start]))
    return found.group() if found else ""


def _scale_of(plain: str, number: _Found) -> int:
    """Give the magnitude that the first number of 5~10万 shares."""
    return next((scale for name, scale in SCALES.items() if plain[: number.end].endswith(name)), 1)


def _value(spelled: str) -> Decimal:
    """Read a Chinese number; digits in a row, as in 一二三, are read as such."""
    if spelled[0].isdigit() and spelled.isascii():
        return Decimal(spelled)
    if spelled == "半":
        return Decimal("0.5")
    high, wan, low = spelled.rpartition("万")
    if wan:
        return _value(high or "一") * 10**4 + (_value(low) if low else 0)
    if not any(power in spelled for power in POWERS):
        return Decimal("".join(str(DIGITS[digit]) for digit in spelled))
    total, digit = 0, 0
    for character in spelled:
        if character in POWERS:
            total += (digit or 1) * POWERS[character]
            digit = 0
        else:
            digit = DIGITS[character]
    return Decimal(total + digit)


def rivals(quantity: Quantity, others: Iterable[Quantity]) -> bool:
    """Say whether only unequal numbers of the same unit stand behind the same characters, as far as both have some.

    >>> rivals(quantities("首剂5mg")[0], quantities("首剂10mg，以后5mg"))
    True
    """
    if not quantity.before:
        return False
    beside = [
        other.key
        for other in others
        if other.before
        and other.unit == quantity.unit
        and (other.before.endswith(quantity.before) or quantity.before.endswith(other.before))
    ]
    return bool(beside) and quantity.key not in beside
