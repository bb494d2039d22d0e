"""What each dialogue of CMHE-HD contributes, and its metrics: Yes says that the doctor's answer is hallucinated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import first_counted
from medzh_score.benchmark.config import Table
from medzh_score.benchmark.metrics import Columns, Metric, of_open, ratio, share
from medzh_score.configs.cmhe_hd.prompts import BY_RULE, NO, PARTITIONS, YES
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer, AnswerTable
    from medzh_score.benchmark.items import ItemIndex
    from medzh_score.benchmark.stages import Annotations


GOLD = "gold"  # the fact of an item: SAID_YES or SAID_NO
PARTITION = "partition"
NONE, SAID_YES, SAID_NO = range(3)
CODES = {YES: SAID_YES, NO: SAID_NO}


class DialogueColumns(Columns):
    """What is counted of a dialogue."""

    items: int
    right: int
    yes_said: int
    no_said: int
    yes_gold: int
    no_gold: int
    yes_right: int
    no_right: int


C = DialogueColumns


def _balanced(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    mean: NDArray[np.float64] = (ratio(C.yes_right, C.yes_gold)(sums) + ratio(C.no_right, C.no_gold)(sums)) * 50.0
    return mean


def _f1(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    both = sums[..., C.yes_said] + sums[..., C.yes_gold]
    defined = sums[..., C.yes_gold] != 0
    return np.where(defined, 200.0 * sums[..., C.yes_right] / np.where(defined, both, 1.0), np.nan)


METRICS = (
    Metric(
        "accuracy",
        _("Share of dialogues answered correctly: Yes for generated and tampered dialogues, No for correct dialogues"),
        share(C.right, C.items, 100.0),
        C.items,
        _("no dialogue was counted"),
    ),
    Metric(
        "Balanced accuracy",
        _(
            "Mean of two shares: hallucinated dialogues answered Yes, and correct dialogues answered No; a constant "
            "answer scores 50%"
        ),
        _balanced,
        C.items,
        _("requires both hallucinated and correct dialogues"),
        ends=of_open({}, {C.yes_right: C.yes_gold, C.no_right: C.no_gold}),
    ),
    Metric(
        "F1 on Yes",
        _("2 TP / (Yes answers + hallucinated dialogues): harmonic mean of precision and recall for the answer Yes"),
        _f1,
        C.yes_gold,
        _("no dialogue is hallucinated"),
        of_answers=True,  # half of it: who answers Yes less often has less to divide by
        ends=of_open(
            {C.yes_said: C.no_gold},
            {C.yes_said: C.yes_gold, C.yes_right: C.yes_gold},
        ),
    ),
    Metric(
        "Yes-rate",
        _("Share of dialogues answered Yes, correctly or not; it shows the tendency of a model and is not a score"),
        share(C.yes_said, C.items, 100.0),
        C.items,
        _("no dialogue was counted"),
        direction=None,
    ),
)
PRIMARY = "accuracy"
SUMMARY = (PRIMARY, "Yes-rate")


def statistics(layout: ItemIndex, answers: AnswerTable, _judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each dialogue and run, what the metrics sum (CMHE, sections 3.1 and 5.1).

    What cannot be read and what is missing is neither Yes nor No, and so not right in any partition.
    """
    said = answers.codes(_code)[layout.members[:, 0], :, 0]
    gold = np.broadcast_to(layout.item_values[GOLD][:, np.newaxis], said.shape)
    made = np.zeros((*said.shape, C.width))
    made[..., C.items] = 1
    made[..., C.right] = said == gold
    made[..., C.yes_said], made[..., C.no_said] = said == SAID_YES, said == SAID_NO
    made[..., C.yes_gold], made[..., C.no_gold] = gold == SAID_YES, gold == SAID_NO
    made[..., C.yes_right] = made[..., C.right] * made[..., C.yes_gold]
    made[..., C.no_right] = made[..., C.right] * made[..., C.no_gold]
    return made


def _code(answer: Answer) -> int:
    return NONE if answer.value is None else CODES[answer.value]


def tables(
    layout: ItemIndex, answers: AnswerTable, counts: NDArray[np.float64], _judged: Mapping[str, Annotations]
) -> dict[str, Table]:
    """Make the paper's Table 2, and count the answers by partition."""
    labels = np.asarray(layout.groups[PARTITION])
    parts = {name: counts[labels == name].sum(axis=0) for name in _columns(labels)}
    shares = {name: ratio(C.right, C.items, 100.0)(sums) for name, sums in {**parts, "all": counts.sum(axis=0)}.items()}
    heads = tuple(name.capitalize() for name in shares)
    accuracy = tuple((run, *(_cell(part[place]) for part in shares.values())) for place, run in enumerate(answers.runs))
    said: list[tuple[str | int, ...]] = [
        (
            name,
            run,
            int(sums[place, C.yes_said]),
            int(sums[place, C.no_said]),
            _neither(sums[place]),
        )
        for name, sums in parts.items()
        for place, run in enumerate(answers.runs)
    ]
    return {
        "table_2": Table("Accuracy by partition (%), in the layout of Table 2 of the paper", ("run", *heads), accuracy),
        "answers": Table(
            "Answers by partition (Yes: the doctor's answer is hallucinated)",
            ("partition", "run", "Yes", "No", "neither"),
            tuple(said),
        ),
    }


def _columns(labels: NDArray[np.str_]) -> tuple[str, ...]:
    """Name the partitions of the paper, and that of rules where there is one."""
    return (*PARTITIONS, BY_RULE) if BY_RULE in labels else PARTITIONS


def _cell(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def _neither(sums: NDArray[np.float64]) -> int:
    return int(sums[C.items] - sums[C.yes_said] - sums[C.no_said])


# What is not right and says Yes is of a sound dialogue, and what says No of a hallucinated one.
verdict = first_counted(
    C.items,
    (("right", C.right), ("false alarm", C.yes_said), ("missed", C.no_said)),
    _("no answer"),
)
