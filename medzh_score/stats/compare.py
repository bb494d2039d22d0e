"""Comparing systems: from statistics of the same items to differences and tests, corrected together."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.stats.pairwise import MetricComparison, Yardstick, differences_of, ends_of
from medzh_score.stats.permutation import (
    SIGNIFICANCE,
    Draws,
    Tested,
    enough_permutations,
    holm,
    holm_over_rows,
    tests_of_all,
    tests_of_each,
)
from medzh_score.stats.ranks_and_ties import pairs_of_best, system_ranks, tie_groups
from medzh_score.stats.systems import Pair, Systems, rows_of
from medzh_score.stats.values import Bootstrap, values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.benchmark.metrics import Metric
    from medzh_score.stats.permutation import Tests
    from medzh_score.stats.systems import ComparedRow


PERMUTATIONS = 10_000


def compare_systems(  # noqa: PLR0913 - all that a comparison depends on
    systems: Systems,
    metrics: Sequence[Metric],
    unit: str,
    *,
    breakdowns: Sequence[str] = (),
    baseline: str | None = None,
    best: int | None = None,
    bootstrap: Bootstrap = Bootstrap(),  # noqa: B008 - frozen
    permutations: int = PERMUTATIONS,
) -> tuple[MetricComparison, ...]:
    """Compare systems by each metric, on all items and then on each group of the breakdowns.

    A ``baseline``, chosen before anything is known of the answers, is compared with all others; without one all pairs
    are, by the randomised Tukey test, of which those of so many of the ``best`` are described. The p of all metrics and
    groups are corrected together; ``swaps`` are raised until the smallest p times the family is at most 0.005. The
    order of the systems changes nothing but the order of what is found.
    """
    groups = {breakdown: systems.layout.groups[breakdown] for breakdown in breakdowns}
    sorted_systems = _sorted(replace(systems, layout=replace(systems.layout, groups=groups)))
    found = values(sorted_systems.layout, sorted_systems.statistics, tuple(metrics), bootstrap=bootstrap, unit=unit)
    places = [sorted_systems.labels.index(label) for label in systems.labels]
    rows = [(metric, row) for metric in metrics for row in rows_of(sorted_systems, metric, found, bootstrap)]
    return tuple(_compared(sorted_systems, places, rows, baseline, best, Draws(permutations, bootstrap.seed)))


def _sorted(systems: Systems) -> Systems:
    """Put systems in the order of their labels, so that no draw and no rounding depends on how they were given."""
    order = sorted(range(len(systems.labels)), key=lambda place: systems.labels[place])
    labels = tuple(systems.labels[place] for place in order)
    missing = None if systems.missing is None else systems.missing[order]
    return Systems(labels, systems.layout, systems.statistics[order], systems.unparsed[order], systems.asked, missing)


def _compared(  # noqa: PLR0913, PLR0917 - all that a comparison depends on
    systems: Systems,
    places: Sequence[int],
    rows: Sequence[tuple[Metric, ComparedRow]],
    baseline: str | None,
    best: int | None,
    draws: Draws,
) -> Iterator[MetricComparison]:
    """Compare by each metric on all items and in groups; ``places`` say in which order the systems were given."""
    centre = None if baseline is None else systems.labels.index(baseline)
    # Where no system has a value, as for lack of a judge, nothing is compared.
    counted = max(1, sum(bool(row.defined.any()) for _, row in rows))
    if centre is None:
        pairs = [Pair(*two) for two in combinations(places, 2)]
        tests = [tests_of_all(row, pairs, draws, SIGNIFICANCE / counted) for _, row in rows]
    else:
        pairs = [Pair(place, centre) for place in places if place != centre]
        draws = replace(draws, permutations=enough_permutations(draws.permutations, len(pairs) * counted))
        tests = [tests_of_each(systems, metric, row, pairs, draws) for metric, row in rows]
    family = len(pairs) * counted
    corrected = _corrected(pairs, tests, family, all_pairs=centre is None)
    ends = {metric: ends_of(systems, metric) for metric in dict.fromkeys(metric for metric, _ in rows)}
    for (metric, row), tested, of_row in zip(rows, corrected, tests, strict=True):
        standings = system_ranks(systems, row, metric)
        ties = tie_groups([one.rank for one in standings], tested, centre)
        shown = pairs_of_best(tested, standings, best)
        yield MetricComparison(
            metric=metric.name,
            breakdown=row.breakdown,
            group=row.group,
            baseline=baseline,
            standings=tuple(standings[place] for place in places),
            differences=differences_of(systems, row, metric, shown, Yardstick(family, of_row.critical), ends[metric]),
            ties=tuple(tuple(systems.labels[place] for place in group) for group in ties),
            correction="randomised tukey" if centre is None else "holm",
            family=family,
            permutations=draws.permutations,
        )


def _corrected(
    pairs: Sequence[Pair], tests: Sequence[Tests], family: int, *, all_pairs: bool
) -> list[dict[Pair, Tested]]:
    """Correct the p of all rows together."""
    p = np.stack([one.p for one in tests])
    corrected = holm_over_rows(p, family // max(1, len(pairs))) if all_pairs else holm(p, family)
    return [
        {
            pair: Tested(None, None, None)
            if np.isnan(row[place])
            else Tested(float(row[place]), float(its[place]), one.tests[place])
            for place, pair in enumerate(pairs)
        }
        for row, its, one in zip(p, corrected, tests, strict=True)
    ]
