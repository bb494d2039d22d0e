"""The rules ``simple-1`` and ``lenient-1`` of PeMeBench's choice sets: a table, and the readings of single answers.

The rows stand in ``data/pemebench_choice_answers.jsonl``: a text, its options, the letters that each rule takes, what
``lenient-1`` found them by or why there are none, and what the row shows.
"""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.extraction import choice_agreed, choice_lenient, choice_simple
from medzh_score.extraction.choice_side import ChoiceSide

DATA = Path(__file__).parent / "data"
TABLE = [
    json.loads(line) for line in (DATA / "pemebench_choice_answers.jsonl").read_text(encoding="utf-8").splitlines()
]
SINGLE = [json.loads(line) for line in (DATA / "tcmd_single_answers.jsonl").read_text(encoding="utf-8").splitlines()]
OPTIONS = {
    "f": ("肺炎", "喉炎", "脑炎", "心肌炎", "尿路结石"),
    "v": ("维生素A", "维生素B1", "维生素C", "维生素D", "维生素K"),
    "four": ("卡介苗", "乙型肝炎疫苗", "百白破疫苗", "麻腮风疫苗"),
    "all": ("发热", "咳嗽", "皮疹", "以上都是", "以上都不是"),
    "mark": ("CEA", "AFP", "VMA", "HVA"),
    "ig": ("IgA", "IgG", "IgM", "IgE", "IgD"),
    "pre": ("佝偻病", "佝偻病激期", "佝偻病恢复期", "佝偻病后遗症期"),
    "heart": ("室间隔缺损", "房间隔缺损", "动脉导管未闭", "法洛四联症", "肺动脉狭窄"),
    "plus": ("多饮水", "退热", "补液", "复诊", "A+B+C+D"),
    "both": ("多饮水", "退热", "补液", "复诊", "以上都包括"),
    "drug": ("青霉素", "环磷酰胺", "泼尼松", "呋塞米"),
    "test": ("腹部B超", "腹部CT平扫", "胃镜检查", "钡餐检查"),
    "join": ("喉炎", "肺炎", "A和B", "以上都不是"),
}
# Those of tests/test_tcmd_extraction.py, whose table is read again here.
TCMD_OPTIONS = {
    "f": ("桂枝汤", "麻黄汤", "小青龙汤", "银翘散", "桑菊饮"),
    "h": ("桂枝汤", "麻黄汤", "小青龙汤", "大青龙汤", "银翘散"),
    "mmol": ("3.5mmol/L", "4mmol/L", "4.5mmol/L", "5mmol/L", "5.5mmol/L"),
    "bp": ("80mmHg", "90mmHg", "100mmHg", "110mmHg", "120mmHg"),
    "fix": ("不寐", "便血，脱出", "定痫丸", "误汗", "出生后2～3天"),
    "rx": ("非处方药", "处方药", "保健品", "新药", "中药"),
    "four": ("风寒", "风热", "暑湿", "燥邪"),
    "two": ("对", "错"),
    "pre": ("高血压", "高血压病", "高血压危象", "低血压", "体位性低血压"),
    "lat": ("B超", "CT检查", "MRI", "PPD试验", "维生素D"),
    "twin": ("桂枝", "桂枝", "麻黄", "杏仁", "甘草"),  # twice the same on purpose
    "num": ("1", "1.5", "2", "2～3", "3～5"),
    "ig": ("IgA", "IgG", "IgM", "IgE", "IgD"),
    "way": ("清热利湿", "清热利湿，解毒散结", "活血化瘀", "疏肝理气", "温经散寒"),
    "mark": ("CEA", "AFP", "CA125", "PSA"),
    "both": ("热证", "寒证", "A和B", "以上都不是"),
}
FOUND = {"label", "label and text", "marker", "text", "marker and text", "labels", "all"}
NOT_FOUND = {
    "empty",
    "unfinished thinking",
    "either",
    "range",
    "contradiction",
    "several",
    "no such label",
    "negated",
    "supposed",
    "example",
    "nothing found",
}
LETTERS = "ABCDE"
SETS = ["".join(chosen) for size in range(2, 6) for chosen in combinations(LETTERS, size)]
# Rows of the table that ``strict-2`` reads otherwise, what it reads, and why.
ANOTHER_CHOICE = {"网上流传的答案是A，但我认为D更合适。": ("D", "another's answer is put aside for the own")}


def lenient(text, options="f"):
    return choice_lenient.read(text, ChoiceSide(OPTIONS[options]))


def simple(text, options="f"):
    return choice_simple.read(text, ChoiceSide(OPTIONS[options]))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['source']}: {row['text'][:30]!r}")
def test_table(row):
    strict, careful = simple(row["text"], row["options"]), lenient(row["text"], row["options"])
    assert strict.value == row["simple"], row["source"]
    assert (careful.value, careful.rule) == (row["lenient"], row["rule"]), row["source"]


