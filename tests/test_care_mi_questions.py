"""Questions of CARE-MI's rebuilt recipe: by rule, by a model, and never with their answer in them."""

from __future__ import annotations

import pytest

from dataset_scripts.recipes.care_mi.asking import read_tf
from dataset_scripts.recipes.care_mi.questions import NOT_PLAIN, ask_open, ask_tf, open_as_released
from dataset_scripts.recipes.care_mi.true_statements import Statement
from dataset_scripts.rounds.pending import AnswersPending
from dataset_scripts.rounds.rounds import Rounds


def statement(text, answer="", context=""):
    return Statement("MEDQA" if answer else "BIOS", text, context, text, answer, ("错",), ("made-up",))


@pytest.mark.parametrize(
    ("context", "text", "question"),
    [
        ("", "前置胎盘可导致产前出血", "前置胎盘可导致产前出血吗？"),
        ("女，30岁。", "最可能的诊断是早产", "女，30岁。最可能的诊断是早产吗？"),
        ("", "孕妇不宜服用四环素", "孕妇不宜服用四环素吗？"),
    ],
)
def test_a_plain_statement_is_asked_by_a_word_behind_it(context, text, question):
    one = statement(text, "x", context)
    assert ask_tf([one], Rounds(None), rules_only=True).texts == {one: (question, "tf-append-吗")}


@pytest.mark.parametrize(
    "text",
    [
        "下列哪项是早孕表现停经",
        "何时断奶是一岁",
        "是否妊娠看停经",
        "停经几天是早孕",
        "停经；恶心是早孕",
        "早孕吗是停经",
        "胎动怎样算正常",
    ],
)
def test_a_statement_that_asks_goes_to_a_model(text, tmp_path):
    assert NOT_PLAIN.search(text)
    assert ask_tf([statement(text)], Rounds(None), rules_only=True).left_out == {("BIOS", "a model is needed"): 1}
    with pytest.raises(AnswersPending) as caught:
        ask_tf([statement(text), statement("早孕有停经")], Rounds(tmp_path), rules_only=False)
    assert [due.stage for due in caught.value.stages] == ["tf-questions"]
    sent = (tmp_path / "tf-questions" / "prompts.jsonl").read_text(encoding="utf-8")
    assert sent.count("\n") == 1
    assert f"陈述句：{text}。" in sent


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("问题：下列属于早孕表现的是停经吗？", "下列属于早孕表现的是停经吗？"),
        ("下列属于早孕表现的是停经吗?", "下列属于早孕表现的是停经吗？"),
        ("下列属于早孕表现的是停经，对吗？", "下列属于早孕表现的是停经，对吗？"),
        ("下列属于早孕表现的是停经。", None),
        ("下列属于早孕表现的不是停经吗？", None),
        ("早孕的表现是什么？", None),
        ("下列属于早孕表现的为什么是停经？", None),
        ("难道下列属于早孕表现的是停经吗？", None),
        ("下列属于早孕表现的是停经吗？是的？", None),
        ("下列属于早孕表现的是停经吗？\n是的。", None),
        ("下列属于早孕表现的是停经。对吗？", None),
        ("", None),
    ],
)
def test_a_models_question_is_read_or_asked_again(said, read):
    assert read_tf(said, "下列属于早孕表现的是停经") == read


@pytest.mark.parametrize(
    ("context", "text", "answer", "question", "rule"),
    [
        ("", "子宫颈癌好发部位是子宫颈外口", "子宫颈外口", "子宫颈癌好发部位是什么？", "open-after-是"),
        ("女，30岁。", "诊断为早产", "早产", "女，30岁。诊断为什么？", "open-after-为"),
        ("", "胎先露与骨盆的关系称为胎方位", "胎方位", "胎先露与骨盆的关系称为什么？", "open-after-为"),
        ("", "胎盘早剥是急症，首选剖宫产", "剖宫产", "胎盘早剥是什么？", "open-after-是-early"),
        # The last one before the answer, for what stands in the answer is what is asked for.
        ("", "小儿肥胖的原因是行为因素", "行为因素", "小儿肥胖的原因是什么？", "open-after-是"),
        ("", "首选剖宫产", "剖宫产", "", "no 是 or 为 before the answer"),
        ("患者是孕妇。", "首选剖宫产", "剖宫产", "", "no 是 or 为 before the answer"),
        ("", "新生儿异常行为见于惊厥", "惊厥", "", "the last 是 or 为 is part of another word"),
        ("", "表现以呕吐为主，属幽门狭窄", "幽门狭窄", "", "the last 是 or 为 is part of another word"),
        ("查体示胎盘早剥。", "诊断是胎盘早剥", "胎盘早剥", "", "the question would hold the answer"),
        ("", "ＩｇＧ的亚类是IgG", "IgG", "", "the question would hold the answer"),
        ("", "诊断是早产", "流产", "", "the answer does not stand in the statement"),
        ("", "一般认为婴儿能量消耗的一半是代谢", "代谢", "一般认为婴儿能量消耗的一半是什么？", "open-after-是"),
        ("", "一般认为代谢占50%", "50%", "", "the last 是 or 为 is part of another word"),
        # A question that asks to choose has no point without its options.
        ("", "关于产前检查，正确的是每月一次", "每月一次", "", "the question would need its options"),
        ("", "早产的处理，说法有误的是卧床", "卧床", "", "the question would need its options"),
        ("", "免疫的正确认识是IgG可通过胎盘", "IgG可通过胎盘", "", "the question would need its options"),
        ("", "下列属于早孕表现的是停经", "停经", "", "the question would need its options"),
        ("", "与早产无关的是年龄", "年龄", "", "the question would need its options"),
        ("", "早产的正确处理是卧床", "卧床", "早产的正确处理是什么？", "open-after-是"),
        ("", "不孕最常见的是排卵障碍", "排卵障碍", "不孕最常见的是什么？", "open-after-是"),
        ("", "毛细血管搏动是由于舒张压降低", "舒张压降低", "", "what follows 是 or 为 is no 什么"),
        ("", "妊娠期可以做的不是放疗", "放疗", "", "what follows 是 or 为 is no 什么"),
    ],
)
def test_an_open_question_ends_where_its_answer_begins(context, text, answer, question, rule):
    one = statement(text, answer, context)
    made = ask_open([one])
    if question:
        assert made.texts == {one: (question, rule)}
    else:
        assert (made.texts, made.left_out) == ({}, {("MEDQA", rule): 1})


def test_no_open_question_is_asked_of_triples():
    made = ask_open([statement("前置胎盘的病因是瘢痕子宫")])
    assert (made.texts, made.left_out) == ({}, {})


@pytest.mark.parametrize(
    ("context", "text", "released"),
    [
        ("", "子宫颈癌好发部位是子宫颈外口", "子宫颈癌好发部位是什么？"),
        ("", "小儿肥胖的原因是行为因素", "小儿肥胖的原因是行为什么？"),
        ("患者是孕妇。", "首选剖宫产", "患者是什么？"),
        ("", "首选剖宫产", ""),
    ],
)
def test_the_released_rule_cuts_wherever_the_last_one_stands(context, text, released):
    """metrics.md 3.6, item 9, as its authors meant it."""
    assert open_as_released(context, text) == released
