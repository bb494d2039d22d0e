"""Right or wrong: the share of items whose answer is the gold, and the same by weights of the items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import first_counted
from medzh_score.benchmark.metrics import Metric, of_open
from medzh_score.statistics.formulas.ratio import ratio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.answers import Answer
    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.layout import Layout

GOLD = "gold"  # of the layout's texts: one, the right answer
WEIGHT = "weight"  # of the layout's facts, where items have weights: a whole number from 1

# The columns of the statistics.
ITEMS, RIGHT, READ, WEIGHTS, WEIGHT_RIGHT = range(5)
WIDTH = 5

HEADLINE = "accuracy"
ACCURACY = Metric(
    HEADLINE,
    "right answers, of all questions; one that cannot be read is not right",
    ratio(RIGHT, ITEMS, 100.0),
    ITEMS,
    "no question was counted",
    share=ITEMS,
)
WEIGHTED = Metric(
    "weighted accuracy",
    "weights of the questions that are answered right, of the weights of all questions",
    ratio(WEIGHT_RIGHT, WEIGHTS, 100.0),
    ITEMS,
    "no question was counted",
    ends=of_open({}, {WEIGHT_RIGHT: WEIGHTS}),
)


def statistics(layout: Layout, answers: AnswerTable, _judged: Mapping[str, Judgements]) -> NDArray[np.float64]:
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
    gold = [texts[0] for texts in layout.texts[GOLD]]
    weights = layout.facts.get(WEIGHT, np.ones(len(gold), np.int64))[:, np.newaxis]
    right = answers.equal(gold, members)[:, :, 0]
    made = np.zeros((*right.shape, WIDTH))
    made[..., ITEMS] = 1
    made[..., RIGHT] = right
    made[..., READ] = answers.codes(_is_read)[members, :, 0]
    made[..., WEIGHTS] = weights
    made[..., WEIGHT_RIGHT] = weights * right
    return made


def _is_read(answer: Answer) -> int:
    return int(answer.value is not None)


verdict = first_counted(ITEMS, (("right", RIGHT), ("wrong", READ)), "no answer")
