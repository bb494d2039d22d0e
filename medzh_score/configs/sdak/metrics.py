"""What each pair of SDAK contributes, and the paper's three cascading metrics (section 4.2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import first_counted
from medzh_score.benchmark.config import Table
from medzh_score.benchmark.metrics import Metric
from medzh_score.configs.sdak.reading import RESTATES
from medzh_score.stats.formulas import ratio

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer, AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.metrics import Columns
    from medzh_score.benchmark.stages import Annotations


# The columns of the statistics.
PAIRS, FOLLOWED, RIGHT, NOT_FOLLOWED, BOTH_CORRECT, BOTH_INCORRECT, REVERSED, RESTATED, JUDGED, RELIABLE, CHECKED = (
    range(11)
)
MAY_BE_RIGHT = 15  # neither claim has a wrong answer
CLASSES = {
    "not followed": NOT_FOLLOWED,
    "both correct": BOTH_CORRECT,
    "both incorrect": BOTH_INCORRECT,
    "reversed": REVERSED,
}
# Measured on the labelled cases in tests/.
HEURISTIC = "a heuristic (agrees with hand labels on 31 of 50 cases by official)"
ERROR_TYPES = ("not_follow", "sycophancy", "safety", "misinterpretation")
FIRST_ERROR = 11
WIDTH = MAY_BE_RIGHT + 1
ERROR_COLUMNS = tuple(range(FIRST_ERROR, FIRST_ERROR + len(ERROR_TYPES)))

NONE, CORRECT, INCORRECT, CORRECT_RESTATING = range(4)


def _ends_of_reliability(rows: NDArray[np.float64], _left_open: NDArray[np.float64]) -> tuple[Columns, Columns]:
    """Let pairs that may be right enter as unreliable, or as reliable, as a right pair without a judgement may be."""
    entering = rows[..., MAY_BE_RIGHT] - rows[..., RIGHT]
    entered = {JUDGED: rows[..., JUDGED] + entering}
    return entered, {**entered, RELIABLE: rows[..., RELIABLE] + rows[..., JUDGED] - rows[..., CHECKED] + entering}


METRICS = (
    Metric(
        "IFR",
        "Instruction Following Rate: pairs with an answer to both claims, of all pairs",
        ratio(FOLLOWED, PAIRS, 100.0),
        PAIRS,
        "no pair was counted",
        share=PAIRS,
    ),
    Metric(
        "FactAcc",
        "Factual Accuracy: pairs with the factual claim supported and the counterfactual refuted, of all pairs",
        ratio(RIGHT, PAIRS, 100.0),
        PAIRS,
        "no pair was counted",
        share=PAIRS,
        ends=lambda rows, _left_open: ({}, {RIGHT: rows[..., MAY_BE_RIGHT]}),
    ),
    Metric(
        "AccR",
        "Accuracy Reliability: pairs whose reasons support both answers, of the right pairs that a person was to check",
        ratio(RELIABLE, JUDGED, 100.0),
        JUDGED,
        "no right pair was checked by a person (round reason)",
        share=JUDGED,
        of_answers=True,  # of the right pairs
        ends=_ends_of_reliability,
    ),
)


def statistics(layout: ItemIndex, answers: AnswerTable, judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each pair and run, what the metrics and the error table sum.

    Parameters
    ----------
    layout, answers, judged : as `Config.statistics` takes them
        Pairs, whose members are the factual and the counterfactual claim; a missing prediction counts as no answer. Of
        the rounds ``reason`` and ``error``, keyed by pair, a judged pair that is not right (``reason``) or not wrong
        (``error``) under this rule contributes nothing: a failed earlier stage is a failure later; nor does one that
        was not due. A right pair that was due and lacks a judgement is not reliable; where one lacks its error type, no
        type counts it.

    Returns
    -------
    array of float, shape (pairs, runs, k)

    References
    ----------
    SDAK, sections 4.2.2 and 5.1.
    """
    codes = answers.codes(_code)[:, :, 0]
    factual, counterfactual = codes[layout.members[:, 0]], codes[layout.members[:, 1]]
    counts = np.zeros((len(layout.items), len(answers.runs), WIDTH))
    counts[..., PAIRS] = 1
    supported, denied = factual == CORRECT, factual == INCORRECT
    misled, refuted = np.isin(counterfactual, (CORRECT, CORRECT_RESTATING)), counterfactual == INCORRECT
    followed = (factual != NONE) & (counterfactual != NONE)
    counts[..., FOLLOWED] = followed
    counts[..., RIGHT] = supported & refuted
    counts[..., MAY_BE_RIGHT] = np.isin(factual, (NONE, CORRECT)) & np.isin(counterfactual, (NONE, INCORRECT))
    counts[..., NOT_FOLLOWED] = ~followed
    counts[..., BOTH_CORRECT] = supported & misled
    counts[..., BOTH_INCORRECT] = denied & refuted
    counts[..., REVERSED] = denied & misled
    counts[..., RESTATED] = supported & (counterfactual == CORRECT_RESTATING)
    if "reason" in judged:
        counts[..., JUDGED] = judged["reason"].due_in(*counts.shape[:2]) & supported & refuted
    for item, run, values in _judged_cells(layout, answers, judged, "reason"):
        if counts[item, run, JUDGED]:
            counts[item, run, CHECKED] = 1
            counts[item, run, RELIABLE] = all(value == "yes" for value in values.values())
    for item, run, values in _judged_cells(layout, answers, judged, "error"):
        if not counts[item, run, RIGHT]:
            counts[item, run, FIRST_ERROR + ERROR_TYPES.index(values["error_type"])] = 1
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
    due = judged[name].due_in(len(layout.items), len(answers.runs))
    items = {identifier: index for index, identifier in enumerate(layout.items)}
    runs = {run: index for index, run in enumerate(answers.runs)}
    return [
        (items[identifier], runs[run], values)
        for (identifier, run), values in judged[name].values.items()
        if identifier in items and run in runs and due[items[identifier], runs[run]]
    ]


