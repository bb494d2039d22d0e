"""McNemar's mid-p test, for shares where each unit is one answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.statistics.formulas.binomial import at_most, log_choose
from medzh_score.statistics.formulas.ratio import Ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Metric
    from medzh_score.statistics.comparison.rows import Pair
    from medzh_score.statistics.comparison.systems import Systems


def mid_p(won: int, lost: int) -> float:
    """Test how units that differ split, half of the observed split's probability left out at each end.

    Equal to the exact p less the probability of the observed split. Where the split is even there is no difference, and
    p is 1.

    Parameters
    ----------
    won, lost : int
        Units in which only the first, and only the second, is right.

    References
    ----------
    Fagerland, Lydersen and Laake 2013, The McNemar test for binary matched-pairs data: mid-p and asymptotic are better
    than exact conditional, BMC Medical Research Methodology 13:91.

    Examples
    --------
    >>> mid_p(0, 0), mid_p(3, 3), round(mid_p(1, 5), 6)
    (1.0, 1.0, 0.125)
    """
    if won == lost:
        return 1.0
    chances, fewer = log_choose(won + lost), min(won, lost)
    here = at_most(chances, fewer, 0.5)
    before = at_most(chances, fewer - 1, 0.5) if fewer else 0.0
    return here + before


def one_answer_a_unit(
    systems: Systems, pair: Pair, metric: Metric, items: NDArray[np.int64]
) -> NDArray[np.bool_] | None:
    """Find which units two systems have right, where each unit is one answer that counts for both.

    Parameters
    ----------
    systems : Systems
        All of them.
    pair : Pair
        Which two.
    metric : Metric
        Any.
    items : array of int
        Which are looked at.

    Returns
    -------
    array, shape (2, units) or None
        None where the metric is no share, or a unit has several items, runs that differ or variants, has a weight, or
        counts for one system only. A unit that counts for neither adds nothing, and is left out; so is a copy of a run.
    """
    if metric.share is None or not isinstance(metric.formula, Ratio):
        return None
    by_run = [
        systems.statistics[..., column][np.ix_(np.array([pair.one, pair.other]), items)]
        for column in (metric.formula.numerator, metric.formula.denominator, metric.share)
    ]
    if any((column != column[..., :1]).any() for column in by_run):
        return None
    right, of, answers = (column[..., 0] for column in by_run)
    counting = of.any(axis=0)
    right, of, answers = right[:, counting], of[:, counting], answers[:, counting]
    units = systems.layout.units[items][counting]
    alone = len(np.unique(units)) == len(units)
    plain = (of == 1).all() and (answers == 1).all() and np.isin(right, (0, 1)).all()
    return right == 1 if alone and plain else None
