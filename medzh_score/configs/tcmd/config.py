"""TCMD: questions of the licensing examination for traditional Chinese medicine, also with permuted options."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.columns import COUNTED, ID, TEXT, one_of, options
from medzh_score.benchmark.config import Config
from medzh_score.benchmark.figures import Plot
from medzh_score.benchmark.layout import Asked, Layout
from medzh_score.benchmark.rules import OURS, Rule
from medzh_score.benchmark.second_readers import Reads
from medzh_score.benchmark.variants import Variants, order_of
from medzh_score.configs.tcmd import statistics as metrics
from medzh_score.configs.tcmd.exam import LETTERS, REALMS, SUBJECTS, TYPES
from medzh_score.configs.tcmd.prompts import DECODING, MEDZH_ZH_1, MEDZH_ZH_1_COT, asker
from medzh_score.configs.tcmd.questions import shown_alone
from medzh_score.configs.tcmd.reading.groups import Part, Side, read
from medzh_score.configs.tcmd.tables import tables
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.layout import Record


def layout(records: Sequence[Record]) -> Layout:
    """Make an item of each sub-question and a unit of each group, by id: intervals must not depend on an order."""
    order = sorted(range(len(records)), key=lambda index: (records[index]["group_id"], records[index]["position"]))
    rows = [records[index] for index in order]
    groups = [row["group_id"] for row in rows]
    _check_positions(rows)
    starts = [index == 0 or groups[index - 1] != group for index, group in enumerate(groups)]
    return Layout(
        items=tuple(row["id"] for row in rows),
        members=np.array(order, np.int64)[:, np.newaxis],
        units=np.cumsum(starts) - 1,
        groups={name: [row[name] for row in rows] for name in ("realm", "subject", "type")},
        orders={"realm": [realm.name for realm in REALMS], "subject": list(SUBJECTS), "type": TYPES},
        facts={
            "gold": np.array([_gold(row) for row in rows], np.int64),
            "options": np.array([len(row["options"]) for row in rows], np.int64),
        },
    )


def _check_positions(rows: Sequence[Record]) -> None:
    """Refuse two sub-questions in one place of a group: answers to a group are told apart by the places."""
    for row, following in pairwise(rows):
        if (row["group_id"], row["position"]) == (following["group_id"], following["position"]):
            problem = f"records {row['id']} and {following['id']} stand in one place of group {row['group_id']}"
            raise MedzhError(problem, field="position", expected="one record in each", found=row["position"])


def _gold(record: Record) -> int:
    place = LETTERS.find(record["answer"])
    if not 0 <= place < len(record["options"]):
        expected = " or ".join(LETTERS[: len(record["options"])])
        problem = f"the answer of record {record['id']} is none of its options"
        raise MedzhError(problem, field="answer", expected=expected, found=record["answer"])
    return place


def asked(records: Sequence[Record], questions: Layout) -> list[Asked]:
    """Let each group be asked as a whole, and each sub-question of a group alone."""
    groups: list[list[int]] = [[] for _ in range(int(questions.units[-1]) + 1)]
    for unit, members in zip(questions.units, questions.members, strict=True):
        groups[unit].append(int(members[0]))
    return [one for members in groups for one in _asked(records, members)]


def _asked(records: Sequence[Record], members: list[int]) -> list[Asked]:
    sizes = {len(records[member]["options"]) for member in members}
    variants = Variants(max(sizes), shifts_only=len(sizes) > 1)
    parts = [Part(tuple(records[member]["options"]), records[member]["question"]) for member in members]
    group = records[members[0]]["group_id"]
    whole = Asked(group, tuple(members), Side(tuple(parts), variants.size), variants)
    if len(members) == 1:
        return [whole]
    alone = [
        Asked(records[member]["id"], (member,), Side((part,), variants.size), variants, part_of=group)
        for member, part in zip(members, parts, strict=True)
    ]
    return [whole, *alone]


def question(record: Record, one: Asked, variant: int) -> str:
    """Show a reader of an answer one question, its options in the order in which they were asked."""
    return shown_alone(record, order_of(variant, len(record["options"]), one.variants.size))


CONFIG = Config(
    name="tcmd",
    title="TCMD: the licensing examination for traditional Chinese medicine; do answers survive permuted options?",
    unit="fraction",
    columns={
        "id": ID,
        "group_id": ID,
        "position": COUNTED,
        "type": one_of(*TYPES),
        "realm": one_of(*(realm.name for realm in REALMS)),
        "subject": one_of(*SUBJECTS),
        "question": TEXT,
        "options": options(2, len(LETTERS)),
        "answer": one_of(*LETTERS),
    },
    prompts=(MEDZH_ZH_1, MEDZH_ZH_1_COT),
    decoding=DECODING,
    rules=(
        Rule(
            OURS,
            "the one option to which all that the response commits itself to agrees, after the last correction",
            read,
        ),
    ),
    layout=layout,
    asker=asker,
    asked=asked,
    statistics=metrics.statistics,
    metrics=metrics.METRICS,
    tables=tables,
    verdict=metrics.verdict,
    headline="accuracy",
    plots=(
        Plot(
            "ensemble",
            "accuracy of the vote over permuted options by threshold of consistency (Figure 2)",
            table="ensemble",
            x="threshold",
            y="accuracy",
            run="run",
            level="accuracy",
        ),
    ),
    reads=Reads(question, "所选选项的字母（如“B”）", shares=("accuracy", "group-exact")),
    icl=("paper", "same-type"),
    shots=3,
    right=metrics.right_answers,
)
