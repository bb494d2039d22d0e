"""What each sub-question of TCMD contributes: accuracy, and consistency over permuted options (section 4.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.metrics import Metric
from medzh_score.configs.tcmd.exam import LETTERS
from medzh_score.stats.formulas import ratio

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer, AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.stages import Annotations


FEWEST = 2  # variants, for a consistency to say anything

# The columns of the statistics.
ITEMS, RIGHT, GROUPS, EXACT, READABLE, WITH_VALID, VALID, PERMUTED, ALL, ANSWERS, OF_GROUPS = range(11)
# What may become of it, whatever the open answers are.
MAY_BE_EXACT, MAY_BE_VALID, LEAST_VALID, MOST_VALID, MOST_ALL = range(11, 16)
WIDTH = 16

NO_QUESTION = "no sub-question was counted"
NO_VARIANTS = "a question was asked in one variant only: ask for more (prompts --variants)"

METRICS = (
    Metric(
        "accuracy",
        "right sub-questions, of all; over several variants of a question, the share of them",
        ratio(RIGHT, ITEMS),
        ITEMS,
        NO_QUESTION,
        share=ANSWERS,
    ),
    Metric(
        "group-exact",
        "groups of which every sub-question is right, of all; a single question is a group of one",
        ratio(EXACT, GROUPS),
        GROUPS,
        NO_QUESTION,
        share=OF_GROUPS,
        ends=lambda rows, _left_open: ({}, {EXACT: rows[..., MAY_BE_EXACT]}),
    ),
    Metric(
        "consistency-valid",
        "mean over sub-questions of equation (1): the commonest original option's share of the variants with an answer",
        ratio(VALID, WITH_VALID),
        WITH_VALID,
        NO_VARIANTS,
        of_answers=True,  # within each sub-question, too: of the variants with an answer
        ends=lambda rows, _left_open: (
            {WITH_VALID: rows[..., MAY_BE_VALID], VALID: rows[..., LEAST_VALID]},
            {WITH_VALID: rows[..., MAY_BE_VALID], VALID: rows[..., MOST_VALID]},
        ),
    ),
    Metric(
        "consistency-all",
        "the same, with all variants that were asked in the denominator (strict)",
        ratio(ALL, PERMUTED),
        PERMUTED,
        NO_VARIANTS,
        ends=lambda rows, _left_open: ({}, {ALL: rows[..., MOST_ALL]}),
    ),
)


@dataclass(frozen=True)
class ChosenOptions:
    """What was chosen in a run, by item and variant: the options of the record, and the positions where they stood.

    Both count from 0, and are -1 where there is no answer, or one that chooses no option. ``due`` says whether the item
    was asked in the variant, ``open`` whether there is no answer though it was; ``gold`` is the right option of each
    item.
    """

    original: NDArray[np.int8]
    shown: NDArray[np.int8]
    due: NDArray[np.bool_]
    open: NDArray[np.bool_]
    gold: NDArray[np.int64]

    @property
    def right(self) -> NDArray[np.bool_]:
        """Whether the right option was chosen, shape (items, variants)."""
        found: NDArray[np.bool_] = self.original == self.gold[:, np.newaxis]
        return found

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many variants chose each original option, shape (items, 5)."""
        return np.stack([(self.original == option).sum(axis=1) for option in range(len(LETTERS))], axis=1)

    def of(self, items: NDArray[np.bool_]) -> ChosenOptions:
        """Take those of some items."""
        return ChosenOptions(
            self.original[items], self.shown[items], self.due[items], self.open[items], self.gold[items]
        )


def choices_by_run(layout: ItemIndex, answers: AnswerTable) -> Iterator[ChosenOptions]:
    """Put the answers of each run into arrays, by item.

    Parameters
    ----------
    layout : ItemIndex
        With the right option of each item as the fact ``gold``.
    answers : AnswerTable
        Of one rule; its values are letters of the record's options, its notes the letters that were shown where
        those are others. Several letters choose no option.
    """
    members = layout.members[:, 0]
    due = answers.due[members]
    for one in answers.by_run():
        codes = one.codes(_code)[members, 0]
        original, shown = np.divmod(codes - 1, len(LETTERS))
        none = codes <= 0
        yield ChosenOptions(
            np.where(none, -1, original).astype(np.int8),
            np.where(none, -1, shown).astype(np.int8),
            due,
            due & (codes == 0),
            layout.item_values["gold"],
        )


