"""Finding the text of one of a question's options at a place of a response."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from medzh_score.extraction.preparation import folded

SLACK = 8  # characters that spaces and quotes may add to an option where a model writes it
JOINS = "-‐–_+/·'′"  # what ties a text to the word after it, as in IL-2-受体
RANGES = "~～—%％℃°"  # what makes another quantity of a number, as in 2～3
JUDGING = "不非无没错误排除×"  # a text with one of these more than the option has rejects it
LABELS = frozenset("ABCDEFGHabcdefgh")
PROSE = re.compile("[\u4e00-\u9fff]+")
READS_AS_LABELS = re.compile(r"[A-H](?:[+＋、,，和与及][A-H])+")
GOES_ON = ("因", "是", "为")  # words that may follow an option's text directly


class Met(NamedTuple):
    """An option's text where it was met.

    Attributes
    ----------
    option : int
        Its number in the record, from 0; the first where several options have this text.
    rest : str
        What follows it on the line, at least the first characters of that.
    """

    option: int
    rest: str


@dataclass(frozen=True)
class OptionTexts:
    """The option texts of a question, ready to be looked for.

    Attributes
    ----------
    texts : tuple of str
        In the record's order.
    """

    texts: tuple[str, ...]

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """The texts, folded."""
        return tuple(map(folded, self.texts))

    @cached_property
    def _longest_first(self) -> tuple[tuple[int, str, str, bool], ...]:
        """Number, text, folded text, and whether another option begins with it; without the empty ones."""
        found = [
            (option, text.strip(), plain, any(other != plain and other.startswith(plain) for other in self.plain))
            for option, (text, plain) in enumerate(zip(self.texts, self.plain, strict=True))
            if plain
        ]
        return tuple(sorted(found, key=lambda entry: -len(entry[2])))

    @cached_property
    def reach(self) -> int:
        """How many characters a text may have that is one of the options."""
        return 2 * max(map(len, self.texts)) + SLACK

    @cached_property
    def beginnings(self) -> tuple[str, ...]:
        """The first two characters of each, with one of which all begins that could name an option."""
        return tuple(sorted({text[:2] for entry in self._longest_first for text in (entry[1], entry[2])}))

    @cached_property
    def lettered(self) -> bool:
        """Whether one begins as a label does: B超, A和B."""
        return any(text[:1] in LABELS for text in self.plain if text)

    @cached_property
    def prosaic(self) -> bool:
        """Whether all are words of Chinese and nothing else, and differ: no number, quantity, letter or sign."""
        return all(map(PROSE.fullmatch, self.texts)) and len(set(self.texts)) == len(self.texts)

    @cached_property
    def listed_letters(self) -> bool:
        """Whether one reads as several labels do: A和B."""
        return self.lettered and any(map(READS_AS_LABELS.fullmatch, self.plain))

    @cached_property
    def _first(self) -> frozenset[str]:
        return frozenset(text[0] for entry in self._longest_first for text in (entry[1], entry[2]))

    def same(self, one: int, other: int) -> bool:
        """Say whether two options have the same text.

        Parameters
        ----------
        one, other : int
            Their numbers.
        """
        return one == other or self.plain[one] == self.plain[other]

    def repeated(self, option: int) -> bool:
        """Say whether another option has the same text, so that the text names neither.

        Parameters
        ----------
        option : int
            Its number.
        """
        return self.plain.count(self.plain[option]) > 1

    def may_begin(self, text: str, start: int) -> bool:
        """Say whether an option's text could begin at a place, judging by the first character.

        Parameters
        ----------
        text : str
            Of a response.
        start : int
            The place.
        """
        character = text[start : start + 1]
        return character in self._first or bool(character and (character.isdigit() or not character.isalnum()))

    def may_hold(self, text: str) -> bool:
        """Say whether an option's text could stand anywhere, judging by the first characters.

        Parameters
        ----------
        text : str
            Of a response.
        """
        return not self._first.isdisjoint(text)

    def whole(self, text: str) -> int | None:
        """Find the option whose text this is.

        Parameters
        ----------
        text : str
            Of a line or a response.

        Returns
        -------
        int or None
            The first option that has it, None where none has.
        """
        if len(text) > self.reach or (text[:1].isalnum() and text[0] not in self._first):
            return None
        plain = folded(text)
        return self.plain.index(plain) if plain and plain in self.plain else None

    def leading(self, text: str, start: int = 0) -> Met | None:
        """Find the longest option text that begins at a place and ends where a word ends.

        Parameters
        ----------
        text : str
            A prepared response.
        start : int
            The place.
        """
        if text[start : start + 1] not in self._first:
            return None
        window = text[start : start + self.reach].partition("\n")[0]
        squeezed = ""
        for option, written, plain, begins_another in self._longest_first:
            if window.startswith(written):
                rest = window[len(written) :]
            else:
                squeezed = squeezed or folded(window)
                if not squeezed.startswith(plain):
                    continue
                rest = squeezed[len(plain) :]
            if _ends(plain, rest, begins_another=begins_another):
                return Met(option, rest)
        return None

    def resembles(self, text: str, option: int) -> bool:
        """Say whether a text is an option's but for a few characters: a variant, an addition, a slip.

        Not where what is added denies or judges it: 非桂枝汤.

        Parameters
        ----------
        text : str
            What was written.
        option : int
            The option's number.
        """
        plain, own = folded(text), self.plain[option]
        shared = sum(character in own for character in plain)
        if any(plain.count(word) > own.count(word) for word in JUDGING):
            return False
        return bool(own) and len(plain) <= len(own) + SLACK // 2 and 2 * shared >= len(plain)


def _ends(plain: str, rest: str, *, begins_another: bool) -> bool:
    """Say whether an option's text ends before the rest, and is no part of a longer word or quantity."""
    if not rest:
        return True
    after, second = rest[0], rest[1:2]
    if begins_another and after not in '。\n；;)）】]”"':
        return False
    if after.isalnum():
        return rest.startswith(GOES_ON)
    if after in JOINS:
        return False
    return not (plain[-1].isdigit() and (after in RANGES or (after in ".:：/" and second.isdigit())))
