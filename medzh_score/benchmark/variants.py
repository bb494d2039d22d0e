"""The permutations of a question's options, numbered by lexicographic rank; draws by SHA-256 of seed and id."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from math import factorial
from typing import TYPE_CHECKING, TypeVar

from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence


Order = tuple[int, ...]
MOST = 50_000  # variants that are listed: all permutations of 8 options, not of 9
T = TypeVar("T")
DIGITS = 4300  # Python reads no longer number
ATTEMPTS = 32  # positions that are drawn before all things are looked at


@dataclass(frozen=True)
class Variants:
    """The variants in which something can be asked."""

    size: int = 1  # how many options are permuted; 1 where there is nothing to permute
    # whether the options can only be shifted cyclically: the sub-questions of a group have different numbers of them,
    # and ``size`` is the largest
    shifts_only: bool = False

    @cached_property
    def numbers(self) -> Collection[int]:
        """The numbers that a variant can have, ascending; 0 is the identity."""
        return self.shifts if self.shifts_only else range(factorial(self.size))

    @property
    def shifts(self) -> tuple[int, ...]:
        """The numbers of the cyclic shifts, ascending, the identity among them."""
        return _shifts(self.size)

    @property
    def last(self) -> int:
        """The largest of the numbers."""
        return self.shifts[-1] if self.shifts_only else factorial(self.size) - 1

    def __str__(self) -> str:
        """Describe the option orders, as a message."""
        count = len(self.numbers)
        if self.shifts_only:
            return _("{count} cyclic shifts of {size} options", count=count, size=self.size)
        return _("{count} permutations of {size} options", count=count, size=self.size)


ONE = Variants()  # of what has no options: the identity alone


@cache
def variants_of(sizes: frozenset[int]) -> Variants:
    """Give the variants of a group whose questions have these numbers of options, one object for all that are alike."""
    return Variants(max(sizes), shifts_only=len(sizes) > 1)


def order_numbered(number: int, size: int) -> Order:
    """Find the permutation of option positions by its lexicographic rank; no table is made, for 11 have 40 million."""
    left, order = list(range(size)), []
    for places in range(size - 1, -1, -1):
        place, number = divmod(number, factorial(places))
        order.append(left.pop(place))
    return tuple(order)


def number_of(order: Order) -> int:
    """Give the number of a permutation of option positions."""
    number, left = 0, sorted(order)
    for one in order:
        place = left.index(one)
        left.pop(place)
        number += place * factorial(len(left))
    return number


@lru_cache(maxsize=1 << 14)
def order_of(variant: int, size: int, largest: int) -> Order:
    """Find what a variant shows of one question, alone or in a group."""
    order = order_numbered(variant, largest)
    if size == largest:
        return order
    return tuple((order[0] + position) % size for position in range(size))


@cache
def _shifts(size: int) -> tuple[int, ...]:
    return tuple(sorted(number_of(tuple((start + step) % size for step in range(size))) for start in range(size)))


def chosen_variants(variants: Variants, which: str, seed: int) -> tuple[int, ...]:
    """Choose the variants to ask, ascending: ``all``, ``cyclic`` (the cyclic shifts) or a number.

    A number N is the identity and N - 1 that are drawn by SHA-256 of seed and number, the same for all questions with
    as many options; all where there are no more than N. Of more than 8 options there are too many to choose from.
    """
    if which == "cyclic":
        return variants.shifts
    if which != "all" and (not is_number(which) or int(which) < 1):
        advice = _("set the seed with --seed") if ":" in which else None
        raise MedzhError(
            _("invalid set of option orders"),
            field="--variants",
            expected=_("all, cyclic or a number"),
            found=which,
            advice=advice,
        )
    if len(variants.numbers) > MOST:
        problem = _("{variants_size} options have too many permutations", variants_size=variants.size)
        raise MedzhError(problem, field="--variants", expected=_("cyclic shifts (cyclic)"), found=which)
    if which == "all":
        return tuple(variants.numbers)
    others = draw_first([number for number in variants.numbers if number], str, int(which) - 1, seed)
    return tuple(sorted([0, *others]))


def chosen_of_each(kinds: Iterable[Variants], which: str, seed: int) -> dict[Variants, tuple[int, ...]]:
    """Choose the variants to ask of everything that is asked, as `chosen_variants` does, if there is a choice."""
    chosen = {kind: chosen_variants(kind, which, seed) for kind in dict.fromkeys(kinds)}
    if chosen.keys() <= {ONE}:
        raise MedzhError(_("each prompt has only one option order"), field="--variants", found=which)
    return chosen


def is_number(text: str) -> bool:
    """Whether a text is a whole number from 0, in the digits of ASCII: a sample's size or seed as an option has it."""
    return text.isascii() and text.isdecimal() and len(text) <= DIGITS


def draw_first(things: Iterable[T], identify: Callable[[T], str], sample: int, seed: int) -> list[T]:
    """Draw without replacement, independent of the order of the input and of any library's random stream."""

    def digest(thing: T) -> str:
        return hashlib.sha256(f"{seed}:{identify(thing)}".encode()).hexdigest()

    return sorted(things, key=digest)[:sample]


def draw_one(things: Sequence[T], fits: Callable[[T], bool], key: str, seed: int) -> T | None:
    """Draw one of the things that fit, without a look at all of them.

    Positions are drawn by SHA-256, one after the other, until one fits, so each thing that fits is as likely as any
    other. Where few fit, all are looked at.
    """

    def place(attempt: int, size: int) -> int:
        return int(hashlib.sha256(f"{seed}:{key}:{attempt}".encode()).hexdigest(), 16) % size

    for attempt in range(ATTEMPTS if things else 0):
        thing = things[place(attempt, len(things))]
        if fits(thing):
            return thing
    fitting = [thing for thing in things if fits(thing)]
    return fitting[place(ATTEMPTS, len(fitting))] if fitting else None
