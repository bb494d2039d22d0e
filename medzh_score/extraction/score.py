"""A number from low to high, as a judge gives it: the whole prepared response is read, and all of it must agree."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.config import answer
from medzh_score.extraction.corrections import last_correction
from medzh_score.extraction.preparing import locate, prepare
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.refusals import declines, refused
from medzh_score.extraction.sentences import sentence, sentence_start, with_label
from medzh_score.extraction.wording import Wording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.between import Between
    from medzh_score.config import Answer

_SHORT = 16
OUT_OF_RANGE, RANGE, SCALE = "out of range", "range", "another scale"

_NUMBER = r"(?<![\d.−-])(?P<number>\d{1,9}(?:\.\d{1,18})?|\.\d{1,18})(?!\d|\.\d)"
# After a number: of how many it is, that it is a percentage, or one end of a range. A unit makes it no score at all.
_AFTER = (
    r"(?!\s*(?:[条个岁天次项年月日类种名例人周℃°折元块秒克斤升片粒支倍度℉级期型位页]|分钟|分之|小时|[mμu]g\b|m[lL]\b|mmol|kg|cm|mm|IU\b|(?:hours?|days?|weeks?|months?|years?)\b))"
    r"(?:\s*分?\s*(?:(?:/|out of|of(?=\s\d))\s*|(?:[（(，,]\s*满分|[（(]\s*总分)(?:为|是"
    r"|[：:])?\s*)(?P<full>\d{1,9}(?:\.\d{1,9})?)(?!\d|\.\d)"
    r"|\s*(?P<percent>[%％‰]|percent\b)|(?P<range>\s*分?\s*(?:[-–—~～至到]|to\b|or\b|或者?|、)\s*\.?\d[\d.]*"
    r"|\s*分?\s*[，,]\s*(?:或者?|or\b|也可能是?|也可以是?|甚至)\s*\.?\d[\d.]*|,(?=\d)))?"
    r"(?!\s*[?？])"
)
_LABEL = (
    r"(?:评分|得分|分数|打分|总分|正确性|可解释性|准确性|答案|结论|结果"
    r"|\b(?:score|rating|grade|judge?ment|correctness|interpretability|answer)\b)"
)
_BETWEEN = (
    r"(?:[\s：:=“\"（(）)○|【\[】\]]|结果|应该|应当|应|可以|大约|约|为|是|给|我|会|将|定|打|其|该|的|最终|回答|评|了|分数"
    r"|\b(?:score|rating|is|would|should|be|of|as|at|a|my|this|the|for|answer|response)\b){0,9}?"
)
_GIVEN = (
    r"(?:给予?|打|评为|评定为|定为|记为?|\b(?:give|rate|assign)(?:\s+(?:it|this|the|answer|response|a|score|rating|of"
    r"|as|at))*\s)"
    r"(?:它|其|出|该|这个|回答|答案|了|评分|分数|[\s：:“\"]){0,6}?"
)


def _wording(name: str, expression: str, matches: str, misses: str) -> Wording:
    return Wording(name, re.compile(expression, re.IGNORECASE), matches, misses)


WORDINGS = (
    _wording("score marked", _LABEL + _BETWEEN + _NUMBER + _AFTER, "评分：0.8，因为基本正确。", "评分标准有 3 条。"),
    _wording("score given", _GIVEN + _NUMBER + _AFTER, "答案基本正确，我给 0.8 分。", "给药 3 次。"),
    _wording(
        "score changed",
        r"(?:应该?(?:是|为)|应当(?:是|为)?|改(?:为|成|到|至|给)|(?:调整|更正|修正|纠正|修改|变更)(?:为|到|至|成|：|:)"
        r"|而是|分[^。，\n\d]{0,8}(?:从[\d.]+分?)?[降升提]高?(?:为|到|至)"
        r"|综合(?:来看|考虑|评价|判断|评估|以上)?|总体|最终|因此|所以|故|\b(?:should be|change[ds]?|revised?|make"
        r"|rather|actually|overall|final(?:ly)?"
        r"|correction|so|therefore)\b)"
        r"(?:[\s：:，,]|我|给|为|打|评分|分数|它|其|\b(?:it|that|to|is|the|my|score|a)\b){0,6}?" + _NUMBER + _AFTER,
        "评分：0.6。应改为0.8。",
        "应当每日 3 次。",
    ),
    _wording(
        "number that fits",
        _NUMBER
        + r"\s?分?(?=(?:更|比较|较|才|最|左右)?(?:合适|合理|恰当|准确|公允|妥当)"
        + r"|\s+(?:is|would be)\s+(?:more|better|fair|appropriate))"
        + _AFTER,
        "评分：0.6。其实0.8更合适。",
        "每日 3 次更合适。",
    ),
    _wording(
        "number alone",
        rf"(?<=[，,。；;\n：:])(?<!\d,)\s*{_NUMBER}(?=\s*(?:[。；;\n]|\Z)|(?:(?<=\.\d)|(?<=\.\d\d))\.\s*\Z){_AFTER}",
        "答案基本正确，0.8。",
        "答案基本正确，0.8 毫克。",
    ),
    _wording("points", _NUMBER + r"\s?分(?![之钟])" + _AFTER, "答案基本正确，0.8分。", "每 10 分钟一次。"),
    _wording(
        "number first",
        rf"\A[\s“\"]*{_NUMBER}{_AFTER}\s?分?[”\"]?(?=\s*(?:\Z|[。，；;！!（(—\n]|\.\Z|,(?!\d))|\s[-–]\s(?=[A-Za-z])|\s(?:因为|理由|原因"
        rf"|because|since)|因为)",
        "0.8，因为基本正确。",
        "1. 基本正确。",
    ),
    _wording(
        "number last",
        rf"\n[\s“\"]*{_NUMBER}{_AFTER}\s?分?[”\"]?[。.]?\s*\Z",
        "答案基本正确。\n0.8",
        "答案基本正确。\n共 3 条",
    ),
)
# Signs without which a wording is not in a sentence: looked for first, which is fast.
_NEEDS = {
    "score marked": re.compile("[分性案论果A-Za-z]"),
    "score given": re.compile("[给打定为记A-Za-z]"),
    "score changed": re.compile("[应改调更修纠变而降升提综总最因所故A-Za-z]"),
    "number that fits": re.compile("[适理当确允A-Za-z]"),
    "points": re.compile("分"),
}
_SENTENCES, _LINES = WORDINGS[:-2], WORDINGS[-2:]  # the latter look how the whole text goes on
_MAY_BE_ONE = re.compile(
    r"(?<![\d.<>=≤≥~～A-Za-z−–—到至/-])(?<![<>=≤≥] )(?P<number>[01]?\.\d{1,3})(?!\d|\.\d)"
    r"(?=\s*(?:分|[，,。；;！!）)\n]|\.(?!\d)|\Z|才|更|比较|较|左右|的|\b(?:because|since|is|overall|for|as)\b))"
)
# A text that was cut off within its number: 0. of 0.8.
_CUT_OFF = re.compile(r"(?<![\d.])0\.\Z")
_DIGIT = re.compile(r"[0-9]")
# Where a sentence begins so, a number in it is no score that is given.
_SUPPOSED = re.compile(
    r"(?:如果|若)(?!一定要|非要|非得|硬要|必须|真要)|例如|比如|示例|格式|是否|请"
    r"|\b(?:if|for example|e\.g|such as|please)\b",
    re.IGNORECASE,
)


_BUT = re.compile(r"但是?|不过|然而|\b(?:but|however)\b", re.IGNORECASE)
# What announces the number that counts, after others that were given for parts.
_FINAL = re.compile(
    r"(?:最终|最后|总分|总得分|总评|综合评分|总体评分|合计|\b(?:final|overall|total)\b)[^。！？\n\d]{0,16}\Z",
    re.IGNORECASE,
)
# Before a number, and it is no score that is given: what is taken off, a bound, or what is not given.
_NOT_GIVEN = re.compile(
    r"(?:扣除?|减去?|超过|至少|至多|最多|最高|最低|低于|高于|不足|不到|大于|小于|(?<![给打得评予])满分|每[项题点处]|各"
    r"|不(?:应该?|能|会|可以?|宜|该)?(?:给予?|打|评|得))[为是了到]?[:：]?\s*\Z"
)
_FOR_PARTS = frozenset({"score given", "points", "number alone"})
# A base model goes on with the next question in the same line.
_NEXT = re.compile(r"(?<=[\d分。])[^\S\n]+问题[：:]")


class Found(NamedTuple):
    """What was found in a prepared text.

    Attributes
    ----------
    value : str or None
        The number in its shortest decimal form, or None.
    rule : str
        The wording, or why there is none.
    spans : tuple of tuple of int
        Start and end of the numbers, in the prepared text.
    """

    value: str | None
    rule: str
    spans: tuple[tuple[int, int], ...] = ()


class _Number(NamedTuple):
    """A number that is given, or what makes it none."""

    value: str | None
    rule: str
    equal: Decimal | None  # on the scale that was asked for, where it is on another
    start: int
    end: int


def find(text: str, scale: Between) -> Found:
    """Find the score in a prepared text.

    Parameters
    ----------
    text : str
        Prepared.
    scale : Between
        The scale that was asked for, its ends as whole numbers.

    Returns
    -------
    Found
        The number; or None with the rule ``empty``, ``refusal``, ``contradiction`` (different numbers),
        ``out of range``, ``range`` (0.7-0.8), ``truncated`` (0.), ``another scale`` (80 %, 8/10 where 0 to 1 was asked
        for: nobody's score is worked out from another) or ``nothing``.

    Examples
    --------
    >>> from medzh_score.between import Between
    >>> [find(text, Between(0, 1))[:2] for text in ("评分：0.80。", "8/10")]
    [('0.8', 'score marked'), (None, 'another scale')]
    """
    if not text:
        return Found(None, "empty")
    if "问题" in text and (following := _NEXT.search(text)):
        text = text[: following.start()]
    numbers = _numbers(text, scale) if _DIGIT.search(text) else []
    if not numbers:
        return Found(None, "refusal" if declines(text) else "nothing")
    if len(numbers) > 1 and (corrected := last_correction(text)):
        numbers = [number for number in numbers if number.end > corrected] or numbers
    if len(numbers) > 1:
        numbers = _without_parts(text, numbers)
    found = _agreed([*numbers, *_witnesses(text, numbers, scale)])
    if _CUT_OFF.search(text):
        return found._replace(value=None, rule="truncated")
    return Found(None, "refusal") if found.value is not None and refused(text) else found


def _without_parts(text: str, numbers: list[_Number]) -> list[_Number]:
    """Leave out what was given for parts, before a number that is announced as the final one."""
    for place, number in enumerate(numbers):
        if _FINAL.search(text, max(0, number.start - 30), number.start):
            return [part for part in numbers[:place] if part.rule not in _FOR_PARTS] + numbers[place:]
    return numbers


def _witnesses(text: str, numbers: list[_Number], scale: Between) -> list[_Number]:
    """Find other numbers in a long response that may be scores, too: alone they are none, but they must agree."""
    if scale.high != 1 or len(text) <= _SHORT:
        return []
    known = {number.start for number in numbers}
    last = numbers[0].start
    return [
        _Number(scale.read(met["number"]), "", None, *met.span("number"))
        for met in _MAY_BE_ONE.finditer(text, last)
        if met.start("number") not in known and not _is_supposed(text[sentence_start(text, met.start()) : met.start()])
    ]


def _agreed(numbers: list[_Number]) -> Found:
    good = [number for number in numbers if number.value is not None]
    spans = tuple((number.start, number.end) for number in numbers)
    if not good:
        return Found(None, numbers[0].rule, spans[:1])
    said = {Decimal(number.value) if number.value is not None else number.equal for number in numbers}
    if len(said) > 1:
        return Found(None, "contradiction", spans)
    return Found(good[0].value, good[0].rule, ((good[0].start, good[0].end),))


_find_short = lru_cache(maxsize=1 << 14)(find)


def read(text: str, scale: Between) -> Answer:
    """Read the score that a response gives.

    Parameters
    ----------
    text : str
        The response, untouched.
    scale : Between
        The scale that was asked for.

    Returns
    -------
    Answer
        As `find` says; None by the rule ``unclosed`` where thinking is never closed.

    Examples
    --------
    >>> from medzh_score.between import Between
    >>> read("**0.8分**。", Between(0, 1)).value, read("0.7-0.8", Between(0, 1)).rule
    ('0.8', 'range')
    """
    said = prepare(text)
    if said is None:
        return answer(None, "unclosed")
    found = _find_short(said, scale) if len(said) <= _SHORT else find(said, scale)
    return answer(found.value, found.rule)


def explain(text: str, scale: Between) -> Reading:
    """Read the score of a response, and say from which of its characters.

    Parameters
    ----------
    text : str
        The response, untouched.
    scale : Between
        The scale that was asked for.

    Returns
    -------
    Reading
        Value and rule as `read` gives them.

    Examples
    --------
    >>> from medzh_score.between import Between
    >>> explain("**8**分", Between(0, 10))
    Reading(value='8', rule='number first', spans=(Span(start=2, end=3),))
    """
    located = locate(text)
    if located is None:
        return Reading(None, "unclosed")
    found = find(located.text, scale)
    return Reading(found.value, found.rule, tuple(located.span(start, end) for start, end in found.spans))


def _numbers(text: str, scale: Between) -> list[_Number]:
    """Find the numbers that are given, in the order of the text."""
    masked = _of_scale(scale.low, scale.high).sub(lambda named: "○" * len(named[0]), text)
    numbers: dict[int, _Number] = {}
    for met, name, begin in _met(masked):
        place = met.start("number")
        if _NOT_GIVEN.search(masked, max(0, place - 8), place):
            continue
        if place not in numbers and not _is_supposed(masked[max(min(begin, place), place - 100) : place]):
            value, why, equal = _on_scale(met, scale)
            numbers[place] = _Number(value, why or name, equal, *met.span("number"))
    return [numbers[place] for place in sorted(numbers)]


def _is_supposed(before: str) -> bool:
    if not _SUPPOSED.search(before):
        return False
    *_, before = _BUT.split(before)
    return bool(_SUPPOSED.search(before))


def _met(text: str) -> Iterator[tuple[re.Match[str], str, int]]:
    """Look for all wordings where there are digits; those of the first and the last line in these alone."""
    for wording, start in zip(_LINES, (0, text.rfind("\n")), strict=True):
        if start >= 0 and (met := wording.expression.match(text, start)):
            yield met, wording.name, start
    digit = _DIGIT.search(text)
    while digit is not None:
        begin, end = sentence(text, digit.start())
        low = with_label(text, begin)
        part = text[low:end]
        for wording in (one for one in _SENTENCES if one.name not in _NEEDS or _NEEDS[one.name].search(part)):
            for met in wording.expression.finditer(text, low, end):
                yield met, wording.name, begin
        digit = _DIGIT.search(text, end)


def _on_scale(met: re.Match[str], scale: Between) -> tuple[str | None, str, Decimal | None]:
    """Give the number on the scale; or why it is none, and what it would be if its own scale counted."""
    if met["range"]:
        return None, RANGE, None
    number, full = Decimal(met["number"]), Decimal(100 if met["percent"] else met["full"] or scale.high)
    if met["percent"] or full != scale.high:
        return None, SCALE, number / full * (scale.high - scale.low) + scale.low if full else None
    value = scale.read(met["number"])
    return value, "" if value is not None else OUT_OF_RANGE, None


@lru_cache(maxsize=1 << 6)
def _of_scale(low: int, high: int) -> re.Pattern[str]:
    """Find where a text names the scale itself: 评分（0-1）：0.8."""
    return re.compile(rf"(?<![\d.]){low}(?:\.0)?\s*分?\s*(?:[-–—~～至到]|to|and)\s*{high}(?:\.0)?(?!\d|\.\d)")
