"""Answers to questions whose options a tool showed in another order than the record's: letters are mapped back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from medzh_score.benchmark.option_letters import LETTERS
from medzh_score.extraction import length

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from medzh_score.benchmark.answers import Reading
    from medzh_score.benchmark.rules import Rule

    Orders = tuple[tuple[int, ...], ...]


class Shuffled(str):
    """The text of such an answer; ``orders`` has for each question the option of the record that stood at each place.

    Examples
    --------
    >>> Shuffled("选A。", ((1, 0),)).orders
    ((1, 0),)
    """

    __slots__ = ("orders",)
    orders: Orders

    def __new__(cls, text: str, orders: Orders) -> Self:
        """Make one of the text that came back."""
        made = super().__new__(cls, text)
        made.orders = orders
        return made


def can_be_shuffled(side: Any) -> bool:  # noqa: ANN401 - as rules take it
    """Say whether what a rule knows of a question can be given in another order of its options."""
    return hasattr(getattr(side, "side", side), "shuffled")


def read_by(rule: Rule, text: str, side: Any, variant: int) -> Sequence[Reading]:  # noqa: ANN401 - as rules take it
    """Read a prediction by a rule, as `length.read_by` does, with the letters as they were shown."""
    return _read(length.read_by, rule, text, side, variant)


def read_in(rule: Rule, text: str, side: Any, variant: int) -> Sequence[Reading]:  # noqa: ANN401 - as rules take it
    """Read the answer in a prediction by a rule, as `length.read_in` does, with the letters as they were shown."""
    return _read(length.read_in, rule, text, side, variant)


def _read(
    read: Callable[..., Sequence[Reading]],
    rule: Rule,
    text: str,
    side: Any,  # noqa: ANN401 - as rules take it
    variant: int,
) -> Sequence[Reading]:
    if not isinstance(text, Shuffled):
        return read(rule, text, side, variant)
    found = read(rule, str(text), side.shuffled(text.orders), variant)
    return [_mapped(one, order) for one, order in zip(found, text.orders, strict=True)]


def _mapped(found: Reading, order: Sequence[int]) -> Reading:
    if not isinstance(found.value, str) or not {*found.value} <= {*LETTERS[: len(order)]}:
        return found
    return found._replace(value="".join(sorted(LETTERS[order[LETTERS.index(letter)]] for letter in found.value)))
