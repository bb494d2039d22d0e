"""Which test says how sure the difference of two systems is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.statistics.comparison.permuting import yardsticks
from medzh_score.statistics.comparison.rows import differences, least_extreme
from medzh_score.statistics.formulas.binomial import at_most, log_choose
from medzh_score.statistics.formulas.ratio import Ratio
from medzh_score.statistics.values import mean_over_runs, one_thread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Formula, Metric
    from medzh_score.statistics.comparison.found import Systems, Test
    from medzh_score.statistics.comparison.rows import Pair, Row


@dataclass(frozen=True)
class Draws:
    """How often rows are swapped or permuted, and the seed of it."""

    swaps: int
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


def tests_of_each(systems: Systems, metric: Metric, row: Row, pairs: Sequence[Pair], draws: Draws) -> Tests:
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
        p[swapped] = randomisation_p(*sums, row.formula, swaps=draws.swaps, seed=draws.seed)
    return Tests(p, tuple(tests))


def tests_of_all(row: Row, pairs: Sequence[Pair], draws: Draws, level: float) -> Tests:
    """Test all pairs by one yardstick, which corrects for their number; find what is significant at a level."""
    testable = np.flatnonzero(row.testable)
    within = [row.testable[pair.one] and row.testable[pair.other] for pair in pairs]
    p, critical = np.full(len(pairs), np.nan), None
    if any(within):
        yardstick = np.sort(yardsticks(row.sums[:, testable], row.formula, draws=draws.swaps, seed=draws.seed))
        ones, others = ([getattr(pair, side) for pair in pairs] for side in ("one", "other"))
        observed = differences(row.observed[ones], row.observed[others])
        bounds = least_extreme(observed, np.abs(row.observed[testable]).max())
        larger = len(yardstick) - np.searchsorted(yardstick, bounds)
        p = np.where(within, (larger + 1) / (draws.swaps + 1), np.nan)
        critical = float(yardstick[min(len(yardstick) - 1, int((1 - level) * len(yardstick)))])
    return Tests(p, tuple("randomised tukey" if tested else None for tested in within), critical)


def mid_p(won: int, lost: int) -> float:
    """Test how units that differ split, half of the observed split's probability left out at each end.

    Equal to the exact p less the probability of the observed split. Where the split is even there is no difference, and
    p is 1.

    Parameters
    ----------
    won, lost : int
        Units in which only the first, and only the second, is right.

    References
    ----------
    Fagerland, Lydersen and Laake 2013, The McNemar test for binary matched-pairs data: mid-p and asymptotic are better
    than exact conditional, BMC Medical Research Methodology 13:91.

    Examples
    --------
    >>> mid_p(0, 0), mid_p(3, 3), round(mid_p(1, 5), 6)
    (1.0, 1.0, 0.125)
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
    """Find which units two systems have right, where each unit is one answer that counts for both.

    Parameters
    ----------
    systems : Systems
        All of them.
    pair : Pair
        Which two.
    metric : Metric
        Any.
    items : array of int
        Which are looked at.

    Returns
    -------
    array, shape (2, units) or None
        None where the metric is no share, or a unit has several items, runs that differ or variants, has a weight, or
        counts for one system only. A unit that counts for neither adds nothing, and is left out; so is a copy of a run.
    """
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
    units = systems.layout.units[items][counting]
    alone = len(np.unique(units)) == len(units)
    plain = (of == 1).all() and (answers == 1).all() and np.isin(right, (0, 1)).all()
    return right == 1 if alone and plain else None


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
