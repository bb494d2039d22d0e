"""Formulas of metrics: ratios, moments, correlation; and accuracy with its statistics, for configs with no more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import first_counted
from medzh_score.benchmark.metrics import Columns, Metric, of_open, ratio, share
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import ArrayLike, NDArray

    from medzh_score.benchmark.answers import Answer, AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.metrics import Ends
    from medzh_score.benchmark.stages import Annotations
SHIFT = 0.5
NOTHING = 1e-12  # of the sum of squares: what rounding leaves of the spread of equal scores
GOLD = "gold"  # of the layout's item texts: one, the right answer
WEIGHT = "weight"  # of the layout's item values, where items have weights: a whole number from 1


class QuestionColumns(Columns):
    """What is counted of a question that is answered right or wrong."""

    items: int
    right: int
    read: int
    weights: int
    weight_right: int


C = QuestionColumns


PRIMARY = "accuracy"


def pearson(one: ArrayLike, two: ArrayLike) -> float | None:
    """Correlate.

    Parameters
    ----------
    one, two : array_like, shape (n,)
        Pairs in which either is nan are left out.

    Returns
    -------
    float or None
        From -1 to 1; None where fewer than two pairs stay, or all values of one are equal.

    Examples
    --------
    >>> pearson([0.0, 0.5, 1.0], [0.1, 0.2, 0.3]), pearson([0.5, 0.5], [0.0, 1.0])
    (1.0, None)
    """
    first, second = np.asarray(one, np.float64), np.asarray(two, np.float64)
    there = ~(np.isnan(first) | np.isnan(second))
    first, second = first[there], second[there]
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:  # noqa: PLR2004 - one pair has no direction
        return None
    return float(np.corrcoef(first, second)[0, 1])


@dataclass(frozen=True)
class Moments:
    """Three columns of the statistics: how many scores, their shifted sum, and that of the squares."""

    count: int  # the first of them

    def fill(self, statistics: NDArray[np.float64], scores: NDArray[np.float64]) -> None:
        """Put scores into the statistics."""
        there = ~np.isnan(scores)
        shifted = np.where(there, scores - SHIFT, 0.0)
        statistics[..., self.count] = there
        statistics[..., self.count + 1] = shifted
        statistics[..., self.count + 2] = shifted**2

    def mean(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the mean; nan where there is no score."""
        count, total = sums[..., self.count], sums[..., self.count + 1]
        return np.where(count > 0, total / np.maximum(count, 1.0) + SHIFT, np.nan)

    @property
    def ends(self) -> Ends:
        """The ends of the mean, where what is open counts as 0 and may be worth 1."""
        return of_open({}, {self.count + 1: self.count})

    def std(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the standard deviation with ddof 1; nan where there are fewer than two scores."""
        count = sums[..., self.count]
        spread = _spread(count, sums[..., self.count + 1], sums[..., self.count + 2])
        return np.where(count > 1, np.sqrt(spread / np.maximum(count - 1, 1.0)), np.nan)


def squared_correlation(first: int) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Make the formula of the squared Pearson correlation of two scores.

    Parameters
    ----------
    first : int
        The first of six columns: how many pairs, the two shifted sums, the two sums of squares, that of products.

    Returns
    -------
    callable
        From summed statistics to values from 0 to 1; nan where there are fewer than two pairs, or either score is
        constant.
    """

    def formula(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        count, one, two, one_squared, two_squared, product = (sums[..., first + place] for place in range(6))
        spreads = _spread(count, one, one_squared), _spread(count, two, two_squared)
        defined = (count > 1) & (spreads[0] > 0) & (spreads[1] > 0)
        together = product - one * two / np.maximum(count, 1.0)
        over = np.where(defined, spreads[0] * spreads[1], 1.0)
        return np.where(defined, np.clip(together**2 / over, 0.0, 1.0), np.nan)

    return formula


def _spread(
    count: NDArray[np.float64], total: NDArray[np.float64], squares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Give the sum of squared deviations; 0 where no more than rounding is left."""
    spread = squares - total**2 / np.maximum(count, 1.0)
    return np.where(spread > NOTHING * squares, spread, 0.0)


ACCURACY = Metric(
    PRIMARY,
    _("Share of questions answered correctly; an unparsed answer is incorrect"),
    share(C.right, C.items, 100.0),
    C.items,
    _("no question was counted"),
)
WEIGHTED = Metric(
    "weighted accuracy",
    _("Sum of the weights of correctly answered questions, divided by the sum of the weights of all questions"),
    ratio(C.weight_right, C.weights, 100.0),
    C.items,
    _("no question was counted"),
    ends=of_open({}, {C.weight_right: C.weights}),
)


def statistics(layout: ItemIndex, answers: AnswerTable, _judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each question and run, whether it is right, and what it weighs.

    Parameters
    ----------
    layout, answers, _judged : as `Config.statistics` takes them
        Questions, each a record, with the right answer as the text ``gold`` and perhaps the fact ``weight``. There are
        neither variants nor later rounds.

    Returns
    -------
    array of float, shape (questions, runs, k)
    """
    members = layout.members[:, 0]
    gold = [texts[0] for texts in layout.item_texts[GOLD]]
    weights = layout.item_values.get(WEIGHT, np.ones(len(gold), np.int64))[:, np.newaxis]
    right = answers.equal(gold, members)[:, :, 0]
    made = np.zeros((*right.shape, C.width))
    made[..., C.items] = 1
    made[..., C.right] = right
    made[..., C.read] = answers.codes(_is_read)[members, :, 0]
    made[..., C.weights] = weights
    made[..., C.weight_right] = weights * right
    return made


def _is_read(answer: Answer) -> int:
    return int(answer.value is not None)


verdict = first_counted(C.items, (("right", C.right), ("wrong", C.read)), _("no answer"))
