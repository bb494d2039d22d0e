"""TCMD: questions of the licensing examination for traditional Chinese medicine, also with permuted options."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from medzh_score.benchmark.columns import COUNTED, ID, TEXT, one_of, options
from medzh_score.benchmark.config import Config
from medzh_score.benchmark.figures import Plot
from medzh_score.benchmark.layout import Asked
from medzh_score.benchmark.option_letters import gold_place
from medzh_score.benchmark.record_layout import ItemARecord
from medzh_score.benchmark.rules import OURS, Rule
from medzh_score.benchmark.second_readers import Reads
from medzh_score.benchmark.variants import order_of, variants_of
from medzh_score.configs.tcmd import statistics as metrics
from medzh_score.configs.tcmd.exam import LETTERS, REALMS, SUBJECTS, TYPES
from medzh_score.configs.tcmd.prompts import DECODING, MEDZH_ZH_1, MEDZH_ZH_1_COT, asker
from medzh_score.configs.tcmd.questions import shown_alone
from medzh_score.configs.tcmd.reading.groups import Part, Side, read
from medzh_score.configs.tcmd.tables import tables
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.layout import Layout, Record


def layout(records: Sequence[Record]) -> Layout:
    """Make an item of each sub-question and a unit of each group."""
    _check_positions(sorted(records, key=itemgetter("group_id", "position")))
    made = ItemARecord(
        {"realm": [realm.name for realm in REALMS], "subject": list(SUBJECTS), "type": TYPES},
        facts={"gold": partial(gold_place, letters=LETTERS), "options": _size},
        unit="group_id",
        within="position",
    )
    return made(records)


def _size(record: Record) -> int:
    return len(record["options"])


def _check_positions(rows: Sequence[Record]) -> None:
    """Refuse two sub-questions in one place of a group: answers to a group are told apart by the places."""
    for row, following in pairwise(rows):
        if (row["group_id"], row["position"]) == (following["group_id"], following["position"]):
            problem = f"records {row['id']} and {following['id']} stand in one place of group {row['group_id']}"
            raise MedzhError(problem, field="position", expected="one record in each", found=row["position"])


def asked(records: Sequence[Record], questions: Layout) -> list[Asked]:
    """Let each group be asked as a whole, and each sub-question of a group alone."""
    groups: list[list[int]] = [[] for _ in range(int(questions.units[-1]) + 1)]
    for unit, (member,) in zip(questions.units.tolist(), questions.members.tolist(), strict=True):
        groups[unit].append(member)
    return [one for members in groups for one in _asked(records, members)]


def _asked(records: Sequence[Record], members: list[int]) -> list[Asked]:
    variants = variants_of(frozenset(len(records[member]["options"]) for member in members))
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
