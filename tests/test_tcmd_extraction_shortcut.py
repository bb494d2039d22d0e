"""The forms that are read sooner are read as the whole rule reads them."""

from __future__ import annotations

from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medzh_score.extraction import tcmd_strict
from medzh_score.extraction.tcmd_strict import Part, Side, read

OPTIONS = ("桂枝汤", "桂枝加葛根汤", "麻黄汤", "四物汤", "有机磷中毒")
SIDES = (Side((Part(OPTIONS),), 5), Side((Part(OPTIONS[:4]),), 4), Side((Part(OPTIONS[:4]),), 5))
OPENINGS = (
    "答案：",
    "答案是",
    "【答案】",
    "正确答案为：",
    "故选",
    "应选",
    "选",
    "参考答案",
    "因此答案：",
    "所以正确答案是",
    "",
)
PIECES = (
    *OPTIONS,
    *OPENINGS,
    *"ABCDE",
    *"。，；：\n？！ ",
    *"“”（）",
    *(
        "不对",
        "不是",
        "不正确",
        "错误",
        "有误",
        "的格式",
        "如果",
        "若",
        "例如",
        "排除",
        "因为",
        "所以",
        "而不是",
        "最可能的是",
        "应为",
    ),
    *("本证外寒里饮", "有里饮者", "不能制约阳气", "题目：", "问题", "以下是中医执业医师资格考试", "1.", "吗", "为什么"),
)


@st.composite
def texts(draw):
    opening = draw(st.sampled_from(OPENINGS))
    middle = "".join(draw(st.lists(st.sampled_from(PIECES), max_size=6)))
    label = draw(st.sampled_from("ABCDE"))
    return draw(
        st.sampled_from((f"{opening}{label}{middle}", f"{middle}{opening}{label}", f"{middle}，{opening}{label}。"))
    )


@settings(max_examples=1500, deadline=None)
@given(texts(), st.sampled_from(SIDES), st.sampled_from((0, 33)))
def test_sooner_is_no_other(text, side, variant):
    if variant not in side.orders:
        variant = 0
    sooner = read(text, side, variant)
    with mock.patch.object(tcmd_strict, "_plain", return_value=None):
        assert sooner == read(text, side, variant)


@pytest.mark.parametrize(
    "text",
    [
        "答案：C。本证外寒里饮",
        "【答案】C\n本证外寒里饮，治宜解表散寒、温肺化饮，不可过用寒凉之品。",
        "C。",
        "C\n本证外寒里饮，治宜解表散寒、温肺化饮，不可过用寒凉之品。",
        "本证外寒里饮，故选C。",
        "本证外寒里饮。正确答案：C",
    ],
)
def test_these_are_read_sooner(text):
    with mock.patch.object(tcmd_strict, "chosen", side_effect=AssertionError):
        assert read(text, SIDES[0], 0)[0].value == "C"
