"""The formula that most metrics are: one summed column over another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Ratio:
    """The formula ``scale * numerator / denominator``; made by `ratio`.

    Attributes
    ----------
    numerator, denominator : int
        Columns of the statistics.
    scale : float
        100 for percent.
    """

    numerator: int
    denominator: int
    scale: float

    def __call__(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Divide sums of shape (..., k); nan where the denominator is 0."""
        over = sums[..., self.denominator]
        defined = over != 0
        return np.where(defined, self.scale * sums[..., self.numerator] / np.where(defined, over, 1.0), np.nan)


def ratio(numerator: int, denominator: int, scale: float = 1.0) -> Ratio:
    """Make the formula ``scale * numerator / denominator``.

    Parameters
    ----------
    numerator, denominator : int
        Columns of the statistics.
    scale : float
        100 for percent.

    Examples
    --------
    >>> ratio(0, 1, 100.0)(np.array([1.0, 4.0])).item()
    25.0
    """
    return Ratio(numerator, denominator, scale)


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
