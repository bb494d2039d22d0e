"""The verdict of a prepared text from the clauses that hold a sign of one, each judged once: the fast way."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.extraction.corrections import last_correction, may_break_off, may_fault
from medzh_score.extraction.sentences import sentence, with_label
from medzh_score.extraction.verdict_said import (
    BEFORE_CLAUSE,
    BEFORE_SENTENCE,
    ENDING,
    SIGN,
    STOPS,
    in_window,
    is_alone,
    is_below_label,
    leads,
    masked,
)
from medzh_score.extraction.verdict_signs import (
    ASKS,
    BREAKS_OFF,
    CORRECTS,
    ENGLISH,
    OWN,
    QUOTES,
    SUPPOSES,
    VERDICT,
    automaton,
)
from medzh_score.extraction.verdict_supposed import counted_as
from medzh_score.extraction.verdict_wordings import WEAK
from medzh_score.extraction.verdict_words import CORRECT, HEDGE, INCORRECT, NEGATION, OPPOSED_HEDGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.verdict_said import Said

AGAINST = {CORRECT: OPPOSED_HEDGE, INCORRECT: NEGATION}  # what speaks against a verdict without being the other
VERDICTS = frozenset({CORRECT, INCORRECT})

_LONGEST = 400  # no more than this is looked back in any text: in one that is not longer, to its beginning
_CONTRADICTION = (None, "contradiction")
Verdict = tuple[str | None, str]  # value and rule
Place = tuple[str, str]  # what stands at a place: value and rule
Signs = tuple[int, list[int], list[int]]  # all kinds; where those of a verdict stand; where what may suppose one does
Judged = tuple[tuple[Place, int, bool], ...]  # what a clause says, where in it, and whether it is firm


def from_clauses(text: str, opening: Said | None) -> Verdict | None:
    """Find the verdict of a text as `verdict.find` does, where its clauses can be judged one after another.

    Parameters
    ----------
    text : str
        Prepared.
    opening : Said or None
        The verdict that opens it, if one does.

    Returns
    -------
    tuple of str or None
        Value and rule, without a look at whether the text declines; the rule is ``nothing`` where nothing is said.
        None where the text must be gone through as a whole: it is long, asks, or takes something back.

    Examples
    --------
    >>> from_clauses("链霉素可用于炭疽，因此该说法错误。", None), from_clauses("正确吗？", None)
    (('incorrect', 'statement judged'), None)
    """
    if len(text) > _LONGEST:
        return None
    start = opening.end if opening else 0
    signs = _signs(text, start)
    if signs and signs[0] & CORRECTS and last_correction(text):
        return None
    if signs and (signs[0] & QUOTES or "B" in text) and (said := masked(text)) != text:
        text = said
        signs = _signs(text, start)
    if signs is None:
        return None
    kinds, verdicts, supposing = signs
    if not verdicts:
        return _agreed([] if opening is None else [opening[:2]])
    decided = _decided(text, opening, verdicts, supposing)
    return None if kinds & ASKS and decided is not _CONTRADICTION else decided


def _signs(text: str, start: int) -> Signs | None:
    """Find the signs; None where one stands across the end of the opening."""
    find, kinds = automaton()
    seen = 0
    verdicts: list[int] = []
    supposing: list[int] = []
    try:
        found = find(text, overlapping=True)
    except UnicodeEncodeError:  # half a character
        return None
    for number, first, end in found:
        kind = kinds[number]
        seen |= kind
        if kind & SUPPOSES:
            supposing.append(first)
        if kind & (VERDICT | ENGLISH) and end > start:
            if first < start:
                if SIGN.search(text, start, end + 1):
                    return None
            elif kind & VERDICT or SIGN.match(text, first):
                verdicts.append(first)
        if (kind & BREAKS_OFF and may_break_off(text, first)) or (kind & OWN and may_fault(text, first)):
            seen |= CORRECTS
    return seen, verdicts, supposing


def _decided(text: str, opening: Said | None, verdicts: list[int], supposing: list[int]) -> Verdict:
    """Decide from what all clauses with a sign say, up to the first contradiction."""
    start = opening.end if opening else 0
    places: list[Place] = [] if opening is None else [opening[:2]]
    firm = {place[0] for place in places}
    done = 0
    for sign in verdicts:
        if sign < done:
            continue
        judged, begin, low, done = _judged_at(text, start, sign)
        for place, first, is_firm in judged:
            counted: Place | None = place
            if supposing and supposing[0] < low + first:
                counted = _counted(text, begin, low + first, supposing, place)
                is_firm = counted is not None and counted[0] in VERDICTS and counted[1] not in WEAK  # noqa: PLW2901
            if counted:
                places.append(counted)
            if counted and is_firm:
                firm.add(counted[0])
        if firm >= VERDICTS:
            return _CONTRADICTION
    return _agreed(places)


def _judged_at(text: str, start: int, sign: int) -> tuple[Judged, int, int, int]:
    """Judge the clause around a sign; say where it begins, where what was judged with it begins, and where it ends."""
    before = BEFORE_CLAUSE.match(text, start, sign)
    begin = low = before.end() if before else start
    ending = ENDING.search(text, sign)
    done = ending.end() if ending else len(text)
    if begin > start and text[begin - 1] in "，,":
        low = _led_from(text, begin, start)
    judged: Judged | None = None
    if "\n" not in text or not is_below_label(text, low):
        if low == begin > 0:
            judged = _alone(text[low - 1 : done])
        elif is_alone(window := text[low and low - 1 : done]):
            judged = _judged(window, low > 0, begin - low)
    if judged is None:
        low, done = sentence(text, begin)
        low = max(with_label(text, low), start)
        judged = _judged(text[low and low - 1 : done], low > 0, begin - low)
    return judged, begin, low, done


def _led_from(text: str, low: int, start: int) -> int:
    """Give where the clauses begin that lead to the one that begins at a place."""
    while low > start and text[low - 1] in "，,":
        before = BEFORE_CLAUSE.match(text, start, low - 1)
        led = before.end() if before else start
        if not leads(text[led:low]):
            break
        low = led
    return low


def _counted(text: str, begin: int, first: int, supposing: list[int], place: Place) -> Place | None:
    """Say what a verdict counts as after what stands before it in its sentence."""
    low = begin
    if begin and text[begin - 1] not in STOPS:
        before = BEFORE_SENTENCE.match(text, 0, begin)
        low = before.end() if before else 0
    for one in supposing:
        if low <= one < first:
            return counted_as(text[low:first], *place)
    return place


@lru_cache(maxsize=1 << 16)
def _alone(window: str) -> Judged | None:
    """Give what a clause says behind the character before it; None: it is not read alone."""
    return _judged(window, 1, 0) if is_alone(window) else None


@lru_cache(maxsize=1 << 14)
def _judged(window: str, low: int, skipped: int) -> Judged:
    """Give what a window says from a place on, without what ends in the clauses that only lead to it."""
    return tuple(
        ((value, rule), first - low, value in VERDICTS and rule not in WEAK)
        for value, rule, first, last in in_window(window, low)
        if last - low > skipped
    )


def _agreed(places: Sequence[Place]) -> Verdict:
    if not places:
        return None, "nothing"
    if len(places) == 1 and places[0][0] in VERDICTS:
        return places[0]
    firm = [place for place in places if place[0] in VERDICTS]
    pool = [place for place in firm if place[1] not in WEAK] or firm
    if not pool:
        return None, NEGATION if places[0][0] == NEGATION else HEDGE
    value = pool[0][0]
    against = AGAINST[value]
    for place in pool:
        if place[0] != value:
            return _CONTRADICTION
    for place in places:
        if place[0] == against:
            return _CONTRADICTION
    return pool[0]
