"""True and false statements of CARE-MI's rebuilt recipe: every rule on a table of cases, beside the released code's."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataset_scripts.recipes.care_mi.asking import read_negation, read_statement
from dataset_scripts.recipes.care_mi.cues import cue_table, guessed
from dataset_scripts.recipes.care_mi.exams import Exam
from dataset_scripts.recipes.care_mi.false_statements import deny, replace_answers
from dataset_scripts.recipes.care_mi.negation import negate, negated_as_released
from dataset_scripts.recipes.care_mi.stems import Stem
from dataset_scripts.recipes.care_mi.true_statements import Statement, join, state_exams
from dataset_scripts.rounds.rounds import Rounds


def exam(stem, answer, context="", wrong=("错",)):
    return Exam("MEDQA", f"k/{stem}", f"{context}{stem}", Stem(context, stem), answer, wrong)


def statement(text, answer="", wrong=("甲", "乙", "丙"), key="k"):
    return Statement("MEDQA" if answer else "BIOS", key, "", text, answer, wrong, ("made-up",))


@pytest.mark.parametrize(
    ("stem", "rule"),
    [
        # metrics.md 3.6, item 6
        ("最可能的诊断是", "stem-ends-in-是"),
        ("新生儿轻度窒息，Apgar评分标准为", "stem-ends-in-为"),
        ("胎盘早剥多见于", "stem-ends-in-于"),
        ("前置胎盘的出血属于", "stem-ends-in-属于"),
        ("孕早期感染风疹病毒可致", "stem-ends-in-可致"),
        ("该产妇应选用", "stem-ends-in-选用"),
        ("治疗子痫首选", "stem-ends-in-首选"),
        ("终止妊娠的方式应选择", "stem-ends-in-选择"),
        ("此时最恰当的处理", None),
        ("胎头衔接是指", None),
        ("是", "stem-ends-in-是"),
        ("", None),
        # Ours: the released code joins these, too.
        ("下列哪项是", None),
        ("下述何项处理是错误的", None),
        ("如何处理为", None),
        ("与早孕无关的", None),
        ("下列属于早孕表现的是", None),
        ("关于早产，以下错误的是", None),
        # 以下 is a measure or half a word here.
        ("3岁以下小儿的常见病是", "stem-ends-in-是"),
        ("以下腹痛为主的疾病是", "stem-ends-in-是"),
    ],
)
def test_a_stem_is_joined_with_its_answer_where_its_end_leads_to_it(stem, rule):
    assert join(stem, "答案") == (None if rule is None else (f"{stem}答案", rule))


@pytest.mark.parametrize(
    ("stem", "answer", "joined"),
    [
        ("基础代谢占总能量的", "50%", "基础代谢占总能量的50%"),
        ("体重在同胎龄儿的", "第10～90百分位", "体重在同胎龄儿的第10～90百分位"),
        ("与早孕无关的", "停经", None),
        ("不得超过1.0ml用来检查维生素E的", "生育酚", None),
        ("孕妇缺乏的", "25-羟维生素D", None),
    ],
)
def test_behind_an_attribute_only_an_amount_is_joined(stem, answer, joined):
    assert join(stem, answer) == (None if joined is None else (joined, "stem-ends-in-的"))


@pytest.mark.parametrize(
    ("text", "end", "denied", "rule"),
    [
        # metrics.md 3.6, item 7, in its order
        ("最可能的诊断是子宫破裂", None, "最可能的诊断不是子宫破裂", "negation-是"),
        ("出血的原因最可能是宫缩乏力", None, "出血的原因不可能是宫缩乏力", "negation-最可能"),
        ("该患者应是早产", None, "该患者不应是早产", "negation-应是"),
        ("接种时间应为出生后24小时内", None, "接种时间不应为出生后24小时内", "negation-应为"),
        ("应为初产妇的表现应是见红", None, "应为初产妇的表现不应是见红", "negation-应是"),
        ("应是早产而诊断为流产", None, "不应是早产而诊断为流产", "negation-应是"),
        ("潜伏期为2～7天", None, "潜伏期不为2～7天", "negation-为"),
        ("孕妇应补充叶酸", None, "孕妇不应补充叶酸", "negation-应"),
        ("风疹病毒可致畸形", None, "风疹病毒不可致畸形", "negation-可"),
        ("胎儿是头先露可经阴道分娩", None, "胎儿是头先露不可经阴道分娩", "negation-可"),
        # What stands in the answer is not looked at.
        ("首选检查是可视喉镜", 5, "首选检查不是可视喉镜", "negation-是"),
        ("首选可视喉镜", 2, "", "no-verb"),
        ("妊娠禁用的药是是", 7, "妊娠禁用的药不是是", "negation-是"),
        # Where no rule is safe.
        ("奶瓶龋最常见于上颌乳切牙", None, "", "no-verb"),
        ("新生儿常见的不良反应", None, "", "other-word"),
        ("患儿以呕吐为主", None, "", "other-word"),
        ("孕妇不应服用四环素", None, "", "already-denied"),
        ("该病不是遗传病", None, "", "already-denied"),
        ("妊娠期可选用的降压药首选甲基多巴", 12, "", "describing"),
        ("", None, "", "no-verb"),
        # 最可能 that describes a noun: what is denied is the 是 before the answer.
        ("引起腹泻的最可能病因是病毒性肠炎", 11, "引起腹泻的最可能病因不是病毒性肠炎", "negation-是"),
        ("该患儿最可能罹患的心脏病是动脉导管未闭", 13, "该患儿最可能罹患的心脏病不是动脉导管未闭", "negation-是"),
        ("出血的原因最可能是宫缩乏力", 9, "出血的原因不可能是宫缩乏力", "negation-最可能"),
        ("诊断最可能为早产", 6, "诊断不可能为早产", "negation-最可能"),
        ("最可能病因见于流产", 7, "", "describing"),
        # What may be so may also not be so.
        ("诊断可能为早产", 5, "诊断不可能为早产", "negation-可能"),
        ("诊断可能不为早产", 6, "", "already-denied"),
        # 不 would split a verb.
        ("出生后28天内被称为新生儿期", 10, "", "other-word"),
        ("应诊断为早产", 4, "", "other-word"),
        ("转换率约为0.7", 5, "", "other-word"),
        ("首先考虑的诊断为早产", 8, "首先考虑的诊断不为早产", "negation-为"),
        # Denied twice: 不属于…的不是.
        ("不属于早孕表现的是腹泻", 9, "", "already-denied"),
        ("关于早产，错误的是卧床", 9, "", "already-denied"),
        ("与早产无关的为年龄", 7, "", "already-denied"),
        ("不孕最常见的是排卵障碍", 7, "不孕最常见的不是排卵障碍", "negation-是"),
        ("无腹痛，最常见的是早产", 9, "无腹痛，最常见的不是早产", "negation-是"),
        ("孕妇禁忌的药物是利巴韦林", 8, "孕妇禁忌的药物不是利巴韦林", "negation-是"),
    ],
)
def test_denial_by_rule(text, end, denied, rule):
    found = negate(text, end)
    assert (found.text, found.rule) == (denied, rule)


@pytest.mark.parametrize(
    ("text", "released"),
    [
        ("最可能的诊断是子宫破裂", "最可能的诊断不是子宫破裂"),
        ("出血的原因最可能是宫缩乏力", "出血的原因不可能是宫缩乏力"),
        ("接种时间应为出生后24小时内", "接种时间不应为出生后24小时内"),
        ("新生儿常见的不良反应", "新生儿常见的不良反不应"),
        ("首选检查是可视喉镜", "首选检查是不可视喉镜"),
        ("孕妇不应服用四环素", "孕妇不不应服用四环素"),
        ("奶瓶龋最常见于上颌乳切牙", ""),
    ],
)
def test_the_released_denial_looks_at_all_of_the_statement(text, released):
    assert negated_as_released(text) == released


@given(st.text("最可能的应是为不反主药A", max_size=12), st.integers(0, 12))
def test_a_safe_denial_adds_one_character_or_replaces_three(text, end):
    end = min(end, len(text))
    found = negate(text, end)
    if found.text:
        assert found.text.endswith(text[end:])
        assert found.text.count("不") == text.count("不") + 1
    if found.text and end == len(text) and found.rule != "negation-可能":  # the released code writes 可能不是
        assert found.text == negated_as_released(text)


def test_statements_of_questions_by_rule_keep_context_and_answer():
    rows = [exam("最可能的诊断是", "子宫破裂", "经产妇，30岁。"), exam("此时最恰当的处理", "剖宫产")]
    made = state_exams(rows, Rounds(None), rules_only=True)
    (one,) = made.statements
    assert (one.context, one.text, one.answer, one.rules) == (
        "经产妇，30岁。",
        "最可能的诊断是子宫破裂",
        "子宫破裂",
        ("stem-ends-in-是",),
    )
    assert one.text[one.answer_at :] == "子宫破裂"
    assert made.left_out == {("MEDQA", "a model is needed"): 1}


def test_negations_by_rule_and_what_is_left_out_without_a_model():
    wording = Statement("BIOS", "k", "", "甲可由乙导致", negated="甲不可由乙导致", negated_by="negation-wording")
    rows = [wording, statement("诊断是早产", "早产"), statement("多见于早产", "早产"), statement("甲影响乙")]
    made = deny(rows, Rounds(None), rules_only=True)
    assert list(made.texts.values()) == [("甲不可由乙导致", "negation-wording"), ("诊断不是早产", "negation-是")]
    assert made.left_out == {("MEDQA", "a model is needed"): 1, ("BIOS", "a model is needed"): 1}
    assert made.unsafe == {"no-verb": 1}


@pytest.mark.parametrize(
    ("text", "answer", "wrong", "false"),
    [
        ("病毒是风疹病毒", "风疹病毒", ("轮状病毒",), "病毒是轮状病毒"),
        # The last one is replaced, letter by letter: the released code takes the answer as a pattern.
        ("早产的原因是早产", "早产", ("流产",), "早产的原因是流产"),
        ("尿蛋白是（+++）", "（+++）", ("（-）",), "尿蛋白是（-）"),
        ("量是0.4", "0.4", (r"\1", r"\1"), r"量是\1"),
        ("用药是A.C", "A.C", ("X",), "用药是X"),
    ],
)
def test_the_last_answer_is_replaced_as_it_stands(text, answer, wrong, false):
    one = statement(text, answer, wrong)
    assert replace_answers([one], 0).texts == {one: (false, "replacement-drawn")}


def test_replacement_needs_the_answer_and_a_wrong_option():
    rows = [
        statement("诊断是早产", "流产"),
        statement("诊断是早产", "早产", ()),
        statement("诊断是早产", "早产", ("早 产",)),
        statement("甲影响乙"),
    ]
    made = replace_answers(rows, 0)
    assert made.texts == {}
    assert made.left_out == {
        ("MEDQA", "the answer does not stand in the statement"): 1,
        ("MEDQA", "no wrong option says something alone"): 1,
        ("MEDQA", "the wrong option makes the same statement"): 1,
    }


def test_wrong_options_are_drawn_by_seed_and_key_and_not_by_order():
    rows = [statement(f"诊断是早产{number}", "早产", ("甲", "乙", "丙"), str(number)) for number in range(60)]
    turned = [statement(one.text, one.answer, one.wrong[::-1], one.key) for one in rows]

    def drawn(statements, seed):
        return {one.key: text for one, (text, _) in replace_answers(statements, seed).texts.items()}

    first = drawn(rows, 0)
    assert drawn(turned, 0) == first == drawn(rows[::-1], 0)
    assert drawn(rows, 1) != first
    counts = [sum(option in text for text in first.values()) for option in "甲乙丙"]
    assert sum(counts) == 60
    assert min(counts) > 8  # one third each, within four standard deviations


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("此时最恰当的处理是剖宫产。", "此时最恰当的处理是剖宫产"),
        ("陈述句：此时最恰当的处理是剖宫产", "此时最恰当的处理是剖宫产"),
        ("D:此时最恰当的处理是剖宫产", "此时最恰当的处理是剖宫产"),
        ("<think>合成</think>**此时最恰当的处理应为剖宫产。**", "此时最恰当的处理应为剖宫产"),
        ("“此时最恰当的处理是剖宫产。”", "此时最恰当的处理是剖宫产"),
        ("此时最恰当的处理是引产。", None),
        ("剖宫产。", None),
        ("此时最恰当的处理是剖宫产吗？", None),
        ("此时最恰当的处理是剖宫产。术后应预防感染。", None),
        ("此时最恰当的处理是剖宫产\n希望对您有帮助", None),
        ("此时最恰当的处理是剖宫产，因为胎儿窘迫时阴道分娩会增加胎儿缺氧的风险", None),
        ("<think>没有说完", None),
        ("此时最恰当的处理是剖宫产\ufffd", None),
        ("此时最恰当的处理不是剖宫产。", None),
        ("此时最不恰当的处理是剖宫产。", None),
        ('{"陈述句": "此时最恰当的处理是剖宫产"}', None),
        ("好的，此时最恰当的处理是剖宫产。", None),
        ("1. 此时最恰当的处理是剖宫产。", None),
        ("此时最恰当的处理是什么，剖宫产", None),
        ("", None),
    ],
)
def test_a_joined_statement_is_read_or_asked_again(said, read):
    assert read_statement(said, "此时最恰当的处理", "剖宫产") == read


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("否定句：治疗子痫不首选硫酸镁。", "治疗子痫不首选硫酸镁"),
        ("治疗子痫首选硫酸镁。", None),
        ("治疗子痫并非首选硫酸镁。", "治疗子痫并非首选硫酸镁"),
        ("治疗子痫不首选硫酸镁吗？", None),
        ("治疗高血压不首选利尿剂。", None),
        ("治疗子痫不首选硫酸镁，而是首选其他的药物。", None),
        ("不。治疗子痫首选硫酸镁", None),
        ("不，治疗子痫首选硫酸镁", None),
        ("治疗子痫首选硫酸镁，没错", None),
        ("治疗子痫无疑首选硫酸镁", None),
        ("治疗子痫不是不首选硫酸镁", None),
        ("治疗子痫不首选硫酸镁，而是引产", None),
        ("No: 治疗子痫不首选硫酸镁", None),
        ("", None),
    ],
)
def test_a_denied_statement_is_read_or_asked_again(said, read):
    assert read_negation(said, "治疗子痫首选硫酸镁") == read


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("孕妇应服用四环素", "孕妇应服用四环素"),
        ("孕妇不应不服用四环素", None),
        ("孕妇不应服用四环素", None),
    ],
)
def test_what_is_denied_already_loses_its_denial(said, read):
    assert read_negation(said, "孕妇不应服用四环素") == read


def test_a_question_whether_may_become_a_statement_and_one_that_denies_stays_one():
    assert read_statement("妊娠可由B超确定。", "妊娠是否可由B超确定", "B超确定") == "妊娠可由B超确定"
    assert read_statement("不属于早孕表现的是便血。", "哪项不属于早孕表现", "便血") == "不属于早孕表现的是便血"
    assert read_statement("属于早孕表现的是便血。", "哪项不属于早孕表现", "便血") is None


def record(true, false, kind="tf"):
    return {"type": kind, "true_statement": true, "false_statement": false}


def test_surface_cues_are_measured_by_type():
    rows = [
        record("诊断是早产。", "诊断不是早产。"),
        record("孕妇不宜用药", "孕妇宜用药。"),
        record("诊断是早产。", "诊断是流产。", "open"),
    ]
    # By hand: of tf one false statement is longer and has one more 不, one is the other way round.
    assert cue_table({"test": rows}).rows == (
        ("tf", 2, "50.0 %", "100.0 %", "6.0", "6.5", "75.0 %", "50.0 %"),
        ("open", 1, "100.0 %", "100.0 %", "6.0", "6.0", "50.0 %", "50.0 %"),
        ("all", 3, "66.7 %", "100.0 %", "6.0", "6.3", "66.7 %", "50.0 %"),
    )


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1))
def test_guessing_by_the_higher_number_is_right_half_the_time_where_both_are_alike(pairs):
    share = float(re.sub(" %", "", guessed(pairs)))
    turned = float(re.sub(" %", "", guessed([pair[::-1] for pair in pairs])))
    assert share + turned == pytest.approx(100, abs=0.1)
