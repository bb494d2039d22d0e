"""The 95 % interval of a metric: Wilson's where it is a share, else the percentiles of resampled units."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from medzh_score.statistics.formulas.ratio import Ratio

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Metric

IntervalKind = Literal["wilson", "bootstrap"]
LEVEL = 0.95
FEWEST = 2  # units that count
FEW = "fewer than two units count"
ALIKE = "all resamples give the same value"
SELDOM = "it is undefined in most resamples"
NOT_DRAWN = "no resamples were asked for"
SAME = 1e-9  # of the bounds: what rounding makes of a width of 0


class Interval(NamedTuple):
    """Bounds with their kind, or why there are none."""

    low: float | None = None
    high: float | None = None
    kind: IntervalKind | None = None
    why: str | None = None


def of_share(metric: Metric, sums: Callable[[int], NDArray[np.float64]]) -> Interval:
    """Give the interval of a share, over the runs that define it, from a column's sums of shape (units, runs)."""
    formula = metric.formula
    if not isinstance(formula, Ratio) or metric.share is None:
        raise TypeError(f"{metric.name}: a share is a ratio of two columns")
    runs = sums(formula.denominator).any(axis=0)
    right, of, answers = (sums(one)[:, runs] for one in (formula.numerator, formula.denominator, metric.share))
    low, high = wilson(share_of(right, of), effective_sample_size(right, of, answers), LEVEL)
    return Interval(formula.scale * low, formula.scale * high, "wilson")


def percentiles(replicates: NDArray[np.float64]) -> Interval:
    """Give the percentile interval of resampled values, nan where undefined."""
    if not len(replicates):
        return Interval(why=NOT_DRAWN)
    defined = replicates[~np.isnan(replicates)]
    if 2 * len(defined) <= len(replicates):
        return Interval(why=SELDOM)
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
    if high - low <= SAME * max(abs(low), abs(high)):
        return Interval(why=ALIKE)
    return Interval(low, high, "bootstrap")


NOTHING = 1e-12  # of the variance of independent answers: what rounding leaves where units do not differ


def share_of(right: NDArray[np.float64], of: NDArray[np.float64]) -> float:
    """Give the mean over runs of the ratio of sums, of arrays of shape (units, runs); every run has a denominator."""
    return float((right.sum(axis=0) / of.sum(axis=0)).mean())


def effective_sample_size(right: NDArray[np.float64], of: NDArray[np.float64], answers: NDArray[np.float64]) -> float:
    """Give the number of independent answers whose share would vary as this one does.

    The arrays, of shape (units, runs), say what each unit adds to numerator, denominator and number of answers; every
    run has a denominator. The number is p (1 - p) / v, with v the linearised variance of the share over units: all
    items, runs and variants of a unit count together. It is at most the number of answers, those of a run that repeats
    another aside; where units do not differ, it is the number of units that count.

    Examples
    --------
    >>> import numpy as np
    >>> right = np.array([[1.0], [0.0], [1.0], [1.0]])
    >>> round(effective_sample_size(right, np.ones((4, 1)), np.ones((4, 1))), 9)
    4.0
    """
    over = of.sum(axis=0)
    per_run = right.sum(axis=0) / over
    residuals = ((right - per_run * of) / over).mean(axis=1)
    share, variance = float(per_run.mean()), float(residuals @ residuals)
    spread, most = share * (1 - share), _answers(right, of, answers)
    if variance * most <= NOTHING * max(spread, NOTHING):
        return float((of != 0).any(axis=1).sum())
    return min(spread / variance, most)


def _answers(right: NDArray[np.float64], of: NDArray[np.float64], answers: NDArray[np.float64]) -> float:
    """Count the answers of all runs that differ: a copy of a run tells nothing new."""
    runs = {right[:, run].tobytes() + of[:, run].tobytes(): float(answers[:, run].sum()) for run in range(of.shape[1])}
    return sum(runs.values())


def wilson(share: float, answers: float, level: float) -> tuple[float, float]:
    """Give Wilson's score interval of a share of so many independent answers, a number above 0 that may be estimated.

    After Wilson 1927, Probable inference, the law of succession, and statistical inference.

    Examples
    --------
    >>> [round(bound, 4) for bound in wilson(1.0, 20, 0.95)]
    [0.8389, 1.0]
    """
    squared = NormalDist().inv_cdf((1 + level) / 2) ** 2 / answers
    middle = share + squared / 2
    reach = math.sqrt(squared * share * (1 - share) + squared**2 / 4)
    low, high = (middle - reach) / (1 + squared), (middle + reach) / (1 + squared)
    return max(0.0, min(low, share)), min(1.0, max(high, share))
