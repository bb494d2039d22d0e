"""CARE-MI's prompts: the question alone, and what judges are asked (Appendix B.6, and the released checkpoints)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.prompts import Prompt

if TYPE_CHECKING:
    from collections.abc import Sequence

PAPER_1 = Prompt(
    name="paper-1",
    text="{question}",
    printed_in="section 4: the questions without any additional instruction, zero-shot, in a single round",
)
# GPT models were asked at temperature 0; one setting stands here, the others' (Appendix B.7).
DECODING: dict[str, float] = {"max_new_tokens": 2048, "temperature": 0.01}
JUDGE_DECODING: dict[str, float] = {"temperature": 0.01}

ASKED = {"correctness": "correct", "interpretability": "interpretable"}
# The README of the released checkpoints leaves [aspect] open; these words are ours.
ASPECT_WORDS = {"correctness": "正确性", "interpretability": "可解释性"}
EVIDENCE_PAPER, EVIDENCE_RELEASED = "evidence_paper", "evidence_released"  # how each puts paragraphs together


def judge_prompts(aspect: str) -> tuple[Prompt, Prompt]:
    """Give the wordings in which a judge model is asked about an aspect, the paper's first.

    Examples
    --------
    >>> [prompt.name for prompt in judge_prompts("correctness")]
    ['paper-1', 'released-1']
    """
    return (
        Prompt(
            name="paper-1",
            text=f"Given question and evidence, judge if the following answer is {ASKED[aspect]}:\n"
            f"Question: {{question}}\nEvidences: {{{EVIDENCE_PAPER}}}\nAnswer: {{answer}}\nYour judgement:",
            printed_in="Appendix B.6, where judges were fine-tuned on it",
        ),
        Prompt(
            name="released-1",
            text=f"听取某AI助手对一个医学问题的回答，并在 {ASPECT_WORDS[aspect]} 方面对其进行打分，不用解释原因。\n"
            f"问题: {{question}}\n参考资料: {{{EVIDENCE_RELEASED}}}\n某AI助手: {{answer}}\n你的评分:",
            printed_in="the README of the checkpoints that the authors released; its word for the aspect is open",
        ),
    )


def evidence_fields(paragraphs: Sequence[str]) -> dict[str, str]:
    """Put paragraphs of evidence together as each wording does: without anything between them, or a space."""
    return {EVIDENCE_PAPER: "".join(paragraphs), EVIDENCE_RELEASED: " ".join(paragraphs)}
