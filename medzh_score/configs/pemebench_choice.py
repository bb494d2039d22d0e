"""What the two choice sets of PeMeBench's Table 4 have in common: how they are read and scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.config import Asked, Config, Layout, Rule, record_alone
from medzh_score.errors import MedzhError
from medzh_score.extraction import choice_lenient, choice_simple
from medzh_score.extraction.choice_side import ChoiceSide
from medzh_score.metrics import pemebench_choice as metrics
from medzh_score.prompts.pemebench_choice import DECODING, MEDZH_ZH_1, asker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.config import Record

KINDS = ("single", "several")


def layout(records: Sequence[Record]) -> Layout:
    """Make an item and a unit of each question, by id: intervals must not depend on an order."""
    order = sorted(range(len(records)), key=lambda index: records[index]["id"])
    rows = [records[index] for index in order]
    return Layout(
        items=tuple(row["id"] for row in rows),
        members=np.array(order, np.int64)[:, np.newaxis],
        units=np.arange(len(rows)),
        groups={"right options": [KINDS[len(row["answer"]) > 1] for row in rows]},
        orders={"right options": KINDS},
        facts={metrics.GOLD: np.array([_gold(row) for row in rows], np.int64)},
    )


def _gold(record: Record) -> int:
    letters = metrics.LETTERS[: len(record["options"])]
    if not record["answer"] or not set(record["answer"]) <= set(letters):
        raise MedzhError(
            "the answer is none of the options", field="answer", found=record["id"], advice="build it again"
        )
    return metrics.bits(record["answer"])


def asked(records: Sequence[Record], _questions: Layout) -> list[Asked]:
    """Let each question be asked by itself; the rules know its options."""
    return [Asked(record["id"], (index,), ChoiceSide(tuple(record["options"]))) for index, record in enumerate(records)]


def choice_config(name: str, title: str) -> Config:
    """Declare a choice set.

    Parameters
    ----------
    name : str
        The config's name.
    title : str
        One line on what it measures.
    """
    return Config(
        name=name,
        title=title,
        unit="percent",
        columns=("id", "options", "answer"),
        prompts=(MEDZH_ZH_1,),
        decoding=DECODING,
        rules=(
            Rule(
                "simple-1",
                "letters at the beginning or right after 答案 or 选, by a simple expression, nothing in doubt; ours, as"
                " the paper prints none",
                record_alone(choice_simple.read),
                record_alone(choice_simple.explain),
            ),
            Rule(
                "lenient-1",
                "the last answer that is committed to, letters or texts of options, as a careful reader would take it",
                record_alone(choice_lenient.read),
            ),
        ),
        layout=layout,
        asker=asker,
        asked=asked,
        statistics=metrics.statistics,
        metrics=metrics.METRICS,
        tables=metrics.tables,
        verdict=metrics.verdict,
    )
