"""The prompts of CMHE-HD: the one that the paper prints, in English only, and a Chinese one of ours."""

from __future__ import annotations

from medzh_score.benchmark.prompts import PromptTemplate
from medzh_score.ui.i18n import _

# The paper prints [Single-round dialogue] where the dialogue goes; how its turns are marked is not shown.
DIALOGUE = "患者：{question}\n医生：{response}"
PAPER_1 = PromptTemplate(
    name="paper-1",
    text="You are a medical AI assistant. Read the following dialog to determine whether the doctor's answers contain "
    f"untrue or misleading information.\n{DIALOGUE}\nAnswer: [Yes/No]",
    printed_in=_("Section 3.1, in English only; the texts that introduce the two turns were written for medzh"),
    completion_prefix="\nAnswer:",
)
MEDZH_ZH_1 = PromptTemplate(
    name="medzh-zh-1",
    text=f"你是一名医学人工智能助手。请阅读下面的对话，判断医生的回答是否包含不真实或有误导性的信息。\n\n{DIALOGUE}\n\n"
    "请先只用“是”或“否”作答：包含不真实或有误导性的信息答“是”，不包含答“否”。",
    printed_in=_("Not printed: the authors' Chinese prompt is not in the paper; this prompt was written for medzh"),
    completion_prefix="\n\n答案：",
)

# Section 4.2, for all models.
GENERATION_KWARGS = {"temperature": 0.5, "top_p": 0.7, "top_k": 200, "repetition_penalty": 1.1}


YES, NO = "Yes", "No"  # Yes: the doctor's answer contains untrue or misleading information
ANSWERS = (YES, NO)
# In the order of the paper's Table 2.
PARTITIONS = ("generated", "tampered", "correct")
# Of a rebuild without models: never beside the paper's generated and tampered ones.
BY_RULE = "tampered-by-rule"
HALLUCINATED = frozenset({"generated", "tampered", BY_RULE})

_PARTITION_NAMES = {
    **{name: name for name in (*PARTITIONS, BY_RULE)},
    "生成": "generated",
    "modified": "tampered",  # the caption of Table 2
    "篡改": "tampered",
    "正确": "correct",
}
_ANSWER_NAMES = {"yes": YES, "是": YES, "有": YES, "no": NO, "否": NO, "没有": NO, "无": NO}


def gold(partition: str) -> str:
    """Give the right answer of a partition.

    Examples
    --------
    >>> gold("tampered"), gold("correct")
    ('Yes', 'No')
    """
    return YES if partition in HALLUCINATED else NO


def partition_named(text: str) -> str:
    """Give a partition its name in our records; an unknown text comes back as it is."""
    return _PARTITION_NAMES.get(text.strip().lower(), text)


def answer_named(text: str) -> str:
    """Give a label its name in our records; an unknown text comes back as it is."""
    return _ANSWER_NAMES.get(text.strip().lower(), text)
