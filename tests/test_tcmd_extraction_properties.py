"""What holds of the rule ``strict-1`` of TCMD for any text, and that no text takes more than one pass."""

from __future__ import annotations

import sys

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from medzh_score.extraction import tcmd_strict
from medzh_score.extraction.option_texts import OptionTexts
from medzh_score.extraction.option_wordings import KINDS
from medzh_score.extraction.preparation import prepared
from medzh_score.extraction.tcmd_choice import Question
from medzh_score.extraction.tcmd_groups import choices
from medzh_score.extraction.tcmd_question import chosen
from medzh_score.extraction.tcmd_strict import Part, Side, read
from medzh_score.variants import order_of

LETTERS = "ABCDE"
OPTIONS = ("桂枝汤", "麻黄汤", "小青龙汤", "高血压", "高血压病")
WORDS = (
    *KINDS,
    *OPTIONS,
    *"ABCDEFac123①②（）()【】[]“”\"'。，,.、;；:：？!-~* \n\t",
    *(
        "不",
        "不是",
        "如果",
        "若",
        "为什么",
        "格式为",
        "对",
        "错",
        "正确",
        "项",
        "选项",
        "而",
        "和",
        "或",
        "因为",
        "解析",
    ),
    *(
        "第一题",
        "第2题",
        "1.",
        "2.",
        "（1）",
        "答案：1.A 2.C",
        "1.A 2.C 3.B",
        "1-3 ACB",
        "题目：",
        "\n题目：",
        "<think>",
        "</think>",
    ),
    *(
        "本证外寒里饮",
        "治宜解表",
        "CT",
        "PPD",
        "维生素D",
        "B超",
        "A型",
        "Ａ",
        "１",
        "選",
        "\\boxed{",
        "}",
        "<eoa>",
        "```",
        "\u200b",
    ),
)
TEXTS = st.lists(st.sampled_from(WORDS), max_size=10).map("".join) | st.text(max_size=30)
SIZES = st.integers(2, 5)


@st.composite
def asked(draw):
    sizes = draw(st.lists(SIZES, min_size=1, max_size=4))
    return Side(tuple(Part(OPTIONS[:size]) for size in sizes), max(sizes)), draw(st.integers(0, 1))


@settings(max_examples=1500, deadline=None)
@given(text=TEXTS, question=asked())
def test_any_text_is_read(text, question):
    side, variant = question
    answers = read(text, side, variant)
    assert len(answers) == len(side.parts)
    for answer, part in zip(answers, side.parts, strict=True):
        assert answer.rule
        if answer.value is None:
            assert answer.note is None
            continue
        order = order_of(variant, len(part.options), side.largest)
        assert answer.value in LETTERS[: len(part.options)]
        assert order[LETTERS.index(answer.note)] == LETTERS.index(answer.value)


@settings(max_examples=3000, deadline=None)
@given(
    before=st.sampled_from(["", " ", "\n", "“", "题"]),
    head=st.sampled_from(
        ["", "答案：", "正确答案是", "【答案】", "答案 ", "选", "故选", "应选", "答案", "本题答案为："]
    ),
    letter=st.sampled_from(LETTERS),
    after=st.sampled_from(["", ".", "。", "，", ", ", "\n", " ", "。\n"]),
    rest=TEXTS,
)
@example(before="", head="", letter="A", after="\n", rest="解：桂枝汤")
def test_the_short_way_says_what_the_rule_says(before, head, letter, after, rest):
    text = before + head + letter + after + rest
    part = Part(OPTIONS[:4])
    (short,) = read(text, Side((part,), 4), 0)
    spoken = prepared(text)
    assume(spoken is not None)
    long = chosen(spoken, Question(part.texts, (0, 1, 2, 3)))
    assert (short.note and LETTERS.index(short.note), short.rule) == (long.shown, long.rule)


@settings(max_examples=300, deadline=None)
@given(
    letters=st.lists(st.sampled_from(LETTERS), min_size=1, max_size=4),
    mark=st.sampled_from([".", "、", "：", ")", ""]),
    gap=st.sampled_from([" ", "\n", ", ", "；"]),
)
def test_the_short_way_for_groups_says_what_the_rule_says(letters, mark, gap):
    text = gap.join(f"{number}{mark}{letter}" for number, letter in enumerate(letters, start=1))
    parts = tuple(Part(OPTIONS[:size]) for size in (4, 5, 4))
    short = read(text, Side(parts, 5), 0)
    long = choices(text, [Question(part.texts, tuple(range(len(part.options)))) for part in parts])
    assert [answer.rule for answer in short] == [choice.rule for choice in long]
    assert [answer.note for answer in short] == [None if one.shown is None else LETTERS[one.shown] for one in long]


