"""TCMD: what a response chooses in each question of a group, mapped back from the letters that were shown."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from medzh_score.benchmark.option_letters import LETTERS
from medzh_score.benchmark.reading import Reading
from medzh_score.benchmark.variants import order_of
from medzh_score.configs.tcmd.reading.plain import plain
from medzh_score.extraction.groups import read_groups
from medzh_score.extraction.letters import asks_for_wrong, read_letters

if TYPE_CHECKING:
    from medzh_score.benchmark.variants import Order


@dataclass(frozen=True)
class Part:
    """A question: its options in the record's order, and what is asked; empty where it is not known."""

    options: tuple[str, ...]
    question: str = ""

    @cached_property
    def wrong(self) -> bool:
        """Whether it asks for what does not hold."""
        return asks_for_wrong(self.question)


@dataclass(frozen=True)
class Side:
    """The sub-questions that were asked, and the most options of any of the group, which variants are numbered by."""

    parts: tuple[Part, ...]
    largest: int

    def orders(self, variant: int) -> list[Order]:
        """Give for each part which option a variant shows at each place."""
        return [order_of(variant, len(part.options), self.largest) for part in self.parts]


def read(text: str, side: Side, variant: int) -> tuple[Reading, ...]:
    """Read the answers of a response.

    Examples
    --------
    >>> question = Side((Part(("桂枝", "麻黄", "杏仁")),), largest=3)
    >>> (found,) = read("A。君药是它。", question, 2)
    >>> found.value, found.note
    ('B', 'A')
    """
    parts = side.parts
    if len(parts) == 1:
        part = parts[0]
        order = order_of(variant, len(part.options), side.largest)
        sooner = plain(text, part.options, order)
        if sooner is not None:
            return (sooner,)
        return (_mapped(read_letters(text, _shown(part, order), wrong=part.wrong), order),)
    orders = side.orders(variant)
    shown = [_shown(part, order) for part, order in zip(parts, orders, strict=True)]
    found = read_groups(text, shown, wrong=[part.wrong for part in parts])
    return tuple(_mapped(one, order) for one, order in zip(found, orders, strict=True))


def _shown(part: Part, order: Order) -> list[str]:
    return [part.options[place] for place in order]


def _mapped(found: Reading, order: Order) -> Reading:
    """Name the record's options that were shown where the model chose."""
    letters = found.value
    if not isinstance(letters, str):
        return found
    own = "".join(sorted(LETTERS[order[LETTERS.index(letter)]] for letter in letters))
    return Reading(own, found.why, found.spans, found.clear, letters)
