"""The 95 % interval of a metric: Wilson's where it is a share, else the percentiles of resampled units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from medzh_score.statistics.formulas.ratio import Ratio
from medzh_score.statistics.wilson import effective_sample_size, share_of, wilson

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Metric

IntervalKind = Literal["wilson", "bootstrap"]
LEVEL = 0.95
FEWEST = 2  # units that count
FEW = "fewer than two units count"
ALIKE = "all resamples give the same value"
SELDOM = "it is undefined in most resamples"
NOT_DRAWN = "no resamples were asked for"
SAME = 1e-9  # of the bounds: what rounding makes of a width of 0


class Interval(NamedTuple):
    """Bounds with their kind, or why there are none."""

    low: float | None = None
    high: float | None = None
    kind: IntervalKind | None = None
    why: str | None = None


def of_share(metric: Metric, sums: Callable[[int], NDArray[np.float64]]) -> Interval:
    """Give the interval of a share, over the runs that define it, from a column's sums of shape (units, runs)."""
    formula = metric.formula
    if not isinstance(formula, Ratio) or metric.share is None:
        raise TypeError(f"{metric.name}: a share is a ratio of two columns")
    runs = sums(formula.denominator).any(axis=0)
    right, of, answers = (sums(one)[:, runs] for one in (formula.numerator, formula.denominator, metric.share))
    low, high = wilson(share_of(right, of), effective_sample_size(right, of, answers), LEVEL)
    return Interval(formula.scale * low, formula.scale * high, "wilson")


def percentiles(replicates: NDArray[np.float64]) -> Interval:
    """Give the percentile interval of resampled values, nan where undefined."""
    if not len(replicates):
        return Interval(why=NOT_DRAWN)
    defined = replicates[~np.isnan(replicates)]
    if 2 * len(defined) <= len(replicates):
        return Interval(why=SELDOM)
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
    if high - low <= SAME * max(abs(low), abs(high)):
        return Interval(why=ALIKE)
    return Interval(low, high, "bootstrap")
