"""The 95 % interval of a metric: Wilson's where it is a share, else the percentiles of resampled units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from medzh_score.statistics.formulas.ratio import Ratio
from medzh_score.statistics.wilson import effective, share_of, wilson

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Metric

Found = Literal["wilson", "bootstrap"]
LEVEL = 0.95
FEWEST = 2  # units that count
FEW = "fewer than two units count"
ALIKE = "all resamples give the same value"
SELDOM = "it is undefined in most resamples"
NOT_DRAWN = "no resamples were asked for"
SAME = 1e-9  # of the bounds: what rounding makes of a width of 0


class Interval(NamedTuple):
    """Bounds with their kind, or why there are none.

    Attributes
    ----------
    low, high : float or None
        The bounds.
    kind : {"wilson", "bootstrap"} or None
        How they were found.
    why : str or None
        Why there are none.
    """

    low: float | None = None
    high: float | None = None
    kind: Found | None = None
    why: str | None = None


def of_share(metric: Metric, sums: NDArray[np.float64]) -> Interval:
    """Give the interval of a share, over the runs that define it.

    Parameters
    ----------
    metric : Metric
        With a column that counts the answers.
    sums : array, shape (units, runs, k)
        What each unit adds up to.

    Raises
    ------
    TypeError
        If its formula is no `ratio`.
    """
    formula = metric.formula
    if not isinstance(formula, Ratio):
        raise TypeError(f"{metric.name}: a share is a ratio of two columns")
    runs = sums[:, sums[..., formula.denominator].any(axis=0)]
    right, of, answers = (runs[..., column] for column in (formula.numerator, formula.denominator, metric.share))
    low, high = wilson(share_of(right, of), effective(right, of, answers), LEVEL)
    return Interval(formula.scale * low, formula.scale * high, "wilson")


def percentiles(replicates: NDArray[np.float64]) -> Interval:
    """Give the percentile interval of resampled values.

    Parameters
    ----------
    replicates : array, shape (resamples,)
        nan where undefined.
    """
    if not len(replicates):
        return Interval(why=NOT_DRAWN)
    defined = replicates[~np.isnan(replicates)]
    if 2 * len(defined) <= len(replicates):
        return Interval(why=SELDOM)
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
    if high - low <= SAME * max(abs(low), abs(high)):
        return Interval(why=ALIKE)
    return Interval(low, high, "bootstrap")
