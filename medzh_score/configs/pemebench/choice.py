"""What each choice question of PeMeBench's Table 4 contributes: right with just the right letters, else wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.answers import first_counted
from medzh_score.benchmark.columns import ID, TEXT, distinct, options
from medzh_score.benchmark.config import Config, Reporting, Screen, Table
from medzh_score.benchmark.items import OneItemPerRecord, Query
from medzh_score.benchmark.metrics import Columns, Metric, share
from medzh_score.benchmark.prompts import Prompting, PromptTemplate, gold_letters, lettered, with_fields
from medzh_score.benchmark.rules import DEFAULT_RULE, Reads, Rule, record_alone
from medzh_score.extraction import whole_text
from medzh_score.extraction.question_types import options_of, read_options
from medzh_score.ui.i18n import N_, Nn_, _, joined
from medzh_score.ui.numbers import share_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from medzh_score.benchmark.answers import Answer, AnswerTable, Reading
    from medzh_score.benchmark.items import ItemIndex, Record
    from medzh_score.benchmark.prompts import PromptBuilder, PromptSettings
    from medzh_score.benchmark.stages import Annotations
    from medzh_score.extraction.question_types import OptionContext


LETTERS = "ABCDE"
GOLD = "gold"  # the fact of an item: its right letters as a number, A the lowest bit


class ChoiceColumns(Columns):
    """What is counted of a question; it is of just one of the classes behind ``items``."""

    items: int
    right: int
    too_few: int
    too_many: int
    wrong: int
    no_answer: int


C = ChoiceColumns


CLASSES = {
    "right": C.right,
    "too few": C.too_few,
    "too many": C.too_many,
    "wrong": C.wrong,
    "no answer": C.no_answer,
}

PRIMARY = "accuracy"
METRICS = (
    Metric(
        PRIMARY,
        _(
            "Share of questions answered with exactly the correct letters; an answer with missing or extra letters is "
            "incorrect"
        ),
        share(C.right, C.items, 100.0),
        C.items,
        _("no question was counted"),
    ),
)


def bits(letters: str) -> int:
    """Write a set of letters as a number.

    Examples
    --------
    >>> bits("A"), bits("CA"), bits("ABCDE")
    (1, 5, 31)
    """
    return sum(1 << LETTERS.index(letter) for letter in set(letters))


def _code(answer: Answer) -> int:
    return 0 if answer.value is None else bits(answer.value)


def statistics(layout: ItemIndex, answers: AnswerTable, _judged: Mapping[str, Annotations]) -> NDArray[np.float64]:
    """Count, for each question and run, whether it is right, and how it is wrong (PeMeBench, section 3.1.3 (1))."""
    found = answers.codes(_code)[layout.members[:, 0], :, 0].astype(np.int64)
    gold = layout.item_values[GOLD][:, np.newaxis]
    common = found & gold
    made = np.zeros((*found.shape, C.width))
    made[..., C.items] = 1
    made[..., C.right] = found == gold
    made[..., C.too_few] = (found != 0) & (common == found) & (found != gold)
    made[..., C.too_many] = (common == gold) & (found != gold)
    made[..., C.no_answer] = found == 0
    made[..., C.wrong] = 1 - made[..., C.right : C.too_many + 1].sum(axis=-1) - made[..., C.no_answer]
    return made


def tables(
    _layout: ItemIndex, answers: AnswerTable, counts: NDArray[np.float64], _judged: Mapping[str, Annotations]
) -> dict[str, Table]:
    """Count the answers by what became of them."""
    sums = counts.sum(axis=0)
    rows = tuple(
        (run, *(int(sums[index, column]) for column in CLASSES.values())) for index, run in enumerate(answers.runs)
    )
    title = "Answers: exactly the correct letters, too few, too many, other letters, no answer"
    return {"answers": Table(title, ("run", *CLASSES), rows)}


ANSWERED = {  # the classes as the short report names them
    "right": N_("{share}% correct"),
    "too few": N_("{share}% with too few letters"),
    "too many": N_("{share}% with too many letters"),
    "wrong": N_("{share}% incorrect"),
    "no answer": N_("{share}% unparsed"),
}


def screen_lines(made: Mapping[str, Table]) -> list[str]:
    """State how the answers of all runs are distributed."""
    table = made["answers"]
    counts = {
        name: sum(int(row[place] or 0) for row in table.rows) for place, name in enumerate(table.columns) if place
    }
    total = sum(counts.values())
    parts = [_(ANSWERED[name], share=share_text(count, total)) for name, count in counts.items() if count]
    return [_("answers: {parts}", parts=joined(parts))] if parts else []


verdict = first_counted(C.items, tuple(CLASSES.items()))


MEDZH_ZH_1 = PromptTemplate(
    name="medzh-zh-1",
    text="以下是医学考试中的儿科选择题，{scope}。\n\n{shown}\n\n{how}",
    printed_in=_(
        "Not printed: section 3.2.2 mentions a template that prescribes the form of replies; this template was written "
        "for medzh"
    ),
    completion_prefix="\n\n答案：",
)
SINGLE = {"scope": "只有一个正确选项", "how": "请只回答正确选项的字母，不要解释。"}
SEVERAL = {
    "scope": "正确选项可能有一个，也可能有多个",
    "how": "请只回答正确选项的字母，不要解释；有多个正确选项时，按顺序写出全部字母。",
}


def wording(answers: Iterable[str]) -> Mapping[str, str]:
    """Choose what is said of the number of right options: that several may be right only where the set has such."""
    return SEVERAL if any(len(answer) > 1 for answer in answers) else SINGLE


def shown(question: str, options: Sequence[str]) -> str:
    """Show a question with its lettered options."""
    return f"{question}\n{lettered(options)}"


def prompt_of(question: str, options: Sequence[str], words: Mapping[str, str]) -> str:
    """Write the default prompt for one question."""
    return MEDZH_ZH_1.fill(shown=shown(question, options), **words)


def builder(records: Sequence[Record], asking: PromptSettings) -> PromptBuilder:
    """Ask each question by itself, with its options, and say how many may be right."""
    words = wording(record["answer"] for record in records)
    return with_fields(lambda row: {"shown": shown(row["question"], row["options"]), **words})(records, asking)


KINDS = ("single", "several")


def _kind(record: Record) -> str:
    return KINDS[len(record["answer"]) > 1]


def _gold(record: Record) -> int:
    return bits(gold_letters(record, LETTERS))


def queries(records: Sequence[Record], _questions: ItemIndex) -> list[Query]:
    """Let each question be asked by itself."""
    several = wording(record["answer"] for record in records) == SEVERAL
    return [Query(one["id"], (index,), options_of(one, several=several)) for index, one in enumerate(records)]


def read_bare(text: str, side: OptionContext) -> Reading:
    """Read a text that is letters and nothing else."""
    return whole_text.read(text, side.texts)


def shown_question(record: Record, _asked: Query, _variant: int) -> str:
    """Show a reader of an answer the question with its options."""
    return shown(record["question"], record["options"])


def choice_config(name: str, title: str, question: str) -> Config:
    """Declare a choice set."""
    return Config(
        name=name,
        title=title,
        unit="percent",
        columns={"id": ID, "question": TEXT, "options": distinct(options(2, len(LETTERS))), "answer": TEXT},
        prompting=Prompting((MEDZH_ZH_1,), builder),
        rules=(
            Rule(
                DEFAULT_RULE,
                _("Options (letters or texts) on which all answers in the response agree"),
                record_alone(read_options),
            ),
            Rule(
                "letters-only",
                _(
                    "The letters, if the text consists only of letters; used for the strict column of the "
                    "paper, for which the paper states no rule"
                ),
                record_alone(read_bare),
            ),
        ),
        layout=OneItemPerRecord({"right options": KINDS}, labels={"right options": _kind}, item_values={GOLD: _gold}),
        queries=queries,
        statistics=statistics,
        metrics=METRICS,
        reporting=Reporting(
            (PRIMARY,),
            verdict,
            tables,
            screen=Screen(question, Nn_("{n:,} question", "{n:,} questions"), "right options", lines=screen_lines),
        ),
        reads=Reads(shown_question, "所选的全部字母（如“B”或“ACD”）", (DEFAULT_RULE, "letters-only"), (PRIMARY,)),
    )
