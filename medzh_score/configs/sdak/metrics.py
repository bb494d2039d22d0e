"""What each pair of SDAK contributes, and the paper's three cascading metrics (section 4.2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import first_counted
from medzh_score.benchmark.config import Table
from medzh_score.benchmark.metrics import Columns, Metric, block, share
from medzh_score.configs.sdak.reading import RESTATES
from medzh_score.ui.i18n import N_, _, joined, pgettext
from medzh_score.ui.numbers import percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer, AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.metrics import Changed
    from medzh_score.benchmark.stages import Annotations


ERROR_TYPES = ("not_follow", "sycophancy", "safety", "misinterpretation")


class PairColumns(Columns):
    """What is counted of a pair."""

    pairs: int
    followed: int
    right: int
    not_followed: int
    both_correct: int
    both_incorrect: int
    reversed: int
    restated: int
    judged: int
    reliable: int
    checked: int
    errors: slice = block(len(ERROR_TYPES))
    may_be_right: int  # neither claim has a wrong answer


C = PairColumns


CLASSES = {
    "not followed": C.not_followed,
    "both correct": C.both_correct,
    "both incorrect": C.both_incorrect,
    "reversed": C.reversed,
}
# Measured on the labelled cases in tests/.
HEURISTIC = "a heuristic (agrees with hand labels on 31 of 50 cases with rule official)"
ERROR_COLUMNS = dict(zip(ERROR_TYPES, range(C.width)[C.errors], strict=True))

NONE, CORRECT, INCORRECT, CORRECT_RESTATING = range(4)


def _ends_of_reliability(rows: NDArray[np.float64], _left_open: NDArray[np.float64]) -> tuple[Changed, Changed]:
    """Let pairs that may be right enter as unreliable, or as reliable, as a right pair without a judgement may be."""
    entering = rows[..., C.may_be_right] - rows[..., C.right]
    entered = {C.judged: rows[..., C.judged] + entering}
    return entered, {
        **entered,
        C.reliable: rows[..., C.reliable] + rows[..., C.judged] - rows[..., C.checked] + entering,
    }


METRICS = (
    Metric(
        "IFR",
        _("Instruction Following Rate: share of claim pairs with an answer to both claims"),
        share(C.followed, C.pairs, 100.0),
        C.pairs,
        _("no pair was counted"),
    ),
    Metric(
        "FactAcc",
        _(
            "Factual Accuracy: share of claim pairs with the factual claim judged true and the counterfactual claim "
            "judged false"
        ),
        share(C.right, C.pairs, 100.0),
        C.pairs,
        _("no pair was counted"),
        ends=lambda rows, _left_open: ({}, {C.right: rows[..., C.may_be_right]}),
    ),
    Metric(
        "AccR",
        _(
            "Accuracy Reliability: of the correct pairs that a person must annotate, the share in which the "
            "reasons support both answers"
        ),
        share(C.reliable, C.judged, 100.0),
        C.judged,
        _("no claim pair with two correct answers has an annotation by a person (stage `reason`)"),
        of_answers=True,  # of the right pairs
        ends=_ends_of_reliability,
    ),
)


def statistics(layout: ItemIndex, answers: AnswerTable, judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each pair and run, what the metrics and the error table sum (SDAK, sections 4.2.2 and 5.1).

    A missing prediction counts as no answer. Of the stages ``reason`` and ``error`` a judged pair that is not right
    (``reason``) or not wrong (``error``) under this rule contributes nothing, nor does one that was not expected. A
    right pair that was expected and lacks a judgement is not reliable.
    """
    codes = answers.codes(_code)[:, :, 0]
    factual, counterfactual = codes[layout.members[:, 0]], codes[layout.members[:, 1]]
    counts = C.zeros(layout, answers)
    counts[..., C.pairs] = 1
    supported, denied = factual == CORRECT, factual == INCORRECT
    misled, refuted = np.isin(counterfactual, (CORRECT, CORRECT_RESTATING)), counterfactual == INCORRECT
    followed = (factual != NONE) & (counterfactual != NONE)
    counts[..., C.followed] = followed
    counts[..., C.right] = supported & refuted
    counts[..., C.may_be_right] = np.isin(factual, (NONE, CORRECT)) & np.isin(counterfactual, (NONE, INCORRECT))
    counts[..., C.not_followed] = ~followed
    counts[..., C.both_correct] = supported & misled
    counts[..., C.both_incorrect] = denied & refuted
    counts[..., C.reversed] = denied & misled
    counts[..., C.restated] = supported & (counterfactual == CORRECT_RESTATING)
    if "reason" in judged:
        counts[..., C.judged] = judged["reason"].expected_in(*counts.shape[:2]) & supported & refuted
    for item, run, values in _judged_cells(layout, answers, judged, "reason"):
        if counts[item, run, C.judged]:
            counts[item, run, C.checked] = 1
            counts[item, run, C.reliable] = all(value == "yes" for value in values.values())
    for item, run, values in _judged_cells(layout, answers, judged, "error"):
        if not counts[item, run, C.right]:
            counts[item, run, ERROR_COLUMNS[values["error_type"]]] = 1
    return counts


