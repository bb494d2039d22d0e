"""TCMD: what a response chooses in each question of a group, mapped back from the letters that were shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from medzh_score.extraction.groups import read_groups
from medzh_score.extraction.letters import asks_for_wrong, read_letters
from medzh_score.extraction.reading import Reading
from medzh_score.extraction.tcmd_plain import plain
from medzh_score.variants import order_of

if TYPE_CHECKING:
    from medzh_score.variants import Order

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Part:
    """A question.

    Attributes
    ----------
    options : tuple of str
        The texts, in the record's order.
    question : str
        What is asked; empty where it is not known.
    """

    options: tuple[str, ...]
    question: str = ""

    @cached_property
    def wrong(self) -> bool:
        """Whether it asks for what does not hold."""
        return asks_for_wrong(self.question)


@dataclass(frozen=True)
class Side:
    """What was asked.

    Attributes
    ----------
    parts : tuple of Part
        The sub-questions; one where a question is asked alone.
    largest : int
        The most options of any part of the group, which variants are numbered by.
    """

    parts: tuple[Part, ...]
    largest: int
    _shown: dict[int, tuple[tuple[Order, tuple[str, ...]], ...]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def shown(self, variant: int) -> tuple[tuple[Order, tuple[str, ...]], ...]:
        """Give for each part which option a variant shows at each place, and the texts there; each when it is needed.

        Parameters
        ----------
        variant : int
            Its number.
        """
        known = self._shown.get(variant)
        if known is None:
            orders = (order_of(variant, len(part.options), self.largest) for part in self.parts)
            known = self._shown[variant] = tuple(
                (order, tuple(part.options[place] for place in order))
                for order, part in zip(orders, self.parts, strict=True)
            )
        return known


def read(text: str, side: Side, variant: int) -> tuple[Reading, ...]:
    """Read the answers of a response.

    Parameters
    ----------
    text : str
        The response, untouched.
    side : Side
        What was asked.
    variant : int
        The number of the permutation in which options were shown.

    Returns
    -------
    tuple of Reading
        One a part. The value is the letter of the record's option, the note that of the position at which it was
        shown, where that is another.

    Examples
    --------
    >>> question = Side((Part(("桂枝", "麻黄", "杏仁")),), largest=3)
    >>> (found,) = read("A。君药是它。", question, 2)
    >>> found.value, found.note
    ('B', 'A')
    """
    shown = side.shown(variant)
    if len(shown) > 1:
        found = read_groups(text, [options for _, options in shown])
        return tuple(_mapped(one, order) for one, (order, _) in zip(found, shown, strict=True))
    ((order, options),) = shown
    one = plain(text, options) or read_letters(text, options, wrong=side.parts[0].wrong)
    return (one if variant == 0 else _mapped(one, order),)


def _mapped(found: Reading, order: Order) -> Reading:
    """Name the record's options that were shown where the model chose."""
    letters = found.value
    if not isinstance(letters, str):
        return found
    own = "".join(sorted(LETTERS[order[LETTERS.index(letter)]] for letter in letters))
    return Reading(own, found.why, found.spans, found.clear, letters)
