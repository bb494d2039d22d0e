"""What questions and answers are dropped for: anchored words, names of one character, words that the text lacks."""

from __future__ import annotations

import pytest

from dataset_scripts.recipes.pemebench.blocks import Block
from dataset_scripts.recipes.pemebench.seeds import seeds
from dataset_scripts.recipes.pemebench.settings import section_named, settings
from dataset_scripts.recipes.pemebench.sifting import DROPS, Pair, sift, sift_question

PENICILLIN = "化脓性脑膜炎由肺炎链球菌引起时，首选青霉素静脉滴注。"
QUESTION = "化脓性脑膜炎首选什么药物？"


def block(text, subject):
    return Block(
        "0" * 10, "儿科感染性疾病", subject, section_named("treatment"), "治疗", (subject, "治疗"), text, "f.md"
    )


@pytest.mark.parametrize(
    "question",
    [
        "Apgar量表中肌张力如何评分？",
        "心电图中P波增宽提示什么？",
        "超声心动图中如何判断冠状动脉扩张？",
        "腰椎穿刺时操作者应如何消毒？",
        "医务工作者应怎样预防院内感染？",
        "韦氏儿童智力量表第四版包括哪些指数？",
        "DSM第五版中孤独症的诊断标准是什么？",
        "发育行为评估量表2016版的适用年龄是多少？",
        "心电图2导联怎样放置？",
        "如上呼吸道感染反复发作，应如何处理？",
        "过敏性紫癜患儿如下肢皮疹反复，应如何处理？",
        "患儿如下消化道出血应如何处理？",
        "6月龄以上哪些婴儿需要补铁？",
        "体温38.5℃以上情况如何处理？",
        "代表中枢神经受累的体征有哪些？",
        "体表中度烧伤如何补液？",
        "根据文献，儿童肥胖如何分度？",
    ],
)
def test_medical_words_that_hold_a_forbidden_one_pass(question):
    assert sift_question(question, block(question, "某病")) == []


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("表中列出的体征有哪些？", "points outside"),
        ("如表1所示的体征有哪些？", "points outside"),
        ("根据图2，急性喉炎如何分度？", "points outside"),
        ("治疗如下，急性喉炎用哪一种？", "points outside"),
        ("具有以上症状的患儿如何处理？", "points outside"),
        ("根据材料，急性喉炎如何治疗？", "points outside"),
        ("文字中提到的急性喉炎如何治疗？", "points outside"),
        ("教科书中急性喉炎如何分度？", "points outside"),
        ("第二版有何变化？", "about the book"),
        ("作者认为急性喉炎如何治疗？", "about the book"),
        ("牙齿修复材料有哪些选择？", "perhaps outside"),
        ("儿童识别文字困难的原因是什么？", "perhaps outside"),
        ("诊疗规范第二版对急性喉炎有何说明？", "adults"),
    ],
)
def test_references_out_of_the_question_still_fire(question, name):
    assert [finding.name for finding in sift_question(question, block(question, "某病"))] == [name]


@pytest.mark.parametrize(
    ("question", "subject", "fires"),
    [
        ("什么是疖？", "疖", []),
        ("疝如何治疗？", "疝", []),
        ("疖是什么病？该病如何治疗？", "疖", []),
        ("什么是疖？", "痈", ["unclear name"]),
    ],
)
def test_a_subject_of_one_character_is_a_name(question, subject, fires):
    assert [finding.name for finding in sift_question(question, block("疖和痈都是化脓性感染。", subject))] == fires


@pytest.mark.parametrize(
    ("question", "fires"),
    [
        (QUESTION, []),
        ("What is the drug of choice?", ["unrelated"]),
        ("苹果手机怎样充电？", ["unrelated"]),
        ("儿童支气管哮喘如何治疗？", ["unrelated"]),
        ("婴儿腹泻引起重度脱水酸中毒休克时应首先给予哪种液体扩容？", ["hardly related"]),
    ],
)
def test_a_question_speaks_of_its_text(question, fires):
    pair = Pair(block(PENICILLIN, "化脓性脑膜炎"), "zero-shot", question, "首选青霉素静脉滴注。")
    assert [finding.name for finding in sift(pair)] == fires


@pytest.mark.parametrize(
    ("answer", "fires"),
    [
        ("首选青霉素静脉滴注。", []),
        ("化脓性脑膜炎，首选。", ["nothing new"]),
        ("如上所述，首选青霉素静脉滴注。", ["answer points outside"]),
        ("根据文字内容，由肺炎链球菌引起时，首选青霉素静脉滴注。", ["answer points outside"]),
        ("由肺炎链球菌引起时首选青霉素静脉滴注，见表2。", ["answer points outside"]),
    ],
)
def test_answers_stand_by_themselves_and_say_something(answer, fires):
    found = sift(Pair(block(PENICILLIN, "化脓性脑膜炎"), "zero-shot", QUESTION, answer))
    assert [finding.name for finding in found][:1] == fires


def test_no_seed_question_trips_a_rule_of_the_prompts_that_show_it():
    shown = [question for kind in seeds().values() for question in kind]
    assert [question for question in shown if sift_question(question, block(question, "某病"))] == []
    assert all(question.count("？") == 1 and "，" not in question for question in shown)


def test_the_table_of_rules_and_the_card_agree_on_what_is_dropped():
    assert 0 < settings().few < settings().drop < settings().keep < 1
    assert {"unrelated", "unknown number", "unsupported"} <= set(DROPS)
