"""What each question of CMHE-CE contributes, and its metrics, weighted by concepts and by questions."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import first_counted
from medzh_score.benchmark.metrics import Metric
from medzh_score.configs.cmhe_ce.prompts import CHANCE, LETTERS
from medzh_score.configs.cmhe_ce.reading import Concept, Explanation, explanation
from medzh_score.stats.formulas import ratio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.metrics import Ends
    from medzh_score.benchmark.stages import Annotations


CHOOSE, CHOICE = "choose", "choice"  # the round, and its column
GOLD = "gold"  # the fact of an item: the number of the right option
NAMES, OPTIONS = "names", "options"  # texts of the layout: a concept's names; its label, its option, the others

# The columns of the statistics. A share of 1 / k stands for a concept of k questions.
(
    ITEMS,
    SHARE,
    SHARE_RIGHT,
    SHARE_EXACT,
    SHARE_UNREFUSED,
    QUESTIONS,
    RIGHT,
    CHOSEN,
    UNREADABLE,
    EXPLAINED,
    WITH_TEXT,
    REFUSED,
    UNNAMED,
    LEAKING,
    MAY_BE_EXACT,
    MAY_BE_UNREFUSED,
) = range(16)
WIDTH = 16

NO_ROUND = (
    "no choice came back (round choose): write it with prompts --round choose --after, let the same model answer,"
    " and give it with --round choose=FILE"
)


def _unless_wrong(right: int, of: int) -> Ends:
    """Make the ends of a share of right choices: all are right but those that are read and wrong."""
    return lambda rows, _left_open: ({}, {right: rows[..., of] * (1 - rows[..., CHOSEN] + rows[..., RIGHT])})


def _unless_explained(found: int, of: int) -> Ends:
    """Make the ends of a share of explanations: none that is without a text is among what is found, or all are."""
    return lambda rows, _left_open: (
        {of: rows[..., ITEMS]},
        {of: rows[..., ITEMS], found: rows[..., found] + rows[..., ITEMS] - rows[..., WITH_TEXT]},
    )


METRICS = (
    Metric(
        "accuracy",
        f"mean share of right choices within a concept, mean over concepts, as the paper's; chance {CHANCE:g}",
        ratio(SHARE_RIGHT, SHARE, 100.0),
        SHARE,
        NO_ROUND,
        share=QUESTIONS,
        ends=_unless_wrong(SHARE_RIGHT, SHARE),
    ),
    Metric(
        "accuracy-questions",
        f"right choices, of all questions, whatever their concept; chance {CHANCE:g}",
        ratio(RIGHT, QUESTIONS, 100.0),
        QUESTIONS,
        NO_ROUND,
        share=QUESTIONS,
        ends=_unless_wrong(RIGHT, QUESTIONS),
    ),
    Metric(
        "accuracy-strict",
        "concepts of which every question is right, whatever its aspect, of all; chance 0.39 for four questions,"
        " 6.25 for two",
        ratio(SHARE_EXACT, SHARE, 100.0),
        SHARE,
        NO_ROUND,
        share=SHARE,
        ends=lambda rows, _left_open: ({}, {SHARE_EXACT: rows[..., MAY_BE_EXACT]}),
    ),
    Metric(
        "accuracy-refusals-wrong",
        "as accuracy, with a choice after an explanation that is empty or declines counted as wrong",
        ratio(SHARE_UNREFUSED, SHARE, 100.0),
        SHARE,
        NO_ROUND,
        share=QUESTIONS,
        ends=lambda rows, _left_open: ({}, {SHARE_UNREFUSED: rows[..., MAY_BE_UNREFUSED]}),
    ),
    Metric(
        "Refusal rate",
        "explanations that decline to explain, and say nothing else, of all that came; no score",
        ratio(REFUSED, EXPLAINED, 100.0),
        EXPLAINED,
        "no explanation came",
        share=EXPLAINED,
        direction=None,
        of_answers=True,
        ends=_unless_explained(REFUSED, EXPLAINED),
    ),
    Metric(
        "Unnamed rate",
        "explanations that never name their concept, so that nothing is masked, of those that are not empty; no score",
        ratio(UNNAMED, WITH_TEXT, 100.0),
        WITH_TEXT,
        "no explanation holds a text",
        share=WITH_TEXT,
        direction=None,
        of_answers=True,
        ends=_unless_explained(UNNAMED, WITH_TEXT),
    ),
    Metric(
        "Leakage",
        "masked explanations that still hold two characters in a row of the answer's name that no other option has, of"
        " those that are not empty; no score",
        ratio(LEAKING, WITH_TEXT, 100.0),
        WITH_TEXT,
        "no explanation holds a text",
        share=WITH_TEXT,
        direction=None,
        of_answers=True,
        ends=_unless_explained(LEAKING, WITH_TEXT),
    ),
)
HEADLINE = "accuracy"
SHOWN = ("accuracy", "accuracy-questions", "accuracy-strict", "Refusal rate", "Leakage")


def statistics(layout: ItemIndex, answers: AnswerTable, judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each question and run, what the metrics sum.

    Parameters
    ----------
    layout, answers, judged : as `Config.statistics` takes them
        Questions, those on a concept side by side and in one unit; with the right option of each as the fact ``gold``,
        the concept's names and options as texts. Answers are explanations: where none came, the question is not right,
        whatever was chosen. In the round ``choose`` a choice that cannot be read, and one that did not come back, is
        not right; without the round nothing of it is counted.

    Returns
    -------
    array of float, shape (questions, runs, k)
        Each question of a concept of k carries 1 / k of what is counted by concept, so that concepts sum to 1 in all
        and in their class; all of it where every question is right in that run, for strict.

    References
    ----------
    CMHE, sections 3.3 and 5.3.
    """
    counts = np.zeros((len(layout.items), len(answers.runs), WIDTH))
    counts[..., ITEMS] = 1
    _count_explanations(counts, layout, answers)
    if CHOOSE in judged:
        _count_choices(counts, layout, answers, judged[CHOOSE])
    return counts


