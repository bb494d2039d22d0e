"""Ranks of systems with their intervals, and tie groups: systems that do not differ significantly from the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.stats.intervals import CONFIDENCE
from medzh_score.stats.pairwise import SystemResult, unparsed_by
from medzh_score.stats.permutation import SIGNIFICANCE
from medzh_score.stats.systems import differences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Direction, Metric
    from medzh_score.stats.permutation import Tested
    from medzh_score.stats.systems import ComparedRow, Pair, Systems


def system_ranks(systems: Systems, row: ComparedRow, metric: Metric) -> list[SystemResult]:
    """Say of each system where it stands."""
    unparsed = _unparsed(systems, metric, row.items)
    places = [None] * len(row.values) if metric.direction is None else _whole(ranked(row.observed, metric.direction))
    drawn = None if metric.direction is None else ranked(row.resampled, metric.direction)
    made = []
    for place, (label, value, rank) in enumerate(zip(systems.labels, row.values, places, strict=True)):
        interval = _rank_interval(drawn[:, place]) if drawn is not None and row.testable[place] else (None, None)
        made.append(SystemResult(label, value, rank, *interval, float(unparsed[place])))
    return made


def tie_groups(ranks: Sequence[int | None], tested: Mapping[Pair, Tested], baseline: int | None) -> list[list[int]]:
    """Put the best system left with all that it is not significantly different from, until none is left."""
    order = [system for _, system in sorted((rank, system) for system, rank in enumerate(ranks) if rank is not None)]
    apart = {
        frozenset((pair.one, pair.other))
        for pair, its in tested.items()
        if its.corrected is not None and its.corrected <= SIGNIFICANCE
    }

    def tied_with(best: int) -> list[int]:
        return [best, *(one for one in order if one != best and frozenset((best, one)) not in apart)]

    if baseline is not None:
        return [tied_with(baseline)] if ranks[baseline] == 1 else []
    groups = []
    while order:
        groups.append(tied_with(order[0]))
        order = [one for one in order if one not in groups[-1]]
    return groups


def pairs_of_best(
    tested: Mapping[Pair, Tested], standings: Sequence[SystemResult], best: int | None
) -> dict[Pair, Tested]:
    """Keep the pairs of so many of the best; of equals the first."""
    order = sorted((one.rank, place) for place, one in enumerate(standings) if one.rank is not None)
    kept = {place for _, place in order[:best]} if best is not None else {*range(len(standings))}
    return {pair: its for pair, its in tested.items() if {pair.one, pair.other} <= kept}


def _unparsed(systems: Systems, metric: Metric, items: NDArray[np.int64]) -> NDArray[np.float64]:
    """Give the share of each system's answers that is unread, in percent of those that the metric is about."""
    unparsed = unparsed_by(systems, metric)[:, items]
    asked = (np.ones(len(items)) if systems.asked is None else systems.asked[items])[:, np.newaxis]
    if metric.unparsed is not None and metric.share is not None:
        asked = systems.statistics[..., metric.share][:, items]
    if (unparsed > asked).any():
        raise ValueError("more answers are unread than were asked for")
    of = np.broadcast_to(asked, unparsed.shape).sum(axis=(1, 2))
    shares: NDArray[np.float64] = 100 * unparsed.sum(axis=(1, 2)) / np.maximum(of, 1)
    return shares


def _whole(ranks: NDArray[np.float64]) -> list[int | None]:
    return [None if np.isnan(rank) else int(rank) for rank in ranks]


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


def _rank_interval(ranks: NDArray[np.float64]) -> tuple[int | None, int | None]:
    """Give the 95 % interval of one system's rank in the resamples, whole ranks that hold at least so much."""
    defined = ranks[~np.isnan(ranks)]
    if 2 * len(defined) <= len(ranks):
        return None, None
    low = np.quantile(defined, (1 - CONFIDENCE) / 2, method="lower")
    high = np.quantile(defined, (1 + CONFIDENCE) / 2, method="higher")
    return int(low), int(high)
