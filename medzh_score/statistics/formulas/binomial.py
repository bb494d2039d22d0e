"""The exact interval of a share: how often something may happen that was seen so often in so many draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

LEVEL = 0.95
STEPS = 60  # halvings: far below the last digit of a float near 1


def exact_interval(count: int, of: int, level: float = LEVEL) -> tuple[float, float]:
    """Give the interval of Clopper and Pearson.

    Parameters
    ----------
    count : int
        How often it was seen.
    of : int
        In how many draws; at least 1.
    level : float
        Of confidence, half of what is left at each end.

    Returns
    -------
    tuple of float
        From 0 to 1. At least this level, whatever the true share; draws without replacement only add to it.

    References
    ----------
    Clopper and Pearson, The use of confidence or fiducial limits, Biometrika 26 (1934).

    Examples
    --------
    >>> [round(end, 4) for end in exact_interval(0, 100)]
    [0.0, 0.0362]
    """
    chances = log_choose(of)
    tail = (1 - level) / 2
    low = 0.0 if count == 0 else _solve(lambda share: at_most(chances, count - 1, share) > 1 - tail)
    high = 1.0 if count == of else _solve(lambda share: at_most(chances, count, share) > tail)
    return low, high


def _solve(above: Callable[[float], bool]) -> float:
    """Halve to the share from which on a falling chance is no longer above its limit."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if above(middle) else (low, middle)
    return (low + high) / 2


def log_choose(of: int) -> NDArray[np.float64]:
    """Give the logarithms of the numbers of ways to choose 0, 1 and so on to all.

    Parameters
    ----------
    of : int
        From how many.
    """
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, of + 1)))])
    chosen: NDArray[np.float64] = factorials[of] - factorials - factorials[::-1]
    return chosen


def at_most(chances: NDArray[np.float64], count: int, share: float) -> float:
    """Give the chance of at most so many.

    Parameters
    ----------
    chances : array
        `log_choose` of how many draws there are.
    count : int
        At most how many, from 0.
    share : float
        The chance of each draw.
    """
    hits = np.arange(count + 1)
    of = len(chances) - 1
    return float(np.exp(chances[: count + 1] + hits * np.log(share) + (of - hits) * np.log1p(-share)).sum())
