"""A score: the number on a scale that a response gives the one answer that it judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Reading
from medzh_score.extraction.engine import CONCLUDED, LABELLED, Candidate, resolve, scan
from medzh_score.extraction.normalize import prepare
from medzh_score.extraction.vocabulary import expression, lexicon_of, over_signs

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from medzh_score.extraction.engine import Found, Scan
    from medzh_score.extraction.vocabulary import Expression

WHOLE, LAST = LABELLED + 1, LABELLED + 2  # a total stands above a score, and what 最终 announces above both
TOTAL = over_signs(
    "total score", r"(?:f[aoc]{0,3})?T(?:o(?:M|B[aI:]?V)c)?(?:D|[aIKTC:ocGf]{0,6}n{0,2}[aIC:ocG]{0,4})V", "oTcV", "T_V"
)
SCORE = over_signs(
    "score",
    r"(?<!M)(?:f[aoc]{0,3})?K(?:o(?:M|B[aI:]?V)c)?(?:D|[aIKXC:ocGf]{0,6}n{0,2}[aIC:ocG]{0,4})V",
    "K:ooVcc",
    "K:MV",
)
DIMENSION = over_signs(
    "score of a dimension", r"(?<!Ko)(?<!To)M(?:D|[aIKC:ocG]{0,6}n{0,2}[aIC:ocG]{0,4})[Vv]", "MK:V", "KoMc:V"
)
GIVEN = over_signs("score given", r"(?:f[aoc]{0,3})?C[aIKCf:oc]{0,8}V", "CaV", "NV")
EARNED = over_signs("score earned", r"(?:f[aoc]{0,3})?L[aI:]{0,3}V", "DLV", "BV")
CORRECTED = over_signs("score corrected", r"R(?:[^RVGn]{0,16}[ILCKT])?[a:oc]{0,3}V", "RD_DIV", "R_V")
NUMBER_ALONE = over_signs("number alone", r"(?:(?<=n)|\A)[aoc:S]*V[aocSD]*(?=n|\Z)", "_noVcn", "nV_")
NUMBER_FIRST = over_signs("number first", r"\A[aoc:S]*V(?=[SDocaXn])(?![SD]*(?:W|Q))", "VS_", "_V")
FIELD = over_signs("field", r"(?:(?<=[nSD])|\A)[^nSDVKT]{1,8}:[oc]*V(?=[cDSa]*(?:n|\Z)|D)", "_:VnM:V", "_V")
PART = over_signs("score of a part", r"(?:(?<=[nSD])|\A)_K[^nSDV]{0,3}:[oc]*V", "n_K:V", "aK:V")
DENIED = over_signs("score denied", r"N[aIKTC:]{0,3}V", "NCV", "NDV")
NOT_MEANT = over_signs("not meant", r"[oDc]*W|F", "oWK:V", "SV")
ANSWERS = expression(
    "answers by number",
    r"(?:assistant|system|response|answer|model|candidate|助手|回答|模型|系统)[ ]?"
    r"(?:([1a甲]|一(?=[的得更给:,\n ]))|([2b乙]|二(?=[的得更给:,\n ])))(?![0-9a-z])"
    r"|(?<![a-z0-9])(?:(a)|(b))[ ]?:[ ]?[0-9]|_(?:(a)|(b)):[0-9]",
    matches="assistant 2 is better",
    misses="回答一般",
)

# What gives the score, the sign that it needs, and how strongly it speaks; a number counts for the first that takes it.
LEVELS = ((TOTAL, "T", WHOLE), (SCORE, "K", LABELLED), (CORRECTED, "R", CONCLUDED), (GIVEN, "C", CONCLUDED))


def read_score(text: str, low: float, high: float) -> Reading:
    r"""Read which score a response gives the one answer that it judges.

    Parameters
    ----------
    text : str
        The response, as it came.
    low, high : float
        The scale that was asked for; both ends belong to it. A score on another scale is unread.

    Returns
    -------
    Reading
        The score as a float.

    Examples
    --------
    >>> read_score("回答遗漏了禁忌证。评分：7/10", 1, 10).value
    7.0
    >>> read_score("准确性：8\\n完整性：6", 1, 10).value is None
    True
    """
    prepared = prepare(text)
    if prepared.lacks:
        return Reading(None, prepared.lacks)
    named = {(match.lastindex or 0) % 2 for match in ANSWERS.pattern.finditer(prepared.folded)}  # the first, the second
    if len(named) > 1:
        return Reading(None, "several answers")
    signs, values = numbers(prepared.folded, low, high)
    found = scan(prepared, lexicon_of("score"), signs)
    candidates, blocked = [], ""
    for one in _candidates(found, values):
        if NOT_MEANT.pattern.match(found.signs, one.last + 1):
            blocked = "either"
        else:
            candidates.append(one)
    reading = resolve(found, candidates, blocked)
    if any(values[found.starts[match.end() - 1]] == reading.value for match in _matches(DENIED, "N", found.signs)):
        return Reading(None, "denied")
    outside = reading.value is None and reading.spans and reading.reason != "contradiction"
    return reading._replace(reason="another scale", unambiguous=False) if outside else reading


def _candidates(found: Scan, values: Mapping[int, float | None]) -> Iterator[Candidate]:
    signs = found.signs
    if "V" not in signs:
        return
    dimensions = _matches(DIMENSION, "M", signs)
    parts = {found.text(match.start()): match.end() - 1 for match in _matches(PART, "_K", signs)}
    taken = {match.end() - 1 for match in dimensions}
    if len(parts) + bool(dimensions) > 1:
        dimensions = []
        taken.update(parts.values())
    said = [(dimension, LABELLED) for dimension in _only_dimension(found, dimensions)]
    for expr, sign, strength in LEVELS:
        new = [match for match in _matches(expr, sign, signs) if match.end() - 1 not in taken]
        taken.update(match.end() - 1 for match in new)
        said += [((expr.name, match.start(), match.end() - 1), strength) for match in new]
    earned = [match for match in _matches(EARNED, "L", signs) if match.end() - 1 not in taken]
    if len(earned) == 1:  # of several each is for a part
        said.append(((EARNED.name, earned[0].start(), earned[0].end() - 1), CONCLUDED))
    said += [((NUMBER_ALONE.name, at, at), LABELLED) for at in _alone(signs, taken)]
    if (first := NUMBER_FIRST.pattern.match(signs)) and first.end() - 1 not in taken:
        said.append(((NUMBER_FIRST.name, first.end() - 1, first.end() - 1), CONCLUDED))
    for (reason, start, last), strength in said:
        yield Candidate(values[found.starts[last]], LAST if signs[start] == "f" else strength, reason, start, last)


def _matches(expr: Expression, sign: str, signs: str) -> list[re.Match[str]]:
    """Find an expression where a sign stands without which it cannot be found: looking for that is quicker."""
    return list(expr.pattern.finditer(signs)) if sign in signs else []


def _only_dimension(found: Scan, dimensions: Sequence[re.Match[str]]) -> Iterator[tuple[str, int, int]]:
    """Take what is given for a dimension where no other is scored."""
    names = {found.text(match.start()) for match in dimensions}
    if len(names) != 1:
        return
    fields = {found.text(match.start(), match.end() - 2) for match in FIELD.pattern.finditer(found.signs)}
    if len(fields) < 2:  # noqa: PLR2004 - another field with a number may be a dimension, too
        for match in dimensions:
            if match[0][-1] == "V":
                yield DIMENSION.name, match.start(), match.end() - 1


def _alone(signs: str, taken: AbstractSet[int]) -> list[int]:
    """Give numbers that stand alone in a line; of several with text between, as in a table, only one that opens it."""
    places = [signs.index("V", match.start()) for match in NUMBER_ALONE.pattern.finditer(signs)]
    places = [at for at in places if at not in taken]
    if len(places) > 1 and "_" in signs[places[0] : places[-1]]:
        return [] if set(signs[: places[0]]) & set("_KTM") else places
    return places


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
    "number of an item", r"[(\[]?[0-9]{1,2}(?:[)\]、]|题|\.(?![0-9]))[ ]?(?=[^\s\])])", matches="(1)5分", misses="8分"
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
