"""What each choice question of PeMeBench's Table 4 contributes: right with just the right letters, else wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import first_counted
from medzh_score.benchmark.metrics import Metric
from medzh_score.benchmark.tables import Table
from medzh_score.statistics.formulas.ratio import ratio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answer_table import AnswerTable
    from medzh_score.benchmark.answers import Answer
    from medzh_score.benchmark.judgements import Judgements
    from medzh_score.benchmark.layout import Layout

LETTERS = "ABCDE"
GOLD = "gold"  # the fact of an item: its right letters as a number, A the lowest bit
# The columns of the statistics; an item is of just one class.
ITEMS, RIGHT, TOO_FEW, TOO_MANY, WRONG, NO_ANSWER = range(6)
WIDTH = 6
CLASSES = {
    "right": RIGHT,
    "too few": TOO_FEW,
    "too many": TOO_MANY,
    "wrong": WRONG,
    "no answer": NO_ANSWER,
}

HEADLINE = "accuracy"
METRICS = (
    Metric(
        HEADLINE,
        "questions answered with just the right letters, of all questions (a part of them, or one too many, is wrong)",
        ratio(RIGHT, ITEMS, 100.0),
        ITEMS,
        "no question was counted",
        share=ITEMS,
    ),
)


def bits(letters: str) -> int:
    """Write a set of letters as a number.

    Parameters
    ----------
    letters : str
        Of `LETTERS`.

    Examples
    --------
    >>> bits("A"), bits("CA"), bits("ABCDE")
    (1, 5, 31)
    """
    return sum(1 << LETTERS.index(letter) for letter in set(letters))


def _code(answer: Answer) -> int:
    return 0 if answer.value is None else bits(answer.value)


def statistics(layout: Layout, answers: AnswerTable, _judged: Mapping[str, Judgements]) -> NDArray[np.float64]:
    """Count, for each question and run, whether it is right, and how it is wrong.

    Parameters
    ----------
    layout, answers, _judged : as `Config.statistics` takes them
        Questions, with the right letters of each as the fact ``gold``; answers are letters, and a missing prediction
        counts as no answer. There are no later rounds.

    Returns
    -------
    array of float, shape (questions, runs, k)

    References
    ----------
    PeMeBench, section 3.1.3 (1).
    """
    found = answers.codes(_code)[layout.members[:, 0], :, 0].astype(np.int64)
    gold = layout.facts[GOLD][:, np.newaxis]
    common = found & gold
    made = np.zeros((*found.shape, WIDTH))
    made[..., ITEMS] = 1
    made[..., RIGHT] = found == gold
    made[..., TOO_FEW] = (found != 0) & (common == found) & (found != gold)
    made[..., TOO_MANY] = (common == gold) & (found != gold)
    made[..., NO_ANSWER] = found == 0
    made[..., WRONG] = 1 - made[..., RIGHT : TOO_MANY + 1].sum(axis=-1) - made[..., NO_ANSWER]
    return made


def tables(
    _layout: Layout, answers: AnswerTable, counts: NDArray[np.float64], _judged: Mapping[str, Judgements]
) -> dict[str, Table]:
    """Count the answers by what became of them.

    Parameters
    ----------
    _layout, answers, counts, _judged : as `Config.tables` takes them
        Only the statistics, and how runs are numbered, are looked at.

    Returns
    -------
    dict of str to Table
        ``answers``: right, a part of the right letters, all of them and more, other letters, none.
    """
    sums = counts.sum(axis=0)
    rows = tuple(
        (run, *(int(sums[index, column]) for column in CLASSES.values())) for index, run in enumerate(answers.runs)
    )
    title = "Answers: just the right letters, a part of them, more than them, others, none"
    return {"answers": Table(title, ("run", *CLASSES), rows)}


verdict = first_counted(ITEMS, tuple(CLASSES.items()))