def right_answers(layout: ItemIndex, answers: AnswerTable) -> NDArray[np.bool_]:
    """Tell which answers choose the right option.

    Parameters
    ----------
    layout : ItemIndex
        Sub-questions.
    answers : AnswerTable
        Of one rule.

    Returns
    -------
    array of bool, shape (items, runs, variants)
    """
    return np.stack([chosen.right for chosen in choices_by_run(layout, answers)], axis=1)


def _code(answer: Answer) -> int:
    if answer.value is None or len(answer.value) > 1:
        return 0 if answer.value is None else -1
    shown = answer.note or answer.value
    return 1 + len(LETTERS) * LETTERS.index(answer.value) + LETTERS.index(shown)


def statistics(layout: ItemIndex, answers: AnswerTable, _judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each sub-question and run, what the metrics sum.

    Parameters
    ----------
    layout : ItemIndex
        Sub-questions, with their numbers of options as the fact ``options``; those of a group stand side by side.
    answers : AnswerTable
        Of one rule. A missing prediction is not right, and no valid answer.
    _judged : mapping of str to Annotations
        Of later rounds; there are none.

    Returns
    -------
    array of float, shape (sub-questions, runs, k)
        Shares of the variants that were asked. What is exact per group stands at its first sub-question.

    References
    ----------
    TCMD, sections 4.1 and 4.4, equation (1).
    """
    made = np.zeros((len(layout.items), len(answers.runs), WIDTH))
    for place, chosen in enumerate(choices_by_run(layout, answers)):
        made[:, place] = _of_run(layout, chosen)
    return made


def _of_run(layout: ItemIndex, chosen: ChosenOptions) -> NDArray[np.float64]:
    right, counts = chosen.right, chosen.counts
    asked = chosen.due.sum(axis=1)
    best, valid = counts.max(axis=1), counts.sum(axis=1)
    first = np.flatnonzero(np.diff(layout.clusters, prepend=-1))
    made = np.zeros((len(asked), WIDTH))
    made[:, ITEMS] = 1
    made[:, RIGHT] = right.sum(axis=1) / asked
    made[:, ANSWERS] = asked
    made[first, GROUPS] = 1
    made[first, EXACT] = np.logical_and.reduceat(right, first, axis=0).sum(axis=1) / asked[first]
    made[first, OF_GROUPS] = asked[first]
    made[:, READABLE] = valid > 0
    permuted = asked >= FEWEST
    made[:, WITH_VALID] = permuted & (valid > 0)
    made[:, VALID] = np.where(permuted, best / np.maximum(valid, 1), 0)
    made[:, PERMUTED] = permuted
    made[:, ALL] = np.where(permuted, best / asked, 0)
    made[first, MAY_BE_EXACT] = np.logical_and.reduceat(right | chosen.open, first).sum(axis=1) / asked[first]
    _fill_open(made, layout.item_values["options"], chosen, permuted)
    return made


def _fill_open(
    made: NDArray[np.float64], sizes: NDArray[np.int64], chosen: ChosenOptions, permuted: NDArray[np.bool_]
) -> None:
    """Say how consistent each sub-question may be, if its open answers choose what others do, or what they do not.

    One that has no answer yet enters at the least with the smallest share that any may have.
    """
    asked, left_open, counts = chosen.due.sum(axis=1), chosen.open.sum(axis=1), chosen.counts
    best, valid = counts.max(axis=1), counts.sum(axis=1)
    spread = np.where(valid > 0, np.minimum(valid + left_open, sizes * best), min(asked.max(), sizes.max()))
    there = permuted & (valid + left_open > 0)
    made[:, MAY_BE_VALID] = there
    made[:, LEAST_VALID] = np.where(there, np.maximum(best, 1) / spread, 0)
    made[:, MOST_VALID] = np.where(there, (best + left_open) / np.maximum(valid + left_open, 1), 0)
    made[:, MOST_ALL] = np.where(permuted, (best + left_open) / asked, 0)


def verdict(row: NDArray[np.float64]) -> str:
    """Say in a word what became of a sub-question in one run.

    Parameters
    ----------
    row : array, shape (k,)
        Its statistics.

    Returns
    -------
    str
        ``right`` or ``wrong`` in all variants, ``mixed``, or ``skipped`` where it was dropped.
    """
    if not row[ITEMS]:
        return "skipped"
    return {0.0: "wrong", 1.0: "right"}.get(float(row[RIGHT]), "mixed")
