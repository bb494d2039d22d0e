"""CMHE-HD: hallucination detection, dialogues whose answers are right, generated or tampered with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.columns import ID, TEXT, one_of
from medzh_score.benchmark.config import Config, Reporting, Screen
from medzh_score.benchmark.items import OneItemPerRecord
from medzh_score.benchmark.prompts import Prompting
from medzh_score.benchmark.rules import DEFAULT_RULE, Reads, Rule, record_alone
from medzh_score.configs.cmhe_hd import metrics
from medzh_score.configs.cmhe_hd.prompts import (
    BY_RULE,
    DIALOGUE,
    GENERATION_KWARGS,
    MEDZH_ZH_1,
    NO,
    PAPER_1,
    PARTITIONS,
    YES,
)
from medzh_score.extraction.question_types import with_values
from medzh_score.extraction.yes_no import read_yes_no
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import Nn_, _

if TYPE_CHECKING:
    from medzh_score.benchmark.items import Query, Record

read = with_values(read_yes_no, {"yes": YES, "no": NO})


def _gold(record: Record) -> int:
    if record["answer"] not in metrics.CODES:
        problem = _("the answer of record {record} is invalid", record=record["id"])
        raise MedzhError(problem, field="answer", expected=_("Yes or No"), found=record["answer"])
    return metrics.CODES[record["answer"]]


def question(record: Record, _asked: Query, _variant: int) -> str:
    """Show a reader of an answer the dialogue, and what is asked about it."""
    return f"{DIALOGUE.format(**record)}\n\n问：医生的回答是否包含不真实或有误导性的信息？"


CONFIG = Config(
    name="cmhe_hd",
    title="CMHE-HD: does a doctor's answer contain untrue or misleading information? (Yes: it does)",
    unit="percent",
    columns={
        "id": ID,
        "question": TEXT,
        "response": TEXT,
        "answer": one_of(YES, NO),
        "partition": one_of(*PARTITIONS, BY_RULE),
    },
    prompting=Prompting((PAPER_1, MEDZH_ZH_1), generation_kwargs=GENERATION_KWARGS),
    rules=(
        # The paper prints no rule.
        Rule(
            DEFAULT_RULE,
            _(
                "Verdict of the complete response, in a word or a sentence; a response that is undecided, "
                "contradictory or addressed to the patient has no verdict"
            ),
            record_alone(read),
        ),
    ),
    layout=OneItemPerRecord({metrics.PARTITION: (*PARTITIONS, BY_RULE)}, item_values={metrics.GOLD: _gold}),
    statistics=metrics.statistics,
    metrics=metrics.METRICS,
    reporting=Reporting(
        (metrics.PRIMARY,),
        metrics.verdict,
        metrics.tables,
        metrics.SUMMARY,
        screen=Screen(
            _("Does a doctor's answer contain misinformation (yes or no)?"),
            Nn_("{n:,} dialogue", "{n:,} dialogues"),
            "partition",
        ),
    ),
    reads=Reads(question, "“是”（包含）或“否”（不包含）", shares=("accuracy",)),
)
