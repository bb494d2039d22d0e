"""What a judge wrote: entities in the form that was asked for, a verdict as any yes or no; the rest is unreadable."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.configs.pemebench.reading.judgements import entities_of, read_entities, read_opposed

YES, NO, UNREADABLE = "yes", "no", None

VERDICTS = [
    # As asked for.
    ("结论：有", YES),
    ("结论：无", NO),
    ("回答把每日两次写成每日六次，与标准答案矛盾。\n结论：有", YES),
    ("两者一致，只是少写了预防措施。\n\n结论：无\n", NO),
    ("依据：剂量不同。\r\n结论：有\r\n", YES),
    # Other widths, bold type, a stop and space around change nothing.
    ("结论:有", YES),
    ("结论: 无", NO),
    ("  结论：无。  ", NO),
    ("**结论：有**", YES),
    ("**结论**：无", NO),
    ("结论：**有**。", YES),
    # Thinking that is closed, and a token that ends the turn.
    ("<think>先看剂量。\n结论：有</think>\n没有矛盾。\n结论：无", NO),
    ("结论：有\n还要再想</think>两者一致。\n结论：无", NO),
    ("两者一致。\n结论：无<|im_end|>", NO),
    ("结论：有<|im_end|>\n<|im_start|>user\n结论：无", YES),
    # The words of the prompt quoted on the way, and the same conclusion twice.
    ("按要求，最后一行写“结论：有”或“结论：无”。两者一致。\n结论：无", NO),
    ("结论：有\n理由：剂量相差十倍。\n结论：有", YES),
    ("回答自称“结论：无”，但剂量与标准答案矛盾。\n结论：有", YES),
    # In words of its own, as any question is answered with yes or no.
    ("有", YES),
    ("无", NO),
    ("没有对立的内容。", NO),
    ("两者一致，结论：无", NO),
    ("结论：\n无", NO),
    ("结论 无", NO),
    ("“结论：无”", NO),
    ("结论：无\n以上判断仅供参考。", NO),
    ("结论：有（轻微）", YES),
    ("结论：没有", NO),
    ("结论：存在", YES),
    ("结论：存在对立的内容。", YES),
    ("结论：是", YES),
    ("结論：無", NO),
    ("Conclusion: yes", YES),
    ("结论：yes", YES),
    ("结论：No", NO),
    ('{"结论": "无"}', NO),
    # Corrected, and says so.
    ("结论：无\n重新检查后发现剂量不同。\n结论：有", YES),
    # Thinking that is never closed.
    ("<think>两者一致。\n结论：无", UNREADABLE),
    # Nothing.
    ("", UNREADABLE),
    (" \n\t", UNREADABLE),
    ("<think>两者一致。</think>", UNREADABLE),
    # No conclusion, or one that is not drawn.
    ("回答与标准答案一致。", UNREADABLE),
    ("不能得出结论：有", UNREADABLE),
    ("结论", UNREADABLE),
    ("结论：", UNREADABLE),
    # Only mentioned.
    ("最后一行应写“结论：有”或“结论：无”。", UNREADABLE),
    ("请写结论：有", UNREADABLE),
    # Both, and contradictory.
    ("结论：有/无", UNREADABLE),
    ("结论：有或无", UNREADABLE),
    ("结论：有无", UNREADABLE),
    ("结论：有，结论：无", UNREADABLE),
    ("结论：有\n结论：无", UNREADABLE),
    ("结论：存在对立的内容。\n结论：无", UNREADABLE),
    ("结论：不确定\n结论：有", UNREADABLE),
    ("结论：有\n不过也可以算没有。", UNREADABLE),
    # Hedged.
    ("结论：可能有", UNREADABLE),
    ("结论：基本无", UNREADABLE),
    ("结论：无？", UNREADABLE),
    ("结论：不确定", UNREADABLE),
    ("很抱歉，我无法判断医学内容。", UNREADABLE),
]

LISTS = [
    # As asked for.
    ('["麻疹病毒", "呼吸道"]', "麻疹病毒；呼吸道"),
    ('["口服补液盐"]', "口服补液盐"),
    ("[]", "无"),
    ("[ ]", "无"),
    ('["无"]', "无"),
    (' \n["发热",\n "皮疹"]\n', "发热；皮疹"),
    ('["发热", "发热"]', "发热；发热"),
    ('["\\u53d1\\u70ed"]', "发热"),
    # A fence, thinking that is closed, a token that ends the turn.
    ('```json\n["发热"]\n```', "发热"),
    ('```JSON\n["发热"]```', "发热"),
    ('```\n["发热"]\n```', "发热"),
    ("```json\n[]\n```", "无"),
    ('<think>找出症状["咳嗽"]</think>\n["发热"]', "发热"),
    ('<think>好</think>\n```json\n["发热"]\n```\n', "发热"),
    ('["发热"]<|im_end|>', "发热"),
    # A separator inside becomes a space: it is as little looked at as that is.
    ('["0.3 mg；每日2次"]', "0.3 mg 每日2次"),
    ('["甲;\\n乙", "丙"]', "甲 乙；丙"),
    # Anything else.
    ("", UNREADABLE),
    ("   ", UNREADABLE),
    ("无", UNREADABLE),
    ("发热、皮疹", UNREADABLE),
    ("发热；皮疹", UNREADABLE),
    ("1. 发热\n2. 皮疹", UNREADABLE),
    ('关键实体如下：["发热"]', UNREADABLE),
    ('["发热"]\n以上是全部实体。', UNREADABLE),
    ('["发热"] ["皮疹"]', UNREADABLE),
    ('["发热"]\n["皮疹"]', UNREADABLE),
    ('说明\n```json\n["发热"]\n```', UNREADABLE),
    ('```json\n["发热"]\n```\n说明', UNREADABLE),
    ('```json\n["发热"]', UNREADABLE),
    ('```json ["发热"]```', UNREADABLE),
    ('```python\n["发热"]\n```', UNREADABLE),
    ('```json\n["发热"]\n```\n```json\n["皮疹"]\n```', UNREADABLE),
    ('["发热", "皮疹"', UNREADABLE),
    ('["发热", ]', UNREADABLE),
    ("['发热']", UNREADABLE),
    ("[发热]", UNREADABLE),
    ('["发热", ""]', UNREADABLE),
    ('["发热", " \\u3000"]', UNREADABLE),
    ('["；"]', UNREADABLE),
    ('["发热", "无"]', UNREADABLE),
    ('["发热", 39]', UNREADABLE),
    ('["发热", null]', UNREADABLE),
    ('[["发热"]]', UNREADABLE),
    ('{"entities": ["发热"]}', UNREADABLE),
    ('"发热"', UNREADABLE),
    ("null", UNREADABLE),
    ("[" * 100_000, UNREADABLE),
    ('["\ud800"]', UNREADABLE),
    ('["发热\x00"]', UNREADABLE),
    ('<think>["发热"]', UNREADABLE),
    ('<think>["发热"]</think>', UNREADABLE),
    ("很抱歉，我无法回答。", UNREADABLE),
]


@pytest.mark.parametrize(("text", "verdict"), VERDICTS, ids=lambda value: repr(value)[:40])
def test_a_conclusion_is_read_only_where_there_is_one(text, verdict):
    assert read_opposed(text, {}) == (None if verdict is None else {"opposed": verdict})


@pytest.mark.parametrize(("text", "value"), LISTS, ids=lambda value: repr(value)[:40])
def test_a_list_is_read_only_where_there_is_one(text, value):
    assert read_entities(text, {}) == (None if value is None else {"entities": value})


PIECES = ["结论：有", "结论：无", "结论：", "有", "无", "\n", "\n", "**", "。", " ", "没", "有", "发热"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_lines_that_conclude_agree_with_what_is_read(text):
    found = read_opposed(text, {})
    lines = [line.replace("*", "").strip(" 。") for line in text.split("\n")]
    concluded = {verdict for line, verdict in (("结论：有", YES), ("结论：无", NO)) if line in lines}
    if len(concluded) > 1:
        assert found is None
    elif found is not None:
        assert concluded <= {found["opposed"]}
        assert {YES: "有", NO: "无"}[found["opposed"]] in text or (found["opposed"], "没" in text) == (NO, True)


@given(st.text())
def test_no_text_breaks_a_reader(text):
    assert read_opposed(text, {}) in (None, {"opposed": "yes"}, {"opposed": "no"})
    found = read_entities(text, {})
    assert found is None or entities_of(found["entities"]) or found["entities"] == "无"


@given(st.lists(st.text("发热皮疹IL-6; ；\n（）", min_size=1).filter(lambda text: text.strip(" ;；\n"))))
def test_what_is_listed_comes_back_with_spaces_for_separators(entities):
    (value,) = read_entities(json.dumps(entities), {}).values()
    plain = [" ".join(entity.replace("；", " ").replace(";", " ").split()) for entity in entities]
    assert [" ".join(entity.split()) for entity in entities_of(value)] == plain


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("无", ()),
        (" 无 ", ()),
        ("发热", ("发热",)),
        ("发热；皮疹", ("发热", "皮疹")),
        ("发热;皮疹；", ("发热", "皮疹")),
        ("发热\n皮疹\r\n咳嗽", ("发热", "皮疹", "咳嗽")),
        ("；；", ()),
        ("无菌；无", ("无菌", "无")),
        ("发热，皮疹", ("发热，皮疹",)),
    ],
)
def test_what_a_person_writes_is_taken_apart(value, expected):
    assert entities_of(value) == expected
