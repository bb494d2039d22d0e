"""Options named by their texts: in a response that is one, or whose last sentence names one and no other."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from medzh_score.extraction.commitments import MENTIONED
from medzh_score.extraction.preparation import prepare
from medzh_score.extraction.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.extraction.signs import Scan

TRIMMED = " \n。.,;:!?()[]<>\"'“”"


def named_in_last_sentence(found: Scan, options: Sequence[str]) -> Reading | None:
    """Read the option whose text is all that is said, or that the last sentence names and no other."""
    text = found.prepared.folded
    shown = _shown(tuple(options))
    whole = text.strip(TRIMMED)
    for place, option in enumerate(shown):
        if option and whole == option:
            start = text.index(whole)
            return Reading(chr(65 + place), "text", (found.prepared.span(start, start + len(whole)),), clear=True)
    end = len(text.rstrip(TRIMMED))
    start = max(text.rfind(stop, 0, end) for stop in "。!?\n") + 1
    signs = "".join(sign for sign, at in zip(found.signs, found.starts, strict=True) if start <= at < end)
    if not set("NMHFPWQEZL").isdisjoint(signs):
        return None
    named = _named(text[start:end], shown)
    if len(named) != 1:
        return None
    place = named[0]
    at = text.index(shown[place], start)
    return Reading(chr(65 + place), "text", (found.prepared.span(at, at + len(shown[place])),))


@lru_cache(maxsize=4096)
def _shown(options: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(prepare(option).folded.strip(TRIMMED) for option in options)


def _named(sentence: str, shown: Sequence[str]) -> list[int]:
    """Give the options that a sentence names; one whose text is part of another's named text does not count."""
    here = [place for place, option in enumerate(shown) if len(option) > 1 and option in sentence]
    return [one for one in here if not any(one != other and shown[one] in shown[other] for other in here)]
