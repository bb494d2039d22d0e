"""Task and kind by wording: cases that were written for these tests, none taken from a data set."""

from __future__ import annotations

import pytest

from dataset_scripts.recipes.pemebench.wording import (
    PARAMETERS,
    TABLE,
    by_rule,
    kind_of,
    read_rules,
    task_of,
    task_of_wording,
)
from medzh_score.configs.pemebench.words import KINDS, TASKS
from medzh_score.messages.errors import MedzhError

CASES = [
    # Doses, whatever they are for.
    ("患儿发热时布洛芬的剂量是多少？", "用药剂量", "solution"),
    ("治疗百日咳的红霉素疗程多长？", "用药剂量", "solution"),
    ("预防佝偻病每日的维生素D用量是多少？", "用药剂量", "solution"),
    ("给3岁患儿退热，每次应口服多少毫升混悬液？", "用药剂量", "solution"),
    # Words of a dose that are none.
    ("儿科常用量表有哪些？", "疾病知识", "definition"),
    ("如何减少检查中的辐射剂量？", "疾病知识", "solution"),
    ("小剂量红霉素为什么能促进胃肠动力？", "药理作用", "reason"),
    # Prevention.
    ("如何预防儿童意外溺水？", "疾病预防", "solution"),
    ("接种卡介苗有哪些禁忌证？", "疾病预防", "solution"),
    ("为什么水痘患儿需要隔离到结痂？", "疾病预防", "reason"),
    ("怎样减少早产儿感染的风险？", "疾病预防", "solution"),
    # A disease whose name holds a word of prevention.
    ("肺隔离症有哪些表现？", "疾病知识", "definition"),
    # Effects of medicines.
    ("地塞米松的抗炎作用机制是什么？", "药理作用", "reason"),
    ("糖皮质激素有哪些不良反应？", "药理作用", "definition"),
    ("布洛芬在儿童发热中的主要作用是什么？", "药理作用", "definition"),
    ("沙丁胺醇为什么能缓解喘息？", "药理作用", "reason"),
    # Treatment.
    ("如何治疗儿童急性中耳炎？", "治疗方案", "solution"),
    ("对于重度脱水的患儿，应采取怎样的补液方案？", "治疗方案", "solution"),
    ("什么情况下需要给新生儿换血治疗？", "治疗方案", "solution"),
    ("治疗肺炎链球菌肺炎首选什么药物？", "治疗方案", "solution"),
    # Knowledge.
    ("什么是佝偻病？", "疾病知识", "definition"),
    ("何谓生理性体重下降？", "疾病知识", "definition"),
    ("氧疗是什么？", "疾病知识", "definition"),
    ("川崎病有哪些表现？", "疾病知识", "definition"),
    ("胸部X线检查有什么特点？", "疾病知识", "definition"),
    ("贫血如何分类？", "疾病知识", "definition"),
    ("如何诊断缺铁性贫血？", "疾病知识", "solution"),
    ("川崎病需要与哪些疾病鉴别？", "疾病知识", "solution"),
    ("佝偻病的病因有哪些？", "疾病知识", "reason"),
    ("早产儿为什么容易低体温？", "疾病知识", "reason"),
    ("什么因素会诱发哮喘？", "疾病知识", "reason"),
    ("如何针对病因治疗贫血？", "治疗方案", "solution"),
    # Nothing is found.
    ("前囟", "疾病知识", "definition"),
    ("", "疾病知识", "definition"),
]


@pytest.mark.parametrize(("question", "task", "kind"), CASES)
def test_the_wording_says_task_and_kind(question, task, kind):
    assert (task_of(question), kind_of(question)) == (task, kind)


@pytest.mark.parametrize(
    ("question", "task"),
    [("前囟", None), ("川崎病有哪些表现？", None), ("什么是佝偻病？", "疾病知识"), ("如何预防坠床？", "疾病预防")],
)
def test_a_task_may_be_left_open_where_nothing_is_found(question, task):
    assert task_of_wording(question) == task


def test_questions_are_counted_by_the_rule_that_decided():
    questions = [question for question, *_ in CASES]
    rows = by_rule(questions).rows
    for about, values, of in (("task", TASKS, task_of), ("kind", KINDS, kind_of)):
        counted = dict.fromkeys(values, 0)
        for column, _, value, number in rows:
            if column == about:
                counted[value] += number
        assert counted == {value: sum(of(question) == value for question in questions) for value in values}


def test_the_published_table_is_read_and_named_with_its_hash():
    rules = read_rules(TABLE)
    assert {rule.value for rule in rules["task"]} == set(TASKS)
    assert {rule.value for rule in rules["kind"]} == set(KINDS)
    assert PARAMETERS["patterns for task and kind"].startswith("pemebench/questions.toml, ")


REST = '[[task]]\nname = "rest"\nvalue = "疾病知识"\n[[kind]]\nname = "rest"\nvalue = "definition"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[task", "not a table of patterns"),
        ("", "no rule takes the rest"),
        ('[[task]]\nname = "a"\nvalue = "疾病知识"\nfound = ["甲"]\n', "no rule takes the rest"),
        (REST.replace('"疾病知识"', '"基础知识"'), "not a task; .* found '基础知识'"),
        (REST.replace('"definition"', '"定义"'), "not a kind; .* found '定义'"),
        (REST.replace('name = "rest"\nvalue = "疾', 'value = "疾'), "not a rule"),
        ('[[task]]\nname = "a"\nvalue = "疾病知识"\nfind = ["甲"]\n' + REST, "not a rule; .* found \\['find'\\]"),
        ('[[task]]\nname = "a"\nvalue = "疾病知识"\nfound = ["("]\n' + REST, "field a/found: not a pattern"),
        ('[[task]]\nname = "rest"\nvalue = "疾病知识"\nfound = ["甲"]\n' + REST, "two rules have one name"),
    ],
)
def test_a_table_that_is_none_is_refused(tmp_path, text, words):
    file = tmp_path / "rules.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(MedzhError, match=words):
        read_rules(file)
    assert read_rules(TABLE)


def test_the_first_rule_whose_patterns_fit_decides(tmp_path):
    file = tmp_path / "rules.toml"
    first = '[[task]]\nname = "a"\nvalue = "治疗方案"\nfound = ["治", "疗"]\nunless = ["预"]\n'
    second = '[[task]]\nname = "b"\nvalue = "疾病预防"\nfound = ["治", "预"]\n'
    file.write_text(first + second + REST, encoding="utf-8")
    rules = read_rules(file)["task"]
    decided = [next(rule.name for rule in rules if rule.holds(text)) for text in ("疗", "治", "预治", "预", "药")]
    assert decided == ["a", "a", "b", "b", "rest"]
