"""Keys that stand twice in one object of JSON: of their values readers take the last, and say nothing of the first."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from numpy.typing import NDArray

QUOTE, LINE_FEED = ord('"'), ord("\n")
SHORTEST = 3  # signs behind a quotation mark by which keys are told apart: those of "id" with the mark
BACKSLASH, ESCAPED = ord("\\"), b"u00"
LETTERS = np.isin(np.arange(256), np.frombuffer(b"234567", np.uint8))  # what stands next where it is one of ASCII


def refuse_twins(content: bytes | str, path: Path, line: int | None, names: Collection[str] | None = None) -> None:
    """Refuse sound JSON in which a key stands twice; of an object whose names are given only these, and none inside."""
    found: list[str] = []

    def look(pairs: list[tuple[str, object]]) -> None:
        keys = [key for key, _ in pairs]
        twins = [] if len(set(keys)) == len(keys) else [key for key, times in Counter(keys).items() if times > 1]
        found[:] = [*(() if names else found), *twins]  # the last object that ends is the outermost

    try:
        text = content if isinstance(content, str) else content.decode("utf-8", "replace")
        json.loads(text, object_pairs_hook=look, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):  # what Python reads otherwise, in values that nobody looks at
        return
    for key in found if names is None else [key for key in found if key in names]:
        raise MedzhError("a key stands twice", file=path, line=line, field=key, advice="keep one of the two")


def lines_with_twins(block: bytes, names: Iterable[str]) -> list[int]:
    """Find the lines of a block, from 0, in which a key may stand twice; none in which one does is left out.

    A quotation mark inside of a text has a backslash before it, so few marks begin what looks like the same key.
    """
    signs = np.frombuffer(block, np.uint8)
    ends, marks = np.flatnonzero(signs == LINE_FEED), np.flatnonzero(signs == QUOTE)
    marks = marks[: np.searchsorted(marks, len(signs) - SHORTEST)]
    begins = {name: f'{name}"'.encode() for name in names}
    likely = np.zeros(256, bool)
    likely[[begin[0] for begin in begins.values()]] = True
    marks = marks[likely[signs[1:][marks]]]
    starts = signs[1:][marks].astype(np.uint32) << 16 | signs[2:][marks].astype(np.uint32) << 8 | signs[3:][marks]
    lines = set(np.searchsorted(ends, _escapes(signs)).tolist()) if (signs == BACKSLASH).any() else set()
    for begin in begins.values():
        places = np.searchsorted(ends, marks[starts == int.from_bytes(begin[:SHORTEST])])
        lines.update(places[1:][places[1:] == places[:-1]].tolist())
    return sorted(lines)


def _escapes(signs: NDArray[np.uint8]) -> NDArray[np.intp]:
    """Find letters of ASCII that are written as an escape: only so a key can stand where its name does not."""
    found = np.flatnonzero(signs[: -len(ESCAPED)] == BACKSLASH)
    for place, sign in enumerate(ESCAPED, 1):
        found = found[signs[place:][found] == sign]
    found = found[: np.searchsorted(found, len(signs) - len(ESCAPED) - 1)]
    return found[LETTERS[signs[1 + len(ESCAPED) :][found]]]
