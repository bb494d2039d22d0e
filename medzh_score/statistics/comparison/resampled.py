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
    better = values if direction == "higher" else -values
    ranks = np.empty(values.shape)
    for system in range(values.shape[-1]):
        own = better[..., system, np.newaxis]
        ranks[..., system] = 1 + (differences(better, np.broadcast_to(own, better.shape)) > 0).sum(axis=-1)
    return np.where(np.isnan(values), np.nan, ranks)


def rank_interval(ranks: NDArray[np.float64]) -> Ranks | None:
    """Give the 95 % interval of one system's rank in the resamples, whole ranks that hold at least so much."""
    defined = ranks[~np.isnan(ranks)]
    if 2 * len(defined) <= len(ranks):
        return None
    low = np.quantile(defined, (1 - LEVEL) / 2, method="lower")
    high = np.quantile(defined, (1 + LEVEL) / 2, method="higher")
    return Ranks(int(low), int(high))
