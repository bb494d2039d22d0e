"""Which test says how sure the difference of two systems is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.statistics.comparison.permuting import yardsticks
from medzh_score.statistics.comparison.randomisation import randomisation_p
from medzh_score.statistics.comparison.rows import differences, least_extreme
from medzh_score.statistics.formulas.binomial import at_most, log_choose
from medzh_score.statistics.formulas.ratio import Ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Metric
    from medzh_score.statistics.comparison.found import Test
    from medzh_score.statistics.comparison.rows import Pair, Row
    from medzh_score.statistics.comparison.systems import Systems


@dataclass(frozen=True)
class Draws:
    """How often rows are swapped or permuted, and the seed of it."""

    swaps: int
    seed: int


@dataclass(frozen=True)
class Tests:
    """The p of each pair, nan without a test, and the test that gave it."""

    p: NDArray[np.float64]
    tests: tuple[Test | None, ...]


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


def tests_of_all(row: Row, pairs: Sequence[Pair], draws: Draws) -> Tests:
    """Test all pairs by one yardstick, which corrects for their number."""
    testable = np.flatnonzero(row.testable)
    within = [row.testable[pair.one] and row.testable[pair.other] for pair in pairs]
    p = np.full(len(pairs), np.nan)
    if any(within):
        yardstick = np.sort(yardsticks(row.sums[:, testable], row.formula, draws=draws.swaps, seed=draws.seed))
        ones, others = ([getattr(pair, side) for pair in pairs] for side in ("one", "other"))
        observed = differences(row.observed[ones], row.observed[others])
        bounds = least_extreme(observed, np.abs(row.observed[testable]).max())
        larger = len(yardstick) - np.searchsorted(yardstick, bounds)
        p = np.where(within, (larger + 1) / (draws.swaps + 1), np.nan)
    return Tests(p, tuple("randomised tukey" if tested else None for tested in within))


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