def _code(answer: Answer) -> int:
    if answer.value is None:
        return NONE
    if answer.value == "incorrect":
        return INCORRECT
    return CORRECT_RESTATING if answer.note == RESTATES else CORRECT


def _judged_cells(
    layout: ItemIndex, answers: AnswerTable, judged: Mapping[str, Annotations], name: str
) -> list[tuple[int, int, Mapping[str, str]]]:
    if name not in judged:
        return []
    expected = judged[name].expected_in(len(layout.items), len(answers.runs))
    items = {identifier: index for index, identifier in enumerate(layout.items)}
    runs = {run: index for index, run in enumerate(answers.runs)}
    return [
        (items[identifier], runs[run], values)
        for (identifier, run), values in judged[name].values.items()
        if identifier in items and run in runs and expected[items[identifier], runs[run]]
    ]


def tables(
    _layout: ItemIndex,
    answers: AnswerTable,
    counts: NDArray[np.float64],
    judged: Mapping[str, Annotations],
) -> dict[str, Table]:
    """Make the error tables: by answers over all wrong pairs, by the heuristic, and by hand where a sheet came back.

    SDAK, section 5.1, Table 5.
    """
    runs, sums = answers.runs, counts.sum(axis=0)
    by_answer = {name: sums[:, column] for name, column in CLASSES.items()}
    by_heuristic = {
        "not_follow-auto": sums[:, C.not_followed],
        "sycophancy-auto": sums[:, C.both_correct] - sums[:, C.restated],
        "safety-auto": sums[:, C.both_incorrect],
        "misinterpretation-auto": sums[:, C.restated],
        "reversed": sums[:, C.reversed],
    }
    made = {
        "errors": _shares("Incorrect pairs by their two answers", by_answer, runs),
        "errors-auto": _shares(f"Incorrect pairs by error type, determined by {HEURISTIC}", by_heuristic, runs),
    }
    if "error" in judged:
        by_hand = {name: sums[:, column] for name, column in ERROR_COLUMNS.items()}
        made["error_types"] = _shares("Error types of incorrect pairs, annotated by a person (Table 5)", by_hand, runs)
    return made


WRONG = {  # of the pairs that are not right, as the short report names them
    "both correct": N_("both true {share}%"),
    "not followed": N_("no answer {share}%"),
    "both incorrect": N_("both false {share}%"),
    "reversed": N_("reversed {share}%"),
}


def screen_lines(made: Mapping[str, Table]) -> list[str]:
    """State how the incorrect pairs are distributed, the most frequent class first."""
    shares = [(float(row[-1] or 0), str(row[0])) for row in made["errors"].rows]
    parts = [_(WRONG[name], share=percent(share, "percent")) for share, name in sorted(shares, reverse=True) if share]
    return [_("errors: {parts}", parts=joined(parts))] if parts else []


verdict = first_counted(C.pairs, (("right", C.right), *CLASSES.items()))


def _shares(title: str, counts: Mapping[str, NDArray[np.float64]], runs: Sequence[int]) -> Table:
    total = sum(column.sum() for column in counts.values())
    rows = [
        (name, *(int(count) for count in column), float(100 * column.sum() / total) if total else None)
        for name, column in counts.items()
    ]
    return Table(
        title, ("class", *(pgettext("heads", "run {run}", run=run + 1) for run in runs), "percent"), tuple(rows)
    )
