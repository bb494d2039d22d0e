"""What the resamples that all systems share say: intervals of differences, what would be found, intervals of ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.statistics.comparison.rows import differences
from medzh_score.statistics.intervals import FEWEST, LEVEL

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Direction

FOUND = 1.96 + 0.84  # standard errors: a difference of so many is significant at 5 % in 80 of 100 cases


@dataclass(frozen=True)
class Ranks:
    """The interval of a rank."""

    low: int
    high: int


def detectable(resampled: NDArray[np.float64]) -> float | None:
    """Give the smallest difference that would be found in 80 of 100 cases, from resampled differences."""
    defined = resampled[~np.isnan(resampled)]
    return FOUND * float(defined.std(ddof=1)) if len(defined) >= FEWEST else None


def ranked(values: NDArray[np.float64], direction: Direction) -> NDArray[np.float64]:
    """Rank systems along the last axis: 1 for the best, equal for equal values, nan where there is no value."""
    better = (values if direction == "higher" else -values).reshape(-1, values.shape[-1])
    order = np.argsort(better, axis=1)  # the worst first, nan last
    rising = np.take_along_axis(better, order, axis=1)
    gaps = np.ones(better.shape, bool)
    gaps[:, :-1] = (differences(rising[:, 1:], rising[:, :-1]) > 0) | np.isnan(rising[:, 1:])
    # Equal values stand together: as many are better as stand above the next gap.
    nearest = np.where(gaps, np.arange(better.shape[1]), better.shape[1])[:, ::-1]
    ends = np.minimum.accumulate(nearest, axis=1)[:, ::-1]
    ranks = np.empty(better.shape)
    np.put_along_axis(ranks, order, (~np.isnan(better)).sum(axis=1, keepdims=True) - ends, axis=1)
    # What equals the next does not always equal all up to the gap: there each is set against all.
    drifting = (differences(np.take_along_axis(rising, ends, axis=1), rising) > 0).any(axis=1)
    for row in np.flatnonzero(drifting):
        ranks[row] = 1 + (differences(better[row], better[row, :, np.newaxis]) > 0).sum(axis=1)
    return np.where(np.isnan(values), np.nan, ranks.reshape(values.shape))


def rank_interval(ranks: NDArray[np.float64]) -> Ranks | None:
    """Give the 95 % interval of one system's rank in the resamples, whole ranks that hold at least so much."""
    defined = ranks[~np.isnan(ranks)]
    if 2 * len(defined) <= len(ranks):
        return None
    low = np.quantile(defined, (1 - LEVEL) / 2, method="lower")
    high = np.quantile(defined, (1 + LEVEL) / 2, method="higher")
    return Ranks(int(low), int(high))
