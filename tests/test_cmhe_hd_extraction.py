"""The rules ``simple-1`` and ``strict-1`` of CMHE-HD: a table, and what holds for every text.

The rows stand in ``data/cmhe_hd_answers.jsonl``: a text, what each rule takes, by what ``strict-1`` found it or why
there is none, and what the row shows. They were written by hand; what some say of doctors and doses is made up.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.configs.cmhe_hd import CONFIG
from medzh_score.configs.cmhe_hd_words import ANSWERS, answer_named, gold, partition_named
from medzh_score.extraction import cmhe_hd_simple, cmhe_hd_strict
from medzh_score.extraction.cmhe_hd_statements import clauses, denies, stated

TABLE = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "cmhe_hd_answers.jsonl").read_text(encoding="utf-8").splitlines()
]
FOUND = {"word", "marker", "statement"}
NOT_FOUND = {"empty", "either", "contradiction", "hedge", "unsupported", "unfinished thinking", "nothing found"}
RULES = {rule.name: rule for rule in CONFIG.rules}


def simple(text):
    return cmhe_hd_simple.read(text, None)


def strict(text):
    return cmhe_hd_strict.read(text, None)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['shows']}: {row['text'][:30]!r}")
def test_table(row):
    assert simple(row["text"]).value == row["simple"]
    found = strict(row["text"])
    assert (found.value, found.rule) == (row["strict"], row["rule"])


def test_the_table_covers_both_languages_every_answer_and_every_reason():
    assert len({row["text"] for row in TABLE}) == len(TABLE) >= 150
    assert {row["rule"] for row in TABLE} == FOUND | NOT_FOUND
    for row in TABLE:
        assert (row["strict"] is None) == (row["rule"] in NOT_FOUND)
    chinese = [any("\u4e00" <= one <= "\u9fff" for one in row["text"]) for row in TABLE]
    counts = Counter((row["strict"], zh) for row, zh in zip(TABLE, chinese, strict=True))
    assert min(counts[value, zh] for value in (*ANSWERS, None) for zh in (True, False)) >= 20


def test_the_rules_never_take_opposite_answers():
    assert [row["text"] for row in TABLE if {row["simple"], row["strict"]} == set(ANSWERS)] == []


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("text", "value"),
    [("Yes", "Yes"), ("No", "No"), ("是", "Yes"), ("否", "No"), ("有", "Yes"), ("没有", "No")],
)
@pytest.mark.parametrize("form", ["{}", "{}。", "{}.", " {}\n", "Answer: {}", "答案：{}", "“{}”", "[{}]", "{}，见上。"])
def test_the_words_that_prompts_ask_for_are_read_in_every_common_form(rule, text, value, form):
    (found,) = RULES[rule].read(form.format(text), None, 0)
    assert found.value == value


@pytest.mark.parametrize("partition", ["generated", "tampered", "correct"])
@pytest.mark.parametrize("rule", RULES)
def test_the_gold_is_read_as_itself(rule, partition):
    (found,) = RULES[rule].read(gold(partition), None, 0)
    assert found.value == gold(partition)


@pytest.mark.parametrize("read", [simple, strict])
@given(
    text=st.text(st.sampled_from("是否有没无不的误导正确Yes No/or:：,，.。\n医生回答<think></think>[]"), max_size=40)
)
def test_any_text_gives_one_of_the_answers_or_none(read, text):
    found = read(text)
    assert found.value in {*ANSWERS, None}
    assert found is read(text)


@given(
    text=st.sampled_from([row["text"] for row in TABLE if row["strict"]]), more=st.sampled_from(["\n", "  ", "\u200b"])
)
def test_white_space_around_a_text_changes_nothing(text, more):
    assert strict(more + text + more).value == strict(text).value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("医生的回答包含错误", ["Yes"]),
        ("回答中没有虚假内容", ["No"]),
        ("不是没有错误", [None]),
        ("尽管回答是正确的", [None]),
        ("The reply is correct; it includes false claims.", ["No", None]),
        ("The reply is not only untrue.", [None]),
        ("医生建议的剂量是2.5毫克，医生的回答准确", [None, "No"]),
    ],
)
def test_what_clauses_say(text, said):
    assert [stated(clause) for clause in clauses(text)] == said


@pytest.mark.parametrize(
    ("clause", "denied"),
    [
        ("剂量有误", {"No"}),
        ("剂量正确", {"Yes"}),
        ("并不正确", {"No"}),
        ("多喝水", set()),
        ("患者错了", {"Yes", "No"}),
    ],
)
def test_what_could_deny_a_verdict(clause, denied):
    assert {value for value in ANSWERS if denies(clause, value)} == denied


def test_a_long_text_is_read_in_one_go():
    """Each expression looks at a character a bounded number of times: 200,000 of them must not hang the suite."""
    for part in (
        "医生的回答",
        "是",
        "Answer",
        "没有",
        "[",
        "误导：",
        "answer is ",
        "Answer: Yes, so\n",
        "根据对话内容",
    ):
        assert strict(part * 20_000).value is None


@pytest.mark.parametrize(("text", "name"), [("Modified", "tampered"), (" 生成 ", "generated"), ("other", "other")])
def test_partitions_have_the_papers_names_and_chinese_ones(text, name):
    assert partition_named(text) == name


@pytest.mark.parametrize(("text", "name"), [("是", "Yes"), ("NO", "No"), ("没有", "No"), ("maybe", "maybe")])
def test_labels_may_be_chinese(text, name):
    assert answer_named(text) == name
