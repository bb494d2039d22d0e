"""The formula that most metrics are: one summed column over another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
