"""Comparing systems: from statistics of the same items to differences, tests, ranks and ties."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.statistics.comparison.corrections import LEVEL, enough_swaps, holm, holm_over_rows
from medzh_score.statistics.comparison.describing import differences_of, open_share, standings_of
from medzh_score.statistics.comparison.found import MetricComparison, Systems
from medzh_score.statistics.comparison.rows import Pair, rows_of
from medzh_score.statistics.comparison.tests_of_pairs import Draws, Tested, tests_of_all, tests_of_each
from medzh_score.statistics.sums import TOTAL
from medzh_score.statistics.values import Bootstrap, values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.benchmark.metrics import Metric
    from medzh_score.statistics.comparison.found import Standing
    from medzh_score.statistics.comparison.tests_of_pairs import Tests
    from medzh_score.statistics.sums import GroupKey
    from medzh_score.statistics.values import Value

    Values = Sequence[Mapping[GroupKey, Mapping[str, Value]]]
    from collections.abc import Mapping, Sequence


SWAPS = 10_000


def compare_systems(  # noqa: PLR0913 - all that a comparison depends on
    systems: Systems,
    metrics: Sequence[Metric],
    unit: str,
    *,
    breakdowns: Sequence[str] = (),
    baseline: str | None = None,
    all_pairs: bool = False,
    best: int | None = None,
    bootstrap: Bootstrap = Bootstrap(),  # noqa: B008 - frozen
    swaps: int = SWAPS,
) -> tuple[MetricComparison, ...]:
    """Compare systems by each metric, on all items and then on each group of the breakdowns.

    Parameters
    ----------
    systems : Systems
        On the same items.
    metrics : sequence of Metric
        By which.
    unit : str
        Of the metrics.
    breakdowns : sequence of str
        Of the layout, whose groups are compared, too.
    baseline : str or None
        The label that all others are compared with; by default the best by the metric on all items, the first of
        equals, and the first system where no direction is better.
    all_pairs : bool
        Compare all pairs by the randomised Tukey test instead of each with a baseline.
    best : int or None
        With all pairs, which are tested all the same, those that are described: of so many of the best. None for all.
    bootstrap : Bootstrap
        Resamples, drawn from all units as for a report, and the seed of all draws.
    swaps : int
        How often rows are swapped; with a baseline raised until the smallest p that can come of them, times the
        family, is at most 0.005.

    Returns
    -------
    tuple of MetricComparison
        The order of the systems changes nothing but the order of what is found, and which of equals is the baseline.
    """
    groups = {breakdown: systems.layout.groups[breakdown] for breakdown in breakdowns}
    sorted_systems = _sorted(replace(systems, layout=replace(systems.layout, groups=groups)))
    found = values(sorted_systems.layout, sorted_systems.statistics, tuple(metrics), bootstrap=bootstrap, unit=unit)
    places = [sorted_systems.labels.index(label) for label in systems.labels]
    made: list[MetricComparison] = []
    for metric in metrics:
        centre = None if all_pairs else _baseline(metric, [found[place] for place in places], systems.labels, baseline)
        made += _compared(sorted_systems, places, metric, found, centre, best, bootstrap, swaps)
    return tuple(made)


def _sorted(systems: Systems) -> Systems:
    """Put systems in the order of their labels, so that no draw and no rounding depends on how they were given."""
    order = sorted(range(len(systems.labels)), key=lambda place: systems.labels[place])
    labels = tuple(systems.labels[place] for place in order)
    return Systems(labels, systems.layout, systems.statistics[order], systems.unread[order], systems.asked)


def _baseline(metric: Metric, found: Values, labels: Sequence[str], label: str | None) -> str:
    """Choose whom all others are compared with; values and labels in the order given."""
    if label is not None:
        return label
    here = [by_group[TOTAL][metric.name].value for by_group in found]
    defined = [place for place, value in enumerate(here) if value is not None]
    if metric.direction is None or not defined:
        return labels[0]
    sign = 1 if metric.direction == "higher" else -1
    return labels[max(defined, key=lambda place: sign * (here[place] or 0.0))]


def _compared(  # noqa: PLR0913, PLR0917 - all that the comparison by a metric depends on
    systems: Systems,
    places: Sequence[int],
    metric: Metric,
    found: Values,
    baseline: str | None,
    best: int | None,
    bootstrap: Bootstrap,
    swaps: int,
) -> list[MetricComparison]:
    """Compare by one metric; ``places`` say in which order the sorted systems were given."""
    rows = rows_of(systems, metric, found, bootstrap)
    centre = None if baseline is None else systems.labels.index(baseline)
    if centre is None:
        pairs = [Pair(*two) for two in combinations(places, 2)]
    else:
        pairs = [Pair(place, centre) for place in places if place != centre]
    family = len(pairs) * len(rows)
    draws = Draws(swaps if centre is None else enough_swaps(swaps, family), bootstrap.seed)
    if centre is None:
        tests = [tests_of_all(row, pairs, draws) for row in rows]
    else:
        tests = [tests_of_each(systems, metric, row, pairs, draws) for row in rows]
    left_open = open_share(systems, metric)
    made = []
    for row, tested in zip(rows, _corrected(pairs, tests, all_pairs=centre is None), strict=True):
        standings = standings_of(systems, row, metric)
        ties = tie_groups([one.rank for one in standings], tested, centre)
        made.append(
            MetricComparison(
                metric=metric.name,
                breakdown=row.breakdown,
                group=row.group,
                baseline=baseline,
                standings=tuple(standings[place] for place in places),
                differences=differences_of(systems, row, metric, _of_best(tested, standings, best), left_open),
                ties=tuple(tuple(systems.labels[place] for place in group) for group in ties),
                correction="randomised tukey" if centre is None else "holm",
                family=family,
                swaps=draws.swaps,
            )
        )
    return made


def _of_best(tested: Mapping[Pair, Tested], standings: Sequence[Standing], best: int | None) -> dict[Pair, Tested]:
    """Keep the pairs of so many of the best; of equals the first."""
    order = sorted((one.rank, place) for place, one in enumerate(standings) if one.rank is not None)
    kept = {place for _, place in order[:best]} if best is not None else {*range(len(standings))}
    return {pair: its for pair, its in tested.items() if {pair.one, pair.other} <= kept}


def _corrected(pairs: Sequence[Pair], tests: Sequence[Tests], *, all_pairs: bool) -> list[dict[Pair, Tested]]:
    """Correct the p of all rows together."""
    p = np.stack([one.p for one in tests])
    corrected = holm_over_rows(p) if all_pairs else holm(p, p.size)
    return [
        {
            pair: Tested(None, None, None)
            if np.isnan(row[place])
            else Tested(float(row[place]), float(its[place]), one.tests[place])
            for place, pair in enumerate(pairs)
        }
        for row, its, one in zip(p, corrected, tests, strict=True)
    ]


def tie_groups(ranks: Sequence[int | None], tested: Mapping[Pair, Tested], baseline: int | None) -> list[list[int]]:
    """Put the best system left with all that it is not significantly different from, until none is left.

    Parameters
    ----------
    ranks : sequence of int or None
        Of each system; one without stands in no group.
    tested : mapping of Pair to Tested
        All pairs, or those with the baseline. A pair without a test is not told apart.
    baseline : int or None
        With a baseline only the pairs with it have tests: its own group is all that is known, where it is the best,
        and nothing where it is not, since nothing says which systems are tied with the best.
    """
    order = [system for _, system in sorted((rank, system) for system, rank in enumerate(ranks) if rank is not None)]
    apart = {
        frozenset((pair.one, pair.other))
        for pair, its in tested.items()
        if its.corrected is not None and its.corrected <= LEVEL
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
