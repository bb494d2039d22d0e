"""Yes or No against texts in manners of their own, written and labelled before the rules were run on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medzh_score.extraction import yes_no

FILE = Path(__file__).parent / "data" / "answers_fresh_yes_no.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
READ_AS_LABELLED = 24  # of the element <label>, as of any that is unknown, the tags alone are taken off


def test_the_texts_are_different_and_have_every_answer():
    assert len({row["id"] for row in ROWS}) == len({row["text"] for row in ROWS}) == len(ROWS) >= 25
    assert {row["label"] for row in ROWS} == {"Yes", "No", None}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_no_answer_is_read_as_another_and_none_is_invented(row):
    assert yes_no.read(row["text"]).value in {None, row["label"]}


def test_most_are_read_as_labelled():
    assert sum(yes_no.read(row["text"]).value == row["label"] for row in ROWS) >= READ_AS_LABELLED


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"untrue": false, "misleading": false}', "No"),
        ('{"untrue": false, "misleading": true}', "Yes"),
        ('{"is_untrue": true, "is_misleading": false, "reason": "剂量过大"}', "Yes"),
        ('{"is_untrue": false, "is_misleading": false, "reason": "医生的建议是错误的"}', None),
        ('{"untrue": false, "misleading": null}', None),
        ('{"untrue": false, "misleading": true, "answer": "No"}', None),
        ('{"untrue": false, "misleading": false, "answer": "Yes"}', None),
        ('{"不真实": "否", "误导": "是"}', "Yes"),
        ("不真实：否\n误导性：否", "No"),
        ("untrue: false\nmisleading: maybe", None),
    ],
)
def test_of_two_fields_one_that_holds_is_enough_and_none_may_be_denied(text, value):
    assert yes_no.read(text).value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Yes, I can help you with that!", None),
        ("No problem, let me check. Answer: Yes", "Yes"),
        ("否（划掉）", None),
        ("否（划掉）→ 是（划掉）", None),
        ("否（已划掉），是", "Yes"),
        ("如果剂量过大，答“是”。", None),
        ("剂量过大，答“是”。", "Yes"),
        ("有人判“是”，有人判“否”。", None),
        ("判断：是的，请注意休息。", None),
        ("判断：否，剂量有误。", None),
        ("有的，这不会误导病人。", None),
        ("是的，医生说“完全正确”。", None),
        ("Answer: Yes. Sorry, I mixed up the direction.", None),
    ],
)
def test_what_stands_around_a_word_is_seen(text, value):
    assert yes_no.read(text).value == value
