"""The pediatric questions of MedQA (PeMeBench, Table 4): what can be built of them, and how."""

from __future__ import annotations

from dataset_scripts.card_metadata import CardMetadata
from dataset_scripts.recipes.banks.choice_questions import read_medqa
from dataset_scripts.recipes.pemebench.cmexam import choice_prompts
from dataset_scripts.recipes.pemebench.subset import SubsetSpec, dataset_of

DATASET = dataset_of(
    SubsetSpec(
        config="pemebench_medqa",
        bank="MedQA",
        file="Mainland/test.jsonl",
        source="medqa",
        prefix="pmmedqa",
        read=read_medqa,
        prompts=choice_prompts,
        paper=(
            ("the paper, Table 2: MedQA in all its languages", "61,097", "3,844"),
            ("the paper, Table 4: evaluated; 8 of 10 values are of 496", "not stated", "496 (inferred)"),
        ),
        metadata=CardMetadata(
            summary_zh="PeMeBench 论文表 4 的题目之一：从 MedQA 中选出的儿科选择题。选题规则是我们的，不是作者的。",
            task_categories=("question-answering", "multiple-choice"),
            task_ids=("multiple-choice-qa",),
        ),
    )
)
