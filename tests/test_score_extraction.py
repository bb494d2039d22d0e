"""Scores in the manner of judge models, on a table by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medzh_score.between import Between
from medzh_score.extraction.score import WORDINGS, explain, read

UNIT, TEN = Between(0, 1), Between(0, 10)

# The scale that was asked for, the response, what a careful reader takes from it, and by which rule or why not.
TABLE = [
    (UNIT, "评分：0.6。应改为0.8。", "0.8", "score changed"),
    (UNIT, "0.6。不，重新评估后，0.8分。", "0.8", "points"),
    (UNIT, "评分：0.9。综合来看，0.3分。", None, "contradiction"),
    (UNIT, "评分：0.6。其实0.8更合适。", None, "contradiction"),
    (UNIT, "回答基本正确，0.8。", "0.8", "number alone"),
    (UNIT, "回答基本正确，0.8更合适。", "0.8", "number that fits"),
    (UNIT, "回答基本正确，0.8分。", "0.8", "points"),
    (UNIT, "0.9。回答有多处错误，我看也就是0.3的水平。", None, "contradiction"),
    (UNIT, "评分：0.8。每次服用0.5克。", "0.8", "score marked"),
    (UNIT, "评分：0.8。差异有统计学意义（P<0.05）。", "0.8", "score marked"),
    (UNIT, "评分：0.8。如果更完整可得0.9。", "0.8", "score marked"),
    (UNIT, "评分：0.", None, "truncated"),
    (UNIT, "我打0.8", "0.8", "score given"),
    (UNIT, "0.8", "0.8", "number first"),
    (UNIT, "0.80分", "0.8", "number first"),
    (UNIT, "评分：0.8", "0.8", "score marked"),
    (UNIT, "Score: 0.8", "0.8", "score marked"),
    (UNIT, "0.8，因为基本正确", "0.8", "number first"),
    (UNIT, "**0.8**", "0.8", "number first"),
    (UNIT, "０．８", "0.8", "number first"),
    (UNIT, ".5", "0.5", "number first"),
    (UNIT, "1", "1", "number first"),
    (UNIT, "0", "0", "number first"),
    (UNIT, "1.0", "1", "number first"),
    (UNIT, "80%", None, "another scale"),
    (UNIT, "8/10", None, "another scale"),
    (TEN, "8/10", "8", "number first"),
    (TEN, "8分", "8", "number first"),
    (TEN, "8 out of 10", "8", "number first"),
    (TEN, "80/100", None, "another scale"),
    (UNIT, "0.8/1", "0.8", "number first"),
    (UNIT, "0.8 out of 1.0", "0.8", "number first"),
    (UNIT, "0.7-0.8", None, "range"),
    (UNIT, "0.7到0.8", None, "range"),
    (UNIT, "0.7~0.8", None, "range"),
    (UNIT, "1.5", None, "out of range"),
    (UNIT, "评分：1.5", None, "out of range"),
    (UNIT, "-0.5", None, "nothing"),
    (UNIT, "评分（0-1）：0.8", "0.8", "score marked"),
    (UNIT, "在0到1之间，我给0.6分。", "0.6", "score given"),
    (UNIT, "The score is 0.7.", "0.7", "score marked"),
    (UNIT, "I would give it a score of 0.7 because", "0.7", "score marked"),
    (UNIT, "I rate this answer 0.9.", "0.9", "score marked"),
    (UNIT, "正确性评分：0.9\n理由：答案正确。", "0.9", "score marked"),
    (UNIT, "评分：0.8\n……因此评分为0.6", None, "contradiction"),
    (UNIT, "正确性：0.8，可解释性：0.6", None, "contradiction"),
    (UNIT, "0.8（80%）", "0.8", "number first"),
    (UNIT, "评分：0.8（即80%）", "0.8", "score marked"),
    (UNIT, "1. 答案正确。", None, "nothing"),
    (UNIT, "1、答案正确", None, "nothing"),
    (UNIT, "1) correct", None, "nothing"),
    (UNIT, "答案基本正确。\n0.8", "0.8", "number last"),
    (UNIT, "每日 3 次，每次 0.5 克。", None, "nothing"),
    (UNIT, "我无法评分。", None, "refusal"),
    (UNIT, "抱歉，我无法给出 0.8 分。", None, "refusal"),
    (UNIT, "", None, "empty"),
    (UNIT, '{"score": 0.8, "reason": "基本正确"}', "0.8", "number first"),
    (UNIT, "\\boxed{0.8}", "0.8", "number first"),
    (UNIT, "<think>0.3</think>0.8", "0.8", "number first"),
    (UNIT, "<think>0.3", None, "unclosed"),
    (UNIT, "如果答案完整，评分为0.9。", None, "nothing"),
    (UNIT, "0,8", None, "nothing"),
    (UNIT, "0.8.1", None, "nothing"),
    (UNIT, "评分：0.8。参考资料共 3 条。", "0.8", "score marked"),
    (UNIT, "评分标准：0到1。", None, "nothing"),
    (UNIT, "得分为 1 分", "1", "score marked"),
    (UNIT, "最终评分: 0.75/1.0", "0.75", "score marked"),
    (UNIT, "Rating: 0.5 out of 1", "0.5", "score marked"),
    (UNIT, "答案：0.8", "0.8", "score marked"),
    (UNIT, "Answer: 0.8", "0.8", "score marked"),
    (TEN, "评分：8（满分10）", "8", "score marked"),
    (TEN, "评分：8分，满分10分", "8", "score marked"),
    (UNIT, "评分：8（满分10）", None, "another scale"),
    (UNIT, "发热 3 天，体温 39 度。", None, "nothing"),
    (UNIT, "2023年指南", None, "nothing"),
    (UNIT, "1分", "1", "number first"),
    (UNIT, "0.8？", None, "nothing"),
    (UNIT, "0.8或0.9", None, "range"),
]


@pytest.mark.parametrize(("scale", "text", "value", "rule"), TABLE)
def test_table(scale, text, value, rule):
    found = read(text, scale)
    assert (found.value, found.rule) == (value, rule)


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda wording: wording.name)
def test_each_wording_finds_its_example_and_not_the_other(wording):
    assert wording.expression.search(wording.matches)
    assert not wording.expression.search(wording.misses)


def test_wordings_have_names_of_their_own_and_each_is_read():
    names = {wording.name for wording in WORDINGS}
    assert len(names) == len(WORDINGS)
    assert names <= {rule for *_, rule in TABLE}


PIECES = [
    "评分",
    "：",
    "0.8",
    "1",
    "0",
    ".",
    "/10",
    "%",
    "分",
    "，",
    "。",
    "\n",
    "-",
    "到",
    "因为",
    "Score",
    " ",
    "给",
    "（",
    "）",
    "条",
    "**",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=10).map("".join) | st.text(max_size=20)


@settings(max_examples=600, deadline=None)
@given(text=TEXTS, scale=st.sampled_from([UNIT, TEN]))
def test_reading_and_explaining_agree_and_scores_stay_in_range(text, scale):
    found, shown = read(text, scale), explain(text, scale)
    assert (found.value, found.rule) == (shown.value, shown.rule)
    if found.value is not None:
        assert scale.low <= Decimal(found.value) <= scale.high
        ((start, end),) = shown.spans
        assert Decimal(text[start:end].replace("*", "")) == Decimal(found.value)


@settings(max_examples=200, deadline=None)
@given(first=st.integers(0, 100), second=st.integers(0, 100))
def test_two_scores_must_be_equal(first, second):
    """Source: several different numbers are no score."""
    one, two = Decimal(first) / 100, Decimal(second) / 100
    found = read(f"评分：{one}。因此最终评分为{two}。", UNIT)
    assert (found.value is not None) == (one == two)


@pytest.mark.parametrize("piece", ["1", "0.", "评分", "评分1", "1 ", "给", "（", "\n1", "1。", "0-1"])
@pytest.mark.usefixtures("a_minute_at_most")
def test_a_long_text_is_gone_through(piece):
    read(piece * (50_000 // len(piece)), UNIT)
