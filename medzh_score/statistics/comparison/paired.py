"""The interval of the difference of two shares of the same units, each of which is one answer."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

from medzh_score.statistics.formulas.binomial import exact_interval

if TYPE_CHECKING:
    from collections.abc import Callable

LEVEL = 0.95
FEW = 10  # units that differ, from which on the score interval keeps its level
STEPS = 60  # halvings: far below the last digit of a float near 1


def paired_interval(won: int, lost: int, units: int) -> tuple[float, float]:
    """Give the 95 % interval of the difference of two paired shares, from -1 to 1.

    Parameters
    ----------
    won, lost : int
        Units in which only the first, and only the second, is right.
    units : int
        All of them, at least 1.

    Returns
    -------
    tuple of float
        Tango's score interval; where fewer than ten units differ, an exact one, which is never too narrow.

    References
    ----------
    Tango 1998, Equivalence test and confidence interval for the difference in proportions for the paired-sample design,
    Statistics in Medicine 17.

    Examples
    --------
    >>> [round(end, 3) for end in paired_interval(12, 2, 50)]
    [0.061, 0.345]
    >>> [round(end, 3) for end in paired_interval(0, 39, 39)]
    [-1.0, -0.821]
    """
    if won + lost < FEW:
        return exact_difference(won, lost, units)
    far = NormalDist().inv_cdf((1 + LEVEL) / 2)
    found = (won - lost) / units
    return (
        _solve(lambda difference: _score(won, lost, units, difference) > far, -1.0, found),
        _solve(lambda difference: _score(won, lost, units, difference) > -far, found, 1.0),
    )


def _score(won: int, lost: int, units: int, difference: float) -> float:
    """Give how many standard errors the difference that was seen lies above another."""
    linear = -won - lost + (2 * units - won + lost) * difference
    constant = -lost * difference * (1 - difference)
    root = math.sqrt(max(0.0, linear**2 - 8 * units * constant))
    second = max(0.0, (root - linear) / (4 * units))
    variance = units * (2 * second + difference * (1 - difference))
    above = won - lost - units * difference
    return math.copysign(math.inf, above) if variance <= 0 and above else above / math.sqrt(max(variance, 1e-300))


def exact_difference(won: int, lost: int, units: int) -> tuple[float, float]:
    """Give all differences that fit both how many units differ and how these split, each exact at half the level.

    The difference is how many of all units differ, times by how much more than half of them are won.
    """
    half = (1 + LEVEL) / 2
    few, many = exact_interval(won + lost, units, half)
    worst, best = exact_interval(won, won + lost, half) if won + lost else (0.0, 1.0)
    ends = [share * (2 * split - 1) for share in (few, many) for split in (worst, best)]
    return min(ends), max(ends)


def _solve(above: Callable[[float], bool], low: float, high: float) -> float:
    """Halve to where something that is so below is no longer so."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) else (low, middle)
    return (low + high) / 2
