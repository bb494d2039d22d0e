"""Where in the raw text the characters stood that the preparation of the first rules leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.extraction import preparation
from medzh_score.extraction.locating import part, stripped, substituted, translated, untouched
from medzh_score.extraction.preparing import Located

if TYPE_CHECKING:
    from collections.abc import Iterator


def locate_spoken(text: str) -> Located | None:
    """Locate what `preparation.spoken` leaves of a text.

    Parameters
    ----------
    text : str
        The response.

    Returns
    -------
    Located or None
        None where a thinking block is never closed.

    Examples
    --------
    >>> locate_spoken("A</think>A").places
    (9,)
    """
    located = untouched(text)
    if "<" in text:
        kept = _beside_thinking(text)
        if kept is None:
            return None
        located = _joined([part(located, start, end) for start, end in kept])
    return part(located, *_own_turn(located.text)) if "<" in located.text or "INST]" in located.text else located


def locate_prepared(text: str) -> Located | None:
    """Locate what `preparation.prepared` leaves of a text.

    Parameters
    ----------
    text : str
        The response.

    Returns
    -------
    Located or None
        None where a thinking block is never closed.

    Examples
    --------
    >>> locate_prepared("**選Ｃ**").span(0, 2)
    Span(start=2, end=4)
    """
    located = locate_spoken(text)
    if located is None:
        return None
    if preparation.UNUSUAL.search(located.text):
        located = substituted(translated(located, preparation.TWINS), preparation.MARKUP)
    located = stripped(located)
    if "\n" in located.text and (opening := preparation.NEXT_QUESTION.search(located.text)):
        return part(located, 0, len(located.text[: opening.start()].rstrip()))
    return located


def _beside_thinking(text: str) -> list[tuple[int, int]] | None:
    """Give the parts of a text outside its thinking blocks; None where the last is never closed."""
    kept: list[tuple[int, int]] = []
    inside, start = False, 0
    for tag in preparation.THINKING.finditer(text):
        if not tag[1]:
            if not inside:
                kept.append((start, tag.start()))
            inside = True
            continue
        if not inside:
            kept.clear()
        inside, start = False, tag.end()
    return None if inside else [*kept, (start, len(text))]


def _joined(parts: list[Located]) -> Located:
    """Join parts by line ends, each of which stands where the part before it ends."""
    places: list[int] = []
    for number, one in enumerate(parts):
        if number:
            places.append(places[-1] if places else 0)
        places += one.places
    return Located("\n".join(one.text for one in parts), tuple(places))


def _own_turn(text: str) -> tuple[int, int]:
    for start, end in _turns(text):
        if text[start:end].strip() not in preparation.SPEAKERS or end == len(text):
            return start, end
    return 0, len(text)


def _turns(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for token in preparation.TURN.finditer(text):
        yield start, token.start()
        start = token.end()
    yield start, len(text)
