"""What a comparison finds of each system and each pair: ranks, differences, intervals, what is open."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.metrics import Ratio
from medzh_score.stats.intervals import FEW, FEWEST, Interval, paired_interval, percentiles
from medzh_score.stats.permutation import SIGNIFICANCE, Correction, Test, one_answer_a_unit
from medzh_score.stats.systems import differences
from medzh_score.stats.values import mean_over_runs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Changed, Direction, Metric
    from medzh_score.stats.intervals import IntervalKind
    from medzh_score.stats.permutation import Tested
    from medzh_score.stats.systems import ComparedRow, Pair, Systems
    from medzh_score.stats.values import Value
NOTHING = 1e-12  # of the largest resampled difference: what rounding leaves where all are equal
POWER = 0.84  # standard errors above what is significant: so much larger it is found in 80 of 100 cases


@dataclass(frozen=True)
class SystemResult:
    """Where one system stands."""

    label: str  # of the system
    value: Value  # with its interval, as a report has it
    rank: int | None  # 1 for the best, equal for equal values; None where it has no value or no direction is better
    # rank_low and rank_high: the 95 % interval of the rank, from the resamples that all systems share
    rank_low: int | None
    rank_high: int | None
    unparsed: float  # the share of its answers that the rule left unread, in percent
    # its values by other rules, which stand beside this one and are not compared
    by_rules: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Bounds:
    """Between which the difference lies, whatever the unread answers were."""

    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """One system beside another."""

    label: str  # label and other: the two systems
    other: str
    value: float | None  # the metric of ``label`` minus that of ``other``; None where either is undefined
    low: float | None  # low and high: the 95 % interval of the difference
    high: float | None
    # two-sided. That of the randomised Tukey test is corrected for all pairs of the row already: its yardstick is the
    # largest difference of any pair
    p: float | None
    # for the family that the comparison names; of the randomised Tukey test for the rows (all items and the groups),
    # and equal to ``p`` where there is one
    corrected: float | None
    test: Test | None  # which test gave ``p``; None where either has no value, or fewer than two units count
    # won and lost and tied: units in which ``label`` is better, worse or equal; None where the formula has no value
    # for single units or no direction is better
    won: int | None
    lost: int | None
    tied: int | None
    # the smallest difference that this comparison would find in 80 of 100 cases, at the level that is left after the
    # correction
    detectable: float | None
    bounds: Bounds | None  # what unread answers leave open; None where nothing can be said (`Metric.ends`)
    unavailable_reason: str | None = None  # why there is no difference, or else why it has no test or no interval
    # of which kind it is: the score interval of two paired shares where each unit is one answer, exact where fewer
    # than ten units differ, else percentiles of the resamples that all systems share
    interval: IntervalKind | None = None

    @property
    def depends_on_unparsed(self) -> bool:
        """Whether the sign may turn with what was left unread."""
        return (
            self.bounds is not None and self.bounds.low <= 0 <= self.bounds.high and self.bounds.low < self.bounds.high
        )


@dataclass(frozen=True)
class MetricComparison:
    """All systems by one metric, on all items or on a group."""

    metric: str  # its name
    breakdown: str  # breakdown and group: empty for all items
    group: str
    baseline: str | None  # the system that all others are compared with; None where all pairs are
    standings: tuple[SystemResult, ...]  # in the order in which the systems were given
    differences: tuple[Difference, ...]  # to the baseline, or of all pairs
    # groups of systems that no corrected test tells apart from the best of the group, the best first; each system
    # that has a value is in one. With a baseline, whose tests alone there are, the baseline's group if it is the best
    # here, else none. Empty where no direction is better
    ties: tuple[tuple[str, ...], ...]
    correction: Correction  # how ``corrected`` was found
    family: int  # how many comparisons were corrected together, those of all metrics and groups of the comparison
    permutations: int  # how many times rows were swapped

    @property
    def beside(self) -> tuple[str, ...]:
        """The rules whose values stand beside those that are compared."""
        return tuple(self.standings[0].by_rules)


@dataclass(frozen=True)
class UnparsedBounds:
    """A metric of each system on some items, at the least and at the most that open answers leave."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]


def ends_of(systems: Systems, metric: Metric) -> tuple[Changed, Changed] | None:
    """Give the columns of the statistics that are others where a metric is least, and where it is most.

    A missing answer that counts as wrong is as open as an unread one. Of a share that declares nothing else an open
    answer is wrong as it stands, and none of those that are right is open: at the most as many wrong answers as are
    open become right, each with the weight that an answer has in the denominator.
    """
    rows, left_open = systems.statistics, unparsed_by(systems, metric)
    if systems.missing is not None:
        asked = 1.0 if systems.asked is None else systems.asked[:, np.newaxis]
        left_open = np.minimum(left_open + systems.missing, np.maximum(left_open, asked))
    if metric.ends is not None:
        return metric.ends(rows, left_open)
    if metric.share is None or metric.of_answers or not isinstance(metric.formula, Ratio):
        return None
    right, of, answers = (
        rows[..., column] for column in (metric.formula.numerator, metric.formula.denominator, metric.share)
    )
    weights = np.divide(of, answers, out=np.zeros_like(of), where=answers != 0)
    return {}, {metric.formula.numerator: right + np.minimum(weights * left_open, np.maximum(of - right, 0.0))}


