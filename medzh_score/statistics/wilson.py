"""Wilson's interval of a share, by the number of independent answers that its units are worth."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