def _count_explanations(counts: NDArray[np.float64], layout: ItemIndex, answers: AnswerTable) -> None:
    texts = tuple(
        tuple(None if (said := answers.columns[run, 0][member]) is None else said.value or "" for run in answers.runs)
        for member in layout.members[:, 0].tolist()
    )
    for cell, found in zip(counts, _explained(_concepts(layout), texts), strict=True):
        for row, one in zip(cell, found, strict=True):
            if one is not None:
                row[EXPLAINED], row[WITH_TEXT], row[REFUSED] = True, not one.empty, one.refused
                row[UNNAMED], row[LEAKING] = not (one.named or one.empty), one.leaks


def _concepts(layout: ItemIndex) -> tuple[Concept, ...]:
    """Give what masking needs to know, by item."""
    return tuple(
        Concept(names, label, answer, tuple(others))
        for names, (label, answer, *others) in zip(layout.item_texts[NAMES], layout.item_texts[OPTIONS], strict=True)
    )


@lru_cache(maxsize=1)
def _explained(
    asked: tuple[Concept, ...], texts: tuple[tuple[str | None, ...], ...]
) -> tuple[tuple[Explanation | None, ...], ...]:
    """Mask all explanations, by item and run; None where none came."""
    return tuple(
        tuple(None if text is None else explanation(text, concept) for text in said)
        for concept, said in zip(asked, texts, strict=True)
    )


def _count_choices(counts: NDArray[np.float64], layout: ItemIndex, answers: AnswerTable, found: Annotations) -> None:
    share = (1 / np.bincount(layout.clusters))[layout.clusters, np.newaxis]
    came = counts[..., EXPLAINED] == 1
    letters = [[found.values.get((item, run), {}).get(CHOICE, "") for run in answers.runs] for item in layout.items]
    chosen = np.array([[LETTERS.find(letter) if letter else -1 for letter in row] for row in letters])
    unread = {*found.unreadable, *found.empty}
    unreadable = np.array([[(item, run) in unread for run in answers.runs] for item in layout.items])
    right = came & (chosen == layout.item_values[GOLD][:, np.newaxis])
    read, refused = came & (chosen >= 0), counts[..., REFUSED] == 1
    may_be = right | ~read
    counts[..., SHARE] = share
    counts[..., SHARE_RIGHT] = share * right
    counts[..., SHARE_EXACT], counts[..., MAY_BE_EXACT] = (share * _in_all(layout, one) for one in (right, may_be))
    counts[..., SHARE_UNREFUSED] = share * (right & ~refused & (counts[..., WITH_TEXT] == 1))
    counts[..., MAY_BE_UNREFUSED] = share * (may_be & ~refused)
    counts[..., QUESTIONS], counts[..., RIGHT] = 1, right
    counts[..., CHOSEN], counts[..., UNREADABLE] = read, came & unreadable


def _in_all(layout: ItemIndex, found: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell of each question whether something holds of all questions on its concept."""
    lacking = np.zeros((int(layout.clusters.max()) + 1, found.shape[1]))
    np.add.at(lacking, layout.clusters, ~found)
    whole: NDArray[np.bool_] = (lacking == 0)[layout.clusters]
    return whole


# Nothing else is counted of a question whose explanation did not come.
verdict = first_counted(
    ITEMS,
    (("right", RIGHT), ("unreadable", UNREADABLE), ("wrong", CHOSEN), ("no choice", EXPLAINED)),
    "no explanation",
)
