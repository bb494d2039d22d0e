"""Intervals: of shares by Wilson, of other metrics by resampled units, of paired shares by Tango, exact ones."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from medzh_score.benchmark.metrics import Ratio
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Metric


IntervalKind = Literal["wilson", "bootstrap", "tango"]
CONFIDENCE = 0.95
FEWEST = 2  # units that count
FEW = _("fewer than two clusters contribute")
ALIKE = _("all resamples give the same value")
SELDOM = _("not available in most resamples")
NOT_DRAWN = _("no resamples were requested")
MANY = 200  # degrees of freedom from which on the expansion is exact to 1e-10
STEPS = 60  # halvings: far below the last digit of a float near 1
FEW_DISCORDANT = 10  # units that differ, from which on the score interval keeps its level
SAME = 1e-9  # of the bounds: what rounding makes of a width of 0, and of the answers of a unit


class Interval(NamedTuple):
    """Bounds with their kind, or why there are none."""

    low: float | None = None
    high: float | None = None
    kind: IntervalKind | None = None
    unavailable_reason: str | None = None


def of_share(metric: Metric, sums: Callable[[int], NDArray[np.float64]]) -> Interval:
    """Give the interval of a share, over the runs that define it, from a column's sums of shape (units, runs)."""
    formula = metric.formula
    if not isinstance(formula, Ratio) or metric.share is None:
        raise TypeError(f"{metric.name}: a share is a ratio of two columns")
    runs = sums(formula.denominator).any(axis=0)
    right, of, answers = (sums(one)[:, runs] for one in (formula.numerator, formula.denominator, metric.share))
    low, high = _wilson_of_clusters(right, of, answers)
    return Interval(formula.scale * low, formula.scale * high, "wilson")


def percentiles(replicates: NDArray[np.float64]) -> Interval:
    """Give the percentile interval of resampled values, nan where undefined."""
    if not len(replicates):
        return Interval(unavailable_reason=NOT_DRAWN)
    defined = replicates[~np.isnan(replicates)]
    if 2 * len(defined) <= len(replicates):
        return Interval(unavailable_reason=SELDOM)
    low, high = np.quantile(defined, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2]).tolist()
    if high - low <= SAME * max(abs(low), abs(high)):
        return Interval(unavailable_reason=ALIKE)
    return Interval(low, high, "bootstrap")


def _wilson_of_clusters(
    right: NDArray[np.float64], of: NDArray[np.float64], answers: NDArray[np.float64]
) -> tuple[float, float]:
    """Give Wilson's interval of the mean over runs of a ratio of sums.

    The arrays, of shape (units, runs), say what each unit adds to numerator, denominator and number of answers; every
    run has a denominator. However many answers a unit holds, they tell as much as one: n is the number of units that
    count. Where a unit holds several, Student's quantile with n - 1 degrees of freedom takes the place of the normal
    one. Neither depends on what was answered, so one more right answer never lowers an end.
    """
    share = float((right.sum(axis=0) / of.sum(axis=0)).mean())
    units = int((of != 0).any(axis=1).sum())
    alone = bool((answers.sum(axis=1) <= 1 + SAME).all())
    return wilson(share, units, CONFIDENCE) if alone else wilson(share, units, CONFIDENCE, degrees=units - 1)


def wilson(share: float, answers: int, level: float, degrees: int | None = None) -> tuple[float, float]:
    """Give Wilson's score interval of a share of so many independent answers, with Student's quantile for degrees.

    After Wilson 1927, Probable inference, the law of succession, and statistical inference.
    """
    chance = (1 + level) / 2
    quantile = NormalDist().inv_cdf(chance) if degrees is None else student_quantile(chance, degrees)
    squared = quantile**2 / answers
    middle = share + squared / 2
    reach = math.sqrt(squared * share * (1 - share) + squared**2 / 4)
    low, high = (middle - reach) / (1 + squared), (middle + reach) / (1 + squared)
    return max(0.0, min(low, share)), min(1.0, max(high, share))


@cache
def student_quantile(chance: float, degrees: int) -> float:
    """Give the quantile of Student's distribution, for a chance above one half.

    Below 200 degrees of freedom by halving the distribution's finite series, else by the expansion around the normal
    quantile (Abramowitz and Stegun 1964, 26.7.3, 26.7.4 and 26.7.5).
    """
    if degrees < MANY:
        angle = _solve(lambda angle: _within(angle, degrees) <= 2 * chance - 1, 0.0, math.pi / 2)
        return math.tan(angle) * math.sqrt(degrees)
    z = NormalDist().inv_cdf(chance)
    terms = (
        z**3 + z,
        5 * z**5 + 16 * z**3 + 3 * z,
        3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z,
        79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z,
    )
    over = (4, 96, 384, 92160)
    more: float = sum(
        term / (by * degrees**power) for power, (term, by) in enumerate(zip(terms, over, strict=True), start=1)
    )
    return z + more


def _within(angle: float, degrees: int) -> float:
    """Give how likely a variable of Student's lies within plus and minus tan(angle) times the root of the degrees."""
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    term = cosine if odd else 1.0
    total = term if degrees > 1 else 0.0
    for power in range(3 if odd else 2, degrees - 1, 2):
        term *= cosine**2 * (power - 1) / power
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def exact_interval(count: int, of: int, level: float = CONFIDENCE) -> tuple[float, float]:
    """Give the interval of a share by Clopper and Pearson 1934, The use of confidence or fiducial limits."""
    chances = log_choose(of)
    tail = (1 - level) / 2
    low = 0.0 if count == 0 else _solve(lambda share: at_most(chances, count - 1, share) > 1 - tail)
    high = 1.0 if count == of else _solve(lambda share: at_most(chances, count, share) > tail)
    return low, high


def _solve(above: Callable[[float], bool], low: float = 0.0, high: float = 1.0) -> float:
    """Halve to where something that is so below is no longer so."""
    for _unused in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) else (low, middle)
    return (low + high) / 2


def log_choose(of: int) -> NDArray[np.float64]:
    """Give the logarithms of the numbers of ways to choose 0, 1 and so on to all of so many."""
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, of + 1)))])
    chosen: NDArray[np.float64] = factorials[of] - factorials - factorials[::-1]
    return chosen


def at_most(chances: NDArray[np.float64], count: int, share: float) -> float:
    """Give the chance of at most so many, by `log_choose` of the number of draws and the chance of each."""
    hits = np.arange(count + 1)
    of = len(chances) - 1
    return float(np.exp(chances[: count + 1] + hits * np.log(share) + (of - hits) * np.log1p(-share)).sum())


def paired_interval(won: int, lost: int, units: int) -> tuple[float, float]:
    """Give the 95 % interval of the difference of two paired shares, from -1 to 1, of units that one has right alone.

    The score interval of Tango 1998, Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design, Statistics in Medicine 17; where fewer than ten units differ, an exact one.
    """
    if won + lost < FEW_DISCORDANT:
        return exact_difference(won, lost, units)
    far = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
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
    half = (1 + CONFIDENCE) / 2
    few, many = exact_interval(won + lost, units, half)
    worst, best = exact_interval(won, won + lost, half) if won + lost else (0.0, 1.0)
    ends = [share * (2 * split - 1) for share in (few, many) for split in (worst, best)]
    return min(ends), max(ends)
