"""PeMeBench: open questions of pediatrics, by overlap with a reference, its key entities, and what opposes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.columns import ID, TEXT, TEXTS_OR_NONE, one_of
from medzh_score.benchmark.config import Config, Radar, Reporting, Screen
from medzh_score.benchmark.items import OneItemPerRecord
from medzh_score.benchmark.prompts import Prompting
from medzh_score.benchmark.rules import DEFAULT_RULE, Rule, record_alone
from medzh_score.benchmark.stages import JudgeSpec, RecordStage, Sampling, Stage
from medzh_score.configs.pemebench import metrics
from medzh_score.configs.pemebench.prompts import (
    ALL_DEPARTMENTS,
    ENTITIES_1,
    HALLUCINATION_1,
    KINDS,
    MEDZH_ZH_1,
    PAPER_1,
    TASKS,
    UNASSIGNED,
    builder,
)
from medzh_score.configs.pemebench.reading import read_entities, read_opposed
from medzh_score.configs.pemebench.tables import length_lines, tables
from medzh_score.extraction import whole_text
from medzh_score.stats import overlap_metrics
from medzh_score.stats.overlap_metrics import REFERENCE, with_text
from medzh_score.ui.i18n import Nn_, _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.benchmark.items import Record

RULES = (
    Rule(
        DEFAULT_RULE,
        _("Response without reasoning and without text after the model's own answer"),
        record_alone(whole_text.own),
        whole=True,
    ),
    Rule(
        "raw",
        _("Complete response, unchanged; the paper mentions no processing"),
        record_alone(whole_text.raw),
        whole=True,
    ),
)


def reference_of(record: Record) -> tuple[str]:
    """Give the text with which a question's answers are compared."""
    return (record["answer"],)


def _entities(record: Record) -> tuple[str, ...]:
    return tuple(record["entities"] or ())


def _extracted(record: Record) -> int:
    return int(record["entities"] is not None)


def context(members: Sequence[Record], texts: Sequence[str]) -> Mapping[str, str]:
    """Show a question and its reference, and the answer where one is asked about."""
    (record,) = members
    shown = {"question": record["question"], "reference": record["answer"]}
    return {**shown, "response": texts[0]} if texts else shown


CONFIG = Config(
    name="pemebench",
    title=(
        "PeMeBench: open questions on pediatrics; does an answer agree with the reference without contradicting it?"
    ),
    unit="percent",
    columns={
        "id": ID,
        "question": TEXT,
        "answer": TEXT,
        "department": one_of(*ALL_DEPARTMENTS),
        "task": one_of(*TASKS, UNASSIGNED),
        "kind": one_of(*KINDS, UNASSIGNED),
        "entities": TEXTS_OR_NONE,
    },
    prompting=Prompting((PAPER_1, MEDZH_ZH_1), builder),  # the paper states no settings (section 3.1)
    rules=RULES,
    layout=OneItemPerRecord(
        {"department": ALL_DEPARTMENTS, "task": (*TASKS, UNASSIGNED), "kind": (*KINDS, UNASSIGNED)},
        item_values={metrics.EXTRACTED: _extracted},
        item_texts={REFERENCE: reference_of, metrics.ENTITIES: _entities},
    ),
    statistics=metrics.statistics,
    metrics=metrics.METRICS,
    stages=(
        RecordStage(
            metrics.ENTITIES,
            _(
                "which key entities does the reference answer contain? Separate them with “；”, and write “无” if "
                "there are none (Recall_entity)"
            ),
            {"entities": ()},
            context,
            (metrics.PemeColumns.from_round,),
            model=JudgeSpec((ENTITIES_1,), read_entities),
            effective_labels=metrics.listed_entities,
        ),
        Stage(
            metrics.HALLUCINATION,
            _("does any part of the answer contradict the reference answer? (Hall_sentence)"),
            {"opposed": ("yes", "no")},
            context,
            (metrics.PemeColumns.verdicts,),
            with_text,
            model=JudgeSpec((HALLUCINATION_1,), read_opposed),
            sampling=Sampling(strata="department"),
        ),
    ),
    reporting=Reporting(
        (metrics.PRIMARY, *metrics.STAND_INS),
        overlap_metrics.verdict,
        tables,
        metrics.SUMMARY,
        metrics.ITEM_METRICS,
        figures=(
            Radar("department", "S_total by department, one line per model (Figure 6)", "department", metrics.PRIMARY),
            Radar("task", "S_total by task, one line per model (in place of Table 5)", "task", metrics.PRIMARY),
        ),
        signature_entries=overlap_metrics.signature_entries,
        screen=Screen(
            _("Do answers on pediatrics agree with the references?"),
            Nn_("{n:,} question", "{n:,} questions"),
            "department",
            dict.fromkeys(("Hall_sentence", *(name for name in metrics.SUMMARY if "S_total" in name)), "hallucination"),
            length_lines,
        ),
    ),
)
