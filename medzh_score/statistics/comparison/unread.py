"""What unread answers leave open: between which values a share lies, whatever they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.statistics.formulas.ratio import Ratio
from medzh_score.statistics.values import mean_over_runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medzh_score.benchmark.metrics import Metric
    from medzh_score.statistics.comparison.systems import Systems


@dataclass(frozen=True)
class Extremes:
    """A share of each system on some items, with all that it left unread wrong, and with all of it right."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True)
class OpenShare:
    """Numerator and denominator of each item at both ends, shape (systems, items, runs, 2)."""

    formula: Ratio
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def on(self, items: NDArray[np.int64]) -> Extremes:
        """Give the means over runs on some of the items."""
        low, high = (mean_over_runs(self.formula(side[:, items].sum(axis=1))) for side in (self.low, self.high))
        return Extremes(low, high)


def open_share(systems: Systems, metric: Metric) -> OpenShare | None:
    """Find the least and the most that each item can give to a share, whatever its unread answers were.

    An answer has the weight that it has in the denominator. Unread answers are wrong as they stand, and none of those
    that are right is unread. So the least is what there is, and at the most as many wrong answers as are unread
    become right. Where the denominator comes from the answers (`Metric.of_answers`), an unread answer may be among
    those that count, or may enter: at the least all enter, as wrong, and at the most those that cannot be among the
    wrong ones enter as right, the rest becoming right; one of an item of which nothing counts yet has the largest
    weight that an answer has anywhere. Where an item is right only with its whole unit (`Metric.of_units`), whatever is
    unread in the unit may be what makes it wrong.

    Returns
    -------
    OpenShare or None
        None where the metric is no share.
    """
    if metric.share is None or not isinstance(metric.formula, Ratio):
        return None
    right, of, answers = (
        systems.statistics[..., column]
        for column in (metric.formula.numerator, metric.formula.denominator, metric.share)
    )
    unread = unread_by(systems, metric)
    if metric.of_units:
        unread = _of_whole_units(systems, unread)
    weights = np.divide(of, answers, out=np.zeros_like(of), where=(of != 0) & (answers != 0))
    if metric.of_answers:
        weights = np.where(weights > 0, weights, weights.max(initial=0.0) or 1.0)
    open_weight = weights * unread
    turned = np.minimum(open_weight, np.maximum(of - right, 0.0))
    entering, others = (open_weight, open_weight - turned) if metric.of_answers else (0.0, 0.0)
    return OpenShare(
        Ratio(0, 1, metric.formula.scale),
        np.stack([right, of + entering], axis=-1),
        np.stack([right + turned + others, of + others], axis=-1),
    )


def unread_by(systems: Systems, metric: Metric) -> NDArray[np.float64]:
    """Count what a metric could not read, shape (systems, items, runs)."""
    return systems.unread if metric.unread is None else systems.statistics[..., metric.unread]


def _of_whole_units(systems: Systems, unread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Count for each item what is unread in all of its unit."""
    units = systems.layout.units
    counts = np.zeros((int(units.max(initial=-1)) + 1, *unread[:, 0].shape))
    np.add.at(counts, units, np.moveaxis(unread, 0, 1))
    return np.moveaxis(counts[units], 0, 1)
