"""A score: which number on the scale does a response give the one answer that it judges?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction.commitments import CONCLUDED, ENDS, FINAL, LABELLED, Commitment, clause, resolve
from medzh_score.extraction.expressions import expression
from medzh_score.extraction.preparation import prepare
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.score_numbers import numbers
from medzh_score.extraction.signs import scan
from medzh_score.extraction.words import lexicon_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.extraction.signs import Scan

LAST = FINAL + 1  # 最终 before it: it stands above a total
TOTAL = expression(
    "total score", r"(?:f[aoc]{0,3})?T[aIKMTC:ocGf]{0,6}n{0,2}[aIC:ocG]{0,4}V", matches="oTcV", misses="TDV", over="signs"
)
SCORE = expression(
    "score", r"(?<!M)(?:f[aoc]{0,3})?K[aIKMXC:ocGf]{0,6}n{0,2}[aIC:ocG]{0,4}V", matches="K:ooVcc", misses="KDV", over="signs"
)
DIMENSION = expression(
    "score of a dimension", r"M[aIKC:ocG]{0,6}n{0,2}[aIC:ocG]{0,4}V", matches="MK:V", misses="MDV", over="signs"
)
GIVEN = expression("score given", r"(?:f[aoc]{0,3})?C[aIKMCf:oc]{0,8}V", matches="CaV", misses="NV", over="signs")
EARNED = expression("score earned", r"(?:f[aoc]{0,3})?L[aI:]{0,3}V", matches="DLV", misses="BV", over="signs")
CORRECTED = expression(
    "score corrected", r"R(?:[^RVGn]{0,16}[ILCKT])?[a:oc]{0,3}V", matches="RD_DIV", misses="R_V", over="signs"
)
NUMBER_ALONE = expression(
    "number alone", r"(?:(?<=n)|\A)[aoc:S]*V[aocSD]*(?=n|\Z)", matches="_noVcn", misses="nV_", over="signs"
)
NUMBER_FIRST = expression("number first", r"\A[aoc:S]*V(?=[SDocaXn])(?!D?W)", matches="VS_", misses="_V", over="signs")
FIELD = expression(
    "field", r"(?:(?<=[nSD])|\A)[^nSDV]{1,8}:[oc]*V(?=[cDSa]*(?:n|\Z)|D)", matches="_:VnM:V", misses="_V", over="signs"
)
NOT_MEANT = expression("not meant", r"[oDc]*W|F", matches="oWK:V", misses="SV", over="signs")
ANSWERS = expression(
    "answers by number",
    r"(?:assistant|system|response|answer|model|candidate|助手|回答|模型|系统)[ ]?(?:([1a甲]|一(?=[的得更给:,\n ]))|([2b乙]|二(?=[的得更给:,\n ])))"
    r"(?![0-9a-z])",
    matches="assistant 2 is better",
    misses="回答一般",
)


def read_score(text: str, low: float, high: float) -> Reading:
    """Read which score a response gives the one answer that it judges.

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
    named = {match.lastindex for match in ANSWERS.pattern.finditer(prepared.folded)}
    if len(named) > 1:
        return Reading(None, "several answers")
    signs, values = numbers(prepared.folded, low, high)
    found = scan(prepared, lexicon_of("score"), signs)
    commitments, blocked = [], ""
    for one in _commitments(found, values):
        if NOT_MEANT.pattern.match(found.signs, one.last + 1):
            blocked = "either"
        elif one.strength < FINAL and "F" in found.signs[clause(found.signs, one.first, one.last, ENDS)[0] : one.first]:
            blocked = "supposed"
        else:
            commitments.append(one)
    reading = resolve(found, commitments, blocked)
    return reading._replace(why="another scale") if commitments and reading.value is None and len(reading.spans) == 1 else reading


def _commitments(found: Scan, values: dict[int, float | None]) -> Iterator[Commitment]:
    signs = found.signs
    if "V" not in signs:
        return

    def made(strength: int, why: str, first: int, last: int) -> Commitment:
        return Commitment(values[found.starts[last]], strength, why, first, last)

    taken = set()
    for expr, strength in ((TOTAL, FINAL), (SCORE, LABELLED), (CORRECTED, FINAL), (GIVEN, CONCLUDED)):
        for match in expr.pattern.finditer(signs):
            last = match.end() - 1
            if last not in taken or expr is CORRECTED:
                taken.add(last)
                yield made(LAST if match[0][0] == "f" else strength, expr.name, match.start(), last)
    for expr, strength in ((NUMBER_ALONE, LABELLED), (NUMBER_FIRST, CONCLUDED)):
        for match in expr.pattern.finditer(signs):
            last = signs.index("V", match.start())
            if last not in taken:
                taken.add(last)
                yield made(strength, expr.name, last, last)
    yield from _parts(found, taken, made)


def _parts(found: Scan, taken: set[int], made) -> Iterator[Commitment]:
    """Take what is given for a part of the answer, where it is the only one."""
    signs = found.signs
    earned = [match for match in EARNED.pattern.finditer(signs) if match.end() - 1 not in taken]
    if len(earned) == 1:
        (match,) = earned
        yield made(LAST if match[0][0] == "f" else CONCLUDED, EARNED.name, match.start(), match.end() - 1)
    dimensions = [match for match in DIMENSION.pattern.finditer(signs) if match.end() - 1 not in taken]
    names = {found.text(match.start()) for match in dimensions}
    fields = {found.text(match.start(), match.end() - 2) for match in FIELD.pattern.finditer(signs)}
    if len(names) == 1 and len(fields) < 2:
        for match in dimensions:
            yield made(CONCLUDED, DIMENSION.name, match.start(), match.end() - 1)
