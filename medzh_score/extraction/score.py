"""A number from low to high, as a judge gives it: the whole prepared response is read, and all of it must agree."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.config import answer
from medzh_score.extraction.corrections import last_correction
from medzh_score.extraction.preparing import locate, prepare
from medzh_score.extraction.reading import Reading, Span
from medzh_score.extraction.refusals import declines, refused
from medzh_score.extraction.score_wordings import NEEDS, WORDINGS
from medzh_score.extraction.score_written import Sum, disagreeing_fields, in_digits, sums
from medzh_score.extraction.sentences import sentence, sentence_start, with_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.between import Between
    from medzh_score.config import Answer

_SHORT = 16
OUT_OF_RANGE, RANGE, SCALE = "out of range", "range", "another scale"

_SENTENCES, _LINES = WORDINGS[:-2], WORDINGS[-2:]  # the latter look how the whole text goes on
_SEARCHES = tuple(
    (
        one.name,
        NEEDS[one.name].search if one.name in NEEDS else None,
        one.expression.finditer,
        one.name in {"number that fits", "number alone", "points"},
    )
    for one in _SENTENCES
)
# Most short answers: a number, or one behind a label.
_PLAIN = re.compile(r"((?:评分|得分|分数)[：:为] ?)?([0-9]{1,9}(?:\.[0-9]{1,18})?|\.[0-9]{1,18}) ?分?。?")
_MAY_BE_ONE = re.compile(
    r"(?<![\d.<>=≤≥~～A-Za-z−–—到至/-])(?<![<>=≤≥/] )(?P<number>[01]?\.\d{1,3})(?!\d|\.\d)"
    r"(?=\s*(?:分|[，,。；;！!）)\n]|\.(?!\d)|\Z|才|更|比较|较|左右|的|吧|\b(?:because|since|is|overall|for|as)\b))"
)
_HOW_SURE = re.compile(r"(?:置信度|把握|信心|confidence|certainty)[^，,。；;\n\d]{0,8}\Z", re.IGNORECASE)
# A text that was cut off within its number: 0. of 0.8.
_CUT_OFF = re.compile(r"(?<![\d.])0\.\Z")
_DIGIT = re.compile(r"[0-9]")
_ANY_DIGIT = re.compile(r"\d")
# Where a sentence begins so, a number in it is no score that is given.
_SUPPOSED = re.compile(
    r"如果(?!一定要|非要|非得|硬要|必须|真要)|若(?!一定要|非要|非得|硬要|必须|真要)|例如|比如|示例|格式|是否|请"
    r"|(?:本来|原本|原先|原来[的我]|有人|别人|(?:别的|其他)(?:评审|评委|老师|专家|人))[^，,。；;]{0,12}\Z"
    r"|[评打计](?<![按据照][评打计])分(?:标准|规则|细则)(?:如下|为|是)?[：:]|给(?<![按据照]给)分(?:标准|规则|细则)(?:如下|为|是)?[：:]"
)
_SUPPOSED_EN = re.compile(r"\b(?:if|for example|e\.g|such as|please)\b", re.IGNORECASE)
_LETTER = re.compile("[A-Za-zſ]")  # the last is an s without regard to case
_BUT = re.compile(r"但是?|不过|然而|\b(?:but|however)\b", re.IGNORECASE)
# What announces the number that counts, after others that were given for parts.
_FINAL = re.compile(
    r"(?:最终|最后|总分|总得分|总评|综合评分|总体评分|合计|\b(?:final|overall|total)\b)[^。！？\n\d]{0,16}\Z",
    re.IGNORECASE,
)
# Before a number, and it is no score that is given: what is taken off, a bound, or what is not given.
_NOT_GIVEN = re.compile(
    r"(?:[从由]|扣(?!到)[除去掉]?了?|减[去掉]?了?|超过|低于|高于|不足|不到|大于|小于|(?<![给打得评予])满分|每[项题点处]|各"
    r"|(?:至少|至多|最多|最高|最低)(?:应该?|可以?|能|得|要)?(?:给予?|打|评)?|(?:不是|并非|绝非)(?:给|打)?"
    r"|(?:不止|不只|没有|没到|不值|配不上|难以|没法|无法|达不到|够不上|未[达到]|很?难说|很难|还差|只差|相差)(?:是|给出?|打出?|得到?|评)?"
    r"|不(?:应该?|能|会|可以?|宜|该)?(?:给予?|打|评|得))[为是了到]?[:：]?\s*\Z"
)
# A number of the patient's, on a scale of medicine.
_OF_PATIENT = re.compile(
    r"(?:疼痛|昏迷|Apgar|GCS|NRS|VAS|NIHSS|MMSE|SOFA)(?:量表)?的?(?:评分|得分|总分|分数|分值)?[为是：:\s]*\Z",
    re.IGNORECASE,
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
    if len(text) <= _SHORT and (plain := _PLAIN.fullmatch(text)):
        value = scale.read(plain[2])
        rule = ("score marked" if plain[1] else "number first") if value is not None else OUT_OF_RANGE
        return Found(value, rule, (plain.span(2),))
    if "问题" in text and (following := _NEXT.search(text)):
        text = text[: following.start()]
    said, text = text, in_digits(text)
    worked = sums(text)
    numbers = _results(worked, _numbers(_without(worked, text), scale)) if _DIGIT.search(text) else []
    if not numbers:
        return Found(None, "refusal" if declines(said) else "nothing")
    if len(numbers) > 1 and (corrected := last_correction(text)):
        numbers = [number for number in numbers if number.end > corrected] or numbers
    if len(numbers) > 1:
        numbers = _without_parts(text, numbers)
    found = _agreed([*numbers, *_witnesses(_without(worked, text), numbers, scale)])
    if text.endswith("0.") and _CUT_OFF.search(text):
        return found._replace(value=None, rule="truncated")
    return Found(None, "refusal") if found.value is not None and refused(said) else found


def _without(worked: list[Sum], text: str) -> str:
    """Put a mark for each character of what is worked into a result."""
    for one in worked:
        text = text[: one.start] + "□" * (one.end - one.start) + text[one.end :]
    return text


def _results(worked: list[Sum], numbers: list[_Number]) -> list[_Number]:
    """Leave out numbers that are then worked into a result."""
    for one in worked:
        if any(number.value and number.start >= one.end and Decimal(number.value) == one.result for number in numbers):
            numbers = [
                number
                for number in numbers
                if number.end > one.start or number.value is None or Decimal(number.value) not in one.operands
            ]
    return numbers


def _without_parts(text: str, numbers: list[_Number]) -> list[_Number]:
    """Leave out what was given for parts, before a number that is announced as the final one."""
    for place, number in enumerate(numbers):
        if _FINAL.search(text, max(0, number.start - 30), number.start):
            return [part for part in numbers[:place] if part.rule not in _FOR_PARTS] + numbers[place:]
    return numbers


def _witnesses(text: str, numbers: list[_Number], scale: Between) -> list[_Number]:
    """Find other numbers in a long response that may be scores, too: alone they are none, but they must agree."""
    if scale.high != 1 or len(text) <= _SHORT or "." not in text[numbers[0].end :]:
        return []
    known = {number.start for number in numbers}
    last = numbers[0].start
    return [
        _Number(scale.read(met["number"]), "", None, *met.span("number"))
        for met in _MAY_BE_ONE.finditer(text, last)
        if met.start("number") not in known
        and not _HOW_SURE.search(text, max(0, met.start() - 24), met.start())
        and not _is_supposed(text[sentence_start(text, met.start()) : met.start()])
    ]


def _agreed(numbers: list[_Number]) -> Found:
    if len(numbers) == 1:
        only = numbers[0]
        return Found(only.value, only.rule, ((only.start, only.end),))
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
    if found.value is not None and disagreeing_fields(text):
        return answer(None, "contradiction")
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
    if found.value is not None and (fields := disagreeing_fields(text)):
        return Reading(None, "contradiction", tuple(Span(*field) for field in fields))
    return Reading(found.value, found.rule, tuple(located.span(start, end) for start, end in found.spans))


def _numbers(text: str, scale: Between) -> list[_Number]:
    """Find the numbers that are given, in the order of the text."""
    masked = _of_scale(scale.low, scale.high).sub(lambda named: "○" * len(named[0]), text)
    numbers: dict[int, _Number] = {}
    for met, name, begin in _met(masked):
        place = met.start("number")
        if place in numbers:
            continue
        if _NOT_GIVEN.search(masked, max(0, place - 8), place) or _OF_PATIENT.search(masked, max(0, place - 16), place):
            continue
        if not _is_supposed(masked[max(min(begin, place), place - 100) : place]):
            value, why, equal = _on_scale(met, scale)
            numbers[place] = _Number(value, why or name, equal, *met.span("number"))
    return [numbers[place] for place in sorted(numbers)]


def _is_supposed(before: str) -> bool:
    if not _supposes(before):
        return False
    *_, before = _BUT.split(before)
    return _supposes(before)


def _supposes(before: str) -> bool:
    return bool(_SUPPOSED.search(before) or (_LETTER.search(before) and _SUPPOSED_EN.search(before)))


def _met(text: str) -> Iterator[tuple[re.Match[str], str, int]]:
    """Look for all wordings where there are digits; those of the first and the last line in these alone."""
    for wording, start in zip(_LINES, (0, text.rfind("\n")), strict=True):
        if start >= 0 and (met := wording.expression.match(text, start)):
            yield met, wording.name, start
    digit = _DIGIT.search(text)
    while digit is not None:
        begin, end = sentence(text, digit.start())
        low = with_label(text, begin)
        for met, name in _in_sentence(text, low, digit.start(), end):
            yield met, name, begin
        digit = _DIGIT.search(text, end)


def _in_sentence(text: str, low: int, digit: int, end: int) -> Iterator[tuple[re.Match[str], str]]:
    """Look for the wordings in a sentence; once one has its only number, no other can find more."""
    # Those that begin with the number are looked for from where the first may begin.
    near = low + len(text[low:digit].removesuffix(".").rstrip())
    for name, needed, finditer, from_number in _SEARCHES:
        if needed is not None and not needed(text, low, end):
            continue
        met = None
        for met in finditer(text, near if from_number else low, end):
            yield met, name
        if met is not None and _is_only_number(text, low, met, end):
            return


def _is_only_number(text: str, low: int, met: re.Match[str], end: int) -> bool:
    start, stop = met.span("number")
    first = _ANY_DIGIT.search(text, low)
    return first is not None and start + 1 >= first.start() >= start and not _ANY_DIGIT.search(text, stop, end)


def _on_scale(met: re.Match[str], scale: Between) -> tuple[str | None, str, Decimal | None]:
    """Give the number on the scale; or why it is none, and what it would be if its own scale counted."""
    if met["range"]:
        return None, RANGE, None
    if met["percent"] or met["full"]:
        number, full = Decimal(met["number"]), Decimal(100 if met["percent"] else met["full"])
        if met["percent"] or full != scale.high:
            return None, SCALE, number / full * (scale.high - scale.low) + scale.low if full else None
    value = scale.read(met["number"])
    return value, "" if value is not None else OUT_OF_RANGE, None


@lru_cache(maxsize=1 << 6)
def _of_scale(low: int, high: int) -> re.Pattern[str]:
    """Find where a text names the scale itself: 评分（0-1）：0.8."""
    return re.compile(rf"{low}(?<![\d.]{low})(?:\.0)?\s*分?\s*(?:[-–—~～至到]|to|and)\s*{high}(?:\.0)?(?!\d|\.\d)")
