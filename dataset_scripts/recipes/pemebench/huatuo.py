"""The pediatric questions of Huatuo-26M (PeMeBench, Table 4): what can be built of them, and how."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from dataset_scripts.card_metadata import CardMetadata
from dataset_scripts.files.json_lines import read_objects
from dataset_scripts.recipes.banks.questions import Question
from dataset_scripts.recipes.pemebench.subset import SubsetSpec, dataset_of
from medzh_score.configs.pemebench.prompts import huatuo_prompt
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


QUESTIONS, ANSWERS = ("questions", "question"), ("answers", "answer")
LINK = re.compile(r"https?://\S+")  # the part from consultations has addresses for answers


def read_huatuo(source: str, file: Path) -> Iterator[Question | str]:
    """Read a file of Huatuo-26M, or why a row is no question.

    One object a line with ``questions`` or ``question`` and ``answers`` or ``answer``: a text, a list of texts, or a
    list of such lists, of which the first text is taken.
    """
    for line, row in read_objects(file):
        wordings = _texts(row, QUESTIONS, file, line)
        answers = _texts(row, ANSWERS, file, line)
        if not wordings:
            yield "no text"
        elif not answers:
            yield "no answer"
        elif LINK.fullmatch(answers[0]):
            yield "link"
        else:
            yield Question(source, wordings[0], answers[0], key=_key(row), spare=len(wordings) + len(answers) - 2)


def _texts(row: dict[str, Any], names: tuple[str, ...], file: Path, line: int) -> list[str]:
    """Give all texts of the first of these fields that the row has, without blanks around them."""
    name = next((name for name in names if name in row), None)
    if name is None:
        expected, found = " or ".join(names), ", ".join(row)
        raise MedzhError("a field is missing", file=file, line=line, field=names[0], expected=expected, found=found)
    flat = list(_flat(row[name]))
    if not all(isinstance(text, str) for text in flat):
        expected = "texts, or lists of them"
        raise MedzhError("is no text", file=file, line=line, field=name, expected=expected, found=row[name])
    return [text.strip() for text in flat if text.strip()]


def _flat(value: Any) -> Iterator[Any]:  # noqa: ANN401 - any JSON value
    if isinstance(value, list):
        for member in value:
            yield from _flat(member)
    elif value is not None:
        yield value


def _key(row: dict[str, Any]) -> str:
    value = row.get("id")
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _prompts(questions: Sequence[Question]) -> list[str]:
    return [huatuo_prompt({"question": question.text}) for question in questions]


DATASET = dataset_of(
    SubsetSpec(
        config="pemebench_huatuo",
        bank="Huatuo-26M",
        file="test_datasets.jsonl",  # the paper took the test set (section 3.1.2)
        source="huatuo",
        prefix="pmhuatuo",
        read=read_huatuo,
        prompts=_prompts,
        paper=(("the paper, Table 2: Huatuo-26M as a whole", "> 26,000,000", "> 30,000"),),
        metadata=CardMetadata(
            summary_zh=(
                "PeMeBench 论文表 4 的题目之一：从 Huatuo-26M 中选出的儿科开放问题。选题规则是我们的，不是作者的。"
            ),
            task_categories=("question-answering",),
            task_ids=("closed-domain-qa",),
        ),
    )
)
