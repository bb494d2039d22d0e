"""Task and kind by wording: cases that were written for these tests, none taken from a data set."""

from __future__ import annotations

import pytest
from tables import case_tables, holds

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

CASES = case_tables("pemebench_cases")["wording"]


def test_the_wording_says_task_and_kind():
    holds(CASES, lambda question: [task_of(question), kind_of(question)])


def test_a_task_may_be_left_open_where_nothing_is_found():
    rows = [
        ("前囟", None),
        ("川崎病有哪些表现？", None),
        ("什么是佝偻病？", "疾病知识"),
        ("如何预防坠床？", "疾病预防"),
    ]
    holds(rows, task_of_wording)


def test_questions_are_counted_by_the_rule_that_decided():
    questions = [question for question, *_ in CASES]
    rows = by_rule((question, "") for question in questions).rows
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


@pytest.mark.parametrize(
    ("question", "answer", "task"),
    [
        ("如何治疗绦虫病？", "甲药10mg/kg，乙药每次5mg/kg，丙药2mg/(kg·d)，分2次口服。", "用药剂量"),
        ("如何治疗绦虫病？", "驱虫、护理，必要时10mg/kg。", "治疗方案"),
        ("如何预防绦虫病？", "甲药10mg/kg，乙药每次5mg/kg，丙药2mg/(kg·d)。", "疾病预防"),
        ("如何运用阿托品治疗有机磷中毒？", "阿托品可拮抗乙酰胆碱的毒蕈碱样作用。", "药理作用"),
        ("如何运用阿托品治疗有机磷中毒？", "早期、足量、反复给药。", "治疗方案"),
    ],
)
def test_an_answer_decides_where_it_says_doses_or_effects_above_all(question, answer, task):
    assert task_of(question, answer) == task


def test_the_first_rule_whose_patterns_fit_decides(tmp_path):
    file = tmp_path / "rules.toml"
    first = '[[task]]\nname = "a"\nvalue = "治疗方案"\nfound = ["治", "疗"]\nunless = ["预"]\n'
    second = '[[task]]\nname = "b"\nvalue = "疾病预防"\nfound = ["治", "预"]\n'
    file.write_text(first + second + REST, encoding="utf-8")
    rules = read_rules(file)["task"]
    decided = [next(rule.name for rule in rules if rule.holds(text, "")) for text in ("疗", "治", "预治", "预", "药")]
    assert decided == ["a", "a", "b", "b", "rest"]
