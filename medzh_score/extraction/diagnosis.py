"""The diagnosis, or the diagnoses, that a response states as its conclusion."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.config import answer
from medzh_score.extraction import diagnosis_wordings as wordings
from medzh_score.extraction.corrections import takes_back
from medzh_score.extraction.diagnosis_denied import is_denied, next_case
from medzh_score.extraction.diagnosis_hits import Hit, hits_in
from medzh_score.extraction.diagnosis_names import is_symptom, name_at, name_below, names_after, names_alone
from medzh_score.extraction.diagnosis_signs import (
    CORRECTED,
    DENIALS,
    DENIED_IN_ENGLISH,
    FURTHER,
    NAMED_BEFORE,
    TAKEN_BACK,
    signs_in,
)
from medzh_score.extraction.preparing import locate, prepare
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.refusals import refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.config import Answer

WORDINGS = wordings.WORDINGS
SEPARATOR = "；"
ALONE = "alone"
CORRECTION = "corrected"
MOST = 24  # announcements that are told apart by what is denied
STOPS = ("", "。", "！", "\n", ".")
SHORT = 40  # characters: such responses come again and again

Pair = tuple[int, int]


class Stated(NamedTuple):
    """What a prepared text states, where, and by which wording; or why it states nothing.

    Attributes
    ----------
    names : tuple of str
        As they are written, in the order of the text; empty where nothing is stated.
    rule : str
        The name of a wording, or ``alone``; else ``empty``, ``refusal``, ``contradiction``, ``hedge`` or ``nothing``.
    places : tuple of (int, int)
        One a name; where nothing is stated for a contradiction or a hedge, of all that is.
    """

    names: tuple[str, ...]
    rule: str
    places: tuple[Pair, ...] = ()


def read(text: str, _side: object = None) -> Answer:
    """Read the diagnosis that a response states as its conclusion.

    Parameters
    ----------
    text : str
        The response, untouched.
    _side : object
        Not looked at.

    Returns
    -------
    Answer
        The diagnosis as it is written, several joined by ``；``, by the name of one of `WORDINGS` or ``alone``; None by
        the rule ``empty``, ``unclosed``, ``refusal``, ``contradiction`` (two that are each said to be the one),
        ``hedge`` (alternatives, or what is only not excluded) or ``nothing``. What is ruled out, only told apart, of
        the past or of the family, asked or to be examined is no diagnosis.

    Examples
    --------
    >>> read("**最可能的诊断**：急性阑尾炎。需与胃肠炎鉴别。").value, read("初步诊断：1. 肺炎 2. 2型糖尿病").value
    ('急性阑尾炎', '肺炎；2型糖尿病')
    >>> read("急性阑尾炎或胃肠炎可能。").rule, read("鉴别诊断：胃溃疡").rule
    ('hedge', 'nothing')
    """
    return _read_short(text) if len(text) <= SHORT else _read(text)


def explain(text: str, _side: object = None) -> Reading:
    """Read the diagnosis, and say where it stands.

    Parameters
    ----------
    text : str
        The response, untouched.
    _side : object
        Not looked at.

    Examples
    --------
    >>> explain("诊断：**肺炎**。").spans
    (Span(start=5, end=7),)
    """
    located = locate(text)
    if located is None:
        return Reading(None, "unclosed")
    found = stated(located.text)
    spans = tuple(located.span(*place) for place in found.places)
    return Reading(SEPARATOR.join(found.names) or None, found.rule, spans)


def _read(text: str) -> Answer:
    said = prepare(text)
    if said is None:
        return answer(None, "unclosed")
    found = stated(said)
    return answer(SEPARATOR.join(found.names) or None, found.rule)


_read_short = lru_cache(maxsize=1 << 14)(_read)


def stated(text: str) -> Stated:
    """Find what a prepared text states as its conclusion.

    Parameters
    ----------
    text : str
        Prepared.
    """
    if not text or text.isspace():
        return Stated((), "empty")
    case = next_case(text) if "\n" in text else None
    found = _stated(text[:case]) if case else None
    if found is None or not found.names:
        found = _stated(text)
    if not found.names and found.rule == "nothing" and refused(text):
        return Stated((), "refusal")
    return found


NOTHING = Stated((), "nothing")


def _stated(text: str) -> Stated:
    """Find what a text states, of all that it says."""
    positions, said = signs_in(text)
    hits = hits_in(text, positions, said)
    alone = NOTHING if hits and wordings.SENTENCE_GOES_ON.match(text) else _alone(text)
    if not hits and not alone.names:
        below = name_below(text) if alone.rule == "nothing" and "\n" in text else None
        return _said(text, ALONE, [below]) if below else alone
    if alone.names and not (hits and wordings.WITHIN.match(text, alone.places[0][1])):
        hits.insert(0, Hit(wordings.STATED, ALONE, alone.places, open=False))
    if CORRECTED in said:
        hits += _put_right(text, hits)
    start = _corrected_from(text, hits) if CORRECTED in said else 0
    if start:
        hits = [hit for hit in hits if hit.places[0][0] >= start]
    denials = None if DENIED_IN_ENGLISH in said else positions.get(DENIALS, ())
    found = _concluded(text, hits)
    if found.names and FURTHER in said:
        found = _with_further(text, found)
    if denials is None or denials:
        found = _undenied(text, found, hits, start, denials)
    if not found.names:
        return found
    taken_back = TAKEN_BACK in said and not start and takes_back(text[max(hit.places[-1][1] for hit in hits) :])
    out_behind = NAMED_BEFORE in said and denials and wordings.ALL_OUT.search(text, found.places[-1][1])
    return Stated((), "contradiction", found.places) if taken_back or out_behind else found


def _undenied(text: str, found: Stated, hits: Sequence[Hit], start: int, denials: Sequence[int] | None) -> Stated:
    """Leave a conclusion that is not denied; else conclude from what is announced behind it and is not."""
    if not is_denied(text, found.names, start, denials) if found.names else found.rule != "contradiction":
        return found
    if not 1 < len(hits) <= MOST:
        return Stated((), "contradiction", found.places)
    out = [hit for hit in hits if is_denied(text, [text[slice(*place)] for place in hit.places], start, denials)]
    left = [hit for hit in hits if hit not in out]
    if out and left:
        first = min(hit.places[0][0] for hit in left)
        names = [text[slice(*place)] for hit in out for place in hit.places]
        if first > max(hit.places[-1][1] for hit in out) and not is_denied(text, names, first, denials):
            return _concluded(text, left)
    return Stated((), "contradiction", found.places)


def _with_further(text: str, found: Stated) -> Stated:
    """Add the diagnoses under a heading of their own behind those that are stated: 其他诊断."""
    heading = wordings.FURTHER.search(text, found.places[-1][1])
    further = names_after(text, heading.end(), listed=True) if heading else None
    if not further or not further.places or further.open:
        return found
    return _said(text, found.rule, (*found.places, *further.places))


def _corrected_from(text: str, hits: Sequence[Hit]) -> int:
    """Give from where on the response counts: where it last takes back what it said before and says something else."""
    if not hits:
        return 0
    starts = [found.start() for found in wordings.CORRECTS.finditer(text) if found.start()]
    last = max(hit.places[0][0] for hit in hits)
    return max((start for start in starts if start < last), default=0)


def _put_right(text: str, hits: Sequence[Hit]) -> list[Hit]:
    """Find names that are all that is said behind words of correction: 肺炎，不，肺结核."""
    found = []
    last = max((hit.places[-1][1] for hit in hits), default=0)
    for correction in wordings.CORRECTS.finditer(text):
        pause = wordings.PAUSE.match(text, correction.end())
        place = name_at(text, pause.end()) if pause and correction.end() > last else None
        if place and text[place[1] : place[1] + 1] in STOPS and not is_symptom(text[slice(*place)]):
            found.append(Hit(wordings.STATED, CORRECTION, (place,), open=False))
    return found


def _concluded(text: str, hits: Sequence[Hit]) -> Stated:
    """Choose among what is announced: the firmest statements, which must agree."""
    if len(hits) == 1 and not hits[0].open:
        return _said(text, hits[0].rule, hits[0].places)
    levels = {hit.level for hit in hits}
    level = next(level for level in wordings.LEVELS if level in levels)
    firm = (wordings.FINAL, wordings.STATED) if level == wordings.FINAL else (level,)
    chosen = sorted((hit for hit in hits if hit.level in firm), key=lambda hit: hit.places)
    every = tuple(sorted({place for hit in chosen for place in hit.places}))
    if any(hit.open for hit in chosen):
        return Stated((), "hedge", every)
    best = max(chosen, key=lambda hit: (sum(end - start for start, end in hit.places), -hit.places[0][0]))
    names = [_plain(text, place) for place in best.places]
    if all(any(_same(_plain(text, place), name) for name in names) for hit in chosen for place in hit.places):
        return _said(text, best.rule, best.places)
    return Stated((), "hedge" if level == wordings.TENTATIVE else "contradiction", every)


def _plain(text: str, place: Pair) -> str:
    return "".join(text[slice(*place)].split()).lower()


def _same(name: str, other: str) -> bool:
    return name in other or other in name


def _alone(text: str) -> Stated:
    """Read a text that is, or begins with, nothing but names."""
    found = names_alone(text)
    if not found.places:
        return Stated((), "hedge" if found.open else "nothing")
    if found.open:
        return Stated((), "hedge", found.places)
    return _said(text, ALONE, found.places)


def _said(text: str, rule: str, places: Sequence[Pair]) -> Stated:
    """Give names that are stated, each once."""
    if len(places) == 1:
        return Stated((text[slice(*places[0])],), rule, (places[0],))
    first: dict[str, Pair] = {}
    for start, end in places:
        first.setdefault(text[start:end], (start, end))
    return Stated(tuple(first), rule, tuple(first.values()))
