"""The prompts of CMHE-HD: the one that the paper prints, in English only, and a Chinese one of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.asking import Asker, Question
from medzh_score.benchmark.prompts import Prompt
from medzh_score.benchmark.variants import Variants
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.asking import Asking
    from medzh_score.benchmark.layout import Record

# The paper prints [Single-round dialogue] where the dialogue goes; how its turns are marked is not shown.
DIALOGUE = "患者：{question}\n医生：{response}"
PAPER_1 = Prompt(
    name="paper-1",
    text="You are a medical AI assistant. Read the following dialog to determine whether the doctor's answers contain "
    f"untrue or misleading information.\n{DIALOGUE}\nAnswer: [Yes/No]",
    printed_in="section 3.1, in English only; the marks of the two turns are ours",
)
MEDZH_ZH_1 = Prompt(
    name="medzh-zh-1",
    text=f"你是一名医学人工智能助手。请阅读下面的对话，判断医生的回答是否包含不真实或有误导性的信息。\n\n{DIALOGUE}\n\n"
    "请先只用“是”或“否”作答：包含不真实或有误导性的信息答“是”，不包含答“否”。",
    printed_in="nowhere: the Chinese wording of the authors is not printed; this one is ours",
)
# How a base model is led on to its answer, where the prompt does not end there.
LEADS = {PAPER_1.name: "\nAnswer:", MEDZH_ZH_1.name: "\n\n答案："}

# Section 4.2, for all models.
DECODING = {"temperature": 0.5, "top_p": 0.7, "top_k": 200, "repetition_penalty": 1.1}


def asker(records: Sequence[Record], asking: Asking) -> Asker:
    """Ask about each dialogue by itself, without examples."""
    if asking.shots:
        raise MedzhError("this config has no examples", field="--shots", expected="0", found=asking.shots)
    rows = {record["id"]: record for record in records}

    def ask(identifier: str, _variant: int) -> Question:
        turn = asking.prompt.fill(**rows[identifier])
        return Question((turn,), turn + LEADS.get(asking.prompt.name, ""))

    return Asker(dict.fromkeys(rows, Variants()), ask, {})
