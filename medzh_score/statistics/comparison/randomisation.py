"""Approximate randomisation: how often swapping two systems' rows within units gives as large a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.statistics.comparison.rows import differences, least_extreme
from medzh_score.statistics.values import mean_over_runs, one_thread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Formula

STREAM = 1  # of the seed: resamples have the seed's own, the permutations of all systems another
CELLS = 2**22  # numbers that are held at once: bounds the memory
NOTHING = 1e-12  # of what a column adds up to: what rounding leaves of a sum that is 0


def swap_masks(units: int, swaps: int, seed: int, at_once: int) -> Iterator[NDArray[np.float64]]:
    """Draw which units are swapped, 1 or 0, shape (at most ``at_once``, units); the same whatever ``at_once`` is."""
    generator = np.random.Generator(np.random.PCG64((seed, STREAM)))
    words = -(-units // 64)
    for start in range(0, swaps, at_once):
        drawn = generator.integers(0, 2**64, (min(at_once, swaps - start), words), dtype=np.uint64)
        bits = np.unpackbits(drawn.astype("<u8").view(np.uint8), axis=1, count=units, bitorder="little")
        yield bits.astype(np.float64)


def randomisation_p(
    one: NDArray[np.float64], other: NDArray[np.float64], formula: Formula, *, swaps: int, seed: int
) -> NDArray[np.float64]:
    """Test pairs of systems by swapping their rows within units.

    Parameters
    ----------
    one, other : array, shape (units, pairs, runs, k)
        The sums of each unit; all runs, items and variants of a unit are swapped together.
    formula : callable
        From sums to the metric, whose mean over runs is compared.
    swaps : int
        How many draws, the same for all pairs.
    seed : int
        Of NumPy's PCG64.

    Returns
    -------
    array, shape (pairs,)
        ``(c + 1) / (swaps + 1)``, with c the draws whose difference is at least as large as the observed one, or
        undefined. Two-sided: exchanging the systems changes nothing.

    References
    ----------
    Noreen 1989, Computer-intensive methods for testing hypotheses.
    """
    totals = np.stack([one.sum(axis=0), other.sum(axis=0)])
    values = mean_over_runs(formula(totals))
    bound = least_extreme(differences(*values), np.abs(values).max(axis=0))
    scale = NOTHING * (np.abs(one).sum(axis=0) + np.abs(other).sum(axis=0))
    moved = (one - other).reshape(len(one), -1)
    columns, units = moved.any(axis=0), moved.any(axis=1)
    moved = moved[units][:, columns]
    exceeded = np.zeros(one.shape[1], np.int64)
    with one_thread():
        for masks in swap_masks(len(one), swaps, seed, _at_once(len(one), scale.size)):
            swapped = np.zeros((len(masks), scale.size))
            swapped[:, columns] = masks[:, units] @ moved
            change = swapped.reshape(-1, *scale.shape)
            drawn = [
                mean_over_runs(formula(_cleared(sums, scale))) for sums in (totals[0] - change, totals[1] + change)
            ]
            exceeded += (~(np.abs(drawn[0] - drawn[1]) < bound)).sum(axis=0)  # nan, where undefined, is not below
    return (exceeded + 1) / (swaps + 1)


def _at_once(units: int, sums: int) -> int:
    return max(1, CELLS // max(units, sums))


def _cleared(sums: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put 0 for what rounding leaves of it: a denominator of 1e-17 would make a value of what is undefined."""
    return np.where(np.abs(sums) <= scale, 0.0, sums)
