"""One pass over a prepared text: every sign that says something becomes a character, all between two signs one ``_``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from medzh_score.extraction.preparation import Prepared, prepare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from medzh_score.extraction.reading import Span
    from medzh_score.extraction.words import Lexicon

Found = tuple[int, int, str]  # start, end, sign
UNKNOWN = "_"
LETTER = re.compile(r"[a-z0-9]")


class Scan(NamedTuple):
    """A text as signs.

    Attributes
    ----------
    prepared : Prepared
        The text.
    signs : str
        A character a sign.
    starts, ends : list of int
        Where in the prepared text each stands.
    """

    prepared: Prepared
    signs: str
    starts: list[int]
    ends: list[int]

    def text(self, first: int, last: int | None = None) -> str:
        """Give the prepared text of a sign, or from one to another."""
        return self.prepared.text[self.starts[first] : self.ends[first if last is None else last]]

    def span(self, first: int, last: int | None = None) -> Span:
        """Give the place in the raw text of a sign, or from one to another."""
        return self.prepared.span(self.starts[first], self.ends[first if last is None else last])


def scan(prepared: Prepared, lexicon: Lexicon, values: Iterable[Found] = ()) -> Scan:
    """Find all signs of a text.

    Parameters
    ----------
    prepared : Prepared
        The text.
    lexicon : Lexicon
        The words.
    values : iterable of (int, int, str)
        Places of what a kind finds by itself, such as labels or numbers; in order, and before words that they touch.
    """
    text = prepared.folded
    found = _words(text, lexicon)
    own = list(values)
    if own:
        found = _merged(found, own)
    signs, starts, ends, last = [], [], [], 0
    for start, end, sign in found:
        if start > last and not text[last:start].isspace():
            signs.append(UNKNOWN)
            starts.append(last)
            ends.append(start)
        signs.append(sign)
        starts.append(start)
        ends.append(end)
        last = end
    if last < len(text) and not text[last:].isspace():
        signs.append(UNKNOWN)
        starts.append(last)
        ends.append(len(text))
    return Scan(prepared, "".join(signs), starts, ends)


def _words(text: str, lexicon: Lexicon) -> list[Found]:
    """Find the words; one of Latin letters must stand alone."""
    signs, latin = lexicon.signs, lexicon.latin
    found = []
    for number, start, end in lexicon.automaton.find_matches_as_indexes(text):
        if latin[number] and (
            (start and LETTER.match(text, start - 1)) or (end < len(text) and LETTER.match(text, end))
        ):
            continue
        found.append((start, end, signs[number]))
    return found


def _merged(words: list[Found], own: list[Found]) -> list[Found]:
    """Merge what a kind found with the words; of two that touch, the kind's stays."""
    merged: list[Found] = []
    place = 0
    for value in own:
        while place < len(words) and words[place][1] <= value[0]:
            merged.append(words[place])
            place += 1
        while place < len(words) and words[place][0] < value[1]:
            place += 1
        merged.append(value)
    return merged + words[place:]


def scanner(lexicon: Callable[[], Lexicon]) -> Callable[[str], Scan]:
    """Make a function from raw text to signs, for kinds without values of their own."""

    def scanned(text: str) -> Scan:
        return scan(prepare(text), lexicon())

    return scanned