@settings(max_examples=500, deadline=None)
@given(text=st.text(alphabet=st.characters(exclude_characters="选選答"), max_size=60), question=asked())
def test_prose_without_labels_gives_none(text, question):
    """No Latin letter that could be a label, no option's text, nothing that announces an answer."""
    side, variant = question
    plain = prepared(text) or ""
    assume(not any("A" <= character <= "H" or "a" <= character <= "h" for character in plain))
    assume(not any(option in plain for option in OPTIONS))
    assert all(answer.value is None for answer in read(text, side, variant))


@settings(max_examples=500, deadline=None)
@given(thought=TEXTS, text=TEXTS, question=asked())
def test_thinking_is_not_read(thought, text, question):
    side, variant = question
    assume("think" not in thought and "think" not in text)
    assert read(f"<think>{thought}</think>{text}", side, variant) == read(text, side, variant)
    assert {answer.rule for answer in read(f"{text}<think>{thought}", side, variant)} == {"unfinished thinking"}


@settings(max_examples=500, deadline=None)
@given(text=TEXTS, question=asked(), rest=TEXTS)
def test_the_next_question_is_not_read(text, question, rest):
    side, variant = question
    assume((prepared(text) or "") and not text.rstrip(" ").endswith("\n") and "think" not in rest)
    assert read(f"{text}\n题目：{rest}", side, variant) == read(text, side, variant)


@settings(max_examples=500, deadline=None)
@given(text=TEXTS, letter=st.sampled_from(LETTERS), before=st.sampled_from(["\n", "。\n", "\n\n"]))
def test_a_last_line_that_commits_itself_decides(text, letter, before):
    spoken = prepared(text + "x")
    assume(spoken is not None and "题目" not in text and "```" not in text)
    (answer,) = read(f"{text}x{before}正确答案是{letter}。", Side((Part(OPTIONS),), 5), 0)
    assert (answer.value, answer.rule) == (letter, "marker")


@settings(max_examples=300, deadline=None)
@given(options=st.lists(st.text(min_size=1, max_size=6), min_size=2, max_size=5), text=st.text(max_size=12))
def test_any_options_can_be_looked_for(options, text):
    texts = OptionTexts(tuple(options))
    met = texts.leading(text)
    assert met is None or 0 <= met.option < len(options)
    whole = texts.whole(text)
    assert whole is None or texts.plain[whole]
    side = Side((Part(tuple(options)),), len(options))
    for answer in read(text, side, 0):
        assert answer.value is None or answer.value in LETTERS[: len(options)]


PIECES = (
    *("答案", "答案：", "选A", "选A、", "A、", "A ", "（", "【】", "1", "1.", "1.A.", "2～", "第1题选", "①", " ", "\n"),
    *(
        "\n1.A项",
        "如果选A",
        "不",
        "若选A",
        "桂枝汤",
        "答案：桂枝汤加",
        "是答案A不",
        "A是正确答案",
        "<think>",
        "</think>",
    ),
    *("```", "\\boxed{", "*", "因此，A正确", "“1.A格式", "1～3 A", "1、", "选A，B，", "answer is ", "\n 题目 ", "ＡＢ"),
    *("C is the correct answer ", "A. 桂枝汤\n", "A. 桂枝汤 B. 麻黄汤 ", "E. c", "a", "一、", "，1.", "\n辨证："),
)


@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("piece", PIECES)
def test_the_steps_grow_no_faster_than_the_text(piece, parts):
    """Counted in calls, not in time; that no single match takes more than one pass is what the patterns' test shows."""
    side = Side((Part(OPTIONS),) * parts, 5)
    short, long = (_steps(piece * (size // len(piece)) + "。本证", side) for size in (1_000, 4_000))
    assert long <= 4.5 * short + 50


def _steps(text, side):
    count = 0

    def note(_frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        tcmd_strict.read(text, side, 0)
    finally:
        sys.setprofile(before)
    return count
