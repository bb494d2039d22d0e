"""The verdict of a prepared text from the clauses that hold a sign of one, each judged once: the fast way."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

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


class Signs(NamedTuple):
    """Where signs stand.

    Attributes
    ----------
    kinds : int
        All kinds of signs in the text together.
    verdicts : list of int
        Where signs of a verdict stand behind its opening.
    supposing : list of int
        Where words stand that may suppose one.
    """

    kinds: int
    verdicts: list[int]
    supposing: list[int]


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
    (('incorrect', 'conclusion'), None)
    """
    if len(text) > _LONGEST:
        return None
    start = opening.end if opening else 0
    signs = _signs(text, start)
    if signs is None or (signs.kinds & CORRECTS and last_correction(text)):
        return None
    if (signs.kinds & QUOTES or "B" in text) and (said := masked(text)) != text:
        text = said
        signs = _signs(text, start)
        if signs is None:
            return None
    if not signs.verdicts:
        if opening is None:
            return None, "nothing"
        if opening.value in VERDICTS:
            return opening.value, opening.rule
        return None, NEGATION if opening.value == NEGATION else HEDGE
    decided = _decided(text, start, opening, signs)
    return None if signs.kinds & ASKS and decided is not _CONTRADICTION else decided


def _signs(text: str, start: int) -> Signs | None:
    """Find the signs; None where one stands across the end of the opening."""
    find, kinds = automaton()
    seen = 0
    verdicts: list[int] = []
    supposing: list[int] = []
    for number, first, end in find(text, overlapping=True):
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
    return Signs(seen, verdicts, supposing)


def _decided(text: str, start: int, opening: Said | None, signs: Signs) -> Verdict:
    """Decide from what all clauses with a sign say, up to the first contradiction."""
    places: list[tuple[str, str]] = [] if opening is None else [opening[:2]]
    firm = {place[0] for place in places}
    has_lines = "\n" in text
    supposing = signs.supposing
    done = 0
    for sign in signs.verdicts:
        if sign < done:
            continue
        before = BEFORE_CLAUSE.match(text, start, sign)
        begin = before.end() if before else start
        ending = ENDING.search(text, sign)
        done = ending.end() if ending else len(text)
        low = _led_from(text, begin, start) if begin > start and text[begin - 1] in "，," else begin
        judged = None
        if not (has_lines and is_below_label(text, low)):
            judged = _judged(text[low and low - 1 : done], low > 0, begin - low)
        if judged is None:
            low, done = sentence(text, begin)
            low = max(with_label(text, low), start)
            judged = _judged_in(text[low and low - 1 : done], low > 0, begin - low)
        for value, rule, place in judged:
            counted: tuple[str, str] | None = (value, rule)
            if supposing and supposing[0] < low + place:
                counted = _counted(text, begin, low + place, supposing, value, rule)
            if counted:
                places.append(counted)
                if counted[1] not in WEAK:
                    firm.add(counted[0])
        if len(firm) > 1 and firm >= VERDICTS:
            return _CONTRADICTION
    return _agreed(places)


def _led_from(text: str, low: int, start: int) -> int:
    """Give where the clauses begin that lead to the one that begins at a place."""
    while low > start and text[low - 1] in "，,":
        before = BEFORE_CLAUSE.match(text, start, low - 1)
        led = before.end() if before else start
        if not leads(text[led:low]):
            break
        low = led
    return low


def _counted(text: str, begin: int, place: int, supposing: list[int], value: str, rule: str) -> tuple[str, str] | None:
    """Say what a verdict counts as after what stands before it in its sentence."""
    low = begin
    if begin and text[begin - 1] not in STOPS:
        before = BEFORE_SENTENCE.match(text, 0, begin)
        low = before.end() if before else 0
    for one in supposing:
        if low <= one < place:
            return counted_as(text[low:place], value, rule)
    return value, rule


@lru_cache(maxsize=1 << 16)
def _judged(window: str, follows: bool, skipped: int) -> tuple[tuple[str, str, int], ...] | None:  # noqa: FBT001
    """Give what a clause says behind those that lead to it: value, rule and where; None: it is not read alone."""
    return _judged_in(window, follows, skipped) if is_alone(window) else None


def _judged_in(window: str, follows: bool, skipped: int) -> tuple[tuple[str, str, int], ...]:  # noqa: FBT001
    return tuple(
        (value, rule, first - follows)
        for value, rule, first, last in in_window(window, follows)
        if last - follows > skipped
    )


def _agreed(places: Sequence[tuple[str, str]]) -> Verdict:
    if not places:
        return None, "nothing"
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
