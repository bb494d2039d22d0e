"""What the two choice sets of PeMeBench's Table 4 have in common: how they are read and scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.columns import ID, TEXT, distinct, options
from medzh_score.benchmark.config import Config
from medzh_score.benchmark.layout import Asked
from medzh_score.benchmark.option_letters import gold_letters
from medzh_score.benchmark.record_layout import ItemARecord
from medzh_score.benchmark.rules import OURS, Rule, record_alone
from medzh_score.benchmark.second_readers import Reads
from medzh_score.configs.pemebench import choice_statistics as metrics
from medzh_score.configs.pemebench.choice_prompts import DECODING, MEDZH_ZH_1, SEVERAL, asker, shown, wording
from medzh_score.extraction import bare
from medzh_score.extraction.question_kinds import options_of, read_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.answers import Reading
    from medzh_score.benchmark.layout import Layout, Record
    from medzh_score.extraction.question_kinds import Options

KINDS = ("single", "several")


def _kind(record: Record) -> str:
    return KINDS[len(record["answer"]) > 1]


def _gold(record: Record) -> int:
    return metrics.bits(gold_letters(record, metrics.LETTERS))


def asked(records: Sequence[Record], _questions: Layout) -> list[Asked]:
    """Let each question be asked by itself."""
    several = wording(record["answer"] for record in records) == SEVERAL
    return [Asked(one["id"], (index,), options_of(one, several=several)) for index, one in enumerate(records)]


def read_bare(text: str, side: Options) -> Reading:
    """Read a text that is letters and nothing else."""
    return bare.read(text, side.texts)


def question(record: Record, _asked: Asked, _variant: int) -> str:
    """Show a reader of an answer the question with its options."""
    return shown(record["question"], record["options"])


def choice_config(name: str, title: str) -> Config:
    """Declare a choice set."""
    return Config(
        name=name,
        title=title,
        unit="percent",
        columns={"id": ID, "question": TEXT, "options": distinct(options(2, len(metrics.LETTERS))), "answer": TEXT},
        prompts=(MEDZH_ZH_1,),
        decoding=DECODING,
        rules=(
            Rule(
                OURS,
                "the options, letters or texts, to which all that the response commits itself to agrees",
                record_alone(read_options),
            ),
            Rule(
                "bare",
                "the whole text is letters: the paper's strict column, for which it prints no rule",
                record_alone(read_bare),
            ),
        ),
        layout=ItemARecord({"right options": KINDS}, labels={"right options": _kind}, facts={metrics.GOLD: _gold}),
        asker=asker,
        asked=asked,
        statistics=metrics.statistics,
        metrics=metrics.METRICS,
        tables=metrics.tables,
        verdict=metrics.verdict,
        reads=Reads(question, "所选的全部字母（如“B”或“ACD”）", (OURS, "bare"), (metrics.HEADLINE,)),
        headline=metrics.HEADLINE,
    )
