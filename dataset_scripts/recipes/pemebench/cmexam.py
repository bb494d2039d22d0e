"""The pediatric questions of CMExam (PeMeBench, Table 4): what can be built of them, and how."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dataset_scripts.card_metadata import CardMetadata
from dataset_scripts.recipes.banks.choice_questions import read_cmexam
from dataset_scripts.recipes.pemebench.selecting import Selecting, dataset_of
from medzh_score.configs.pemebench.choice_prompts import prompt_of, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipes.banks.questions import Question


def choice_prompts(questions: Sequence[Question]) -> list[str]:
    """Write the default prompts of a set; whether several options may be right is said of all of it or of none."""
    words = wording(question.answer for question in questions)
    return [prompt_of(question.text, question.options, words) for question in questions]


DATASET = dataset_of(
    Selecting(
        config="pemebench_cmexam",
        reading=Path(__file__).with_name("pemebench_cmexam_reading.json"),
        bank="CMExam",
        prefix="pmcmexam",
        # The paper took the test set (section 3.1.2).
        readers=dict.fromkeys(("cmexam-test", "cmexam-val", "cmexam-val-xlsx"), read_cmexam),
        unpinned=(),
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
