"""What each question of CMHE-CE contributes, and its metrics, weighted by concepts and by questions."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import first_counted
from medzh_score.benchmark.metrics import Columns, Metric, share
from medzh_score.configs.cmhe_ce.prompts import CHANCE, LETTERS
from medzh_score.configs.cmhe_ce.reading import Concept, Explanation, explanation
from medzh_score.ui.i18n import _

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


class ConceptColumns(Columns):
    """What is counted of a question; a share of 1 / k stands for a concept of k questions."""

    items: int
    share: int
    share_right: int
    share_exact: int
    share_unrefused: int
    questions: int
    right: int
    chosen: int
    unreadable: int
    explained: int
    with_text: int
    refused: int
    unnamed: int
    leaking: int
    may_be_exact: int
    may_be_unrefused: int


C = ConceptColumns


NO_ROUND = _(
    "there are no responses for stage choose: write its prompts with `medzh-score prompts cmhe_ce "
    "--stage choose --predictions FILE`, run the model that wrote the explanations, and pass the "
    "responses with --stage choose=FILE"
)


def _unless_wrong(right: int, of: int) -> Ends:
    """Make the ends of a share of right choices: all are right but those that are read and wrong."""
    return lambda rows, _left_open: (
        {},
        {right: rows[..., of] * (1 - rows[..., C.chosen] + rows[..., C.right])},
    )


def _unless_explained(found: int, of: int) -> Ends:
    """Make the ends of a share of explanations: none that is without a text is among what is found, or all are."""
    return lambda rows, _left_open: (
        {of: rows[..., C.items]},
        {
            of: rows[..., C.items],
            found: rows[..., found] + rows[..., C.items] - rows[..., C.with_text],
        },
    )


METRICS = (
    Metric(
        "accuracy",
        _(
            "Share of correct choices within a concept, averaged over concepts as in the paper; chance level "
            "{chance:g}%",
            chance=CHANCE,
        ),
        share(C.share_right, C.share, 100.0, answers=C.questions),
        C.share,
        NO_ROUND,
        ends=_unless_wrong(C.share_right, C.share),
    ),
    Metric(
        "accuracy-questions",
        _(
            "Share of correct choices over all questions, regardless of concept; chance level {chance:g}%",
            chance=CHANCE,
        ),
        share(C.right, C.questions, 100.0),
        C.questions,
        NO_ROUND,
        ends=_unless_wrong(C.right, C.questions),
    ),
    Metric(
        "accuracy-strict",
        _(
            "Share of concepts with a correct choice for every question, regardless of aspect; chance level 0.39% for "
            "four questions, 6.25% for two"
        ),
        share(C.share_exact, C.share, 100.0),
        C.share,
        NO_ROUND,
        ends=lambda rows, _left_open: ({}, {C.share_exact: rows[..., C.may_be_exact]}),
    ),
    Metric(
        "accuracy-refusals-wrong",
        _("Same as accuracy, but a choice after an empty explanation or a refusal is scored as incorrect"),
        share(C.share_unrefused, C.share, 100.0, answers=C.questions),
        C.share,
        NO_ROUND,
        ends=lambda rows, _left_open: (
            {},
            {C.share_unrefused: rows[..., C.may_be_unrefused]},
        ),
    ),
    Metric(
        "Refusal rate",
        _("Share of received explanations that decline to explain and contain nothing else; not a score"),
        share(C.refused, C.explained, 100.0),
        C.explained,
        _("no explanations were received"),
        direction=None,
        of_answers=True,
        ends=_unless_explained(C.refused, C.explained),
    ),
    Metric(
        "Unnamed rate",
        _("Share of non-empty explanations that never name their concept, so that nothing is masked; not a score"),
        share(C.unnamed, C.with_text, 100.0),
        C.with_text,
        _("all explanations are empty"),
        direction=None,
        of_answers=True,
        ends=_unless_explained(C.unnamed, C.with_text),
    ),
    Metric(
        "Leakage",
        _(
            "Share of non-empty explanations that, once masked, still contain two consecutive characters of the "
            "correct option that no other option has; not a score"
        ),
        share(C.leaking, C.with_text, 100.0),
        C.with_text,
        _("all explanations are empty"),
        direction=None,
        of_answers=True,
        ends=_unless_explained(C.leaking, C.with_text),
    ),
)
PRIMARY = "accuracy"
SUMMARY = ("accuracy", "accuracy-questions", "accuracy-strict", "Refusal rate", "Leakage")


def statistics(layout: ItemIndex, answers: AnswerTable, judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each question and run, what the metrics sum (CMHE, sections 3.3 and 5.3).

    Each question on a concept of k carries 1 / k of what is counted by concept; all of it for strict, where every
    question is right in that run. Where no explanation came, the question is not right, whatever was chosen; nor is a
    choice that cannot be read or did not come back.
    """
    counts = C.zeros(layout, answers)
    counts[..., C.items] = 1
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
                row[C.explained] = True
                row[C.with_text] = not one.empty
                row[C.refused] = one.refused
                row[C.unnamed], row[C.leaking] = not (one.named or one.empty), one.leaks


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
    came = counts[..., C.explained] == 1
    letters = [[found.values.get((item, run), {}).get(CHOICE, "") for run in answers.runs] for item in layout.items]
    chosen = np.array([[LETTERS.find(letter) if letter else -1 for letter in row] for row in letters])
    unparsed = {*found.unreadable, *found.empty}
    unreadable = np.array([[(item, run) in unparsed for run in answers.runs] for item in layout.items])
    right = came & (chosen == layout.item_values[GOLD][:, np.newaxis])
    read, refused = came & (chosen >= 0), counts[..., C.refused] == 1
    may_be = right | ~read
    counts[..., C.share] = share
    counts[..., C.share_right] = share * right
    counts[..., C.share_exact], counts[..., C.may_be_exact] = (share * _in_all(layout, one) for one in (right, may_be))
    counts[..., C.share_unrefused] = share * (right & ~refused & (counts[..., C.with_text] == 1))
    counts[..., C.may_be_unrefused] = share * (may_be & ~refused)
    counts[..., C.questions], counts[..., C.right] = 1, right
    counts[..., C.chosen], counts[..., C.unreadable] = read, came & unreadable


def _in_all(layout: ItemIndex, found: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell of each question whether something holds of all questions on its concept."""
    lacking = np.zeros((int(layout.clusters.max()) + 1, found.shape[1]))
    np.add.at(lacking, layout.clusters, ~found)
    whole: NDArray[np.bool_] = (lacking == 0)[layout.clusters]
    return whole


# Nothing else is counted of a question whose explanation did not come.
verdict = first_counted(
    C.items,
    (
        ("right", C.right),
        ("unreadable", C.unreadable),
        ("wrong", C.chosen),
        ("no choice", C.explained),
    ),
    "no explanation",
)
