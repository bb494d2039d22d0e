"""Corrections for many comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVEL = 0.05
FINEST = 200  # one of so many: what the smallest corrected p must be able to reach


def holm(p: NDArray[np.float64], family: int) -> NDArray[np.float64]:
    """Correct for a family of comparisons, step by step from the smallest p (Holm 1979).

    Parameters
    ----------
    p : array
        nan where there is no test.
    family : int
        How many comparisons there are, those without a test among them: these count as never significant.

    Examples
    --------
    >>> holm(np.array([0.03, 0.01, np.nan]), 3).tolist()
    [0.06, 0.03, nan]
    """
    flat = p.ravel()
    order = np.argsort(flat)  # nan last
    steps = np.minimum(1.0, np.maximum.accumulate(flat[order] * (family - np.arange(len(flat)))))
    corrected = np.empty(len(flat))
    corrected[order] = steps
    return corrected.reshape(p.shape)


def holm_over_rows(p: NDArray[np.float64], rows: int) -> NDArray[np.float64]:
    """Correct p that are corrected within each row already for the number of rows.

    Holm's steps with a row as a step: a row is done when all of its pairs are significant, since before that one of its
    differences may still be none; from then on the others are corrected for one row less.

    Parameters
    ----------
    p : array, shape (rows, pairs)
        nan where there is no test.
    rows : int
        How many are corrected for; a row without any value is none.
    """
    done, corrected = 0.0, np.full(p.shape, np.inf)
    nothing = np.isnan(p).all(axis=1)  # goes last
    largest = np.where(nothing, 2.0, np.where(np.isnan(p), 1.0, p).max(axis=1, initial=0.0))
    order = np.argsort(largest, kind="stable")
    for step, row in enumerate(order):
        left = order[step:]
        corrected[left] = np.minimum(corrected[left], np.maximum(done, p[left] * (rows - step)))
        done = max(done, largest[row] * (rows - step))
    limited: NDArray[np.float64] = np.minimum(1.0, corrected)
    return limited


def enough_swaps(swaps: int, family: int) -> int:
    """Raise the number of swaps until the smallest p that they can give is significant after the correction."""
    return max(swaps, FINEST * family - 1)
