"""Which score a response gives: one number on the scale that was asked for, or none."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.extraction.score import read_score

UNIT, FIVE, TEN, TWENTY, HUNDRED = (0, 1), (1, 5), (1, 10), (0, 20), (0, 100)
ROWS = [
    # a number alone, or with its label
    ("8", TEN, 8, "number alone"),
    ("０．８分。", UNIT, 0.8, "number alone"),
    (".75", UNIT, 0.75, "number alone"),
    ("零點八", UNIT, 0.8, "number alone"),
    ("七分半", TEN, 7.5, "number alone"),
    ("评分：八分", TEN, 8, "score"),
    ("[[7]]", TEN, 7, "number alone"),
    ("回答遗漏了妊娠期禁用的提示。\n\n评分: [[7]]", TEN, 7, "score"),
    ("The answer omits the renal dose.\n\nRating: [[6]]", TEN, 6, "score"),
    ("**Score:** 4/5", FIVE, 4, "score"),
    ("\\boxed{0.9}", UNIT, 0.9, "score"),
    ("回答说明了叶酸的用量。<score>8</score>", TEN, 8, "number alone"),
    ('{"score": 0.6, "reason": "没有提到复查"}', UNIT, 0.6, "score"),
    ('{"accuracy": 8, "overall_score": 7.5, "comment": "基本正确"}', TEN, 7.5, "total score"),
    ("0.9，高热惊厥的处理正确。", UNIT, 0.9, "number first"),
    ("### 评分\n\n**6**\n\n### 理由\n\n没有写明疗程。", TEN, 6, "score"),
    ("| 方面 | 评分 |\n|---|---|\n| 正确性 | 0.8 |", UNIT, 0.8, "score of a dimension"),
    # the scale beside it
    ("8分（满分10分）", TEN, 8, "number alone"),
    ("评分（0～1）：0.9", UNIT, 0.9, "score"),
    ("评分（满分10分）：7分", TEN, 7, "score"),
    ("满分10分，我给8分。", TEN, 8, "score given"),
    ("85%", HUNDRED, 85, "number alone"),
    ("On a scale from 1 to 10, this answer deserves a 7.", TEN, 7, "score given"),
    ("I would give this response an 8 out of 10.", TEN, 8, "score given"),
    # in a sentence
    ("回答与指南一致，因此给9分。", TEN, 9, "score given"),
    ("降钙素原的解释正确，评为3.5分。", FIVE, 3.5, "score given"),
    ("青霉素过敏史没有问到，扣2分，最后得8分。", TEN, 8, "score earned"),
    ("不能给1分，给0.6分。", UNIT, 0.6, "score given"),
    # parts and the whole
    ("【得分】（1）3分 （2）4分\n【总分】7分", TWENTY, 7, "total score"),
    ("得分 1+1+3=5分", TWENTY, 5, "score"),
    ("病因得2分，治疗得3分。总分：5分", TWENTY, 5, "total score"),
    ("题目总分为15分，学生答出两点。\n【总分】10分", TWENTY, 10, "total score"),
    ("准确性：8/10\n完整性：6/10\n综合评分：7/10", TEN, 7, "total score"),
    ("总分应为12分，按上限，最终得分为11分。", TWENTY, 11, "score"),
    # corrections and conditions
    ("评分：8。更正：剂量写错了，改为4。", TEN, 4, "score corrected"),
    ("Score: 7\nCorrection: after checking the dose, my score is 5.", TEN, 5, "score"),
    ("如果写明疗程，可以给9分；目前给7分。", TEN, 7, "score given"),
    ("评分：8。如果补充随访，可以给9分。", TEN, 8, "score"),
    ("<think>先给6分</think>评分：8", TEN, 8, "score"),
    ("评分：0.9\n问题：新生儿黄疸要停母乳吗？\n评分：0.3", UNIT, 0.9, "score"),
    # none
    ("", TEN, None, "empty"),
    ("<think>可以给8分", TEN, None, "unfinished thinking"),
    ("抱歉，我无法评分。", TEN, None, "refusal"),
    ("回答正确，条理清楚。", TEN, None, "nothing"),
    ("等级：B", TEN, None, "nothing"),
    ("回答一优于回答二，排序：一 > 二", TEN, None, "nothing"),
    ("9 7\n\nAssistant 1 names the cause of hepatitis B, Assistant 2 does not.", TEN, None, "several answers"),
    ("回答1：8分\n回答2：8分", TEN, None, "several answers"),
    ("Score A: 8\nScore B: 7", TEN, None, "several answers"),
    ("Accuracy: 4\nHelpfulness: 4", FIVE, None, "nothing"),
    ("Accuracy: 4\nTone: 4", FIVE, None, "nothing"),
    ("评分：准确性8，完整性8", TEN, None, "nothing"),
    ("事实正确性得分：4\n清晰得分：4", FIVE, None, "nothing"),
    ("| 维度 | 得分 |\n|---|---|\n| 病因 | 3 |\n| 治疗 | 3 |", FIVE, None, "nothing"),
    ("病因得2分，治疗得2分。", TEN, None, "nothing"),
    ("评分：8.5/10", UNIT, None, "another scale"),
    ("正确性：90%", UNIT, None, "another scale"),
    ("评分：11", TEN, None, "another scale"),
    ("评分：-0.5", UNIT, None, "nothing"),
    ("评分：≥0.8", UNIT, None, "nothing"),
    ("评分：0.6-0.8", UNIT, None, "nothing"),
    ("评分应该在零点六到零点八之间。", UNIT, None, "nothing"),
    ("得分：0.4+0.3+0.1", UNIT, None, "nothing"),
    ("评分：0.8，或者0.3", UNIT, None, "either"),
    ("评分：0.8\n评分：0.3", UNIT, None, "contradiction"),
    ("评分是8分。评分不是8分。", TEN, None, "denied"),
    ("评分标准：完全正确1分，部分正确0.5分。", UNIT, None, "nothing"),
    ("评分（1分最差，10分最好）", TEN, None, "nothing"),
    ("不应给0.9分。", UNIT, None, "nothing"),
    ("至少7分。", TEN, None, "nothing"),
    ("新生儿的Apgar评分为9分。", TEN, None, "nothing"),
    ("静脉滴注15分钟，给0.5克。", UNIT, None, "nothing"),
    ("1. 铁剂应与维生素C同服。\n2. 每日2次。", TEN, None, "nothing"),
    ("回答十分准确。", TEN, None, "nothing"),
    ("该回答的评分是0.", UNIT, None, "nothing"),
]


@pytest.mark.parametrize(("text", "scale", "value", "why"), ROWS, ids=[repr(row[0])[:40] for row in ROWS])
def test_table(text, scale, value, why):
    reading = read_score(text, *scale)
    assert (reading.value, reading.why) == (value, why)
    assert not (reading.clear and reading.value is None)


def test_places_are_those_of_the_raw_text():
    text = "<think>6</think>**评分**：８分。"
    (span,) = read_score(text, *TEN).spans
    assert text[span.start : span.end] == "评分**：８分"


def test_scores_of_the_labelled_files():
    """Wrong or invented at most one in a hundred, right at least 88."""
    rows = [
        row
        for file in sorted((Path(__file__).parent / "data").glob("answers_*.jsonl"))
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())
        if row.get("kind") == "score"
    ]
    said = [(row["label"], read_score(row["text"], row["low"], row["high"]).value) for row in rows]
    others = [(label, value) for label, value in said if value != (None if label is None else float(label))]
    assert len(rows) > 290
    assert len(others) <= 0.12 * len(rows)
    assert sum(value is not None for _, value in others) <= 0.01 * len(rows)


@given(
    st.lists(
        st.sampled_from(
            ["评分", "：", "8", "分", "\n", "，", "。", "0.5", "/10", "给", "不", "总分", "准确性", "-", "("]
        )
    )
)
def test_a_score_stays_on_its_scale_and_is_shown_where_it_stands(parts):
    text = "".join(parts)
    reading = read_score(text, *TEN)
    assert reading.value is None or 1 <= reading.value <= 10
    assert all(0 <= span.start < span.end <= len(text) for span in reading.spans)


@pytest.mark.parametrize("piece", ["评分：7\n", "给7分", "准确性：7，", "(1", "1=", "最终评分（", "如果给8分", "十"])
def test_time_grows_with_the_length_of_a_text(piece):
    times = []
    for size in (10_000, 100_000):
        begin = time.process_time()
        read_score(piece * (size // len(piece)), *TEN)
        times.append(time.process_time() - begin)
    assert times[1] < 30 * times[0] + 0.5
