"""Letters that a response announces as its answer, or that stand alone as one."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from medzh_score.extraction.commitments import CONCLUDED, LABELLED, Commitment, before
from medzh_score.extraction.expressions import over_signs
from medzh_score.extraction.labels import together, value_of
from medzh_score.extraction.letters_judged import ITEM, MANY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.extraction.option_texts import Question
    from medzh_score.extraction.signs import Scan

ANSWER = over_signs("answer", r"(?:K[aIKOX:ocnCY]{0,9}|O:o?)L", "K:oL", "KNL")
CHOICE = over_signs("choice", r"C[aIO:ocn]{0,5}L", "CL", "C_L")
# Behind a label: what denies it, unless it denies another; and what excepts others, or points on to another.
TAKEN_BACK = over_signs("label denied", r"[aoc]{0,3}[MN](?![aoc]*O?L)", "oMc", "oNLc")
EXCEPTED = over_signs("label excepted", r":L|[aocD]{0,3}x", "DxL", "DNL")
CORRECTED = over_signs("corrected", r"R[aI:oD]{0,4}O?L", "RIL", "R_L")
AT_END = over_signs("bracket at the end", r"oL(?:coL)*c[aS]*\Z", "_oLcS", "_oLc_")
# What stands before it `_opens` looks at, for an expression would be tried everywhere.
ALONE = over_signs("alone", r"L[aocd:]*T?O?[aocSD]*(?<!:)(?=n|\Z)", "_noLcn", "nL_")
IS = over_signs("is", r"[IV][a:ocn]{0,4}O?L(?![O_]*[MY])(?=O?(?:[aocSnD:dTX]|\Z))", "_ILS", "_IL_")
MORE = over_signs(
    "more labels",
    r"(?:[:aocO]*[T_]?[aoc]*d[ao]*O?L|[:aoc]*T[aoc]*D[ao]*O?L|[:aoc]*T[aocSn]*O?L(?=[:aoc]*T[aoc]*(?:[SnD]|\Z))){1,25}",
    ":TdL",
    "DOLM",
)
NEXT_LINES = over_signs(
    "more lines", r"[^nYM]{0,40}(?:n{1,3}[aoc]{0,6}L[^nYML]{0,40}){1,25}(?=n|\Z)", ":_nL:_nL:_", "nXL"
)
LEAD = 60  # signs that may stand between the beginning of a line and its label
CUES = ((ANSWER, ""), (CHOICE, "C"), (CORRECTED, "R"))  # and a sign without which each cannot be found


def announced(found: Scan, question: Question) -> Iterator[Commitment]:
    """Take labels behind what announces an answer, alone in a line, or at the end of a conclusion."""
    signs = found.signs
    for cue, needs in CUES:
        for match in cue.pattern.finditer(signs) if needs in signs else ():
            last = match.end() - 1
            denied = cue is CHOICE and not {"N", "M"}.isdisjoint(before(signs, match.start()))
            taken_back = not question.wrong and TAKEN_BACK.pattern.match(signs, match.end()) is not None
            misnamed = not question.wrong and before(signs, match.start()).rstrip("aO")[-1:] == "M"
            if not (denied or taken_back or misnamed or EXCEPTED.pattern.match(signs, match.end())):
                yield Commitment(_with_more(found, last), LABELLED, cue.name, match.start(), last)
    if ends := AT_END.pattern.search(signs):
        places = [at for at in range(*ends.span()) if signs[at] == "L"]
        yield Commitment(together(found, places), LABELLED, AT_END.name, places[0], places[-1])
    yield from _alone(found)
    for match in IS.pattern.finditer(signs):
        value = value_of(found, match.end() - 1)
        denials = {"N", "M"} & set(before(signs, match.start()))
        excepted = "x" in before(signs, match.start()) or (question.wrong and "Y" in before(signs, match.start()))
        if len(value) < question.size and not excepted and (not denials or (question.wrong and denials == {"M"})):
            yield Commitment(value, CONCLUDED, IS.name, match.start(), match.end() - 1)


def _with_more(found: Scan, sign: int) -> str:
    """Give the label that is announced with those that are listed after it: a set is never cut to its first."""
    for listed in (MORE, NEXT_LINES):
        if more := listed.pattern.match(found.signs, sign + 1):
            return together(found, (at for at in range(sign, more.end()) if found.signs[at] == "L"))
    return value_of(found, sign)


def _alone(found: Scan) -> Iterator[Commitment]:
    """Take labels that stand alone in a line: all together where nothing else stands in the text."""
    signs = found.signs
    lines = [line for line in ALONE.pattern.finditer(signs) if _opens(signs, line.start())]
    if not lines:
        return
    many = signs.count("L") + signs.count("l") > MANY
    items = [item.start(1) - 1 for item in ITEM.pattern.finditer(signs)] if many else []
    alone = []
    for line in lines:
        at = line.start()
        before = bisect_left(items, at)
        last = value_of(found, items[before - 1])[-1] if before >= MANY else ""
        goes_on = bool(last) and ord(last) + 1 == ord(value_of(found, at)[0])
        if not goes_on and not ("T" in line[0] and len(items) > MANY):  # else an item of a list
            alone.append(at)
    if len(alone) > 1 and len(alone) > found.prepared.text.strip().count("\n"):
        yield Commitment(together(found, alone), LABELLED, ALONE.name, alone[0], alone[-1])
        return
    for at in alone:
        yield Commitment(value_of(found, at), LABELLED, ALONE.name, at, at)


def _opens(signs: str, at: int) -> bool:
    """Say whether nothing that says anything stands between the beginning of a line or sentence and a label."""
    before = signs[max(0, at - LEAD) : at].removesuffix("O")
    said = before.rstrip("aoc:SY")
    return said[-1:] == "n" or "S" in before[len(said) :] or (not said and at < LEAD)