def test_the_table_is_large_and_reaches_every_rule():
    assert len(TABLE) >= 200
    assert len({(row["text"], row["options"]) for row in TABLE}) == len(TABLE)
    assert {row["rule"] for row in TABLE if row["lenient"]} == FOUND
    assert {row["rule"] for row in TABLE if row["lenient"] is None} == NOT_FOUND
    assert sum(len(row["lenient"] or "") > 1 for row in TABLE) >= 80
    assert sum(row["simple"] != row["lenient"] for row in TABLE) >= 90


@pytest.mark.parametrize("row", SINGLE, ids=lambda row: f"{row['source']}: {row['text'][:30]!r}")
def test_single_answers_are_read_as_tcmd_reads_them(row):
    """Where TCMD's rule takes one option, so does this one; where it takes none, this one takes none or several."""
    found = choice_lenient.read(row["text"], ChoiceSide(TCMD_OPTIONS[row["options"]]))
    if row["value"] is None:
        assert found.value is None or len(found.value) > 1
    else:
        assert (found.value, found.rule) == (row["value"], row["rule"])


@pytest.mark.parametrize("letters", SETS)
def test_every_set_of_letters_in_every_form(letters):
    joined = "、".join(letters)
    for text in (
        letters,
        joined,
        f"答案：{letters}",
        f"正确答案为{joined}。",
        f"故选{letters}。",
        f"麻疹的并发症。\n\n{joined}",
    ):
        assert lenient(text).value == letters, text
    for text in (letters, joined, f"答案：{letters}", f"答案是{joined}。"):
        assert simple(text).value == letters, text


@pytest.mark.parametrize("letters", [chosen for chosen in SETS if len(chosen) < 5])
def test_options_that_are_listed_are_their_letters(letters):
    texts = [OPTIONS["f"][LETTERS.index(letter)] for letter in letters]
    listed = [f"{letter}. {text}" for letter, text in zip(letters, texts, strict=True)]
    for text in ("\n".join(listed), "；".join(listed), "、".join(texts), f"正确答案：{'；'.join(listed)}"):
        assert lenient(text).value == letters, text


@given(st.lists(st.sampled_from(LETTERS), min_size=2, max_size=8))
def test_the_order_of_letters_and_repetitions_do_not_matter(letters):
    expected = "".join(sorted(set(letters)))
    assert lenient(f"答案：{'、'.join(letters)}").value == expected
    assert simple(f"答案：{'、'.join(letters)}").value == expected


@given(st.text(max_size=60))
def test_any_text_gives_letters_of_the_question_in_order_or_nothing(text):
    for found in (lenient(text, "four"), simple(text, "four")):
        assert found.value is None or found.value in {"".join(c) for n in range(1, 5) for c in combinations("ABCD", n)}
        assert found.rule


@given(st.text(alphabet="ABCDEFab、，或和不选答案是：。\n肺喉脑炎 ", max_size=40))
def test_texts_of_letters_and_markers_give_letters_of_the_question_or_nothing(text):
    for found in (lenient(text), simple(text)):
        assert found.value is None or (
            set(found.value) <= set(LETTERS) and sorted(set(found.value)) == list(found.value)
        )


@given(st.text(max_size=30).filter(lambda text: "<" not in text))
def test_what_was_thought_does_not_matter(thought):
    assert lenient(f"<think>{thought}</think>\n答案：A、C").value == "AC"
    assert lenient(f"<think>{thought}").rule == "unfinished thinking"


@pytest.mark.parametrize("text", ["C", "答案：A、C", "选A和C。", "抱歉。", ""])
def test_equal_answers_are_one_object(text):
    assert lenient(text) is lenient(text)
    assert simple(text) is simple(text)


def test_of_two_commitments_simple_1_takes_none_and_lenient_1_the_last():
    text = "答案：A\n再检查一遍，喉炎也可并发。\n更正答案：A、B"
    assert (simple(text).rule, lenient(text).value) == ("several", "AB")


@pytest.mark.parametrize(
    "unit", ["答案是A，", "A（", "（A）", "A>", "A、", "选A和", "正确的有", "肺炎（A）、", "A正确；", "\nA. 肺炎"]
)
def test_one_letter_said_over_and_over_is_never_several(unit):
    for text in (unit * 4000, f"答案：{unit * 4000}"):
        assert {simple(text).value, lenient(text).value} <= {None, *"ABCDE"}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: repr(row["text"][:40]))
def test_strict_2_reads_choices_as_labelled_or_for_a_reason(row):
    side = ChoiceSide(OPTIONS[row["options"]])
    expected, _ = ANOTHER_CHOICE.get(row["text"], (row["lenient"], ""))
    answer = choice_agreed.read(row["text"], side)
    assert answer.value == expected
    (told,) = choice_agreed.explain(row["text"], side, 0)
    assert (told.value, told.rule) == (answer.value, answer.rule)


def test_the_rows_that_strict_2_reads_otherwise_are_rows_of_the_table():
    assert set(ANOTHER_CHOICE) <= {row["text"] for row in TABLE}
