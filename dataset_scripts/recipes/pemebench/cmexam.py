"""The pediatric questions of CMExam (PeMeBench, Table 4): what can be built of them, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.card_metadata import CardMetadata
from dataset_scripts.recipes.banks.choice_questions import read_cmexam
from dataset_scripts.recipes.pemebench.subset import SubsetSpec, dataset_of
from medzh_score.configs.pemebench.choice import prompt_of, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipes.banks.questions import Question


def choice_prompts(questions: Sequence[Question]) -> list[str]:
    """Write the default prompts of a set; whether several options may be right is said of all of it or of none."""
    words = wording(question.answer for question in questions)
    return [prompt_of(question.text, question.options, words) for question in questions]


DATASET = dataset_of(
    SubsetSpec(
        config="pemebench_cmexam",
        bank="CMExam",
        file="test_with_annotations.csv",  # the paper took the test set (section 3.1.2)
        source="cmexam",
        prefix="pmcmexam",
        read=read_cmexam,
        prompts=choice_prompts,
        paper=(
            ("the paper, Table 2: CMExam as a whole", "60,000", "2,936"),
            ("the paper, Table 4: evaluated; 8 of 9 values are of 265", "not stated", "265 (inferred)"),
        ),
        metadata=CardMetadata(
            summary_zh="PeMeBench 论文表 4 的题目之一：从 CMExam 中选出的儿科选择题。选题规则是我们的，不是作者的。",
            task_categories=("question-answering", "multiple-choice"),
            task_ids=("multiple-choice-qa",),
        ),
    )
)
