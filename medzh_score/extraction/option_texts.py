"""Options named by their texts: found in a response, copied as a list, or named by its conclusion."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.commitments import CONCLUDED, LABELLED, MENTIONED, Commitment, clause
from medzh_score.extraction.preparation import prepare_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.extraction.signs import Found, Scan


class Question(NamedTuple):
    """What of a question its answers are read by: its options, prepared, how many, and what may be asked for."""

    shown: tuple[str, ...]
    size: int
    several: bool
    wrong: bool


TRIMMED = " \n。.,;:!?()[]<>\"'“”"
BARRED = frozenset("NMHFPWQEZ")  # signs with which a sentence names no option as its conclusion


@lru_cache(maxsize=4096)
def shown_texts(options: tuple[str, ...]) -> tuple[str, ...]:
    """Prepare the texts of options as responses show them; one that is a letter itself is none."""
    texts = tuple(text.strip(TRIMMED) for text in prepare_options(options))
    return tuple("" if len(text) == 1 and text.isascii() and text.isalpha() else text for text in texts)


def text_places(folded: str, shown: Sequence[str]) -> list[Found]:
    """Find the texts of options; where one is part of another, the longer."""
    taken: list[Found] = []
    for text in shown:
        at = folded.find(text) if text else -1
        while at >= 0:
            end = at + len(text)
            if not (text[0].isdigit() and folded[at - 1 : at].isdigit()):
                taken.append((at, end, "T"))
            at = folded.find(text, end)
    if len(taken) < 2:  # noqa: PLR2004 - nothing to overlap
        return taken
    taken.sort(key=lambda place: (place[0], -place[1]))
    kept = taken[:1]
    for place in taken[1:]:
        if place[0] >= kept[-1][1]:
            kept.append(place)
        elif place[1] - place[0] > kept[-1][1] - kept[-1][0]:
            kept[-1] = place
    return kept


def option_of(found: Scan, sign: int, shown: Sequence[str]) -> str:
    """Give the letter of an option's text."""
    return chr(65 + shown.index(found.prepared.folded[found.starts[sign] : found.ends[sign]]))


def named(found: Scan, question: Question) -> Iterator[Commitment]:
    """Take an option's text that is all that is said, a line that is one, or the conclusion of a sentence."""
    signs = found.signs
    places = [at for at, sign in enumerate(signs) if sign == "T"]
    options = {at: option_of(found, at, question.shown) for at in places}
    if question.several and len(places) > 1 and not signs.strip("TdDSnac:"):
        yield Commitment("".join(sorted(set(options.values()))), LABELLED, "texts", places[0], places[-1])
        return
    only = len(set(options.values())) == 1
    for at in places:
        begin, end = clause(signs, at, at, "nSQ")
        sentence = signs[begin:end]
        near = places[bisect_left(places, begin) : bisect_left(places, end)]
        others = {options[other] for other in near} != {options[at]}
        of_it = found.prepared.folded.startswith("的", found.ends[at])  # what is said to be of the option
        if others or of_it or not BARRED.isdisjoint(sentence):
            continue
        last = not signs[end:].strip("nSaoc")
        touched = signs[at + 1 : at + 2] == "_" and found.starts[at + 1] == found.ends[at]  # part of a longer name
        whole = not sentence.strip("aocSn:T")
        announced = signs[begin:at].rstrip("aoc:")[-1:] in {"I", "K", "C"} and (
            (last and only) or "V" in signs[begin:at]
        )
        if whole and only:
            yield Commitment(options[at], CONCLUDED if begin else LABELLED, "text", at, at)
        elif not whole and announced and not touched and len(found.text(at)) > 1:
            yield Commitment(options[at], MENTIONED, "text", at, at)
