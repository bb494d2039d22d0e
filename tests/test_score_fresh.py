"""Scores on texts that were written and labelled before the rules read them, and on texts near to them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medzh_score.between import Between
from medzh_score.extraction.score import explain, read

FILE = Path(__file__).parent / "data" / "answers_fresh_score.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
UNIT, TEN, HUNDRED = Between(0, 1), Between(0, 10), Between(0, 100)


def _read(row):
    return read(row["text"], Between(row["low"], row["high"])).value


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_no_answer_is_read_as_another_and_none_is_invented(row):
    assert _read(row) in {row["label"], None}


def test_most_are_read_as_labelled():
    assert sum(_read(row) == row["label"] for row in ROWS) >= 24


@pytest.mark.parametrize(
    ("scale", "text", "value"),
    [
        (UNIT, "零點八", "0.8"),
        (UNIT, "零分", "0"),
        (UNIT, "一分为二地看，这个回答有对有错。", None),
        (UNIT, "一分钱一分货。", None),
        (UNIT, "百分之零点八", None),
        (UNIT, "不是零分。", None),
        (UNIT, "不能给零分。", None),
        (UNIT, "零点八到零点九", None),
        (UNIT, "一分，零分", None),
        (UNIT, "零点五毫克", None),
        (TEN, "回答十分准确。", None),
        (TEN, "这个回答给十分。", "10"),
        (TEN, "早上八点五分服药。", None),
        (TEN, "给八点五分", "8.5"),
        (TEN, "疼痛评分为7分，需止痛。", None),
        (TEN, "血糖降到5.6吧", None),
        (HUNDRED, "评分：八十五分", "85"),
        (UNIT, "得分：1−0.3＝0.7", "0.7"),
        (UNIT, "得分：1 - 0.2 = 0.8 - 0.1 = 0.7", "0.7"),
        (UNIT, "得分：0.4+0.3+0.1", None),
        (UNIT, "1-0.3=0.7", None),
        (UNIT, "得分 = 8/10 = 0.8", "0.8"),
        (UNIT, "评分：0.6→0.8", None),
        (UNIT, "得分>0.6", None),
        (UNIT, "It does not deserve 0.9.", None),
        (UNIT, "It would deserve 0.9 if complete.", None),
        (UNIT, "评分标准：完全正确1分，部分正确0.5分。", None),
        (UNIT, "Verdict: 0.3 / 1.0", "0.3"),
        (UNIT, "0.7 (confidence: 0.9)", "0.7"),
        (UNIT, "从1分扣到0.6分", "0.6"),
        (UNIT, "我的判断是0.6。", "0.6"),
        (UNIT, "I'd say 0.55.", "0.55"),
        (TEN, "给个七分吧", "7"),
        (UNIT, "Give 0.5 of the tablet.", None),
        (UNIT, "评分：0.8±0.1", None),
        (UNIT, "不止0.8分", None),
        (UNIT, "配不上0.8分", None),
        (UNIT, "难以给出0.8分", None),
        (UNIT, "很难说是0.8分", None),
        (UNIT, "离满分一分还差0.2分", None),
        (UNIT, "本来可以得0.9分", None),
        (UNIT, "有人会给0.9分", None),
        (UNIT, "原本想给零点九，但还是给零点六", "0.6"),
        (UNIT, '{"score": "0.8", "rating": "0.9"}', None),
        (UNIT, '{"score": 0.8, "correctness": 0.80}', "0.8"),
        (UNIT, '<think>{"score": 0.3, "rating": 0.8}</think>{"score": 0.8}', "0.8"),
    ],
)
def test_near_texts(scale, text, value):
    found, shown = read(text, scale), explain(text, scale)
    assert found.value == value
    assert (found.value, found.rule) == (shown.value, shown.rule)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_reading_and_explaining_agree(row):
    scale = Between(row["low"], row["high"])
    found, shown = read(row["text"], scale), explain(row["text"], scale)
    assert (found.value, found.rule) == (shown.value, shown.rule)


def test_fields_that_disagree_are_shown_where_they_stand():
    text = '{"score": 0.9, "correctness": 0.1}'
    assert [text[span.start : span.end] for span in explain(text, UNIT).spans] == ["0.9", "0.1"]
