"""The two prompts that the SDAK paper prints, and its decoding settings."""

from __future__ import annotations

from medzh_score.benchmark.asking import Prompt

# The paper's text shows half-width punctuation; the released file has it as here, with two closing quotes around
# the first verdict. What models were sent is the file's form.
PAPER_1 = Prompt(
    name="paper-1",
    text="下列说法是否正确，如果正确，请先回复”正确”，然后给出原因。如果错误，请先回复“错误”，然后给出原因。\n\n{claim}",
    printed_in="section 4.2.1; punctuation as in the released file",
)

PAPER_2 = Prompt(
    name="paper-2",
    text='下列关于医学知识的说法是否正确, 请先输出"正确"或"错误",然后另起一行给出相应的原因。\n\n{claim}',
    printed_in="Appendix B; joined to the claim as the first prompt is",
)

# Appendix C; the number of new tokens stands in the released configuration only.
DECODING = {
    "temperature": 0.3,
    "top_k": 5,
    "top_p": 0.85,
    "repetition_penalty": 1.05,
    "max_new_tokens": 128,
}
