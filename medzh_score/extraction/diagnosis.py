"""The diagnosis, or the diagnoses, that a response states as its conclusion."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.config import answer
from medzh_score.extraction import diagnosis_wordings as wordings
from medzh_score.extraction.corrections import takes_back
from medzh_score.extraction.diagnosis_denied import is_denied, next_case
from medzh_score.extraction.diagnosis_names import is_symptom, name_at, name_before, name_below, names_after, names_alone
from medzh_score.extraction.preparing import locate, prepare
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.refusals import refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.config import Answer
    from medzh_score.extraction.wording import Wording

WORDINGS = wordings.WORDINGS
SEPARATOR = "；"
ALONE = "alone"
SHORT = 40  # characters: such responses come again and again
CLAUSE_STOPS = "，。；！？\n,;!?：:（(】"
SENTENCE_STOPS = "。！？\n"
LABELS = ("：", ":", "】", "]", "")
BEFORE = 6  # characters before a head that may say how firm it is: 最可能的, 可能的
FAR = 60  # characters in which a clause governs what follows

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


class _Hit(NamedTuple):
    level: str
    rule: str
    places: tuple[Pair, ...]
    open: bool


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
    if not text.strip():
        return Stated((), "empty")
    case = next_case(text)
    found = _stated(text[:case]) if case else None
    if found is None or not found.names:
        found = _stated(text)
    if not found.names and found.rule == "nothing" and refused(text):
        return Stated((), "refusal")
    return found


def _stated(text: str) -> Stated:
    """Find what a text states, of all that it says."""
    hits = list(_hits(text, 0))
    alone = _alone(text)
    if not hits and not alone.names:
        below = name_below(text) if alone.rule == "nothing" and "\n" in text else None
        return _said(text, ALONE, [below]) if below else alone
    if alone.names and not (hits and wordings.WITHIN.match(text, alone.places[0][1])):
        hits.insert(0, _Hit(wordings.STATED, ALONE, alone.places, open=False))
    start = _corrected_from(text, hits)
    if start:
        hits = [hit for hit in hits if hit.places[0][0] >= start]
    found = _concluded(text, hits)
    if found.names and not start and _takes_all_back(text, max(hit.places[-1][1] for hit in hits)):
        return Stated((), "contradiction", found.places)
    if found.names and is_denied(text, found.names, start):
        return Stated((), "contradiction", found.places)
    return found


def _hits(text: str, start: int) -> Iterator[_Hit]:
    """Find what the wordings announce, where nothing around it speaks against that."""
    apart = _told_apart(text)
    for place, wording in enumerate(wordings.HEADS):
        if not any(guard in text for guard in wordings.GUARDS[place]):
            continue
        for found in wording.expression.finditer(text, start):
            hit = _hit(text, wording, found.start(), found.end(), apart)
            if hit:
                yield hit
    if "可能" in text or "诊断" in text or "考虑" in text:
        yield from _said_behind(text, apart)


def _said_behind(text: str, apart: Sequence[Pair]) -> Iterator[_Hit]:
    """Find names of which it is said behind them that they are the diagnosis."""
    for found in wordings.TAILS.finditer(text):
        place = name_before(text, found.start())
        if place and (found["sure"] or not any(first <= place[0] < last for first, last in apart)):
            clause = _clause_before(text, place[0])
            if not wordings.AGAINST.search(clause) and not wordings.QUESTION.match(text, found.end()):
                yield _Hit(
                    wordings.STATED if found["sure"] or found["most"] else wordings.TENTATIVE,
                    "said behind",
                    (place,),
                    open=False,
                )


def _hit(text: str, wording: Wording, start: int, end: int, apart: Sequence[Pair]) -> _Hit | None:
    head = text[max(0, start - BEFORE) : end]
    level = wording.value or wordings.STATED
    if text[end : end + 1] == "\n" and wording.name not in wordings.HEADINGS:
        return None
    found = names_after(text, end, listed=head.rstrip()[-1:] in LABELS)
    if not found.places or wordings.AGAINST.search(_clause_before(text, start)) or wordings.QUESTION.match(text, end):
        return None
    is_apart = level != wordings.FINAL and any(first <= start < last for first, last in apart)
    if is_apart and not wordings.CONCLUDES.search(_sentence_before(text, start)):
        return None
    probable = wordings.PROBABLE.search(head) and not wordings.MOST.search(head)
    if text[end - 1] in "断诊" and wordings.SPOKEN_OF.match(text, found.end):
        return None
    if level in wordings.WEAK and wordings.IN_GENERAL.search(_clause_before(text, start)):
        return None
    if level in wordings.WEAK and all(is_symptom(text[slice(*place)]) for place in found.places):
        return None
    left_open = found.open or (len(found.places) > 1 and bool(probable)) or _is_also(text, level, head, found.end)
    return _Hit(level, wording.name, found.places, left_open)


def _is_also(text: str, level: str, head: str, end: int) -> bool:
    """Say whether another disease is named as just as possible in the rest of the sentence."""
    if level != wordings.TENTATIVE or "可能" not in text or wordings.MOST.search(head):
        return False
    also = wordings.ALSO.match(text, end)
    return also is not None and name_at(text, also.end()) is not None


def _told_apart(text: str) -> list[Pair]:
    """Find the sections in which diseases are told apart, or told of the past: to the next heading that states."""
    if "鉴别" not in text and "史" not in text and "ifferential" not in text:
        return []
    found = []
    for heading in wordings.APART.finditer(text):
        following = wordings.ENDS_APART.search(text, heading.end())
        found.append((heading.start(), following.start() if following else len(text)))
    return found


def _clause_before(text: str, start: int) -> str:
    begin = max(text.rfind(stop, max(0, start - FAR), start) for stop in (*CLAUSE_STOPS, ". ")) + 1
    return text[max(begin, start - FAR) : start]


def _sentence_before(text: str, start: int) -> str:
    begin = max(text.rfind(stop, 0, start) for stop in SENTENCE_STOPS) + 1
    return text[begin:start]


def _corrected_from(text: str, hits: Sequence[_Hit]) -> int:
    """Give from where on the response counts: where it last takes back what it said before and says something else."""
    if not hits:
        return 0
    if not any(seed in text for seed in wordings.CORRECTION_SEEDS):
        return 0
    starts = [found.start() for found in wordings.CORRECTS.finditer(text) if found.start()]
    last = max(hit.places[0][0] for hit in hits)
    return max((start for start in starts if start < last), default=0)


def _takes_all_back(text: str, end: int) -> bool:
    return any(sign in text for sign in wordings.TAKES_BACK) and takes_back(text[end:])


def _concluded(text: str, hits: Sequence[_Hit]) -> Stated:
    """Choose among what is announced: the firmest statements, which must agree."""
    level = next(level for level in wordings.LEVELS if any(hit.level == level for hit in hits))
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
    first: dict[str, Pair] = {}
    for start, end in places:
        first.setdefault(text[start:end], (start, end))
    return Stated(tuple(first), rule, tuple(first.values()))
