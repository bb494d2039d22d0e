"""Reasoning and tokens of chats around an answer, in the forms of many servers and models; all texts are made up."""

from __future__ import annotations

from tables import holds

from medzh_score.extraction import read_letters
from medzh_score.extraction.whole_text import answer_in

HARMONY = "<|channel|>analysis<|message|>选A<|end|><|start|>assistant<|channel|>"
# A text, and the answer in it; None where reasoning is never closed.
REMOVED = [
    # Tags of any name that looks like reasoning, in any brackets.
    *((f"<{tag}>选A</{tag}>B", "B") for tag in ("think", "Thinking", "longcat_think", "mm:think", "seed:think")),
    *((f"<{tag}>选A</{tag}>B", "B") for tag in ("antThinking", "inner_monologue", "chain_of_thought", "思考过程")),
    ("<｜START_THINKING｜>选A<｜END_THINKING｜>B", "B"),
    ("<|begin_of_thought|>选A<|end_of_thought|>\n<|begin_of_solution|>B<|end_of_solution|>", "B"),
    ("<|thinking|>选A<|/thinking|>B", "B"),
    ("[THINK]选A[/THINK]B", "B"),
    ("◁think▷选A◁/think▷B", "B"),
    ("<unused94>thought\n选A<unused95>B", "B"),
    ("<|channel>thought\n选A<channel|>B", "B"),
    ("＜think＞选A＜/think＞B", "B"),
    ('<think effort="low">选A</think>B', "B"),
    ("## Thinking\n选A\n## Final Response\nB", "B"),
    ("Thinking...\n选A\n...done thinking.\n\nB", "B"),
    ("Here is my thought process:\n选A\n\nHere is my response:\nB", "B"),
    ("Here's my thought process: 选A", "Here's my thought process: 选A"),
    ("【思考】选A\n【回答】B", "[回答]B".replace("[", "【").replace("]", "】")),
    # Opened, closed, opened again.
    ("选A</think>\n\nB", "B"),
    ("<think>选A</think>\n\nB</think>", "B"),
    ("<think>选A</think>还是A？</think>B", "B"),
    ("<think>选A<think>或B</think>还是A？</think>B", "B"),
    ("<think>选A<think>或B</think>还是A？</think>", ""),
    ("<think>选A</think>", ""),
    ("<think>选A</think><|im_end|>选C", ""),
    ("选A</think>", ""),
    ("<think>选A", None),
    ("<think>选A</think>B<think>再想", None),
    ("<think>选A<|im_end|>", None),
    # Harmony: the final channel wherever it stands, and whatever follows the word.
    (HARMONY + "final<|message|>B<|return|>", "B"),
    (HARMONY + "final <|constrain|>json<|message|>B", "B"),
    (HARMONY + "commentary to=functions.x <|constrain|>json<|message|>{}<|call|>", ""),
    ("<|channel|>final<|message|>B<|return|>" + HARMONY + "final<|message|>C", "B"),
    ("<|channel|>commentary<|message|>选A<|end|>", ""),
    ("<|start|>assistant<|channel|>analysis<|message|>选A", None),
    ("analysisWe choose A.assistantfinalB", "B"),
    ("analysisWe choose A.", None),
    # Tokens of a chat, before and after folding; what follows the end of a turn is another's.
    *((f"B{end}", "B") for end in ("<｜end▁of▁sentence｜>", "<|action_end|>", "<|role_end|>", "<|eot_id|>", "</s>")),
    *((f"B{end}C", "B") for end in ("<｜end▁of▁sentence｜>", "<|im_end|>", "<end_of_turn>", "<turn|>", "[INST]")),
    *((f"{start}B", "B") for start in ("<|assistant|>", "<｜Assistant｜>", "[/INST] ", "<|im_start|>assistant\n")),
    *((f"{start}B", "B") for start in ("<|start_header_id|>assistant<|end_header_id|>\n\n", "<start_of_turn>model\n")),
    ("<|begin_of_box|>B<|end_of_box|>", "B"),
    ("<|im_start|>user\n选什么？<|im_end|>\n<|im_start|>assistant\n<think>A</think>B<|im_end|>", "B"),
    ("<｜User｜>选什么？<｜Assistant｜>B<｜end▁of▁sentence｜><｜User｜>再来", "B"),
    ("B<|im_end|>\n<|im_start|>user\n再来<|im_end|>\n<|im_start|>assistant\n<think>A</think>C", "B"),
    ("【解析】脾主运化。<eot>\n【答案】B <eoa>", "【解析】脾主运化。\n【答案】B <eoa>"),
    ("【答案】B <eoa><eot>\n【答案】C <eoa>", "【答案】B <eoa>"),
]
# What is no sign of a chat stays as it is.
KEPT = (
    *("<b>B</b>", "第一行<br>第二行", "血钾<1.5 mmol/L，pH>7.45", "p<0.05，|r|<0.8", "<A >", "<|B|>", "5<x<|y|"),
    *(
        "<answer>B</answer>",
        "<I think A is right>",
        "[CT]未见异常，[PAD]待排",
        "【答案】B",
        "《中国药典》[思路]A",
        "  B\n",
    ),
    *("<思考过程>：舌红少苔。", '<div class="thinking">B</div>', "# 分析\nB", "analysis of A", "Thinking of it, B"),
    *(
        "| 选项 | <b>对</b> |\n|---|---|",
        "思考：A不对，选B。",
        "<reason>舌红</reason>B",
        "<option_analysis>B</option_analysis>",
    ),
)
UNSEEN = (
    "\u202aB\u202c",
    "\u2066B\u2069",
    "\u2067B",
    "\x00B",
    "\x1b[1mB\x1b[0m",
    "\x1b]0;x\x07B",
    "\u061cB\x7f",
    "B\x9f",
)


def answer(text):
    found = answer_in(text)
    if found is None:
        return None
    assert "".join(text[start:end] for start, end in found.places(0, len(found.text))) == found.text
    return found.text


def test_the_answer_is_what_stands_outside_reasoning_and_tokens():
    holds(REMOVED, answer)


def test_what_is_no_sign_of_a_chat_stays():
    holds([(text, text) for text in KEPT], answer)


def test_marks_and_controls_that_nobody_sees_leave_an_answer_readable():
    rows = [(form.format(text), "B") for text in UNSEEN for form in ("{}", "答案：{}", "**{}**")]
    holds([*rows, ("\x1b[A\x1b[B", None)], lambda text: read_letters(text, None).value)
