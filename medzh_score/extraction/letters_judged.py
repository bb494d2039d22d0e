"""Options that a response goes through one by one, copies as a list, or begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction.commitments import CONCLUDED, MENTIONED, Commitment, before, clause
from medzh_score.extraction.expressions import over_signs
from medzh_score.extraction.labels import together, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.extraction.option_texts import Question
    from medzh_score.extraction.signs import Scan

NEGATIVE = frozenset("不没无非未难")
MANY = 2  # items with which a text goes through the options
HOLDS = over_signs("holds", r"L(?:[Oa]{0,3}d[Oa]{0,3}L){0,25}[OaIocT_:d]{0,7}?Y", "OL_Y", "LOM")
FAILS = over_signs("fails", r"L(?:[Oa]{0,3}d[Oa]{0,3}L){0,25}[OaIocT_:d]{0,7}?M", "OL_M", "LOY")
REJECTED = over_signs("rejected", r"LO?a?M", "LOM", "LOY")
NAMED = over_signs("named", r"L[:aocd]{0,3}T|ToL(?=c)", "L:T", "L_T")
COPIED = over_signs("copied", r"(?:O?L[:adoc]*T[aocSDnd]*){2,}", "oLcTSoLcTS", "LTML")
LINES = over_signs("lines", r"\A[an]*(?:[aoc]*O?L[^n]*n+)+[aoc]*O?L[^n]*n*\Z", "L_nL_", "_nL_")
ITEM = over_signs("item", r"(?:(?<=[nSD])|\A)[aoc]*O?[Ll]([^nS]*)", "nL_DM", "n_L")
OPENING = over_signs("opening", r"\A[anoc]*(?:L(?=[:dDaScnTX_I])(?!O)|OL(?=[a:d]+_[aSn]*\Z))", "L:_", "OL_")


def copied(found: Scan, question: Question) -> tuple[Scan, list[Commitment]]:
    """Take lists of options that are copied out of a text; where several are asked for, one may be the answer."""
    signs, commitments = found.signs, []
    for match in COPIED.pattern.finditer(found.signs):
        begin, end = match.span()
        if found.signs.count("L", begin, end + 1) < min(question.size, MANY + 1):
            continue
        signs = signs[:begin] + match[0].replace("L", "l") + signs[end:]
        cue = found.signs[max(0, begin - 3) : begin].rstrip("nao")[-1:]
        if question.several and (begin == 0 or cue in {":", "I", "K", "Y"}) and found.signs[end : end + 1] != "L":
            places = [at for at in range(begin, end) if found.signs[at] == "L"]
            strength = CONCLUDED if begin else MENTIONED
            commitments.append(Commitment(together(found, places), strength, "listed", places[0], places[-1]))
    return found._replace(signs=signs), commitments


def judged(found: Scan, question: Question) -> Iterator[Commitment]:
    """Take the options that are said to hold, or to fail where that is asked; else a list, or a label that opens."""
    signs = found.signs
    held = {
        together(found, (at for at in range(*match.span()) if signs[at] == "L")): match.start()
        for match in (FAILS if question.wrong else HOLDS).pattern.finditer(signs)
        if not _denied(found, match.start(), match.end() - 1)
    }
    if question.several and len(held) > 1:
        yield Commitment("".join(sorted(set("".join(held)))), CONCLUDED, "each", *[min(held.values())] * 2)
    else:
        yield from (Commitment(value, CONCLUDED, "holds", at, at) for value, at in held.items())
    if not held:
        yield from _itemised(found, question)
        yield from _opening(found, question)


def _denied(found: Scan, first: int, last: int) -> bool:
    """Say whether what is said to hold is denied, before it or between."""
    between = found.prepared.text[found.ends[first] : found.starts[last]]
    return not NEGATIVE.isdisjoint(between) or not {"N", "M", "x"}.isdisjoint(before(found.signs, first))


def _itemised(found: Scan, question: Question) -> Iterator[Commitment]:
    """Take a list that judges its items one by one, where each item is judged."""
    right, places, chosen = "M" if question.wrong else "YC", [], []
    for item in ITEM.pattern.finditer(found.signs):
        verdict = next((sign for sign in reversed(item[1]) if sign in "YMCN"), "")
        if not verdict:
            return
        places.append(item.start(1) - 1)
        if verdict in right:
            chosen.append(places[-1])
    if len(places) >= MANY and chosen and (question.several or len(chosen) == 1):
        yield Commitment(together(found, chosen), CONCLUDED, "each", places[0], places[0])


def _opening(found: Scan, question: Question) -> Iterator[Commitment]:
    """Take lines that all begin with a label, where several are asked for; or the label that a text begins with."""
    signs = found.signs
    if LINES.pattern.match(signs):
        places = [at for at, sign in enumerate(signs) if sign == "L" and (at == 0 or signs[at - 1] in "naoO")]
        value = together(found, places)
        if question.several and 1 < len(value) < question.size:
            yield Commitment(value, CONCLUDED, "opening", places[0], places[0])
    elif opening := OPENING.pattern.match(signs):
        at = opening.end() - 1
        value = value_of(found, at)
        sentence = signs[at + 1 : clause(signs, at, at, "nSQ")[1]]
        items = sum(1 for _ in ITEM.pattern.finditer(signs))
        list_of_options = items > MANY if len(value) == 1 else len(value) == question.size and not question.several
        text = found.prepared.text[found.ends[at] :][:1]
        noun = sentence[:1] == "_" and (len(value) > 1 or text in NEGATIVE)  # these options, and what is said of them
        if not list_of_options and not noun and set("LMNHWFPZ").isdisjoint(sentence):
            yield Commitment(value, CONCLUDED, "opening", at, at)


def rejects(found: Scan, value: str, after: int) -> bool:
    """Say whether a text calls wrong, further on, what it chose."""
    return "M" in found.signs and any(
        set(value_of(found, match.start())) & set(value)
        for match in REJECTED.pattern.finditer(found.signs)
        if found.span(match.start()).start >= after
    )