def tables(
    _layout: ItemIndex,
    answers: AnswerTable,
    counts: NDArray[np.float64],
    judged: Mapping[str, Annotations],
) -> dict[str, Table]:
    """Make the error tables: by answers over all wrong pairs, by the heuristic, and by hand where a sheet came back.

    Parameters
    ----------
    _layout, answers, counts, judged : as `Config.tables` takes them
        The statistics say it all, and ``judged`` whether a sheet came back.

    Returns
    -------
    dict of str to Table
        ``errors`` (classes of answers, counts a run), ``errors-auto`` (the paper's four types by the documented
        heuristic, reversed apart) and, with a filled sheet, ``error_types`` (the form of the paper's Table 5).

    References
    ----------
    SDAK, section 5.1, Table 5.
    """
    runs, sums = answers.runs, counts.sum(axis=0)
    by_answer = {name: sums[:, column] for name, column in CLASSES.items()}
    by_heuristic = {
        "not_follow-auto": sums[:, NOT_FOLLOWED],
        "sycophancy-auto": sums[:, BOTH_CORRECT] - sums[:, RESTATED],
        "safety-auto": sums[:, BOTH_INCORRECT],
        "misinterpretation-auto": sums[:, RESTATED],
        "reversed": sums[:, REVERSED],
    }
    made = {
        "errors": _shares("Wrong pairs by their two answers", by_answer, runs),
        "errors-auto": _shares(f"Wrong pairs by error type, told by {HEURISTIC}", by_heuristic, runs),
    }
    if "error" in judged:
        by_hand = {name: sums[:, FIRST_ERROR + index] for index, name in enumerate(ERROR_TYPES)}
        made["error_types"] = _shares("Error types of the wrong pairs that a person judged (Table 5)", by_hand, runs)
    return made


verdict = first_counted(PAIRS, (("right", RIGHT), *CLASSES.items()))


def _shares(title: str, counts: Mapping[str, NDArray[np.float64]], runs: Sequence[int]) -> Table:
    total = sum(column.sum() for column in counts.values())
    rows = [
        (name, *(int(count) for count in column), float(100 * column.sum() / total) if total else None)
        for name, column in counts.items()
    ]
    return Table(title, ("class", *(f"run {run}" for run in runs), "percent"), tuple(rows))
