"""The kind "option letters": a table of what a careful person reads, its wordings, and properties of its readings.

The rows stand in ``data/option_letters_answers.jsonl``: a text, its options, whether several may be right, what is
chosen, and what the row shows. ``reported N`` is an extraction failure that users of other libraries reported.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medzh_score.extraction import option_letters
from medzh_score.extraction.letters_plain import plain
from medzh_score.extraction.option_letters import WORDINGS, explain, question_of, read

DATA = Path(__file__).parent / "data"
TABLE = [json.loads(line) for line in (DATA / "option_letters_answers.jsonl").read_text(encoding="utf-8").splitlines()]
OPTIONS = {
    "f": ("桂枝汤", "麻黄汤", "小青龙汤", "银翘散", "桑菊饮"),
    "all": ("发热", "咳嗽", "皮疹", "以上都是", "以上都不是"),
    "pre": ("高血压", "高血压病", "高血压危象", "低血压", "体位性低血压"),
    "ig": ("IgA", "IgG", "IgM", "IgE", "IgD"),
    "lat": ("B超", "CT检查", "MRI", "PPD试验", "维生素D"),
    "m": ("肺炎", "喉炎", "脑炎", "心肌炎", "尿路结石"),
}
REASONS = {
    *("empty", "unclosed", "refusal", "contradiction", "several", "either", "range", "no such label"),
    *("negated", "supposed", "example", "hedge", "nothing"),
}
CHOSEN = [row for row in TABLE if row["value"]]
PIECES = (
    *OPTIONS["f"],
    *"ABCDEFab",
    *"。，；：\n？！ （）、“”",
    *(
        "答案：",
        "答案是",
        "【答案】",
        "正确答案为",
        "故选",
        "应选",
        "选",
        "本题选",
        "因此，",
        "所以",
        "综上",
        "The answer is ",
    ),
    *(
        "是正确的",
        "正确",
        "错误",
        "不对",
        "不是",
        "不选",
        "排除",
        "有误",
        "更正：",
        "等等",
        "或",
        "和",
        "以及",
        "其余",
        "选项",
    ),
    *("如果", "若", "例如", "格式", "可能是", "不确定", "无法判断", "抱歉", "患者无汗", "维生素", "B超", "题目："),
)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['source']}: {row['text'][:30]!r}")
def test_table(row):
    answer = read(row["text"], OPTIONS[row["options"]], several=row["several"])
    assert answer.value == row["value"], row["source"]
    assert answer.value or answer.rule in REASONS


def test_the_table_is_large_and_reaches_every_reason_and_wording():
    assert len(TABLE) >= 600
    rules = {read(row["text"], OPTIONS[row["options"]], several=row["several"]).rule for row in TABLE}
    assert rules >= REASONS - {"empty"} - {"range"} | {wording.name for wording in WORDINGS}


@pytest.mark.parametrize("number", [16, 17, 19, 20, 21, 22, 23, 24])
def test_each_reported_failure_has_a_row(number):
    assert any(row["source"].startswith(f"reported {number}:") for row in TABLE)


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda wording: wording.name)
def test_each_wording_matches_its_example_and_not_the_other(wording):
    assert wording.expression.search(wording.matches)
    assert not wording.expression.search(wording.misses)
    assert read(wording.matches, OPTIONS["m"], several=True).value
    assert read(wording.misses, OPTIONS["m"], several=True).value is None


@pytest.mark.parametrize("row", TABLE, ids=lambda row: repr(row["text"][:30]))
def test_explaining_reads_the_same_and_shows_where(row):
    answer = read(row["text"], OPTIONS[row["options"]], several=row["several"])
    told = explain(row["text"], OPTIONS[row["options"]], several=row["several"])
    assert (told.value, told.rule) == (answer.value, answer.rule)
    assert all(0 <= span.start < span.end <= len(row["text"]) for span in told.spans)
    if answer.value:
        assert told.spans


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("患者无汗。故选**B**。", ["选**B"]),
        ("答案：A。\n因此选B。", ["答案：A", "选B"]),
        ("<think>答案：A</think>（B）麻黄汤", ["（B）麻黄汤"]),
        ("小青龙汤", ["小青龙汤"]),
        ("选项B正确，其余错误。", ["B正确"]),
    ],
)
def test_the_span_is_what_was_read(text, shown):
    assert [text[span.start : span.end] for span in explain(text, OPTIONS["f"]).spans] == shown


@pytest.mark.parametrize("row", CHOSEN, ids=lambda row: repr(row["text"][:30]))
@pytest.mark.parametrize("conclusion", ["\n\n综上，答案是{}。", "\n\n**答案：{}**"])
def test_a_conclusion_that_agrees_changes_nothing(row, conclusion):
    text = row["text"] + conclusion.format(row["value"])
    assert read(text, OPTIONS[row["options"]], several=row["several"]).value == row["value"]


@pytest.mark.parametrize("first", "ABCDE")
@pytest.mark.parametrize("second", "ABCDE")
@pytest.mark.parametrize(
    "form",
    [
        "答案：{}。\n因此选{}。",
        "{}\n\n解析：略。故选{}。",
        "The answer is {}. So the answer is {}.",
        "选{}。\n答案：{}",
        "{}\n\n正确答案是{}。",
    ],
)
def test_two_commitments_agree_or_contradict(form, first, second):
    answer = read(form.format(first, second), OPTIONS["f"])
    assert (answer.value == first) if first == second else (answer.value, answer.rule) == (None, "contradiction")


@pytest.mark.parametrize(
    "correction", ["不对，应选{}。", "更正：{}", "等等，应该选{}。", "Wait, the answer is {}.", "修正：答案为{}"]
)
def test_a_correction_counts(correction):
    assert read("答案：A。" + correction.format("D"), OPTIONS["f"]).value == "D"


def test_a_label_with_another_options_text_contradicts():
    for letter, own in zip("ABCDE", OPTIONS["f"], strict=True):
        for option in OPTIONS["f"]:
            for form in ("{}. {}", "答案：{}. {}", "正确答案是{}（{}）。", "故选{}、{}。"):
                answer = read(form.format(letter, option), OPTIONS["f"])
                assert (answer.value, answer.rule == "contradiction") == (
                    (letter, False) if option == own else (None, True)
                ), form.format(letter, option)


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.booleans())
def test_any_text_gives_labels_that_were_shown_or_a_reason(text, several):
    options = OPTIONS["f"][:4]
    answer = read(text, options, several=several)
    told = explain(text, options, several=several)
    assert (told.value, told.rule) == (answer.value, answer.rule)
    assert all(0 <= span.start < span.end <= len(text) for span in told.spans)
    if answer.value is None:
        assert answer.rule in REASONS
    else:
        assert set(answer.value) <= set("ABCD")
        assert list(answer.value) == sorted(set(answer.value))
        assert several or len(answer.value) == 1


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_any_characters_are_read(text):
    assert read(text, OPTIONS["lat"]).value in {None, *"ABCDE"}


@settings(max_examples=800, deadline=None)
@given(
    st.sampled_from(["答案：", "答案是", "【答案】", "正确答案为", "故选", "应选", ""]),
    st.sampled_from("ABCDE"),
    st.lists(st.sampled_from(PIECES), max_size=5).map("".join),
    st.booleans(),
)
def test_what_is_read_sooner_is_read_no_otherwise(opening, label, prose, front):
    """The whole reading knows no shortcut: it is called here by itself."""
    text = f"{opening}{label}。{prose}" if front else f"{prose}。{opening}{label}。"
    sooner = plain(text, question_of(OPTIONS["f"]))
    if sooner:
        told = explain(text, OPTIONS["f"])
        assert (told.value, told.rule) == sooner


def test_these_are_read_sooner():
    prose = "本证外寒里饮，治宜解表散寒、温肺化饮，不可过用寒凉之品。"
    for text in (
        "C",
        "答案：C。",
        "故选C",
        "应选C。",
        f"答案：C。{prose}",
        f"C。{prose}",
        f"{prose}因此，正确答案是C。",
        "C. 小青龙汤",
    ):
        told = explain(text, OPTIONS["f"])
        assert plain(text, question_of(OPTIONS["f"])) == (told.value, told.rule) == ("C", told.rule)


@pytest.mark.parametrize("text", ["C", "答案：C", "选C。", "C。本证外寒里饮。", "抱歉，我无法回答。"])
def test_equal_answers_are_one_object(text):
    assert read(text, OPTIONS["f"]) is read(text, OPTIONS["f"])


@pytest.mark.parametrize(
    "unit", ["答案是A，", "A（", "（A）", "A>", "A、", "选A和", "正确的有", "\nA. 桂枝汤", "A对，", "不是A，"]
)
def test_one_letter_said_over_and_over_is_never_another(unit):
    for text in (unit * 400, f"答案：{unit * 400}"):
        assert read(text, OPTIONS["f"], several=True).value in {None, "A"}


def test_what_says_nothing_of_options_is_no_answer_whoever_asks():
    for text in ("", " \n", "今天天气很好。", "抱歉，我无法提供医疗建议，请咨询医生。"):
        for several in (False, True):
            assert read(text, OPTIONS["f"], several=several).value is None
    assert option_letters.read("", OPTIONS["f"]).rule == "empty"
