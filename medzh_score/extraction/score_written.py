"""Scores that are not written as one number: in Chinese numerals, as the result of a sum, in fields that disagree."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from medzh_score.extraction.thinking import thoughts

_NUMERALS = str.maketrans("零〇一二两三四五六七八九点", "001223456789.")
_ONES = "零〇一二两三四五六七八九"
# 零点八, but neither 百分之零点八 nor ten past midnight; 八点五, a time,
# too, only where a score is given.
_FRACTION = re.compile(
    rf"(?<![之{_ONES}十百千万午晨夜晚])[零〇]点[{_ONES}]{{1,4}}(?![{_ONES}十百千万亿刻])"
    rf"|(?:(?<=[给打])|(?<=[评得]分[：:为是])|(?<=分数[：:为是]))[{_ONES}]点[{_ONES}]{{1,2}}(?![{_ONES}十百千万亿刻])"
)
_ENDS = r"(?=\s*(?:[。，,！!；;\n（(）)”\"吧]|\Z))"
# 一分 only where a clause ends with it: not 一分为二, 三分之一, 十分准确.
_POINTS = re.compile(
    rf"(?:(?<=[给打评得为是：:，,。；;\n“\"\s])|\A)(?:[{_ONES}]|[一二三四五六七八九]十[一二三四五六七八九]?|十[一二三四五六七八九])分{_ENDS}"
    rf"|(?<=[给打]个)[一二三四五六七八九]分{_ENDS}|(?:(?<=[给打])|(?<=评为)|(?<=[评得]分[：:为是])|\A)(?:十|一百)分{_ENDS}"
)
# What there is of numerals before 点 and 分, looked for first, which is fast.
_BEFORE_POINT = re.compile(rf"点(?<=[{_ONES}]点)(?=[{_ONES}])")
_BEFORE_POINTS = re.compile(rf"分(?<=[{_ONES}十百]分)")
_VALUE = r"(?:\d{1,9}(?:\.\d{1,18})?|\.\d{1,18})"
_OPERAND = rf"[(（\[]{{0,3}}+\s?{_VALUE}\s?分?\s?[)）\]]{{0,3}}+\s?"
# 1 - 0.3 = (and its result is no part of it); without a result no difference or share, for 0.7-0.8 is a range.
_SUM = re.compile(
    rf"(?<![\d.])[(（\[]{{0,3}}+{_VALUE}\s?分?\s?[)）\]]{{0,3}}+\s?"
    rf"(?:(?:[-+−–＋－×*/÷加减乘]|除以)\s?{_OPERAND}){{1,20}}+(?:[=＝≈]|等于|得到)\s?(?=[\d.])"
    rf"|(?<![\d.]){_VALUE}\s?分?\s?(?:[+＋加*×乘减]\s?{_OPERAND}){{1,20}}+"
)
_WORKS = re.compile("[=＝≈+＋加减乘*×](?=[^\\d\n]{0,5}\\d)")
_READ = re.compile(_VALUE)
_OBJECT = re.compile(r"\{[^{}]*\}")
_FIELD = re.compile(
    r"[\"']\s*(?:score|rating|grade|correctness|accuracy|interpretability|judge?ment|评分|得分|打分|分数|正确性|准确性|可解释性)"
    rf"\s*[\"']\s*[：:]\s*[\"']?\s*({_VALUE})\s*分?\s*(?=[\"',，}}\n])",
    re.IGNORECASE,
)


class Sum(NamedTuple):
    """Numbers that are worked into one.

    Attributes
    ----------
    start, end : int
        From the first of them to where the result begins.
    operands : frozenset of Decimal
        Their values.
    result : Decimal or None
        What the text says that they make; None where it does not say.
    """

    start: int
    end: int
    operands: frozenset[Decimal]
    result: Decimal | None


def in_digits(text: str) -> str:
    """Write the Chinese numerals of scores in digits, in as many characters.

    Parameters
    ----------
    text : str
        Prepared.

    Examples
    --------
    >>> in_digits("零点七五"), in_digits("给八十五分。"), in_digits("零点八克，十分准确"), in_digits("一分为二")
    ('0.75', '给85分 。', '0.8克，十分准确', '一分为二')
    """
    if "点" in text and _BEFORE_POINT.search(text):
        text = _FRACTION.sub(_digits, text)
    return _POINTS.sub(_whole, text) if "分" in text and _BEFORE_POINTS.search(text) else text


def _digits(met: re.Match[str]) -> str:
    return met[0].translate(_NUMERALS)


def _whole(met: re.Match[str]) -> str:
    written = met[0][:-1]
    tens, ten, ones = written.rpartition("十")
    if written == "一百":
        number = "100"
    elif ten:
        number = (tens or "一").translate(_NUMERALS) + (ones.translate(_NUMERALS) or "0")
    else:
        number = written.translate(_NUMERALS)
    return (number + "分")[: len(met[0])].ljust(len(met[0]))


def sums(text: str) -> list[Sum]:
    """Find where numbers are worked into one, of which only the result is a score.

    Parameters
    ----------
    text : str
        Prepared, the numerals in digits.

    Examples
    --------
    >>> [(found.start, found.end) for found in sums("得分：1 - 0.3 = 0.7")], sums("0.7-0.8"), sums("8/10")
    ([(3, 13)], [], [])
    """
    if not _WORKS.search(text):
        return []
    return [_sum(met) for met in _SUM.finditer(text)]


def _sum(met: re.Match[str]) -> Sum:
    said = _READ.match(met.string, met.end())
    return Sum(*met.span(), frozenset(map(Decimal, _READ.findall(met[0]))), Decimal(said[0]) if said else None)


def disagreeing_fields(text: str) -> tuple[tuple[int, int], ...]:
    """Find the fields of one JSON object that give scores which are not equal.

    Parameters
    ----------
    text : str
        The raw response.

    Returns
    -------
    tuple of tuple of int
        Start and end of their numbers; empty where all agree. What was only thought does not count.

    Examples
    --------
    >>> disagreeing_fields('{"score": 0.9, "correctness": 0.1}'), disagreeing_fields('{"score": 0.9, "sure": 0.8}')
    (((10, 13), (30, 33)), ())
    """
    if "{" not in text:
        return ()
    thought = thoughts(text) or ()
    for whole in _OBJECT.finditer(text):
        if any(edit.start <= whole.start() < edit.end for edit in thought):
            continue
        fields = list(_FIELD.finditer(text, *whole.span()))
        if len({Decimal(field[1]) for field in fields}) > 1:
            return tuple(field.span(1) for field in fields)
    return ()
