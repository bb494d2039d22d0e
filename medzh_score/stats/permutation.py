"""Tests of differences: McNemar's mid-p, swaps of two systems, permutations of all; and corrections for many."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from medzh_score.benchmark.metrics import Ratio
from medzh_score.stats.intervals import at_most, log_choose
from medzh_score.stats.systems import differences, least_extreme
from medzh_score.stats.values import mean_over_runs, one_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Formula, Metric
    from medzh_score.stats.systems import ComparedRow, Pair, Systems

    Codes = NDArray[np.unsignedinteger]


Test = Literal["randomisation", "mcnemar mid-p", "randomised tukey"]
Correction = Literal["holm", "randomised tukey"]
SWAPPED_STREAM = 1  # of the seed: resamples have the seed's own, the permutations of all systems another
CELLS = 2**22  # numbers that are held at once: bounds the memory
NOTHING = 1e-12  # of what a column adds up to: what rounding leaves of a sum that is 0
# Codes times pairs of systems up to which keys of 32 bits do: one row in 500 has a tie and is drawn again.
SHORT = 2**24
MANY = 8  # units a system, of the same two rows, from which on they are dealt together
PERMUTED_STREAM = 2  # of the seed, beside those of the resamples and of the swaps
BLOCK = 64  # draws with a seed of their own, so that the number of threads changes nothing
SIGNIFICANCE = 0.05
FINEST = 200  # one of so many: what the smallest corrected p must be able to reach


@dataclass(frozen=True)
class Draws:
    """How often rows are swapped or permuted, and the seed of it."""

    permutations: int
    seed: int


@dataclass(frozen=True)
class Tests:
    """The p of each pair, nan without a test, and the test that gave it; the difference that is significant."""

    p: NDArray[np.float64]
    tests: tuple[Test | None, ...]
    critical: float | None = None  # of the randomised Tukey test, which has one for all pairs


@dataclass(frozen=True)
class Tested:
    """The p of a pair, before and after the correction for its family, and the test; None without a test."""

    p: float | None
    corrected: float | None
    test: Test | None


def tests_of_each(systems: Systems, metric: Metric, row: ComparedRow, pairs: Sequence[Pair], draws: Draws) -> Tests:
    """Test each pair for itself: by McNemar's mid-p where each unit is one answer, else by swapping rows."""
    p = np.full(len(pairs), np.nan)
    tests: list[Test | None] = [None] * len(pairs)
    swapped = []
    for place, pair in enumerate(pairs):
        if not (row.testable[pair.one] and row.testable[pair.other]):
            continue
        right = one_answer_a_unit(systems, pair, metric, row.items)
        if right is None:
            swapped.append(place)
            tests[place] = "randomisation"
        else:
            p[place] = mid_p(int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum()))
            tests[place] = "mcnemar mid-p"
    if swapped:
        ones, others = [pairs[place].one for place in swapped], [pairs[place].other for place in swapped]
        sums = row.sums[:, ones], row.sums[:, others]
        p[swapped] = randomisation_p(*sums, row.formula, permutations=draws.permutations, seed=draws.seed)
    return Tests(p, tuple(tests))


def tests_of_all(row: ComparedRow, pairs: Sequence[Pair], draws: Draws, level: float) -> Tests:
    """Test all pairs by one yardstick, which corrects for their number; find what is significant at a level."""
    testable = np.flatnonzero(row.testable)
    within = [row.testable[pair.one] and row.testable[pair.other] for pair in pairs]
    p, critical = np.full(len(pairs), np.nan), None
    if any(within):
        yardstick = np.sort(
            null_max_differences(row.sums[:, testable], row.formula, draws=draws.permutations, seed=draws.seed)
        )
        ones, others = ([getattr(pair, side) for pair in pairs] for side in ("one", "other"))
        observed = differences(row.observed[ones], row.observed[others])
        bounds = least_extreme(observed, np.abs(row.observed[testable]).max())
        larger = len(yardstick) - np.searchsorted(yardstick, bounds)
        p = np.where(within, (larger + 1) / (draws.permutations + 1), np.nan)
        critical = float(yardstick[min(len(yardstick) - 1, int((1 - level) * len(yardstick)))])
    return Tests(p, tuple("randomised tukey" if tested else None for tested in within), critical)


def mid_p(won: int, lost: int) -> float:
    """Test how units that differ split, half of the observed split's probability left out at each end.

    Equal to the exact p less the probability of the observed split. Where the split is even there is no difference, and
    p is 1.

    Fagerland, Lydersen and Laake 2013, The McNemar test for binary matched-pairs data: mid-p and asymptotic are better
    than exact conditional, BMC Medical Research Methodology 13:91.
    """
    if won == lost:
        return 1.0
    chances, fewer = log_choose(won + lost), min(won, lost)
    here = at_most(chances, fewer, 0.5)
    before = at_most(chances, fewer - 1, 0.5) if fewer else 0.0
    return here + before


