"""What the two choice sets of PeMeBench's Table 4 have in common: how they are read and scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.benchmark.columns import ID, TEXT, distinct, options
from medzh_score.benchmark.config import Config
from medzh_score.benchmark.layout import Asked
from medzh_score.benchmark.record_layout import ItemARecord
from medzh_score.benchmark.rules import OURS, Rule, record_alone
from medzh_score.benchmark.second_readers import Reads
from medzh_score.configs.pemebench import choice_statistics as metrics
from medzh_score.configs.pemebench.choice_prompts import DECODING, MEDZH_ZH_1, SEVERAL, asker, shown, wording
from medzh_score.extraction import bare
from medzh_score.extraction.letters import asks_for_wrong, read_letters
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.layout import Layout, Record
    from medzh_score.benchmark.reading import Reading

KINDS = ("single", "several")


def _kind(record: Record) -> str:
    return KINDS[len(record["answer"]) > 1]


def _gold(record: Record) -> int:
    letters = metrics.LETTERS[: len(record["options"])]
    if not record["answer"] or [*record["answer"]] != sorted({*record["answer"]} & {*letters}):
        problem = f"the answer of record {record['id']} is none of its options"
        expected = f"letters of {letters} in their order, each once"
        raise MedzhError(problem, field="answer", expected=expected, found=record["answer"])
    return metrics.bits(record["answer"])


@dataclass(frozen=True)
class Side:
    """What the rules know of a question; ``several`` is said of its set, ``wrong`` of what does not hold."""

    options: tuple[str, ...]
    several: bool
    wrong: bool


def asked(records: Sequence[Record], _questions: Layout) -> list[Asked]:
    """Let each question be asked by itself."""
    several = wording(record["answer"] for record in records) == SEVERAL
    return [
        Asked(record["id"], (index,), Side(tuple(record["options"]), several, asks_for_wrong(record["question"])))
        for index, record in enumerate(records)
    ]


def read(text: str, side: Side) -> Reading:
    """Read the options to which a response commits itself."""
    return read_letters(text, side.options, several=side.several, wrong=side.wrong)


def read_bare(text: str, side: Side) -> Reading:
    """Read a text that is letters and nothing else."""
    return bare.read(text, side.options)


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
                record_alone(read),
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
