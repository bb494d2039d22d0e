"""The randomised Tukey test: how far apart the best and the worst of all systems fall by chance."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.statistics.comparison.permuting import permuted
from medzh_score.statistics.values import mean_over_runs, one_thread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Formula

STREAM = 2  # of the seed, beside those of the resamples and of the swaps
BLOCK = 64  # draws with a seed of their own, so that the number of threads changes nothing


def yardsticks(sums: NDArray[np.float64], formula: Formula, *, draws: int, seed: int) -> NDArray[np.float64]:
    """Draw how far apart the best and the worst system are where systems differ by chance alone.

    The rows of all systems are permuted within each unit, all runs, items and variants of a unit together.

    Parameters
    ----------
    sums : array, shape (units, systems, runs, k)
        Of each unit.
    formula : callable
        From sums to the metric, whose mean over runs is compared.
    draws : int
        How many.
    seed : int
        Of NumPy's PCG64, from which each block of draws has a seed of its own.

    Returns
    -------
    array, shape (draws,)
        The largest difference of each draw, the yardstick of every pair; infinite where a system has no value.

    References
    ----------
    Carterette 2012, Multiple testing in statistical analysis of systems-based information retrieval experiments, ACM
    TOIS 30(1).
    """
    units, systems, runs, columns = sums.shape
    rows = permuted(sums.reshape(units, systems, -1))
    starts = range(0, draws, BLOCK)
    seeds = np.random.SeedSequence((seed, STREAM)).spawn(len(starts))

    def block(start: int, own: np.random.SeedSequence) -> NDArray[np.float64]:
        generator = np.random.Generator(np.random.PCG64(own))
        added = rows.drawn(min(BLOCK, draws - start), generator)
        values = mean_over_runs(formula(added.reshape(-1, systems, runs, columns)))
        spread: NDArray[np.float64] = values.max(axis=1) - values.min(axis=1)
        return np.where(np.isnan(spread), np.inf, spread)

    with one_thread(), ThreadPoolExecutor(os.cpu_count()) as threads:
        return np.concatenate([np.empty(0), *threads.map(block, starts, seeds)])
