"""Numbers of a prepared text: which may be scores on a scale, and which are ranges, quantities or items of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction.expressions import expression

if TYPE_CHECKING:
    import re

    from medzh_score.extraction.signs import Found

_FIGURES = r"(?:(?!0[0-9])[0-9]{1,9}(?:\.[0-9]{1,18})?|\.[0-9]{1,18})"
_NUMERALS = "零〇一二两三四五六七八九十"
_SPOKEN = (
    rf"[{_NUMERALS}]{{1,5}}点[{_NUMERALS}]{{1,4}}|[{_NUMERALS}]{{1,5}}(?=分(?:[^\u4e00-\u9fff]|[半吧才到至]|左右|\Z))"
)
_NUMBER = rf"(?:{_FIGURES}|{_SPOKEN})"
NUMBERS = expression(
    "numbers",
    rf"(?<![0-9a-z.])(?:[0-9(][0-9.+×÷/() 分-]{{2,80}}=[ ]?){{0,4}}(?P<number>{_NUMBER})(?:"
    rf"(?P<range>[ ]?分?[ ]?(?:[-–—~±+→、]|->|=>|到|至|to|or|或者?)[ ]?{_NUMBER}|(?:,|[ ]){_FIGURES})[ ]?分?"
    rf"|[ ]?分?(?:[ ]?(?:/|out of|of)[ ]?|"
    rf"(?:[ ]?[(,]?[ ]?满分|[ ]?\([ ]?总分)[为是:]?[ ]?)(?P<full>{_FIGURES})[ ]?分?\)?"
    r"|[ ]?(?P<percent>%)|(?P<half>分半)"
    r"|(?P<points>[ ]?(?:分(?![钟之别析期级为钱中制最表代以及])|points?(?![a-z])|stars?(?![a-z]))))?",
    matches="1+1+3=5分",
    misses="b12",
)
UNIT = expression(
    "unit of a number",
    rf"(?<=[0-9{_NUMERALS}])[ ]?(?!左右|吧|因为|由于|理由|评分|得分|你的|"
    r"because|since|as|for|overall|on|from|if|and|but)[a-z\u4e00-\u9fff]",
    matches="5 mg",
    misses="0.5,因为",
)
ITEM_NUMBER = expression(
    "number of an item",
    r"[(\[]?[0-9]{1,2}(?:[)\]、]|题|\.(?![0-9]))[ ]?(?=[^\s\])])",
    matches="(1)5分",
    misses="8分",
)
BRACKETED = expression(
    "number of a bracketed item", r"\([0-9]{1,2}\)[ ]?(?=[0-9\u4e00-\u9fff])", matches="(1)3分", misses="(7)。"
)


def numbers(text: str, low: float, high: float) -> tuple[list[Found], dict[int, float | None]]:
    """Find numbers: their signs (``V`` may be a score, ``G`` a range, ``v`` no score), and the values of the former.

    Examples
    --------
    >>> numbers("8/10,3天", 1, 10)
    ([(0, 4, 'V'), (5, 6, 'v')], {0: 8.0})
    """
    signs: list[Found] = []
    values: dict[int, float | None] = {}
    for match in NUMBERS.pattern.finditer(text):
        sign = "G" if match["range"] else "v" if _is_quantity(text, match) else "V"
        signs.append((match.start(), match.end(), sign))
        if sign == "V":
            values[match.start()] = _on_scale(match, low, high)
    return signs, values


def _is_quantity(text: str, match: re.Match[str]) -> bool:
    """Say whether a number counts something, bounds something, or numbers an item of a list."""
    start, end = match.span()
    before = text[start - 1] if start else "\n"
    if before in "-+×→第≈" or (before in "<>" and text[end : end + 1] != ">"):
        return True
    lead = "\n" + text[max(0, start - 3) : start] if start <= 3 else text[start - 3 : start]  # noqa: PLR2004
    head = lead[lead.rfind("\n") :]
    if head.strip(" ([") == "\n" and ITEM_NUMBER.pattern.match(text, start - (before in "([")):
        return True
    if before == "(" and BRACKETED.pattern.match(text, start - 1):
        return True
    if match["points"] or match["full"] or match["half"] or match["percent"]:
        return False
    rest = text[end : end + 2]
    if rest[:1] == "." and (rest[1:].isdigit() or (end + 1 == len(text) and match[0] == "0")):
        return True  # 0.50.5, or cut off within the number
    return UNIT.pattern.match(text, end) is not None


def _on_scale(match: re.Match[str], low: float, high: float) -> float | None:
    full = 100.0 if match["percent"] else float(match["full"]) if match["full"] else high
    value = _value(match["number"]) + (0.5 if match["half"] else 0)
    return value if full == high and low <= value <= high else None


def _value(number: str) -> float:
    """Give the value of figures or of Chinese numerals, tens at most.

    >>> _value("八点五"), _value("十二")
    (8.5, 12.0)
    """
    if number[0] in ".0123456789":
        return float(number)
    whole, _, part = number.partition("点")
    tens, ten, ones = whole.rpartition("十")
    figures = f"{int(_digits(tens) or 1) * 10 + int(_digits(ones) or 0)}" if ten else _digits(whole)
    return float(f"{figures}.{_digits(part) or 0}")


def _digits(numerals: str) -> str:
    table = {"〇": 0, "两": 2} | {sign: place for place, sign in enumerate("零一二三四五六七八九十")}
    return "".join(str(table[sign]) for sign in numerals)
