"""Where a prepared text announces a diagnosis, with the names, where nothing around it speaks against that."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction import diagnosis_wordings as wordings
from medzh_score.extraction.diagnosis_names import Pair, is_symptom, name_at, name_before, names_after
from medzh_score.extraction.diagnosis_signs import (
    APART,
    ASKED,
    CORRECTED,
    ENGLISH,
    HEAD_SIGNS,
    SUPPOSED,
    TAILS,
    TAKEN_BACK,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from medzh_score.extraction.diagnosis_signs import Positions
    from medzh_score.extraction.wording import Wording

CLAUSES = re.compile(r"[，。；！？\n,;!?：:（(】〗]|\. ")
SENTENCE_STOPS = "。！？\n"
LABELS = ("：", ":", "】", "〗", "]", "")
BEFORE = 6  # characters before a head that may say how firm it is: 最可能的, 可能的
FAR = 60  # characters in which a clause governs what follows


class Hit(NamedTuple):
    """What is announced in one place.

    Attributes
    ----------
    level : str
        How firmly, one of `diagnosis_wordings.LEVELS`.
    rule : str
        The name of the wording.
    places : tuple of (int, int)
        Of the names.
    open : bool
        Whether they are alternatives, or only not excluded.
    """

    level: str
    rule: str
    places: tuple[Pair, ...]
    open: bool


class _Around(NamedTuple):
    apart: Sequence[Pair]
    asked: bool
    supposed: bool


def hits_in(text: str, positions: Positions, said: AbstractSet[str]) -> list[Hit]:
    """Find what is announced, in the order of the wordings; less firm statements only where they may matter.

    Parameters
    ----------
    text : str
        Prepared.
    positions, said : dict of int to list of int, set of str
        The signs in it, as `diagnosis_signs.signs_in` gives them.

    Examples
    --------
    >>> from medzh_score.extraction.diagnosis_signs import signs_in
    >>> [hit.rule for hit in hits_in("考虑肺炎。", *signs_in("考虑肺炎。"))]
    ['considered']
    """
    if not positions and ENGLISH not in said:
        return []
    around = _Around(_told_apart(text) if APART in said else (), ASKED in said, SUPPOSED in said)
    hits: list[Hit] = []
    every = CORRECTED in said or TAKEN_BACK in said  # how far the statements reach counts, firm or not
    firm = False
    for wording, spans in _matches(text, positions, said):
        if firm and not every and wording.value not in wordings.FIRM:
            continue
        found = [hit for start, end in spans if (hit := _hit(text, wording, start, end, around))]
        hits += found
        firm = firm or (bool(found) and wording.value in wordings.FIRM)
    if TAILS in positions:
        hits.extend(_said_behind(text, positions[TAILS], around, only_firm=firm and not every))
    return hits


def _matches(text: str, positions: Positions, said: AbstractSet[str]) -> Iterator[tuple[Wording, list[Pair]]]:
    """Find the heads as `re.finditer` does, but look only where each may begin."""
    for head in sorted(positions):
        if head >= len(HEAD_SIGNS):
            break
        wording = wordings.HEADS[head]
        match = wording.expression.match
        spans = []
        last = 0
        for start in positions[head]:
            if start >= last and (found := match(text, start)):
                last = found.end()
                spans.append((start, last))
        if spans:
            yield wording, spans
    if ENGLISH in said:
        for wording in wordings.HEADS[len(HEAD_SIGNS) :]:
            yield wording, [found.span() for found in wording.expression.finditer(text)]


def _said_behind(text: str, positions: Sequence[int], around: _Around, *, only_firm: bool) -> Iterator[Hit]:
    """Find names of which it is said behind them that they are the diagnosis."""
    last = 0
    for start in positions:
        found = wordings.TAILS.match(text, start) if start >= last else None
        if not found:
            continue
        last = found.end()
        is_firm = found["sure"] or found["most"] or found["mark"]
        if only_firm and not is_firm:
            continue
        place = name_before(text, start)
        if not place or (around.apart and not found["sure"] and _is_within(place[0], around.apart)):
            continue
        if not _is_against(_clause_before(text, place[0])) and not (
            around.asked and wordings.QUESTION.match(text, last)
        ):
            level = wordings.STATED if is_firm else wordings.TENTATIVE
            yield Hit(level, "said behind", (place,), open=False)


def _hit(text: str, wording: Wording, start: int, end: int, around: _Around) -> Hit | None:
    level = wording.value or wordings.STATED
    if text[end : end + 1] == "\n" and wording.name not in wordings.HEADINGS:
        return None
    head = text[max(0, start - BEFORE) : end]
    found = names_after(text, end, listed=head.rstrip()[-1:] in LABELS)
    if not found.places or (around.asked and wordings.QUESTION.match(text, end)):
        return None
    clause = _clause_before(text, start)
    is_spoken_of = text[end - 1] in "断诊" and wordings.SPOKEN_OF.match(text, found.end)
    if (
        is_spoken_of
        or _is_against(clause)
        or (around.supposed and level not in wordings.FIRM and _is_supposed(text, start))
    ):
        return None
    is_apart = around.apart and level != wordings.FINAL and _is_within(start, around.apart)
    if is_apart and not wordings.CONCLUDES.search(_sentence_before(text, start)):
        return None
    if level in wordings.WEAK and (
        wordings.IN_GENERAL.search(clause) or all(is_symptom(text[slice(*place)]) for place in found.places)
    ):
        return None
    return Hit(
        level, wording.name, found.places, found.open or _is_open(text, level, head, found.end, len(found.places))
    )


def _is_open(text: str, level: str, head: str, end: int, names: int) -> bool:
    """Say whether several are named as possible, or another as just as possible in the rest of the sentence."""
    if names == 1 and level != wordings.TENTATIVE:
        return False
    likeliest = wordings.MOST.search(head)
    if names > 1 and not likeliest and wordings.PROBABLE.search(head):
        return True
    if level != wordings.TENTATIVE or likeliest:
        return False
    also = wordings.ALSO.match(text, end)
    return also is not None and name_at(text, also.end()) is not None


def _told_apart(text: str) -> list[Pair]:
    """Find the sections in which diseases are told apart, or told of the past: to the next heading that states."""
    found = []
    for heading in wordings.APART.finditer(text):
        following = wordings.ENDS_APART.search(text, heading.end())
        found.append((heading.start(), following.start() if following else len(text)))
    return found


def _is_within(place: int, sections: Sequence[Pair]) -> bool:
    return any(first <= place < last for first, last in sections)


def _clause_before(text: str, start: int) -> str:
    return CLAUSES.split(text[max(0, start - FAR) : start])[-1]


@lru_cache(maxsize=1 << 12)
def _is_against(clause: str) -> bool:
    return bool(clause) and wordings.AGAINST.search(clause) is not None


def _is_supposed(text: str, start: int) -> bool:
    """Say of what is held whether it would only follow from something that may turn out so."""
    before = _sentence_before(text, start)[-FAR - FAR :]
    return not text.startswith("本例", start) and wordings.CONDITION.search(before) is not None


def _sentence_before(text: str, start: int) -> str:
    begin = max(text.rfind(stop, 0, start) for stop in SENTENCE_STOPS) + 1
    return text[begin:start]
