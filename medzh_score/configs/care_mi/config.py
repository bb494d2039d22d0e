"""CARE-MI: misinformation in long answers on maternity and infant care, scored by people or judge models."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from medzh_score.benchmark.asking import one_a_record
from medzh_score.benchmark.columns import ANY_TEXT, ID, TEXT, TEXTS, one_of
from medzh_score.benchmark.config import Config
from medzh_score.benchmark.figures import Scatter
from medzh_score.benchmark.layout import Asked
from medzh_score.benchmark.question_split import held_out
from medzh_score.benchmark.record_layout import ItemARecord
from medzh_score.benchmark.rounds import Respondent, Round
from medzh_score.benchmark.rules import OURS, Rule, record_alone
from medzh_score.benchmark.signed_rule import signed_rule
from medzh_score.configs.care_mi import statistics as metrics
from medzh_score.configs.care_mi.prompts import DECODING, JUDGE_DECODING, PAPER_1, evidence_fields, judge_prompts
from medzh_score.configs.care_mi.ratings import ASPECTS, signed_raters
from medzh_score.configs.care_mi.reading import true_false as care_mi_tf
from medzh_score.configs.care_mi.reading.scores import SCORE, score_reader
from medzh_score.configs.care_mi.tables import HELD_OUT, tables
from medzh_score.configs.care_mi.words import SOURCES, TYPES, guide
from medzh_score.extraction import whole_text
from medzh_score.statistics.formulas.overlap_counts import with_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medzh_score.benchmark.layout import Layout, Record
    from medzh_score.benchmark.reading import Reading

SUMMARIES = {
    "correctness": "is the answer relevant and factually correct? a score from 0 to 1 (Tables 4 and 7)",
    "interpretability": "does the answer explain how it came to its conclusion? a score from 0 to 1 (Tables 5 and 7)",
}


def with_claim(
    read: Callable[[str, object], Reading],
) -> Callable[[str, care_mi_tf.Claim | None], Reading]:
    """Make a rule that also notes whether the answer to a yes-or-no question agrees with its claim."""

    def noted(text: str, claim: care_mi_tf.Claim | None) -> Reading:
        found = read(text, None)
        if claim is None or found.value is None:
            return found
        return found._replace(note=care_mi_tf.read(text, claim))

    return noted


def layout(records: Sequence[Record]) -> Layout:
    """Make an item and a unit of each question; a part of them is held out, to test judges on."""
    tested = held_out({row["id"]: texts_of_question(row) for row in records})

    def is_tested(record: Record) -> bool:
        return record["id"] in tested

    facts = {metrics.IS_TF: _is_tf, HELD_OUT: is_tested}
    return ItemARecord({"source": SOURCES, "type": TYPES}, facts=facts, texts={metrics.STATEMENTS: _statements})(
        records
    )


def _is_tf(record: Record) -> bool:
    return bool(record["type"] == "tf")


def _statements(record: Record) -> tuple[str, str]:
    return record["true_statement"], record["false_statement"]


def texts_of_question(record: Record) -> list[str]:
    """Name the texts by which two questions belong together, such as a claim that is asked about twice."""
    return [record[name] for name in ("question", "context", "true_statement", "false_statement")]


def asked(records: Sequence[Record], _questions: Layout) -> list[Asked]:
    """Let each question be asked by itself; of a yes-or-no question the rules know the claim."""
    return [Asked(record["id"], (index,), claim_of(record)) for index, record in enumerate(records)]


def claim_of(record: Record) -> care_mi_tf.Claim | None:
    """Say what a yes-or-no question claims; None of an open one."""
    return care_mi_tf.Claim(record["true_statement"]) if _is_tf(record) else None


def context_of(aspect: str) -> Callable[[Sequence[Record], Sequence[str]], Mapping[str, str]]:
    """Make what is shown of an answer in the round of an aspect."""
    bands = guide(aspect)

    def context(members: Sequence[Record], texts: Sequence[str]) -> Mapping[str, str]:
        (record,) = members
        return {
            "question": record["question"],
            "reference": record["true_statement"],
            "evidence": "\n".join(record["evidence"]),
            **evidence_fields(record["evidence"]),
            **({"answer": texts[0]} if texts else {}),
            "guide": bands,
        }

    return context


def _round(aspect: str) -> Round:
    return Round(
        aspect,
        SUMMARIES[aspect],
        {aspect: SCORE},
        with_text,
        context_of(aspect),
        None,
        (metrics.RATED[aspect],),
        model=Respondent(
            judge_prompts(aspect),
            score_reader(aspect),
            JUDGE_DECODING,
        ),
        strata="source",
        many=True,
        signed_by=partial(signed_raters, aspect=aspect),
        blind=True,
        unshown=tuple(evidence_fields(())),
    )


CONFIG = Config(
    name="care_mi",
    title="CARE-MI: long answers on maternity and infant care; are they correct, and do they explain themselves?",
    unit="fraction",
    columns={
        "id": ID,
        "question": TEXT,
        "type": one_of(*TYPES),
        "source": one_of(*SOURCES),
        "context": ANY_TEXT,
        "true_statement": TEXT,
        "false_statement": TEXT,
        "evidence": TEXTS,
    },
    prompts=(PAPER_1,),
    decoding=DECODING,
    rules=(
        Rule(
            "raw",
            "the whole text as it came: the paper's raters saw no other",
            record_alone(with_claim(whole_text.raw)),
            whole=True,
        ),
        Rule(
            OURS,
            "the text without thinking and what follows the model's own answer",
            record_alone(with_claim(whole_text.own)),
            whole=True,
        ),
    ),
    layout=layout,
    asker=one_a_record,
    asked=asked,
    statistics=metrics.statistics,
    metrics=metrics.METRICS,
    tables=tables,
    verdict=metrics.verdict,
    rounds=tuple(map(_round, ASPECTS)),
    plots=(
        Scatter("r2", "correctness against interpretability, a point a model (Figure 4)", *ASPECTS),
        Scatter(
            "r2-judge",
            "the same by judge models, not by people (in the place of Figure 4)",
            *(f"{aspect}-judge" for aspect in ASPECTS),
        ),
    ),
    headline=metrics.HEADLINE,
    shown=metrics.SHOWN,
    item_metrics=metrics.ITEM_METRICS,
    signed=lambda: {"tf": signed_rule(OURS)},
)
