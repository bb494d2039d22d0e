"""Several systems on the same items, and what is compared of them in one row: a metric, on all items or on a group."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.items import WITHHELD
from medzh_score.benchmark.metrics import Ratio
from medzh_score.stats.intervals import FEWEST, SAME
from medzh_score.stats.sums import items_by_group, unit_sums
from medzh_score.stats.values import mean_over_runs, replicates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.metrics import Formula, Metric
    from medzh_score.stats.sums import GroupKey
    from medzh_score.stats.values import Bootstrap, Value


@dataclass(frozen=True)
class Pair:
    """Two systems by their places; the metric of ``other`` is taken from that of ``one``."""

    one: int
    other: int


@dataclass(frozen=True)
class ComparedRow:
    """All systems by one metric, on all items or on a group."""

    breakdown: str  # breakdown and group: empty for all items
    group: str
    items: NDArray[np.int64]  # which of all
    values: tuple[Value, ...]  # of each system, as a report has it
    formula: Formula  # from ``sums`` to the metric
    # shape (units, systems, runs, k): of the units that have any of the items, the columns of the formula
    sums: NDArray[np.float64]
    # shape (units, systems): whether the unit stands in the denominator of at least one run
    counting: NDArray[np.bool_]
    # shape (resamples, systems): the metric of each system in the resamples that all share; nan where undefined
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
) -> list[ComparedRow]:
    """Add up units and resamples of one metric: all items first, then the groups."""
    formula, statistics = _columns_of(metric, systems.statistics)
    items = {key: rows for key, rows in items_by_group(systems.layout).items() if key[1] != WITHHELD}
    sums = {key: unit_sums(systems.layout, statistics, chosen) for key, chosen in items.items()}
    counts = systems.statistics[..., metric.denominator, np.newaxis]
    drawn = replicates(systems.layout, statistics, items, lambda drawn: mean_over_runs(formula(drawn)), bootstrap)
    return [
        ComparedRow(
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


@dataclass(frozen=True)
class Systems:
    """Several systems on the same items, by one rule."""

    labels: tuple[str, ...]  # of the systems, each once
    layout: ItemIndex  # items, units and groups; all that a comparison needs to know of the records
    # shape (systems, items, runs, k): what each item contributes. All have the same number of runs: where these
    # differ, they were averaged before
    statistics: NDArray[np.float64]
    # shape (systems, items, runs): in how many variants of the item the rule found no answer to what came
    unparsed: NDArray[np.float64]
    # shape (items,): in how many variants the item was asked; None where all were asked in one
    asked: NDArray[np.int64] | None = None
    # shape (systems, items, runs): in how many variants of the item something did not come, and counts as wrong; None
    # for nothing
    missing: NDArray[np.float64] | None = None
