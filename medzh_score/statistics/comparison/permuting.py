"""Sums of systems whose rows are permuted within each unit, all orders of a unit equally likely."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.statistics.values import mean_over_runs, one_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Codes = NDArray[np.unsignedinteger]
    from medzh_score.benchmark.metrics import Formula


# Codes times pairs of systems up to which keys of 32 bits do: one row in 500 has a tie and is drawn again.
SHORT = 2**24
MANY = 8  # units a system, of the same two rows, from which on they are dealt together


@dataclass(frozen=True)
class TwoRows:
    """Units in which each system has one of two rows, the same two in all of these units.

    Attributes
    ----------
    one, other : array, shape (columns,)
        The rows.
    held : array of int, shape (systems + 1,)
        In how many units so many systems have the other row.
    """

    one: NDArray[np.float64]
    other: NDArray[np.float64]
    held: NDArray[np.int64]

    def drawn(self, draws: int, generator: np.random.Generator) -> NDArray[np.float64]:
        """Add up what each system gets, shape (draws, systems, columns)."""
        dealt = dealt_together(self.held, draws, generator)[..., np.newaxis]
        added: NDArray[np.float64] = dealt * self.other + (self.held.sum() - dealt) * self.one
        return added


@dataclass(frozen=True)
class Permuted:
    """Units by how their rows are permuted.

    Attributes
    ----------
    fixed : array, shape (columns,)
        The sum of the units in which all systems have the same row.
    together : tuple of TwoRows
        Units that are dealt together.
    codes : array, shape (units, systems)
        The rows of the units that are permuted one by one, as places in the table.
    table : array, shape (rows, columns)
        Distinct rows.
    """

    fixed: NDArray[np.float64]
    together: tuple[TwoRows, ...]
    codes: Codes
    table: NDArray[np.float64]

    def drawn(self, draws: int, generator: np.random.Generator) -> NDArray[np.float64]:
        """Permute, and add up the rows that each system gets, shape (draws, systems, columns)."""
        add = _adder(self.codes.shape, self.table)
        added = np.stack([add(in_random_order(self.codes, generator)) for _ in range(draws)])
        added += self.fixed
        for units in self.together:
            added += units.drawn(draws, generator)
        return added


def permuted(rows: NDArray[np.float64]) -> Permuted:
    """Sort units, shape (units, systems, columns), by how their rows are permuted."""
    units, systems, columns = rows.shape
    table, places = np.unique(rows.reshape(-1, columns), axis=0, return_inverse=True)
    codes = places.reshape(units, systems)
    lowest, highest = codes.min(axis=1, keepdims=True), codes.max(axis=1, keepdims=True)
    alone = (lowest != highest)[:, 0]
    of_two = alone & ((codes == lowest) | (codes == highest)).all(axis=1)
    together = []
    ends = np.hstack([lowest, highest])
    for one, other in np.unique(ends[of_two], axis=0):
        chosen = of_two & (ends == (one, other)).all(axis=1)
        if chosen.sum() >= MANY * systems:
            held = np.bincount((codes[chosen] == other).sum(axis=1), minlength=systems + 1)
            together.append(TwoRows(table[one], table[other], held))
            alone &= ~chosen
    kind = np.uint32 if len(table) * systems**2 <= SHORT else np.uint64
    fixed = rows[lowest[:, 0] == highest[:, 0], 0].sum(axis=0)
    return Permuted(fixed, tuple(together), codes[alone].astype(kind), table)


def dealt_together(held: NDArray[np.int64], draws: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """Draw in how many units each system gets the other of two rows, shape (draws, systems).

    One system after the other: where n units have the other row left for j of the k systems that come, each of them
    gives it to the next system with the chance j / k, so that binomially many of the n do, and have it left for j - 1.
    That is how many it is in independent orders of each unit, without drawing these.

    Parameters
    ----------
    held : array of int, shape (systems + 1,)
        In how many units so many systems have it.
    draws : int
        How many.
    generator : numpy.random.Generator
        What is drawn from.
    """
    systems = len(held) - 1
    left = np.tile(held, (draws, 1))
    dealt = np.empty((draws, systems), np.int64)
    for system in range(systems):
        coming = systems - system
        given = generator.binomial(left, np.arange(coming + 1) / coming)
        dealt[:, system] = given.sum(axis=1)
        left = (left - given)[:, :-1] + given[:, 1:]
    return dealt


def in_random_order(codes: Codes, generator: np.random.Generator) -> Codes:
    """Permute each row: random keys are sorted that carry the codes in their last bits, rows with a tie drawn again.

    That is ten times as fast as `numpy.random.Generator.permuted`.
    """
    last = codes.dtype.type(2 ** int(codes.max(initial=0)).bit_length() - 1)
    words = -(-codes.size * codes.itemsize // 8)
    keys = generator.bit_generator.random_raw(words).view(codes.dtype)[: codes.size].reshape(codes.shape)
    keys &= ~last
    keys |= codes
    keys.sort(axis=1)
    tied = (keys[:, 1:] ^ keys[:, :-1]) <= last
    keys &= last
    if tied.any():
        again = tied.any(axis=1)
        keys[again] = in_random_order(codes[again], generator)
    order: Codes = keys
    return order


def _adder(shape: tuple[int, ...], table: NDArray[np.float64]) -> Callable[[Codes], NDArray[np.float64]]:
    """Give what adds up what the codes of each system stand for, from shape (units, systems) to (systems, columns).

    What is as large as the codes is made once: fresh memory takes longer to get than these sums.
    """
    units, systems = shape
    if len(table) > units:
        rows = np.empty((systems, table.shape[1]))

        def pick(codes: Codes) -> NDArray[np.float64]:
            added = np.zeros(rows.shape)
            for of_unit in codes:
                added += np.take(table, of_unit, axis=0, out=rows, mode="clip")
            return added

        return pick
    places, begins = np.empty(shape, np.int64), np.arange(systems) * len(table)

    def count(codes: Codes) -> NDArray[np.float64]:
        np.add(codes, begins, out=places, casting="unsafe")
        counts = np.bincount(places.ravel(), minlength=systems * len(table))
        added: NDArray[np.float64] = counts.reshape(systems, -1) @ table
        return added

    return count


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
