"""What is compared in one row of a table: a metric of all systems, on all items or on a group."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.layout import WITHHELD
from medzh_score.statistics.formulas.ratio import Ratio
from medzh_score.statistics.intervals import FEWEST, SAME
from medzh_score.statistics.sums import items_by_group, unit_sums
from medzh_score.statistics.values import mean_over_runs, replicates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Formula, Metric
    from medzh_score.statistics.comparison.found import Systems
    from medzh_score.statistics.sums import GroupKey
    from medzh_score.statistics.values import Bootstrap, Value


@dataclass(frozen=True)
class Pair:
    """Two systems by their places; the metric of ``other`` is taken from that of ``one``."""

    one: int
    other: int


@dataclass(frozen=True)
class Row:
    """All systems by one metric, on all items or on a group.

    Attributes
    ----------
    breakdown, group : str
        Empty for all items.
    items : array of int
        Which of all.
    values : tuple of Value
        Of each system, as a report has it.
    formula : callable
        From ``sums`` to the metric.
    sums : array, shape (units, systems, runs, k)
        Of the units that have any of the items, the columns of the formula.
    counting : array of bool, shape (units, systems)
        Whether the unit stands in the denominator of at least one run.
    resampled : array, shape (resamples, systems)
        The metric of each system in the resamples that all share; nan where undefined.
    """

    breakdown: str
    group: str
    items: NDArray[np.int64]
    values: tuple[Value, ...]
    formula: Formula
    sums: NDArray[np.float64]
    counting: NDArray[np.bool_]
    resampled: NDArray[np.float64]

    @cached_property
    def defined(self) -> NDArray[np.bool_]:
        """Which systems have a value, shape (systems,)."""
        return np.array([value.value is not None for value in self.values])

    @cached_property
    def testable(self) -> NDArray[np.bool_]:
        """Which systems have a value to which at least two units contribute, shape (systems,)."""
        found: NDArray[np.bool_] = self.defined & (self.counting.sum(axis=0) >= FEWEST)
        return found

    @cached_property
    def observed(self) -> NDArray[np.float64]:
        """The metric of each system; nan where it has none."""
        return np.array([np.nan if value.value is None else value.value for value in self.values])


def rows_of(
    systems: Systems, metric: Metric, values: Sequence[Mapping[GroupKey, Mapping[str, Value]]], bootstrap: Bootstrap
) -> list[Row]:
    """Add up units and resamples of one metric: all items first, then the groups."""
    formula, statistics = _columns_of(metric, systems.statistics)
    items = {key: rows for key, rows in items_by_group(systems.layout).items() if key[1] != WITHHELD}
    sums = {key: unit_sums(systems.layout, statistics, chosen) for key, chosen in items.items()}
    counts = systems.statistics[..., metric.denominator, np.newaxis]
    drawn = replicates(systems.layout, statistics, items, lambda drawn: mean_over_runs(formula(drawn)), bootstrap)
    return [
        Row(
            *key,
            items=chosen,
            values=tuple(by_group[key][metric.name] for by_group in values),
            formula=formula,
            sums=sums[key][1],
            counting=(unit_sums(systems.layout, counts != 0, chosen)[1] != 0).any(axis=(2, 3)),
            resampled=drawn[key],
        )
        for key, chosen in items.items()
    ]


def _columns_of(metric: Metric, statistics: NDArray[np.float64]) -> tuple[Formula, NDArray[np.float64]]:
    """Keep the two columns of a ratio, which are all that it looks at: sums of two are made faster than of dozens."""
    if not isinstance(metric.formula, Ratio):
        return metric.formula, statistics
    columns = [metric.formula.numerator, metric.formula.denominator]
    return replace(metric.formula, numerator=0, denominator=1), statistics[..., columns]


def differences(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Subtract values of a metric; what rounding alone makes differ is 0."""
    found: NDArray[np.float64] = one - other
    return np.where(np.abs(found) <= SAME * np.maximum(np.abs(one), np.abs(other)), 0.0, found)


def least_extreme(observed: NDArray[np.float64], largest: float) -> NDArray[np.float64]:
    """Give the size from which on a difference is as extreme as the observed one.

    A draw that gives the same counts in another order is a tie, and a tie is as extreme; its sums differ by rounding
    alone, some 1e-12 of the largest value, while two different counts give values that lie much further apart. Where
    they do not, p can only grow.
    """
    return np.abs(observed) - SAME * largest
