"""The rule ``strict-1`` of TCMD on single questions: a table whose rows say where each expectation comes from.

The rows stand in ``data/tcmd_single_answers.jsonl``. The source of a row is a sentence of the rule's description
(README and docstrings of ``medzh_score.extraction``), or ``reported N``: an extraction failure that users of other
evaluation libraries reported, with its thread. Reported failures 17 and 19 are of text that is cut off or verbose;
18 is about missing data, which no text shows.
"""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest

from medzh_score.extraction import option_wordings as wordings
from medzh_score.extraction import tcmd_agreed
from medzh_score.extraction.option_labels import announced, marks
from medzh_score.extraction.preparation import prepared
from medzh_score.extraction.tcmd_strict import Part, Side, read
from medzh_score.variants import orders

LETTERS = "ABCDE"
TABLE = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "tcmd_single_answers.jsonl").read_text(encoding="utf-8").splitlines()
]
OPTIONS = {
    "f": ("桂枝汤", "麻黄汤", "小青龙汤", "银翘散", "桑菊饮"),
    "h": ("桂枝汤", "麻黄汤", "小青龙汤", "大青龙汤", "银翘散"),
    "mmol": ("3.5mmol/L", "4mmol/L", "4.5mmol/L", "5mmol/L", "5.5mmol/L"),
    "bp": ("80mmHg", "90mmHg", "100mmHg", "110mmHg", "120mmHg"),
    "fix": ("不寐", "便血，脱出", "定痫丸", "误汗", "出生后2～3天"),  # they begin as what stands before an answer
    "rx": ("非处方药", "处方药", "保健品", "新药", "中药"),
    "four": ("风寒", "风热", "暑湿", "燥邪"),
    "two": ("对", "错"),
    "pre": ("高血压", "高血压病", "高血压危象", "低血压", "体位性低血压"),  # one begins another, or ends it
    "lat": ("B超", "CT检查", "MRI", "PPD试验", "维生素D"),
    "twin": ("桂枝", "桂枝", "麻黄", "杏仁", "甘草"),  # twice the same on purpose
    "num": ("1", "1.5", "2", "2～3", "3～5"),
    "ig": ("IgA", "IgG", "IgM", "IgE", "IgD"),
    "way": ("清热利湿", "清热利湿，解毒散结", "活血化瘀", "疏肝理气", "温经散寒"),
    "mark": ("CEA", "AFP", "CA125", "PSA"),
    "both": ("热证", "寒证", "A和B", "以上都不是"),
}
FOUND = {"label", "label and text", "marker", "text", "marker and text"}
NOT_FOUND = {
    "empty",
    "unfinished thinking",
    "several",
    "negated",
    "supposed",
    "example",
    "no such label",
    "contradiction",
    "nothing found",
}
# Rows of the table that ``strict-2`` reads otherwise, what it reads, and why.
ANOTHER_SINGLE = {
    "A错误，B错误，C正确，D错误，E错误": ("C", "one is right and all others are wrong: nobody reads that otherwise"),
    "答案：B\nC": (None, "contradiction: two labels are given as the answer"),
    "B，C错误": (None, "it may say that B and C are wrong"),
    "答案：A，不对，是C。": ("C", "a correction takes the last"),
    "I think the answer is A. Wait, actually it should be C.": ("C", "a correction takes the last"),
    "题目给的答案是A，但我认为C更正确": ("C", "another's answer is put aside for the own"),
}


def side(name):
    options = OPTIONS[name]
    return Side((Part(options),), len(options))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row['source']}: {row['text'][:30]!r}")
def test_table(row):
    (answer,) = read(row["text"], side(row["options"]), 0)
    assert (answer.value, answer.rule) == (row["value"], row["rule"]), row["source"]
    assert answer.note == row["value"]  # in the identity what is shown is what the record has


def test_the_table_is_large_and_reaches_every_rule():
    assert len(TABLE) >= 450
    assert len({(row["text"], row["options"]) for row in TABLE}) == len(TABLE)
    assert {row["rule"] for row in TABLE if row["value"]} == FOUND
    assert {row["rule"] for row in TABLE if row["value"] is None} == NOT_FOUND


@pytest.mark.parametrize("number", [16, 17, 19, 20, 21, 22, 23, 24])
def test_each_reported_failure_has_a_row(number):
    assert any(row["source"].startswith(f"reported {number}:") for row in TABLE)


