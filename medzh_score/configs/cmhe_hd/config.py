"""CMHE-HD: hallucination detection, dialogues whose answers are right, generated or tampered with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.columns import ID, TEXT, one_of
from medzh_score.benchmark.config import Config
from medzh_score.benchmark.items import OneItemPerRecord, one_query_per_record
from medzh_score.benchmark.prompts import one_a_record
from medzh_score.benchmark.rules import DEFAULT_RULE, Reads, Rule, record_alone
from medzh_score.configs.cmhe_hd import metrics
from medzh_score.configs.cmhe_hd.prompts import BY_RULE, DECODING, DIALOGUE, MEDZH_ZH_1, NO, PAPER_1, PARTITIONS, YES
from medzh_score.extraction.question_types import with_values
from medzh_score.extraction.yes_no import read_yes_no
from medzh_score.ui.errors import MedzhError

if TYPE_CHECKING:
    from medzh_score.benchmark.items import Query, Record

read = with_values(read_yes_no, {"yes": YES, "no": NO})


def _gold(record: Record) -> int:
    if record["answer"] not in metrics.CODES:
        problem = f"the answer of record {record['id']} is neither Yes nor No"
        raise MedzhError(problem, field="answer", expected="Yes or No", found=record["answer"])
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
    prompts=(PAPER_1, MEDZH_ZH_1),
    decoding=DECODING,
    rules=(
        # The paper prints no rule.
        Rule(
            DEFAULT_RULE,
            "what the whole response commits itself to, in a word or a sentence; what is open, contradictory or said as"
            " if to the patient is none",
            record_alone(read),
        ),
    ),
    layout=OneItemPerRecord({metrics.PARTITION: (*PARTITIONS, BY_RULE)}, item_values={metrics.GOLD: _gold}),
    asker=one_a_record,
    asked=one_query_per_record,
    statistics=metrics.statistics,
    metrics=metrics.METRICS,
    tables=metrics.tables,
    verdict=metrics.verdict,
    primary_metrics=(metrics.HEADLINE,),
    reads=Reads(question, "“是”（包含）或“否”（不包含）", shares=("accuracy",)),
    shown=metrics.SHOWN,
)
