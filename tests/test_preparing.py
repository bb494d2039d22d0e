"""What is taken off responses before they are read, and that the places of what remains are kept."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from medzh_score.extraction import preparing
from medzh_score.extraction.preparing import locate, prepare

# What it is, the response, what remains; each reading is the description of `prepare`.
TABLE = {
    "plain": ("正确。链霉素可用于炭疽。", "正确。链霉素可用于炭疽。"),
    "empty": ("", ""),
    "white space": (" \n\u3000", ""),
    "thinking": ("<think>正确？</think>\n\n错误", "错误"),
    "thinking, other tags": ("<thinking>A</thinking>B<reasoning>C</reasoning>", "B"),
    "thinking with an attribute": ('<think duration="3">A</think>B', "B"),
    "thinking in thinking": ("<think>A<think>B</think>C</think>D", "D"),
    "an orphan closing tag": ("先看病因。</think>正确", "正确"),
    "unclosed": ("<think>正确", None),
    "unclosed after an answer": ("正确<think>再想想", None),
    "Kimi's tags": ("◁think▷A◁/think▷B", "B"),
    "Magistral's tags": ("[THINK]A[/THINK]B", "B"),
    "MedGemma's tags": ("<unused94>thought\nA<unused95>B", "B"),
    "MedGemma's, unclosed": ("<unused94>thought\nA", None),
    "begin of thought": ("<|begin_of_thought|>A<|end_of_thought|>\n<|begin_of_solution|>B<|end_of_solution|>", "B"),
    "in Chinese": ("【思考】先看病因。【回答】正确", "正确"),
    "in Chinese, closed": ("[思考]先看病因。[/思考]正确", "正确"),
    "in Chinese, the answer announced": ("【思考过程】先看病因。\n【答案】正确", "【答案】正确"),
    "in Chinese, unclosed": ("【思考】先看病因", None),
    "headings": ("## Thinking\n\nA or B?\n\n## Final Response\n\nB", "B"),
    "headings, unclosed": ("## Thinking\n\nA or B?", None),
    "ollama": ("Thinking...\nA?\n...done thinking.\n\nB", "B"),
    "details": ('<details type="reasoning" done="true">\n<summary>Thought</summary>\nA\n</details>\nB', "B"),
    "details that explain": ("正确<details>因为</details>", "正确因为"),
    "gpt-oss": (
        "<|channel|>analysis<|message|>A?<|end|><|start|>assistant<|channel|>final<|message|>B<|return|>",
        "B",
    ),
    "gpt-oss, unclosed": ("<|channel|>analysis<|message|>A?", None),
    "gpt-oss without tokens": ("analysisThe user asks.assistantfinal错误", "错误"),
    "gpt-oss without tokens, unclosed": ("analysisThe user asks", None),
    "analysis as a word": ("analysis: B", "analysis: B"),
    "the end of a turn": ("正确<|im_end|>\n<|im_start|>user\n错误吗", "正确"),
    "the own turn opened": ("<|im_start|>assistant\n正确<|im_end|>", "正确"),
    "the prompt before": ("<|im_start|>user\n对吗？<|im_end|>\n<|im_start|>assistant\n正确<|im_end|>", "正确"),
    "the prompt before, Llama 2": ("<s>[INST] 请判断：错误？ [/INST] 正确 </s>", "正确"),
    "Llama 3": ("<|start_header_id|>assistant<|end_header_id|>\n\n正确<|eot_id|>", "正确"),
    "DeepSeek": ("正确<｜end▁of▁sentence｜>", "正确"),
    "Gemma": ("正确<end_of_turn>\n<start_of_turn>user\n错误", "正确"),
    "Assistant:": ("Assistant: Correct.", "Correct."),
    "助手：": ("助手：正确", "正确"),
    "答：": ("答：正确。", "正确。"),
    "【回答】": ("【回答】正确", "正确"),
    "### Response:": ("### Response:\n正确", "正确"),
    "**回答：**": ("**回答：**错误", "错误"),
    "an answer's label stays": ("答案：B", "答案：B"),
    "a doctor as a word": ("医生应当判断", "医生应当判断"),
    "the question before": ("Q: 感冒会传染吗？\n答：会", "会"),
    "the question before, by a user": ("User: 感冒会传染吗？\nAssistant: 会", "会"),
    "a fence": ("```\n正确\n```", "正确"),
    "a fence with a language": ("```text\nB\n```", "B"),
    "emphasis": ("**正确**，*因为*__这样__。", "正确，因为这样。"),
    "struck out": ("~~正确~~错误", "错误"),
    "a heading": ("### 结论\n正确", "结论\n正确"),
    "lists": ("- 正确\n* 因为\n• 所以\n1. 一", "正确\n因为\n所以\n1. 一"),
    "a quote": ("> 正确", "正确"),
    "a rule": ("正确\n---\n因为", "正确\n\n因为"),
    "a table": ("| 判断 | 正确 |\n|---|:-:|\n| 理由 | 有效 |", "判断：正确\n\n理由：有效"),
    "bars in a line": ("正确|错误", "正确|错误"),
    "HTML": ("<p><b>正确</b><br>因为</p>", "正确\n因为"),
    "a comparison is no tag": ("血压<b值且>a值", "血压<b值且>a值"),
    "entities": ("正确&nbsp;&lt;5", "正确 <5"),
    "a box": (r"$\boxed{A}$", "A"),
    "a box with text": (r"\[\boxed{\text{正确}}\]", "正确"),
    "a box in a sentence": (r"所以答案是 $\boxed{B}$。", "所以答案是 B。"),
    "a box that nothing announces": (r"发热、咳嗽。$\boxed{\text{肺炎}}$", "发热、咳嗽。\n答案：肺炎"),
    "a box, then a reason": (r"\boxed{B} 因为", "答案：B\n 因为"),
    "a box that is not closed": (r"\boxed{B", r"\boxedB"),
    "an element": ("分析……\n<answer>\nB\n</answer>", "分析……\n\n答案：B"),
    "an element alone": ("<think>A</think><answer>B</answer>", "B"),
    "an element that is not closed": ("<answer>B", "B"),
    "JSON": ('{"answer": "B", "reason": "A 不对"}', "B"),
    "JSON in a fence": ('```json\n{"reason": "…", "答案": "正确"}\n```', "正确"),
    "JSON after words": ('结果：\n{"verdict": "错误"}', "结果：\n错误"),
    "JSON between sentences": ('如下。{"verdict": "错误"}谢谢。', "如下。\n答案：错误\n谢谢。"),
    "JSON, nested": ('{"result": {"label": "B"}}', "B"),
    "JSON, wrapped": ('{"output": {"answer": "B"}}', "B"),
    "JSON, a list": ('{"answer": ["A", "C"]}', "A、C"),
    "JSON, a number": ('{"score": 0.80, "reason": "…"}', "0.80"),
    "JSON, true": ('{"is_correct": true}', "true"),
    "JSON, escaped": ('{"answer": "\\u6b63\\u786e"}', "正确"),
    "JSON, two that agree": ('{"answer": "B", "final_answer": "B"}', "B"),
    "JSON, two that disagree": ('{"answer": "B", "choice": "C"}', '"answer": "B", "choice": "C"'),
    "JSON, one key twice": ('{"answer": "B", "answer": "C"}', '"answer": "B", "answer": "C"'),
    "JSON, broken": ('{"answer": "B", "reason": "因为', '"answer": "B", "reason": "因为'),
    "JSON without an answer": ('{"reason": "因为"}', '"reason": "因为"'),
    "JSON, nothing": ('{"answer": null}', ""),
    "JSON, the diagnosis behind the answer": ('{"诊断": "肺炎", "评分": 3}', "肺炎"),
    "JSON, in full width and bold": ('{"answer": "**Ｂ**"}', "B"),
    "full width": ("ＡＢ１２，（）", "AB12，（）"),
    "bold letters": ("𝐁", "B"),
    "circled": ("Ⓑ", "B"),
    "traditional": ("該說法是錯誤的，選對題，準確認為", "该说法是错误的，选对题，准确认为"),
    "traditional, more words": ("我們審視資訊，這是謠言", "我们审视资讯，这是谣言"),
    "no compatibility forms": ("㎎①²", "㎎①²"),
    "without width": ("正\u200b确\ufeff", "正确"),
    "a variation selector": ("✔️", "√"),
    "a tick before words": ("✅ 正确", "正确"),
    "ticks after words": ("A. 肺炎 ❌\nB. 肺结核 ✅", "A. 肺炎 ×\nB. 肺结核 √"),
    "a picture": ("👉正确😀", "正确"),
    "the next question": ("正确\n\n问题：感冒会传染吗\n答案：错误", "正确"),
    "the next turn": ("正确\nUser: 还有呢\nAssistant: 错误", "正确"),
    "the next claim": ("正确\n下列说法是否正确，如果正确……", "正确"),
    "a question is not the next at once": ("\n问题：感冒会传染吗", "问题：感冒会传染吗"),
}


@pytest.mark.parametrize(("text", "remains"), TABLE.values(), ids=TABLE)
def test_table(text, remains):
    assert prepare(text) == remains


PLACES = {
    "emphasis": ("**正确**。", "正确", (2, 4)),
    "thinking": ("<think>错误</think>正确", "正确", (17, 19)),
    "JSON": ('{"reason": "B 好", "answer": "B"}', "B", (29, 30)),
    "a box": (r"所以 $\boxed{\text{错误}}$", "错误", (17, 19)),
    "full width": ("答案：Ｂ", "B", (3, 4)),
    "after CRLF": ("因为\r\n正确", "正确", (4, 6)),
}


@pytest.mark.parametrize(("text", "found", "span"), PLACES.values(), ids=PLACES)
def test_spans_are_of_the_raw_text(text, found, span):
    located = locate(text)
    start = located.text.index(found)
    assert located.span(start, start + len(found)) == span


def test_every_text_of_the_table_keeps_its_places():
    for text, remains in TABLE.values():
        located = locate(text)
        assert (located and located.text) == remains


PIECES = st.sampled_from(
    [
        *"正确错误对選ＡＢ𝐁✅❌Ⓐ\u200b\ufe0f \n\r\t\u3000*_`#~$-+•>{}[]\"':,\\<|",
        *("<think>", "</think>", "◁think▷", "◁/think▷", "[THINK]", "[/THINK]", "【思考】", "【回答】", "<|channel|>"),
        *("final<|message|>", "<|im_start|>", "<|im_end|>", "user\n", "assistant\n", "[INST]", "[/INST]", "</s>"),
        *("\\boxed{", "\\text{", "\\n", "<answer>", "</answer>", '{"answer": "', '"B"', '"}', '", "label": "', "[{"),
        *(
            "```json\n",
            "```",
            "~~",
            "<br>",
            "&nbsp;",
            "---\n",
            "- ",
            "Assistant: ",
            "答：",
            "Q: ",
            "\n问题：",
            "\nUser: ",
        ),
        *(
            "analysisA",
            "assistantfinal",
            "## Thinking\n",
            "\n## Final Response\n",
            "Thinking...\n",
            "...done thinking.",
        ),
        *('<details type="reasoning">', "</details>", "<unused94>", "<unused95>", "。", "，"),
    ]
)
TEXTS = st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=30)


@settings(max_examples=800, deadline=None)
@given(text=TEXTS)
@example(text="")
def test_locating_gives_the_prepared_text_and_places_in_order(text):
    remains, located = prepare(text), locate(text)
    if remains is None:
        assert located is None
        return
    assert located.text == remains
    assert len(located.places) == len(remains)
    assert all(0 <= place < len(text) for place in located.places)
    assert list(located.places) == sorted(located.places)


@settings(max_examples=800, deadline=None)
@given(text=TEXTS)
def test_the_fast_way_changes_nothing(text):
    """Source: all steps in order, without looking whether the text is plain."""
    slow = preparing._Text(text)
    remains = slow.text if preparing._prepared(slow) else None
    assert prepare(text) == remains


@settings(max_examples=300, deadline=None)
@given(text=st.text(st.sampled_from("正确错误链霉素可用于炭疽。，B 1"), max_size=40))
def test_plain_texts_stay(text):
    assert prepare(text) == text.strip()


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "*",
            "<",
            "<think>",
            "<|im_start|>",
            "{",
            '{"',
            '{"answer": ',
            "\\boxed{",
            "<answer>",
            "~~",
            "- ",
            "\n",
            "\n ",
            "`",
        ),
        *(
            " ",
            "&",
            "[",
            "【思考】",
            "答：",
            "Q: ",
            "\nQ",
            "錯",
            "<details reasoning>",
            "\\",
            "Assistant: ",
            "<b a=",
            "~~a",
        ),
    ],
)
@pytest.mark.usefixtures("a_minute_at_most")
def test_a_long_text_is_gone_through(piece):
    prepare(piece * (300_000 // len(piece)))
