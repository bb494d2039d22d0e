"""What the two choice sets of PeMeBench's Table 4 have in common: how they are read and scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.asking import Prompt, with_fields
from medzh_score.benchmark.columns import ID, TEXT, distinct, options
from medzh_score.benchmark.config import Config
from medzh_score.benchmark.layout import Asked
from medzh_score.benchmark.option_letters import gold_letters, lettered
from medzh_score.benchmark.record_layout import ItemARecord
from medzh_score.benchmark.rules import OURS, Rule, record_alone
from medzh_score.benchmark.second_readers import Reads
from medzh_score.configs.pemebench import choice_statistics as metrics
from medzh_score.extraction import bare
from medzh_score.extraction.question_kinds import options_of, read_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from medzh_score.benchmark.answers import Reading
    from medzh_score.benchmark.asking import Asker, Asking
    from medzh_score.benchmark.layout import Layout, Record
    from medzh_score.extraction.question_kinds import Options


MEDZH_ZH_1 = Prompt(
    name="medzh-zh-1",
    text="以下是医学考试中的儿科选择题，{scope}。\n\n{shown}\n\n{how}",
    printed_in="nowhere: section 3.2.2 speaks of a template that prescribes the form of replies; this one is ours",
    lead="\n\n答案：",
)
# The paper states no settings.
DECODING: dict[str, float] = {}

SINGLE = {"scope": "只有一个正确选项", "how": "请只回答正确选项的字母，不要解释。"}
SEVERAL = {
    "scope": "正确选项可能有一个，也可能有多个",
    "how": "请只回答正确选项的字母，不要解释；有多个正确选项时，按顺序写出全部字母。",
}


def wording(answers: Iterable[str]) -> Mapping[str, str]:
    """Choose what is said of the number of right options: that several may be right only where the set has such.

    Examples
    --------
    >>> wording(["A", "D"])["scope"], wording(["A", "BD"])["scope"]
    ('只有一个正确选项', '正确选项可能有一个，也可能有多个')
    """
    return SEVERAL if any(len(answer) > 1 for answer in answers) else SINGLE


def shown(question: str, options: Sequence[str]) -> str:
    """Show a question with its lettered options.

    Examples
    --------
    >>> print(shown("前囟最晚闭合的年龄是", ["1岁", "2岁"]))
    前囟最晚闭合的年龄是
    A. 1岁
    B. 2岁
    """
    return f"{question}\n{lettered(options)}"


def prompt_of(question: str, options: Sequence[str], words: Mapping[str, str]) -> str:
    """Write the default prompt for one question."""
    return MEDZH_ZH_1.fill(shown=shown(question, options), **words)


def asker(records: Sequence[Record], asking: Asking) -> Asker:
    """Ask each question by itself, with its options, and say how many may be right."""
    words = wording(record["answer"] for record in records)
    return with_fields(lambda row: {"shown": shown(row["question"], row["options"]), **words})(records, asking)


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
