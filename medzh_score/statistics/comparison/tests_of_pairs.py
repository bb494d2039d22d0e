"""Which test says how sure the difference of two systems is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.statistics.comparison.mcnemar import mid_p, one_answer_a_unit
from medzh_score.statistics.comparison.randomisation import randomisation_p
from medzh_score.statistics.comparison.rows import differences, least_extreme
from medzh_score.statistics.comparison.tukey import yardsticks

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
