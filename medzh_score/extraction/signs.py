"""One pass over a prepared text: every sign becomes a character, all that stands between two signs one ``_``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from medzh_score.benchmark.answers import Span
    from medzh_score.extraction.preparation import Prepared
    from medzh_score.extraction.words import Lexicon

Found = tuple[int, int, str]  # start, end, sign
Match = tuple[int, int, int]  # number of the word, start, end
UNKNOWN = "_"
LATIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
NONE: Found = (sys.maxsize, sys.maxsize, "")


class Scan(NamedTuple):
    """A text as signs, a character each, and where in the prepared text they stand."""

    prepared: Prepared
    signs: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def text(self, first: int, last: int | None = None) -> str:
        """Give the prepared text of a sign, or from one to another."""
        return self.prepared.text[self.starts[first] : self.ends[first if last is None else last]]

    def span(self, first: int, last: int | None = None) -> Span:
        """Give the place in the raw text of a sign, or from one to another."""
        return self.prepared.span(self.starts[first], self.ends[first if last is None else last])


def scan(prepared: Prepared, lexicon: Lexicon, values: Iterable[Found] = (), words: list[Match] | None = None) -> Scan:
    """Find all signs of a text."""
    text, kinds, latin = prepared.folded, lexicon.signs, lexicon.latin
    if words is None:
        words = lexicon.automaton.find_matches_as_indexes(text)
    found: list[Found] = []
    own, last, length = iter(values), 0, len(text)
    value = next(own, NONE)
    words.append((-1, length, length))
    for number, start, end in words:
        while value[0] < end:  # what the kind found stands before words that it touches
            if value[0] > last and not text[last : value[0]].isspace():
                found.append((last, value[0], UNKNOWN))
            found.append(value)
            last = value[1]
            value = next(own, NONE)
        if start < last or (
            latin[number] and ((start and text[start - 1] in LATIN) or (end < length and text[end] in LATIN))
        ):
            continue
        if start > last and not text[last:start].isspace():
            found.append((last, start, UNKNOWN))
        found.append((start, end, kinds[number]))
        last = end
    found.pop()  # the end of the text
    starts, ends, signs = zip(*found, strict=True) if found else ((), (), ())
    return Scan(prepared, "".join(signs), starts, ends)
