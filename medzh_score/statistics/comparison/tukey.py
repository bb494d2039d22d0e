"""The randomised Tukey test: how far apart the best and the worst of all systems fall by chance."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.statistics.values import mean_over_runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Formula

    Codes = NDArray[np.unsignedinteger]

STREAM = 2  # of the seed, beside those of the resamples and of the swaps
BLOCK = 64  # draws with a seed of their own, so that the number of threads changes nothing
SHORT = 2**8  # codes up to which 24 random bits stand before each: two keys tie in one of 16 million pairs


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
        Of NumPy's PCG64.

    Returns
    -------
    array, shape (draws,)
        The largest difference of each draw, the yardstick of every pair; infinite where a system has no value.

    References
    ----------
    Carterette 2012, Multiple testing in statistical analysis of systems-based information retrieval experiments, ACM
    TOIS 30(1).
    """
    codes, table = _coded(sums)
    moving = (codes != codes[:, :1]).any(axis=1)
    fixed, codes = sums[~moving, 0].sum(axis=0), codes[moving]
    starts = range(0, draws, BLOCK)
    seeds = np.random.SeedSequence((seed, STREAM)).spawn(len(starts))

    def block(start: int, own: np.random.SeedSequence) -> NDArray[np.float64]:
        generator = np.random.Generator(np.random.PCG64(own))
        count = min(BLOCK, draws - start)
        added = np.stack([_added(in_random_order(codes, generator), table) for _ in range(count)])
        values = mean_over_runs(formula(fixed + added.reshape(count, *sums.shape[1:])))
        spread: NDArray[np.float64] = values.max(axis=1) - values.min(axis=1)
        return np.where(np.isnan(spread), np.inf, spread)

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return np.concatenate([np.empty(0), *threads.map(block, starts, seeds)])


def _coded(sums: NDArray[np.float64]) -> tuple[Codes, NDArray[np.float64]]:
    """Give distinct rows a number: that of each unit and system, and the table of what each number adds."""
    units, systems = sums.shape[:2]
    table, codes = np.unique(sums.reshape(units * systems, -1), axis=0, return_inverse=True)
    return codes.reshape(units, systems).astype(np.uint32 if len(table) <= SHORT else np.uint64), table


def in_random_order(codes: Codes, generator: np.random.Generator) -> Codes:
    """Permute each row: random keys are sorted that carry the codes in their last bits.

    That is ten times as fast as `numpy.random.Generator.permuted`.
    """
    last = codes.dtype.type(2 ** int(codes.max(initial=0)).bit_length() - 1)
    words = -(-codes.size * codes.itemsize // 8)
    keys = generator.bit_generator.random_raw(words).view(codes.dtype)[: codes.size].reshape(codes.shape)
    keys &= ~last
    keys |= codes
    keys.sort(axis=1)
    keys &= last
    order: Codes = keys
    return order


def _added(codes: Codes, table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Add up what the codes of each system stand for, shape (systems, runs * k)."""
    units, systems = codes.shape
    if len(table) > units:
        picked: NDArray[np.float64] = table[codes].sum(axis=0)
        return picked
    places = codes + np.arange(systems) * len(table)
    counts = np.bincount(places.ravel(), minlength=systems * len(table))
    added: NDArray[np.float64] = counts.reshape(systems, -1) @ table
    return added