# Each marker with a text that it announces an answer in, and one that it does not.
MARKED = {
    "答案": ("答案：C", "答案：C反应蛋白"),
    "answer": ("the answer is C", "the answer is Cold"),
    "answers": ("The right answers: C", "The answers are Cold and Damp"),
    "Answer": ("Answer: C", "Answer: Cold"),
    "Answers": ("Answers: C", "Answers: Cold"),
    "ANSWER": ("ANSWER: C", "ANSWER: COLD"),
    "\\boxed": ("\\boxed{C}", "\\boxed{CT}"),
    '"choice"': ('{"choice": "C"}', '{"choice": "CT"}'),
    '"option"': ('{"option": "C"}', '{"option": "CT"}'),
    "选": ("选C", "选C级医院"),
    "选中": ("选中C", "选中C区"),
    "choose": ("I choose C", "I choose Cold"),
    "chose": ("I chose C", "I chose Cold"),
    "Choose": ("Choose C", "Choose Cold"),
    "select": ("I select C", "I select Cold"),
    "Select": ("Select C", "Select Cold"),
    "go with": ("I go with C", "I go with Cold"),
    "选项": ("正确选项：C", "其余选项：C"),
    "correct option": ("The correct option is C", "The correct option is Cold"),
    "correct choice": ("The correct choice is C", "The correct choice is Cold"),
    "best option": ("The best option is C", "The best option is Cold"),
    "best choice": ("The best choice is C", "The best choice is Cold"),
    "right option": ("The right option is C", "The right option is Cold"),
    "答：": ("答：C", "问答：C"),
    "答:": ("答:C", "问答:C"),
    "解：": ("解：C", "分解：C"),
    "解:": ("解:C", "分解:C"),
    "助手：": ("助手：C", "小助手：C"),
    "Assistant:": ("Assistant: C", "The Assistant: C"),
    "更正：": ("更正：C", "更正：C型"),
    "更正为": ("更正为C", "更正为C型"),
    "最终：": ("最终：C", "最终：C型"),
    "回答是": ("我的回答是C", "我的回答是C区"),
    "回答为": ("我的回答为C", "我的回答为C区"),
    "的是": ("最符合的是C", "错误的是C"),
    "应为": ("应为C", "应为C型"),
    "应是": ("应是C", "应是C型"),
    "应该是": ("应该是C", "应该是C型"),
    "应该为": ("应该为C", "应该为C型"),
    "而是": ("而是C", "而是C型"),
    "认为是": ("我认为是C", "我认为是C型"),
    **{
        word: (f"本证外寒里饮，{word}C。", f"本证外寒里饮，{word}C为表里同病之方")
        for stem in ("因此", "所以", "综上", "综上所述", "故")
        for word in (stem, f"{stem}，", f"{stem},")
    },
    **{
        word: (f"It is cold and damp. {word} C.", f"It is cold and damp. {word} C is not excluded")
        for stem in ("Therefore", "therefore", "Thus", "thus", "Hence")
        for word in (stem, f"{stem},")
    },
}


def test_each_marker_is_shown_at_work():
    assert set(MARKED) == set(wordings.KINDS)


@pytest.mark.parametrize(("marker", "texts"), MARKED.items())
def test_a_marker_announces_labels_and_no_words(marker, texts):
    announces, does_not = texts
    text = prepared(announces)
    found = [mark for mark in marks(text) if announced(text, mark)]
    assert [wordings.KINDS[marker]] == [mark.kind for mark in found]
    (answer,) = read(announces, side("f"), 0)
    assert (answer.value, answer.rule) == ("C", "marker")
    assert marker in does_not
    (answer,) = read(does_not, side("f"), 0)
    assert answer.value is None


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_every_variant_maps_back(size):
    """Whoever names the label that an option was shown with, or its text, or both, chooses that option."""
    options = OPTIONS["f"][:size]
    asked = Side((Part(options),), size)
    assert orders(size) == tuple(permutations(range(size)))
    for variant, order in enumerate(permutations(range(size))):
        for place, option in enumerate(order):
            letter, text = LETTERS[place], options[option]
            forms = (
                letter,
                f"{letter}. {text}",
                text,
                f"答案：{letter}",
                f"答案：{text}",
                f"故选{letter}。",
                f"解表。\n{letter}",
                f"答案：{letter}。方用{text}",
            )
            for form in forms:
                (answer,) = read(form, asked, variant)
                assert (answer.value, answer.note) == (LETTERS[option], letter), form


def test_another_options_text_contradicts_a_label_in_every_variant():
    asked = side("f")
    for variant, order in enumerate(permutations(range(5))):
        for place in range(5):
            other = OPTIONS["f"][order[(place + 1) % 5]]
            assert read(f"{LETTERS[place]}. {other}", asked, variant)[0].rule == "contradiction"


def test_a_question_of_a_group_with_more_options_elsewhere_is_shifted():
    """Source: variants of groups whose questions differ in size are cyclic shifts, modulo each question's own size."""
    asked = Side((Part(OPTIONS["four"]),), largest=5)
    shift = permutations(range(5))
    variant = next(number for number, order in enumerate(shift) if order == (2, 3, 4, 0, 1))
    assert read("A", asked, variant)[0].value == "C"
    (told,) = read("风寒", asked, variant)
    assert (told.value, told.note) == ("A", "C")
    assert read("E", asked, variant)[0].rule == "no such label"


@pytest.mark.parametrize("text", ["C", "答案：C", "选C。", "C。本证外寒里饮。", "【答案】C", "正确答案是C，外寒里饮。"])
def test_equal_answers_are_one_object(text):
    assert read(text, side("f"), 0)[0] is read(text, side("f"), 0)[0]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: repr(row["text"][:40]))
def test_strict_2_reads_single_answers_as_labelled_or_for_a_reason(row):
    expected, _ = ANOTHER_SINGLE.get(row["text"], (row["value"], ""))
    (answer,) = tcmd_agreed.read(row["text"], side(row["options"]), 0)
    assert (answer.value, answer.note) == (expected, expected)
    (told,) = tcmd_agreed.explain(row["text"], side(row["options"]), 0)
    assert (told.value, told.rule) == (answer.value, answer.rule)


def test_the_rows_that_strict_2_reads_otherwise_are_rows_of_the_table():
    assert set(ANOTHER_SINGLE) <= {row["text"] for row in TABLE}
