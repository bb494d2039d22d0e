"""What a comparison finds, of one metric on all items or on a group."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from medzh_score.benchmark.layout import Layout
    from medzh_score.statistics.intervals import IntervalKind
    from medzh_score.statistics.values import Value


Test = Literal["randomisation", "mcnemar mid-p", "randomised tukey"]
Correction = Literal["holm", "randomised tukey"]


@dataclass(frozen=True)
class Standing:
    """Where one system stands.

    Attributes
    ----------
    label : str
        Of the system.
    value : Value
        With its interval, as a report has it.
    rank : int or None
        1 for the best, equal for equal values; None where it has no value or no direction is better.
    rank_low, rank_high : int or None
        The 95 % interval of the rank, from the resamples that all systems share.
    unread : float
        The share of its answers that the rule left unread, in percent.
    by_rules : mapping of str to float or None
        Its values by other rules, which stand beside this one and are not compared.
    """

    label: str
    value: Value
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    unread: float
    by_rules: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Bounds:
    """Between which the difference lies, whatever the unread answers were."""

    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """One system beside another.

    Attributes
    ----------
    label, other : str
        The two systems.
    value : float or None
        The metric of ``label`` minus that of ``other``; None where either is undefined.
    low, high : float or None
        The 95 % interval of the difference.
    p : float or None
        Two-sided. That of the randomised Tukey test is corrected for all pairs of the row already: its yardstick is the
        largest difference of any pair.
    corrected : float or None
        For the family that the comparison names; of the randomised Tukey test for the rows (all items and the groups),
        and equal to ``p`` where there is one.
    test : str or None
        Which test gave ``p``; None where either has no value, or fewer than two units count.
    won, lost, tied : int or None
        Units in which ``label`` is better, worse or equal; None where the formula has no value for single units or no
        direction is better.
    detectable : float or None
        The smallest difference that this comparison would find in 80 of 100 cases, at the level that is left after the
        correction.
    bounds : Bounds or None
        What unread answers leave open; None where nothing can be said (`Metric.ends`).
    why : str or None
        Why there is no difference, or else why it has no test or no interval.
    interval : {"tango", "bootstrap"} or None
        Of which kind it is: the score interval of two paired shares where each unit is one answer, exact where fewer
        than ten units differ, else percentiles of the resamples that all systems share.
    """

    label: str
    other: str
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    corrected: float | None
    test: Test | None
    won: int | None
    lost: int | None
    tied: int | None
    detectable: float | None
    bounds: Bounds | None
    why: str | None = None
    interval: IntervalKind | None = None

    @property
    def depends_on_unread(self) -> bool:
        """Whether the sign may turn with what was left unread."""
        return (
            self.bounds is not None and self.bounds.low <= 0 <= self.bounds.high and self.bounds.low < self.bounds.high
        )


@dataclass(frozen=True)
class MetricComparison:
    """All systems by one metric, on all items or on a group.

    Attributes
    ----------
    metric : str
        Its name.
    breakdown, group : str
        Empty for all items.
    baseline : str or None
        The system that all others are compared with; None where all pairs are.
    standings : tuple of Standing
        In the order in which the systems were given.
    differences : tuple of Difference
        To the baseline, or of all pairs.
    ties : tuple of tuple of str
        Groups of systems that no corrected test tells apart from the best of the group, the best first; each system
        that has a value is in one. With a baseline, whose tests alone there are, the baseline's group if it is the best
        here, else none. Empty where no direction is better.
    correction : {"holm", "randomised tukey"}
        How ``corrected`` was found.
    family : int
        How many comparisons were corrected together, those of all metrics and groups of the comparison.
    swaps : int
        How many times rows were swapped.
    """

    metric: str
    breakdown: str
    group: str
    baseline: str | None
    standings: tuple[Standing, ...]
    differences: tuple[Difference, ...]
    ties: tuple[tuple[str, ...], ...]
    correction: Correction
    family: int
    swaps: int

    @property
    def beside(self) -> tuple[str, ...]:
        """The rules whose values stand beside those that are compared."""
        return tuple(self.standings[0].by_rules)


@dataclass(frozen=True)
class Systems:
    """Several systems on the same items, by one rule.

    Attributes
    ----------
    labels : tuple of str
        Of the systems, each once.
    layout : Layout
        Items, units and groups; all that a comparison needs to know of the records.
    statistics : array, shape (systems, items, runs, k)
        What each item contributes. All have the same number of runs: where these differ, they were averaged before.
    unread : array, shape (systems, items, runs)
        In how many variants of the item the rule found no answer to what came.
    asked : array, shape (items,), or None
        In how many variants the item was asked; None where all were asked in one.
    missing : array, shape (systems, items, runs), or None
        In how many variants of the item something did not come, and counts as wrong; None for nothing.
    """

    labels: tuple[str, ...]
    layout: Layout
    statistics: NDArray[np.float64]
    unread: NDArray[np.float64]
    asked: NDArray[np.int64] | None = None
    missing: NDArray[np.float64] | None = None
