"""What each sub-question of TCMD contributes: accuracy, and consistency over permuted options (section 4.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.metrics import Columns, Metric, ratio, share
from medzh_score.configs.tcmd.exam import LETTERS
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer, AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.stages import Annotations


FEWEST = 2  # variants, for a consistency to say anything


class SubQuestionColumns(Columns):
    """What is counted of a sub-question; from ``may_be_exact`` on whatever its open answers are."""

    items: int
    right: int
    groups: int
    exact: int
    readable: int
    with_valid: int
    valid: int
    permuted: int
    all: int
    answers: int
    of_groups: int
    may_be_exact: int
    may_be_valid: int
    least_valid: int
    most_valid: int
    most_all: int


C = SubQuestionColumns


NO_QUESTION = _("no sub-question was counted")
NO_VARIANTS = _("no question has several option orders; add option orders with prompts --variants")

METRICS = (
    Metric(
        "accuracy",
        _(
            "Share of sub-questions answered correctly; a sub-question with several option orders counts with its "
            "share of correct answers"
        ),
        share(C.right, C.items, answers=C.answers),
        C.items,
        NO_QUESTION,
    ),
    Metric(
        "group-exact",
        _("Share of question groups with every sub-question correct; a single question is a group of one"),
        share(C.exact, C.groups, answers=C.of_groups),
        C.groups,
        NO_QUESTION,
        ends=lambda rows, _left_open: ({}, {C.exact: rows[..., C.may_be_exact]}),
    ),
    Metric(
        "consistency-valid",
        _(
            "Equation (1), averaged over sub-questions: of the option orders with an answer, the share in "
            "which the most frequent original option is chosen"
        ),
        ratio(C.valid, C.with_valid),
        C.with_valid,
        NO_VARIANTS,
        of_answers=True,  # within each sub-question, too: of the variants with an answer
        ends=lambda rows, _left_open: (
            {
                C.with_valid: rows[..., C.may_be_valid],
                C.valid: rows[..., C.least_valid],
            },
            {
                C.with_valid: rows[..., C.may_be_valid],
                C.valid: rows[..., C.most_valid],
            },
        ),
    ),
    Metric(
        "consistency-all",
        _("Same as consistency-valid, but with all queried option orders in the denominator (strict)"),
        ratio(C.all, C.permuted),
        C.permuted,
        NO_VARIANTS,
        ends=lambda rows, _left_open: ({}, {C.all: rows[..., C.most_all]}),
    ),
)


@dataclass(frozen=True)
class ChosenOptions:
    """What was chosen in a run, by item and variant: the options of the record, and the positions where they stood.

    Both count from 0, and are -1 where there is no answer, or one that chooses no option. ``expected`` says whether the
    item was asked in the variant, ``open`` whether there is no answer though it was; ``gold`` is its right option.
    """

    original: NDArray[np.int8]
    shown: NDArray[np.int8]
    expected: NDArray[np.bool_]
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
            self.original[items], self.shown[items], self.expected[items], self.open[items], self.gold[items]
        )


def choices_by_run(layout: ItemIndex, answers: AnswerTable) -> Iterator[ChosenOptions]:
    """Put the answers of each run into arrays, by item."""
    members = layout.members[:, 0]
    expected = answers.expected[members]
    for one in answers.by_run():
        codes = one.codes(_code)[members, 0]
        original, shown = np.divmod(codes - 1, len(LETTERS))
        none = codes <= 0
        yield ChosenOptions(
            np.where(none, -1, original).astype(np.int8),
            np.where(none, -1, shown).astype(np.int8),
            expected,
            expected & (codes == 0),
            layout.item_values["gold"],
        )


def _code(answer: Answer) -> int:
    if answer.value is None or len(answer.value) > 1:
        return 0 if answer.value is None else -1
    shown = answer.note or answer.value
    return 1 + len(LETTERS) * LETTERS.index(answer.value) + LETTERS.index(shown)


def statistics(layout: ItemIndex, answers: AnswerTable, _judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each sub-question and run, what the metrics sum (TCMD, sections 4.1 and 4.4, equation (1)).

    They are shares of the variants that were asked; a missing prediction is not right, and no valid answer. What is
    exact per group stands at its first sub-question.
    """
    made = C.zeros(layout, answers)
    for place, chosen in enumerate(choices_by_run(layout, answers)):
        made[:, place] = _of_run(layout, chosen)
    return made


def _of_run(layout: ItemIndex, chosen: ChosenOptions) -> NDArray[np.float64]:
    right, counts = chosen.right, chosen.counts
    asked = chosen.expected.sum(axis=1)
    times = np.maximum(asked, 1)
    best, valid = counts.max(axis=1), counts.sum(axis=1)
    first = np.flatnonzero(np.diff(layout.clusters, prepend=-1))
    made = np.zeros((len(asked), C.width))
    made[:, C.items] = 1
    made[:, C.right] = right.sum(axis=1) / times
    made[:, C.answers] = asked
    made[first, C.groups] = 1
    made[first, C.exact] = np.logical_and.reduceat(right, first, axis=0).sum(axis=1) / times[first]
    made[first, C.of_groups] = asked[first]
    made[:, C.readable] = valid > 0
    permuted = asked >= FEWEST
    made[:, C.with_valid] = permuted & (valid > 0)
    made[:, C.valid] = np.where(permuted, best / np.maximum(valid, 1), 0)
    made[:, C.permuted] = permuted
    made[:, C.all] = np.where(permuted, best / times, 0)
    made[first, C.may_be_exact] = np.logical_and.reduceat(right | chosen.open, first).sum(axis=1) / times[first]
    _fill_open(made, layout.item_values["options"], chosen, permuted)
    return made


def _fill_open(
    made: NDArray[np.float64], sizes: NDArray[np.int64], chosen: ChosenOptions, permuted: NDArray[np.bool_]
) -> None:
    """Say how consistent each sub-question may be, if its open answers choose what others do, or what they do not.

    One that has no answer yet enters at the least with the smallest share that any may have.
    """
    asked, left_open, counts = chosen.expected.sum(axis=1), chosen.open.sum(axis=1), chosen.counts
    best, valid = counts.max(axis=1), counts.sum(axis=1)
    spread = np.where(valid > 0, np.minimum(valid + left_open, sizes * best), min(asked.max(), sizes.max()))
    there = permuted & (valid + left_open > 0)
    made[:, C.may_be_valid] = there
    made[:, C.least_valid] = np.where(there, np.maximum(best, 1) / spread, 0)
    made[:, C.most_valid] = np.where(there, (best + left_open) / np.maximum(valid + left_open, 1), 0)
    made[:, C.most_all] = np.where(permuted, (best + left_open) / np.maximum(asked, 1), 0)


def verdict(row: NDArray[np.float64]) -> str:
    """Say in a word what became of a sub-question in one run."""
    if not row[C.items]:
        return "skipped"
    return {0.0: "wrong", 1.0: "right"}.get(float(row[C.right]), "mixed")
