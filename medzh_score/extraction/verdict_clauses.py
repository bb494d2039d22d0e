"""The verdict of a prepared text from the clauses that hold a sign of one, each judged once: the fast way."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.extraction.corrections import last_correction
from medzh_score.extraction.verdict_said import SIGN, in_window, is_alone, is_below_label, leads, masked
from medzh_score.extraction.verdict_signs import ASKS, CORRECTS, ENGLISH, QUOTES, SUPPOSES, VERDICT, automaton
from medzh_score.extraction.verdict_supposed import counted_as
from medzh_score.extraction.verdict_wordings import WEAK
from medzh_score.extraction.verdict_words import CORRECT, HEDGE, INCORRECT, NEGATION, OPPOSED_HEDGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.verdict_said import Said

AGAINST = {CORRECT: OPPOSED_HEDGE, INCORRECT: NEGATION}  # what speaks against a verdict without being the other
VERDICTS = frozenset({CORRECT, INCORRECT})

_LONGEST = 400  # no more than this is looked back in any text: in one that is not longer, to its beginning
_POINT = re.compile(r"\.\s")
_ENDING = re.compile(r"[，,。！!；;\n]")
_BEFORE_CLAUSE = re.compile(r".*[，,。！!；;\n]", re.DOTALL)
_BEFORE_SENTENCE = re.compile(r".*[。！!；;\n]", re.DOTALL)
_STOPS = "。！!；;\n"


def from_clauses(text: str, opening: Said | None) -> tuple[str | None, str] | None:
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
        None where the text must be gone through as a whole: it is long, asks, takes something back, or speaks English.

    Examples
    --------
    >>> from_clauses("链霉素可用于炭疽，因此该说法错误。", None), from_clauses("正确吗？", None)
    (('incorrect', 'conclusion'), None)
    """
    if len(text) > _LONGEST or ("." in text and _POINT.search(text)):
        return None
    start = opening.end if opening else 0
    found = _signs(text, start)
    if found is None:
        return None
    seen, signs, supposing = found
    if seen & CORRECTS and last_correction(text):
        return None
    if (seen & QUOTES or "B" in text) and (said := masked(text)) != text:
        text = said
        found = _signs(text, start)
        if found is None:
            return None
        seen, signs, supposing = found
    places = [opening[:2]] if opening else []
    if signs and not _said(text, start, signs, supposing, places):
        return None
    return _decided(places)


def _signs(text: str, start: int) -> tuple[int, list[int], list[int]] | None:
    """Give the kinds of signs in a text, and where those of a verdict and of what supposes one stand."""
    find, kinds = automaton()
    seen = 0
    signs, supposing = [], []
    for number, first, end in find(text, overlapping=True):
        kind = kinds[number]
        seen |= kind
        if kind & SUPPOSES:
            supposing.append(first)
        if kind & VERDICT and end > start:
            if first >= start:
                signs.append(first)
            elif SIGN.search(text, start, end):
                return None
        if kind & ENGLISH and end > start:
            return None
    return None if seen & ASKS else (seen, signs, supposing)


def _said(text: str, start: int, signs: list[int], supposing: list[int], places: list[tuple[str, str]]) -> bool:
    """Add to the places what the clauses say, up to the first contradiction; False where one cannot be read alone."""
    firm = {place[0] for place in places}
    has_lines = "\n" in text
    done = 0
    for sign in signs:
        if sign < done:
            continue
        before = _BEFORE_CLAUSE.match(text, start, sign)
        begin = low = before.end() if before else start
        ending = _ENDING.search(text, sign)
        done = ending.end() if ending else len(text)
        while low > start and text[low - 1] in "，,":
            before = _BEFORE_CLAUSE.match(text, start, low - 1)
            led = before.end() if before else start
            if not leads(text[led:low]):
                break
            low = led
        if has_lines and is_below_label(text, low):
            return False
        judged = _judged(text[low and low - 1 : done], low > 0, begin - low)
        if judged is None:
            return False
        for value, rule, place in judged:
            counted: tuple[str, str] | None = (value, rule)
            if supposing and supposing[0] < low + place:
                counted = _counted(text, begin, low + place, supposing, value, rule)
            if counted:
                places.append(counted)
                if counted[1] not in WEAK:
                    firm.add(counted[0])
        if firm >= VERDICTS:
            return True
    return True


def _counted(text: str, begin: int, place: int, supposing: list[int], value: str, rule: str) -> tuple[str, str] | None:
    """Say what a verdict counts as after what stands before it in its sentence."""
    low = begin
    if begin and text[begin - 1] not in _STOPS:
        before = _BEFORE_SENTENCE.match(text, 0, begin)
        low = before.end() if before else 0
    if any(low <= one < place for one in supposing):
        return counted_as(text[low:place], value, rule)
    return value, rule


@lru_cache(maxsize=1 << 16)
def _judged(window: str, follows: bool, skipped: int) -> tuple[tuple[str, str, int], ...] | None:  # noqa: FBT001
    """Give what a window says behind the clauses that lead to it: value, rule and where; None: it cannot be alone."""
    if not is_alone(window):
        return None
    return tuple(
        (value, rule, first - follows)
        for value, rule, first, last in in_window(window, follows)
        if last - follows > skipped
    )


def _decided(places: Sequence[tuple[str, str]]) -> tuple[str | None, str]:
    if not places:
        return None, "nothing"
    firm = [place for place in places if place[0] in VERDICTS]
    pool = [place for place in firm if place[1] not in WEAK] or firm
    if not pool:
        return None, NEGATION if places[0][0] == NEGATION else HEDGE
    value = pool[0][0]
    if any(place[0] != value for place in pool) or any(place[0] == AGAINST[value] for place in places):
        return None, "contradiction"
    return pool[0]
