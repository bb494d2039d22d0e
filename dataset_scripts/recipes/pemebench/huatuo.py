"""The pediatric questions of Huatuo-26M (PeMeBench, Table 4): what can be built of them, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.card_metadata import CardMetadata
from dataset_scripts.recipes.pemebench.huatuo_reader import read_huatuo
from dataset_scripts.recipes.pemebench.subset import SubsetSpec, dataset_of
from medzh_score.configs.pemebench.prompts import huatuo_prompt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipes.banks.questions import Question


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
