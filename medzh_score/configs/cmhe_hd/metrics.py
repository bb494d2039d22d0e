"""What each dialogue of CMHE-HD contributes, and its metrics: Yes says that the doctor's answer is hallucinated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import first_counted
from medzh_score.benchmark.config import Table
from medzh_score.benchmark.metrics import Metric, of_open
from medzh_score.configs.cmhe_hd.prompts import BY_RULE, NO, PARTITIONS, YES
from medzh_score.stats.formulas import ratio

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

# The columns of the statistics.
ITEMS, RIGHT, YES_SAID, NO_SAID, YES_GOLD, NO_GOLD, YES_RIGHT, NO_RIGHT = range(8)
WIDTH = 8


def _balanced(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    mean: NDArray[np.float64] = (ratio(YES_RIGHT, YES_GOLD)(sums) + ratio(NO_RIGHT, NO_GOLD)(sums)) * 50.0
    return mean


def _f1(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    both = sums[..., YES_SAID] + sums[..., YES_GOLD]
    defined = sums[..., YES_GOLD] != 0
    return np.where(defined, 200.0 * sums[..., YES_RIGHT] / np.where(defined, both, 1.0), np.nan)


METRICS = (
    Metric(
        "accuracy",
        "right answers, of all dialogues; Yes is right for generated and tampered ones, No for correct ones",
        ratio(RIGHT, ITEMS, 100.0),
        ITEMS,
        "no dialogue was counted",
        share=ITEMS,
    ),
    Metric(
        "Balanced accuracy",
        "mean of the share of hallucinated dialogues answered Yes and of sound ones answered No; always one answer: 50",
        _balanced,
        ITEMS,
        "it needs both hallucinated and sound dialogues",
        ends=of_open({}, {YES_RIGHT: YES_GOLD, NO_RIGHT: NO_GOLD}),
    ),
    Metric(
        "F1 on Yes",
        "2 TP / (Yes answers + hallucinated dialogues): harmonic mean of precision and recall of the answer Yes",
        _f1,
        YES_GOLD,
        "no dialogue is hallucinated",
        of_answers=True,  # half of it: who answers Yes less often has less to divide by
        ends=of_open({YES_SAID: NO_GOLD}, {YES_SAID: YES_GOLD, YES_RIGHT: YES_GOLD}),
    ),
    Metric(
        "Yes-rate",
        "answers Yes, of all dialogues, right or wrong: what a model leans to, no score",
        ratio(YES_SAID, ITEMS, 100.0),
        ITEMS,
        "no dialogue was counted",
        share=ITEMS,
        direction=None,
    ),
)
HEADLINE = "accuracy"
SHOWN = (HEADLINE, "Yes-rate")


def statistics(layout: ItemIndex, answers: AnswerTable, _judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each dialogue and run, what the metrics sum.

    Parameters
    ----------
    layout, answers, _judged : as `Config.statistics` takes them
        Dialogues, with the right answer of each as the fact ``gold``; answers are Yes and No. What cannot be read and
        what is missing is neither, and so not right in any partition. There are no later rounds.

    Returns
    -------
    array of float, shape (dialogues, runs, k)

    References
    ----------
    CMHE, sections 3.1 and 5.1.
    """
    said = answers.codes(_code)[layout.members[:, 0], :, 0]
    gold = np.broadcast_to(layout.item_values[GOLD][:, np.newaxis], said.shape)
    made = np.zeros((*said.shape, WIDTH))
    made[..., ITEMS] = 1
    made[..., RIGHT] = said == gold
    made[..., YES_SAID], made[..., NO_SAID] = said == SAID_YES, said == SAID_NO
    made[..., YES_GOLD], made[..., NO_GOLD] = gold == SAID_YES, gold == SAID_NO
    made[..., YES_RIGHT] = made[..., RIGHT] * made[..., YES_GOLD]
    made[..., NO_RIGHT] = made[..., RIGHT] * made[..., NO_GOLD]
    return made


def _code(answer: Answer) -> int:
    return NONE if answer.value is None else CODES[answer.value]


def tables(
    layout: ItemIndex, answers: AnswerTable, counts: NDArray[np.float64], _judged: Mapping[str, Annotations]
) -> dict[str, Table]:
    """Make the paper's Table 2, and count the answers by partition.

    Parameters
    ----------
    layout, answers, counts, _judged : as `Config.tables` takes them
        Dialogues by partition, and their statistics.

    Returns
    -------
    dict of str to Table
        ``table_2``: accuracy in percent by partition and over all dialogues, a row a run; a partition without
        dialogues has no value. ``answers``: how often each run answers Yes, No or neither in each partition.
    """
    labels = np.asarray(layout.groups[PARTITION])
    parts = {name: counts[labels == name].sum(axis=0) for name in _columns(labels)}
    shares = {name: ratio(RIGHT, ITEMS, 100.0)(sums) for name, sums in {**parts, "all": counts.sum(axis=0)}.items()}
    heads = tuple(name.capitalize() for name in shares)
    accuracy = tuple((run, *(_cell(part[place]) for part in shares.values())) for place, run in enumerate(answers.runs))
    said: list[tuple[str | int, ...]] = [
        (name, run, int(sums[place, YES_SAID]), int(sums[place, NO_SAID]), _neither(sums[place]))
        for name, sums in parts.items()
        for place, run in enumerate(answers.runs)
    ]
    return {
        "table_2": Table(
            "Accuracy by partition, in percent, in the form of the paper's Table 2", ("run", *heads), accuracy
        ),
        "answers": Table(
            "Answers by partition; Yes says that the doctor's answer is hallucinated",
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
    return int(sums[ITEMS] - sums[YES_SAID] - sums[NO_SAID])


# What is not right and says Yes is of a sound dialogue, and what says No of a hallucinated one.
verdict = first_counted(ITEMS, (("right", RIGHT), ("false alarm", YES_SAID), ("missed", NO_SAID)), "no answer")
