"""Verdicts in the manner of real models, on a table by hand; what is false in it is false on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medzh_score.configs.sdak import CONFIG
from medzh_score.extraction import verdict
from medzh_score.extraction.sdak_reason import FACTUAL, RESTATES, counterfactual_side
from medzh_score.extraction.verdict import WORDINGS, explain, read

# A line each: the verdict or why there is none, and a response with ⏎ for the end of a line in it. What a careful
# reader takes from it, by hand.
LINES = (Path(__file__).parent / "data" / "verdicts.tsv").read_text(encoding="utf-8").splitlines()
ROWS = [(text.replace("⏎", "\n"), said) for said, _, text in (line.partition("\t") for line in LINES)]
TABLE = [row for row in ROWS if row[1] in {"correct", "incorrect"}]
NONE = [row for row in ROWS if row[1] not in {"correct", "incorrect"}]
# A reader takes "incorrect" from these; none is read, which is no wrong answer.
MISSED = ("B（错误）",)


@pytest.mark.parametrize(("text", "value"), TABLE)
def test_a_verdict_is_read(text, value):
    assert read(text).value == value


@pytest.mark.parametrize(("text", "rule"), NONE)
def test_no_verdict_is_none_and_says_why(text, rule):
    found = read(text)
    assert (found.value, found.rule) == (None, rule)


@pytest.mark.parametrize("text", MISSED)
def test_what_is_missed_is_none(text):
    assert read(text).value is None


def test_nothing_is_empty():
    assert [read(text).rule for text in ("", " \n", "<think>对？</think>")] == ["empty"] * 3


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda wording: wording.name)
def test_each_wording_finds_its_example_and_not_the_other(wording):
    assert wording.expression.search(wording.matches)
    assert not wording.expression.search(wording.misses)


def test_wordings_have_names_of_their_own():
    assert len({wording.name for wording in WORDINGS}) == len(WORDINGS)
    assert {wording.name for wording in WORDINGS} >= verdict.WEAK | verdict.ENGLISH


def test_each_wording_is_read_somewhere():
    """Source: what no text of the table needs would be untested."""
    used = {read(text).rule for text, _ in TABLE} | {read(wording.matches).rule for wording in WORDINGS}
    assert {wording.name for wording in WORDINGS} - used <= {"quote judged"}  # its example is a masked text


SPANS = {
    "emphasis": ("**错误**，不能用。", "错误"),
    "a denial": ("链霉素可用于炭疽。该说法**并非**错误，而是正确的。", "正确"),
    "a denial that turns it": ("该说法并非正确。", "并非正确"),
    "after thinking": ("<think>错误</think>该说法正确。", "正确"),
    "JSON": ('{"reason": "错误", "answer": "正确"}', "正确"),
    "English": ("Insulin lowers glucose. The statement is not true.", "is not true"),
}


@pytest.mark.parametrize(("text", "shown"), SPANS.values(), ids=SPANS)
def test_the_span_shows_what_says_so(text, shown):
    found = explain(text)
    parts = [text[start:end] for start, end in found.spans]
    assert parts == [shown]


def test_both_sides_of_a_contradiction_are_shown():
    text = "正确。\n链霉素可用于炭疽，所以说法**错误**。"
    assert [text[start:end] for start, end in explain(text).spans] == ["正确", "错误"]


PIECES = [
    *(
        "正确",
        "错误",
        "不",
        "不是",
        "并非",
        "没有",
        "该说法",
        "这个说法",
        "是",
        "的",
        "对",
        "错",
        "因此",
        "但",
        "如果",
        "更正：",
        "等等，",
    ),
    *(
        "答案：",
        "判断",
        "“",
        "”",
        "。",
        "，",
        "\n",
        "？",
        "吗",
        "可能",
        "部分",
        "或",
        "/",
        "（",
        "）",
        "**",
        "✅",
        "❌",
        "正確",
        "<think>",
    ),
    *(
        "</think>",
        "The statement is ",
        "correct",
        "false",
        "not ",
        "Wait, ",
        ". ",
        "Yes",
        "我无法判断",
        "抱歉",
        '{"answer": "',
        '"}',
        "\\boxed{",
    ),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=10).map("".join) | st.text(max_size=20)


@settings(max_examples=800, deadline=None)
@given(text=TEXTS)
def test_reading_and_explaining_agree(text):
    found, shown = read(text), explain(text)
    assert (found.value, found.rule) == (shown.value, shown.rule)
    assert found.value in {"correct", "incorrect", None}
    assert all(0 <= start < end <= len(text) for start, end in shown.spans)
    assert bool(shown.spans) or found.value is None


@settings(max_examples=300, deadline=None)
@given(
    first=st.sampled_from(["正确。", "该说法是正确的。", "Correct. "]), text=TEXTS.filter(lambda text: "<" not in text)
)
def test_what_is_said_against_a_verdict_is_never_passed_over(first, text):
    """Source: the issue, "正确 first and then 所以说法错误"; where a model takes back what it said the last counts."""
    assert read(f"{first}{text}\n因此，该说法是错误的。").value != "correct"


@pytest.mark.parametrize(
    "piece",
    ["正确", "不", "该说法", "正确。", "“", "因此，", "这", "如果", "the statement is ", "not ", "答案：", "\n", "○"],
)
@pytest.mark.usefixtures("a_minute_at_most")
def test_a_long_text_is_gone_through(piece):
    read("该说法" + piece * (80_000 // len(piece)) + "正确")


STRICT_2 = next(rule for rule in CONFIG.rules if rule.name == "strict-2")


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("**正确**。乙的病因包括甲。", RESTATES),
        ("<think>乙的病因包括甲。</think>正确。乙的病因不包括甲。", None),
        ("错误。乙的病因包括甲。", None),
    ],
)
def test_the_rule_of_sdak_notes_the_reason_without_what_was_thought(text, note):
    side = counterfactual_side("乙的病因包括甲", "乙的病因不包括甲", "甲")
    (found,) = STRICT_2.read(text, side, 0)
    (shown,) = STRICT_2.explain(text, side, 0)
    assert (found.value, found.rule, found.note) == (shown.value, shown.rule, note)
    assert STRICT_2.read(text, FACTUAL, 0)[0].note is None
    assert STRICT_2.replaces == "strict-1"
