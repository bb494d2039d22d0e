"""The prompt of PeMeBench's choice sets, which is ours: the paper prints none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.asking import Prompt, with_fields
from medzh_score.benchmark.option_letters import lettered

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from medzh_score.benchmark.asking import Asker, Asking
    from medzh_score.benchmark.layout import Record

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
