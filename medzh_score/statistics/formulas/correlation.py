"""Pearson's correlation of two lists of numbers, undefined where one of them is constant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def pearson(one: ArrayLike, two: ArrayLike) -> float | None:
    """Correlate.

    Parameters
    ----------
    one, two : array_like, shape (n,)
        Pairs in which either is nan are left out.

    Returns
    -------
    float or None
        From -1 to 1; None where fewer than two pairs stay, or all values of one are equal.

    Examples
    --------
    >>> pearson([0.0, 0.5, 1.0], [0.1, 0.2, 0.3]), pearson([0.5, 0.5], [0.0, 1.0])
    (1.0, None)
    """
    first, second = np.asarray(one, np.float64), np.asarray(two, np.float64)
    there = ~(np.isnan(first) | np.isnan(second))
    first, second = first[there], second[there]
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:  # noqa: PLR2004 - one pair has no direction
        return None
    return float(np.corrcoef(first, second)[0, 1])
