"""The formula that most metrics are: one summed column over another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def ratio(numerator: int, denominator: int, scale: float = 1.0) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Make the formula ``scale * numerator / denominator``.

    Parameters
    ----------
    numerator, denominator : int
        Columns of the statistics.
    scale : float
        100 for percent.

    Returns
    -------
    callable
        From summed statistics, shape (..., k), to values, shape (...); nan where the denominator is 0.

    Examples
    --------
    >>> ratio(0, 1, 100.0)(np.array([1.0, 4.0])).item()
    25.0
    """

    def formula(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        over = sums[..., denominator]
        defined = over != 0
        return np.where(defined, scale * sums[..., numerator] / np.where(defined, over, 1.0), np.nan)

    return formula