def one_answer_a_unit(
    systems: Systems, pair: Pair, metric: Metric, items: NDArray[np.int64]
) -> NDArray[np.bool_] | None:
    """Find which units two systems have right, where each unit is one answer that counts for both."""
    if metric.share is None or not isinstance(metric.formula, Ratio):
        return None
    by_run = [
        systems.statistics[..., column][np.ix_(np.array([pair.one, pair.other]), items)]
        for column in (metric.formula.numerator, metric.formula.denominator, metric.share)
    ]
    if any((column != column[..., :1]).any() for column in by_run):
        return None
    right, of, answers = (column[..., 0] for column in by_run)
    counting = of.any(axis=0)
    right, of, answers = right[:, counting], of[:, counting], answers[:, counting]
    units = systems.layout.clusters[items][counting]
    alone = len(np.unique(units)) == len(units)
    plain = (of == 1).all() and (answers == 1).all() and np.isin(right, (0, 1)).all()
    return right == 1 if alone and plain else None


def swap_masks(units: int, permutations: int, seed: int, at_once: int) -> Iterator[NDArray[np.float64]]:
    """Draw which units are swapped, 1 or 0, shape (at most ``at_once``, units); the same whatever ``at_once`` is."""
    generator = np.random.Generator(np.random.PCG64((seed, SWAPPED_STREAM)))
    words = -(-units // 64)
    for start in range(0, permutations, at_once):
        drawn = generator.integers(0, 2**64, (min(at_once, permutations - start), words), dtype=np.uint64)
        bits = np.unpackbits(drawn.astype("<u8").view(np.uint8), axis=1, count=units, bitorder="little")
        yield bits.astype(np.float64)


def randomisation_p(
    one: NDArray[np.float64], other: NDArray[np.float64], formula: Formula, *, permutations: int, seed: int
) -> NDArray[np.float64]:
    """Test pairs of systems by swapping their rows within units, sums of shape (units, pairs, runs, k).

    Given is (c + 1) / (swaps + 1) for each pair, with c the draws whose difference of means over runs is at least as
    large as the observed one, or undefined. After Noreen 1989, Computer-intensive methods for testing hypotheses.
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
        for masks in swap_masks(len(one), permutations, seed, _at_once(len(one), scale.size)):
            swapped = np.zeros((len(masks), scale.size))
            swapped[:, columns] = masks[:, units] @ moved
            change = swapped.reshape(-1, *scale.shape)
            drawn = [
                mean_over_runs(formula(_cleared(sums, scale))) for sums in (totals[0] - change, totals[1] + change)
            ]
            exceeded += (~(np.abs(drawn[0] - drawn[1]) < bound)).sum(axis=0)  # nan, where undefined, is not below
    return (exceeded + 1) / (permutations + 1)


def _at_once(units: int, sums: int) -> int:
    return max(1, CELLS // max(units, sums))


def _cleared(sums: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put 0 for what rounding leaves of it: a denominator of 1e-17 would make a value of what is undefined."""
    return np.where(np.abs(sums) <= scale, 0.0, sums)


@dataclass(frozen=True)
class TwoRows:
    """Units in which each system has one of two rows, the same two in all of these units."""

    one: NDArray[np.float64]  # one and other: shape (columns,): the rows
    other: NDArray[np.float64]
    held: NDArray[np.int64]  # shape (systems + 1,): in how many units so many systems have the other row

    def drawn(self, draws: int, generator: np.random.Generator) -> NDArray[np.float64]:
        """Add up what each system gets, shape (draws, systems, columns)."""
        dealt = dealt_together(self.held, draws, generator)[..., np.newaxis]
        added: NDArray[np.float64] = dealt * self.other + (self.held.sum() - dealt) * self.one
        return added


@dataclass(frozen=True)
class Permuted:
    """Units by how their rows are permuted."""

    fixed: NDArray[np.float64]  # shape (columns,): the sum of the units in which all systems have the same row
    together: tuple[TwoRows, ...]  # units that are dealt together
    codes: Codes  # shape (units, systems): the rows of the units that are permuted one by one, as places in the table
    table: NDArray[np.float64]  # shape (rows, columns): distinct rows

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


def null_max_differences(sums: NDArray[np.float64], formula: Formula, *, draws: int, seed: int) -> NDArray[np.float64]:
    """Draw how far apart the best and the worst system are where systems differ by chance alone.

    Sums have the shape (units, systems, runs, k). The rows of all systems are permuted within each unit, all runs,
    items and variants of a unit together; a difference is infinite where a system has no value.

    Carterette 2012, Multiple testing in statistical analysis of systems-based information retrieval experiments, ACM
    TOIS 30(1).
    """
    units, systems, runs, columns = sums.shape
    rows = permuted(sums.reshape(units, systems, -1))
    starts = range(0, draws, BLOCK)
    seeds = np.random.SeedSequence((seed, PERMUTED_STREAM)).spawn(len(starts))

    def block(start: int, own: np.random.SeedSequence) -> NDArray[np.float64]:
        generator = np.random.Generator(np.random.PCG64(own))
        added = rows.drawn(min(BLOCK, draws - start), generator)
        values = mean_over_runs(formula(added.reshape(-1, systems, runs, columns)))
        spread: NDArray[np.float64] = values.max(axis=1) - values.min(axis=1)
        return np.where(np.isnan(spread), np.inf, spread)

    with one_thread(), ThreadPoolExecutor(os.cpu_count()) as threads:
        return np.concatenate([np.empty(0), *threads.map(block, starts, seeds)])


def holm(p: NDArray[np.float64], family: int) -> NDArray[np.float64]:
    """Correct for a family of comparisons, step by step from the smallest p (Holm 1979)."""
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


def enough_permutations(permutations: int, family: int) -> int:
    """Raise the number of swaps until the smallest p that they can give is significant after the correction."""
    return max(permutations, FINEST * family - 1)
