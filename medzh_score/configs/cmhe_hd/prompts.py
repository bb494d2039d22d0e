"""The prompts of CMHE-HD: the one that the paper prints, in English only, and a Chinese one of ours."""

from __future__ import annotations

from medzh_score.benchmark.prompts import Prompt

# The paper prints [Single-round dialogue] where the dialogue goes; how its turns are marked is not shown.
DIALOGUE = "患者：{question}\n医生：{response}"
PAPER_1 = Prompt(
    name="paper-1",
    text="You are a medical AI assistant. Read the following dialog to determine whether the doctor's answers contain "
    f"untrue or misleading information.\n{DIALOGUE}\nAnswer: [Yes/No]",
    printed_in="section 3.1, in English only; the marks of the two turns are ours",
    lead="\nAnswer:",
)
MEDZH_ZH_1 = Prompt(
    name="medzh-zh-1",
    text=f"你是一名医学人工智能助手。请阅读下面的对话，判断医生的回答是否包含不真实或有误导性的信息。\n\n{DIALOGUE}\n\n"
    "请先只用“是”或“否”作答：包含不真实或有误导性的信息答“是”，不包含答“否”。",
    printed_in="nowhere: the Chinese wording of the authors is not printed; this one is ours",
    lead="\n\n答案：",
)

# Section 4.2, for all models.
DECODING = {"temperature": 0.5, "top_p": 0.7, "top_k": 200, "repetition_penalty": 1.1}
