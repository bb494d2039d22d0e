"""The permutations of a question's options, numbered by their lexicographic rank."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from math import factorial
from typing import TYPE_CHECKING

from medzh_score.benchmark.draws import draw_first, is_number
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

Order = tuple[int, ...]
MOST = 50_000  # variants that are listed: all permutations of 8 options, not of 9


@dataclass(frozen=True)
class Variants:
    """The variants in which something can be asked.

    Attributes
    ----------
    size : int
        How many options are permuted; 1 where there is nothing to permute.
    shifts_only : bool
        Whether the options can only be shifted cyclically: the sub-questions of a group have different numbers of
        them, and ``size`` is the largest.
    """

    size: int = 1
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
        """Say it in words."""
        kind = "cyclic shifts" if self.shifts_only else "permutations"
        return f"{len(self.numbers)} {kind} of {self.size} options"


ONE = Variants()  # of what has no options: the identity alone


@cache
def variants_of(sizes: frozenset[int]) -> Variants:
    """Give the variants of a group whose questions have these numbers of options, one object for all that are alike."""
    return Variants(max(sizes), shifts_only=len(sizes) > 1)


def order_numbered(number: int, size: int) -> Order:
    """Find the permutation of option positions by its lexicographic rank; no table is made, for 11 have 40 million.

    Examples
    --------
    >>> [order_numbered(number, 3) for number in range(3)]
    [(0, 1, 2), (0, 2, 1), (1, 0, 2)]
    """
    left, order = list(range(size)), []
    for places in range(size - 1, -1, -1):
        place, number = divmod(number, factorial(places))
        order.append(left.pop(place))
    return tuple(order)


def number_of(order: Order) -> int:
    """Give the number of a permutation of option positions.

    Examples
    --------
    >>> number_of((1, 0, 2))
    2
    """
    number, left = 0, sorted(order)
    for one in order:
        place = left.index(one)
        left.pop(place)
        number += place * factorial(len(left))
    return number


@lru_cache(maxsize=1 << 14)
def order_of(variant: int, size: int, largest: int) -> Order:
    """Find what a variant shows of one question, alone or in a group.

    Parameters
    ----------
    variant : int
        The variant's number.
    size : int
        How many options the question has.
    largest : int
        How many the largest of its group has. Where it has more than this one, the variant is a cyclic shift, which
        is applied to this question's own options, modulo their number.

    Returns
    -------
    tuple of int
        For each position that is shown, the original option.

    Examples
    --------
    >>> order_of(1, 3, 3)
    (0, 2, 1)
    """
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

    Examples
    --------
    >>> chosen_variants(Variants(3), "cyclic", 0)
    (0, 3, 4)
    """
    if which == "cyclic":
        return variants.shifts
    if which != "all" and (not is_number(which) or int(which) < 1):
        advice = "name the seed with --seed" if ":" in which else None
        raise MedzhError(
            "is no set of variants", field="--variants", expected="all, cyclic or a number", found=which, advice=advice
        )
    if len(variants.numbers) > MOST:
        problem = f"{variants.size} options have too many permutations to choose from"
        raise MedzhError(problem, field="--variants", expected="cyclic shifts (cyclic)", found=which)
    if which == "all":
        return tuple(variants.numbers)
    others = draw_first([number for number in variants.numbers if number], str, int(which) - 1, seed)
    return tuple(sorted([0, *others]))


def chosen_of_each(kinds: Iterable[Variants], which: str, seed: int) -> dict[Variants, tuple[int, ...]]:
    """Choose the variants to ask of everything that is asked, as `chosen_variants` does, if there is a choice."""
    chosen = {kind: chosen_variants(kind, which, seed) for kind in dict.fromkeys(kinds)}
    if chosen.keys() <= {ONE}:
        raise MedzhError("each prompt has one variant", field="--variants", found=which)
    return chosen