def extremes_of(
    systems: Systems, metric: Metric, ends: tuple[Changed, Changed], items: NDArray[np.int64]
) -> UnparsedBounds:
    """Give the means over runs of a metric on some items, at both ends."""
    sums = systems.statistics[:, items].sum(axis=1)
    found = []
    for columns in ends:
        filled = sums.copy()
        for column, values in columns.items():
            filled[..., column] = values[:, items].sum(axis=1)
        found.append(mean_over_runs(metric.formula(filled)))
    return UnparsedBounds(*found)


def unparsed_by(systems: Systems, metric: Metric) -> NDArray[np.float64]:
    """Count what a metric could not read, shape (systems, items, runs)."""
    return systems.unparsed if metric.unparsed is None else systems.statistics[..., metric.unparsed]


def differences_of(  # noqa: PLR0913, PLR0917 - all that a difference depends on
    systems: Systems,
    row: ComparedRow,
    metric: Metric,
    tested: Mapping[Pair, Tested],
    yardstick: Yardstick,
    ends: tuple[Changed, Changed] | None,
) -> tuple[Difference, ...]:
    """Say of each pair what was found."""
    single = mean_over_runs(row.formula(row.sums))
    extremes = None if ends is None else extremes_of(systems, metric, ends, row.items)
    made = []
    for pair, its in tested.items():
        one, other = pair.one, pair.other
        defined = bool(row.defined[one] and row.defined[other])
        drawn = differences(row.resampled[:, one], row.resampled[:, other])
        interval = _interval(systems, metric, row, pair, drawn)
        won, lost, tied = record(single[:, one], single[:, other], metric.direction) if defined else (None, None, None)
        made.append(
            Difference(
                label=systems.labels[one],
                other=systems.labels[other],
                value=float(differences(row.observed[one], row.observed[other])) if defined else None,
                low=interval.low,
                high=interval.high,
                p=its.p,
                corrected=its.corrected,
                test=its.test,
                won=won,
                lost=lost,
                tied=tied,
                detectable=None if interval.kind is None else detectable(drawn, yardstick),
                bounds=_bounds(extremes, pair) if defined else None,
                unavailable_reason=interval.unavailable_reason,
                interval=interval.kind,
            )
        )
    return tuple(made)


def _interval(systems: Systems, metric: Metric, row: ComparedRow, pair: Pair, drawn: NDArray[np.float64]) -> Interval:
    """Give the interval of a difference, or why there is none: of the score test where each unit is one answer."""
    for place in (pair.one, pair.other):
        if not row.defined[place]:
            return Interval(unavailable_reason=row.values[place].unavailable_reason)
    if not (row.testable[pair.one] and row.testable[pair.other]):
        return Interval(unavailable_reason=FEW)
    right = one_answer_a_unit(systems, pair, metric, row.items)
    if right is None or not isinstance(metric.formula, Ratio):
        return percentiles(drawn)
    won, lost = int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum())
    low, high = paired_interval(won, lost, right.shape[1])
    return Interval(metric.formula.scale * low, metric.formula.scale * high, "tango")


def _bounds(extremes: UnparsedBounds | None, pair: Pair) -> Bounds | None:
    """Set the least of one beside the most of the other, and the reverse."""
    if extremes is None:
        return None
    low, high = extremes.low, extremes.high
    least, most = differences(low[pair.one], high[pair.other]), differences(high[pair.one], low[pair.other])
    return Bounds(float(least), float(most))


def record(
    one: NDArray[np.float64], other: NDArray[np.float64], direction: Direction | None
) -> tuple[int | None, int | None, int | None]:
    """Count units that are better, worse and equal by the formula on each unit's own sums, where both have a value.

    None where it has one in no unit, as a correlation has, or where no direction is better.
    """
    found = differences(one, other)
    if direction is None or np.isnan(found).all():
        return None, None, None
    better = found if direction == "higher" else -found
    return int((better > 0).sum()), int((better < 0).sum()), int((better == 0).sum())


@dataclass(frozen=True)
class Yardstick:
    """How many comparisons are corrected together, or the difference that is significant by the Tukey test."""

    family: int
    critical: float | None


def detectable(resampled: NDArray[np.float64], yardstick: Yardstick) -> float | None:
    """Give the smallest difference that would be found in 80 of 100 cases at the corrected level, from resamples."""
    defined = resampled[~np.isnan(resampled)]
    if len(defined) < FEWEST:
        return None
    error = float(defined.std(ddof=1))
    if error <= NOTHING * float(np.abs(defined).max()):
        return None
    significant = errors_at(yardstick.family) * error if yardstick.critical is None else yardstick.critical
    return significant + POWER * error if math.isfinite(significant) else None


def errors_at(family: int) -> float:
    """Give how many standard errors are significant at 5 % in a family: 1.96 of one comparison."""
    return NormalDist().inv_cdf(1 - SIGNIFICANCE / 2 / max(family, 1))
