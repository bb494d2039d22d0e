"""The public names for configs in other packages; `dataset_scripts.authoring` has those for building the data.

Import only from this module: names in other modules can change without notice.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from medzh_score.benchmark.answers import Answer, AnswerTable, Reading, Span, first_counted
from medzh_score.benchmark.columns import ANY_TEXT, COUNTED, ID, TEXT, TEXT_OR_NONE, TEXTS, Holds, one_of, options
from medzh_score.benchmark.config import Config, Reporting, Screen, Table, no_tables
from medzh_score.benchmark.items import ItemIndex, OneItemPerRecord, Query, one_query_per_record
from medzh_score.benchmark.metrics import Metric, ratio, share
from medzh_score.benchmark.prompts import (
    LETTERS,
    FilledPrompt,
    PromptBuilder,
    Prompting,
    PromptSettings,
    PromptTemplate,
    gold_letters,
    gold_place,
    lettered,
    numbered,
    one_a_record,
    with_fields,
)
from medzh_score.benchmark.rules import DEFAULT_RULE, Reads, Rule, record_alone
from medzh_score.benchmark.stages import JudgeSpec, Stage
from medzh_score.extraction import (
    asks_for_wrong,
    read_diagnosis,
    read_groups,
    read_letters,
    read_score,
    read_verdict,
    read_yes_no,
    whole_text,
)
from medzh_score.extraction.question_types import (
    HOW,
    SHOWN,
    QuestionType,
    QuestionTypes,
    letters,
    pairs,
    true_false,
    with_values,
)
from medzh_score.io.paths import package_file
from medzh_score.stats import formulas, overlap_metrics
from medzh_score.stats.overlap_metrics import REFERENCE
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medzh_score.benchmark.items import Record

__all__ = [
    "ANY_TEXT",
    "COUNTED",
    "DEFAULT_RULE",
    "ID",
    "LETTERS",
    "TEXT",
    "TEXTS",
    "TEXT_OR_NONE",
    "Answer",
    "AnswerTable",
    "Config",
    "FilledPrompt",
    "Holds",
    "ItemIndex",
    "JudgeSpec",
    "MedzhError",
    "Metric",
    "OneItemPerRecord",
    "PromptBuilder",
    "PromptSettings",
    "PromptTemplate",
    "Prompting",
    "Query",
    "QuestionType",
    "Reading",
    "Reads",
    "Reporting",
    "Rule",
    "Screen",
    "Span",
    "Stage",
    "Table",
    "asks_for_wrong",
    "first_counted",
    "gold_letters",
    "gold_place",
    "lettered",
    "letters",
    "no_tables",
    "numbered",
    "one_a_record",
    "one_of",
    "one_query_per_record",
    "open_config",
    "options",
    "package_file",
    "pairs",
    "question_config",
    "ratio",
    "read_diagnosis",
    "read_groups",
    "read_letters",
    "read_score",
    "read_verdict",
    "read_yes_no",
    "record_alone",
    "share",
    "true_false",
    "with_fields",
    "with_values",
]
COLUMNS = {"question": ANY_TEXT, "options": TEXTS, "parts": TEXTS}
LONGEST_COMMON = "R-L-F"  # the primary metric of open questions
OVERLAP = Reporting(
    (LONGEST_COMMON,),
    overlap_metrics.verdict,
    summary_metrics=overlap_metrics.SUMMARY,
    item_metrics=overlap_metrics.ITEM_METRICS,
    signature_entries=overlap_metrics.signature_entries,
)
QUESTION = PromptTemplate(
    "ours-zh-1", f"{{{SHOWN}}}\n\n{{{HOW}}}", _("Not printed; written for medzh"), completion_prefix="\n\n答案："
)


def open_config(name: str, title: str, prompts: tuple[PromptTemplate, ...], **others: object) -> Config:
    """Declare a benchmark of open questions whose answers are compared with a reference by BLEU and ROUGE.

    The primary metric is F of ROUGE-L. Pooled unigrams without a brevity penalty, as in PeMeBench, would favor answers
    of a single word.

    Parameters
    ----------
    name, title, prompts : str, str and tuple of PromptTemplate
        As in `Config`.
    **others : object
        Attributes of `Config` that replace the defaults of this form.
    """
    rules = (
        Rule(
            DEFAULT_RULE,
            _("Response without reasoning and without text after the model's own answer"),
            record_alone(whole_text.own),
            whole=True,
        ),
        Rule("raw", _("Complete response, unchanged"), record_alone(whole_text.raw), whole=True),
    )
    config = Config(
        name=name,
        title=title,
        unit="percent",
        columns={"id": ID, "answer": TEXT},
        prompting=Prompting(prompts),
        rules=rules,
        layout=OneItemPerRecord(item_texts={REFERENCE: lambda record: (record["answer"],)}),
        statistics=overlap_metrics.statistics,
        metrics=overlap_metrics.METRICS,
        reporting=OVERLAP,
    )
    return replace(config, **others)  # type: ignore[arg-type] # its attributes


def question_config(  # noqa: PLR0913 - the differences between benchmarks of this form
    name: str,
    title: str,
    kinds: Mapping[str, QuestionType],
    *,
    prompts: tuple[PromptTemplate, ...] = (QUESTION,),
    rule: str = DEFAULT_RULE,
    breakdowns: Mapping[str, Sequence[str]] | None = None,
    weight: Callable[[Record], int] | None = None,
    generation_kwargs: Mapping[str, float] | None = None,
    private: bool = False,
) -> Config:
    """Declare a benchmark of closed questions.

    Parameters
    ----------
    name, title : str
        As in `Config`.
    kinds : mapping of str to QuestionType
        The question types, made by `true_false`, `letters` and `pairs`, by the value of the field ``kind`` of a
        record. The records need the fields in `QuestionType.columns`.
    prompts : tuple of PromptTemplate
        Templates with ``{shown}`` (the question with its options), ``{how}`` (the answer format of its type) and any
        field of the record.
    rule : str
        The name of the extraction rule. A package with its own question type names its own rule.
    breakdowns : mapping of str to sequence of str, optional
        The groups, in order, of each breakdown field besides ``kind``.
    weight : callable, optional
        A function from a record to its weight, an integer of at least 1. It adds the metric ``weighted accuracy``.
    generation_kwargs : mapping, optional
        The generation settings of the paper.
    private : bool
        As in `Config`.

    Returns
    -------
    Config
        A config with primary metric ``accuracy`` in percent. The built-in rule adds fallback extraction and audits.

    Raises
    ------
    ValueError
        If ``rule`` is the built-in rule and a question type is not built in.
    """
    if rule == DEFAULT_RULE and not all(kind.ours for kind in kinds.values()):
        raise ValueError(f"a custom question type requires a custom rule: {DEFAULT_RULE} does not support it")
    known = QuestionTypes(kinds)
    labels = {**known.labels, **(breakdowns or {})}
    return Config(
        name=name,
        title=title,
        unit="percent",
        columns=_columns(known, labels),
        prompting=Prompting(prompts, with_fields(known.fields), generation_kwargs or {}),
        rules=(_rule(known, rule),),
        layout=_layout(known, labels, weight),
        queries=known.asked,
        statistics=formulas.statistics,
        metrics=(formulas.ACCURACY, formulas.WEIGHTED) if weight else (formulas.ACCURACY,),
        reporting=Reporting((formulas.PRIMARY,), formulas.verdict),
        reads=_reads(known) if rule == DEFAULT_RULE else None,
        private=private,
    )


def _columns(known: QuestionTypes, labels: Mapping[str, Sequence[str]]) -> dict[str, Holds]:
    """Return the columns that the records need."""
    return {
        "id": ID,
        "answer": TEXT,
        **{column: COLUMNS.get(column, TEXT) for column in known.columns},
        **{column: one_of(*words) for column, words in labels.items()},
    }


def _rule(known: QuestionTypes, name: str) -> Rule:
    summary = _("Answer of the complete response, extracted according to the question type")
    return Rule(name, summary, record_alone(known.read))


def _layout(
    known: QuestionTypes, labels: Mapping[str, Sequence[str]], weight: Callable[[Record], int] | None
) -> OneItemPerRecord:
    """Return the items with their groups, weights and gold answers."""
    return OneItemPerRecord(
        labels,
        item_values={formulas.WEIGHT: partial(_whole, weight)} if weight else {},
        item_texts={formulas.GOLD: lambda record: (known.gold(record),)},
    )


def _reads(known: QuestionTypes) -> Reads:
    """Return the texts for fallback extraction and the audit."""
    return Reads(
        lambda record, _asked, _variant: known.fields(record)[SHOWN], known.written, shares=(formulas.PRIMARY,)
    )


def _whole(weight: Callable[[Record], int], record: Record) -> int:
    """Return the weight of a record, which is a positive integer."""
    found = weight(record)
    if not isinstance(found, int) or found < 1:
        problem = _("the weight of record {record} is invalid", record=quotable(record["id"]))
        raise MedzhError(problem, field="weight", expected=_("an integer of at least 1"), found=found)
    return found
