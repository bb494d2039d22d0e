"""Mean, standard deviation and squared correlation of scores from 0 to 1, as formulas of sums.

Sums are of scores less one half: of squares of small numbers less is lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.metrics import of_open

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Ends

SHIFT = 0.5
NOTHING = 1e-12  # of the sum of squares: what rounding leaves of the spread of equal scores


@dataclass(frozen=True)
class Moments:
    """Three columns of the statistics: how many scores, their shifted sum, and that of the squares.

    Attributes
    ----------
    count : int
        The first of them.
    """

    count: int

    def fill(self, statistics: NDArray[np.float64], scores: NDArray[np.float64]) -> None:
        """Put scores into the statistics.

        Parameters
        ----------
        statistics : array, shape (..., k)
            Changed.
        scores : array, shape (...)
            From 0 to 1; nan where there is none.
        """
        there = ~np.isnan(scores)
        shifted = np.where(there, scores - SHIFT, 0.0)
        statistics[..., self.count] = there
        statistics[..., self.count + 1] = shifted
        statistics[..., self.count + 2] = shifted**2

    def mean(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the mean; nan where there is no score.

        Parameters
        ----------
        sums : array, shape (..., k)
            Summed statistics.
        """
        count, total = sums[..., self.count], sums[..., self.count + 1]
        return np.where(count > 0, total / np.maximum(count, 1.0) + SHIFT, np.nan)

    @property
    def ends(self) -> Ends:
        """The ends of the mean, where what is open counts as 0 and may be worth 1."""
        return of_open({}, {self.count + 1: self.count})

    def std(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the standard deviation with ddof 1; nan where there are fewer than two scores.

        Parameters
        ----------
        sums : array, shape (..., k)
            Summed statistics.

        Examples
        --------
        >>> row = np.zeros((2, 3))
        >>> Moments(0).fill(row, np.array([0.25, 0.75]))
        >>> float(Moments(0).std(row.sum(axis=0)).round(3))
        0.354
        """
        count = sums[..., self.count]
        spread = _spread(count, sums[..., self.count + 1], sums[..., self.count + 2])
        return np.where(count > 1, np.sqrt(spread / np.maximum(count - 1, 1.0)), np.nan)


def squared_correlation(first: int) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Make the formula of the squared Pearson correlation of two scores.

    Parameters
    ----------
    first : int
        The first of six columns: how many pairs, the two shifted sums, the two sums of squares, that of products.

    Returns
    -------
    callable
        From summed statistics to values from 0 to 1; nan where there are fewer than two pairs, or either score is
        constant.
    """

    def formula(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        count, one, two, one_squared, two_squared, product = (sums[..., first + place] for place in range(6))
        spreads = _spread(count, one, one_squared), _spread(count, two, two_squared)
        defined = (count > 1) & (spreads[0] > 0) & (spreads[1] > 0)
        together = product - one * two / np.maximum(count, 1.0)
        over = np.where(defined, spreads[0] * spreads[1], 1.0)
        return np.where(defined, np.clip(together**2 / over, 0.0, 1.0), np.nan)

    return formula


def _spread(
    count: NDArray[np.float64], total: NDArray[np.float64], squares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Give the sum of squared deviations; 0 where no more than rounding is left."""
    spread = squares - total**2 / np.maximum(count, 1.0)
    return np.where(spread > NOTHING * squares, spread, 0.0)
