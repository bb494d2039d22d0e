"""Option letters against 120 responses whose answers were taken by hand before the rules were run on them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from medzh_score.extraction.option_letters import explain, read

FILE = Path(__file__).parent / "data" / "answers_judged_letters.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
SHOWN = ("桂枝汤", "麻黄汤", "小青龙汤", "银翘散", "桑菊饮")
# What only the question could tell, or medicine: the rules read no answer here rather than guess.
NOT_READ = {
    "judged-letters-013": "an option's text in a sentence that announces nothing",
    "judged-letters-021": "an option's text in a sentence that announces nothing",
    "judged-letters-063": "options by their texts, with what is said of all",
    "judged-letters-071": "a label that is the subject of an English sentence",
    "judged-letters-075": "all but one denied, and none named",
    "judged-letters-090": "an option's text after another's",
    "judged-letters-114": "one of five is not, where only the question tells what was asked",
    "judged-letters-115": "a label that is a sentence by itself after others'",
}


def value(row):
    return read(row["text"], tuple(row["options"]), several=row["several"]).value


def test_the_set_is_as_large_as_it_has_to_be():
    assert len(ROWS) == len({row["id"] for row in ROWS}) == 120
    assert len(Counter(row["manner"] for row in ROWS)) > 20
    assert {row["several"] for row in ROWS} == {False, True}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_each_is_read_as_a_careful_person_does(row):
    assert value(row) == (None if row["id"] in NOT_READ else row["label"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_explaining_reads_the_same(row):
    told = explain(row["text"], tuple(row["options"]), several=row["several"])
    answer = read(row["text"], tuple(row["options"]), several=row["several"])
    assert (told.value, told.rule) == (answer.value, answer.rule)
    assert bool(told.spans) or answer.value is None


@pytest.mark.parametrize(
    ("text", "several", "expected"),
    [
        ("A项符合；B项符合；C项不符合；D项不符合；E项不符合。", False, None),
        ("A不选；B选；C不选；D不选；E不选。\n\n答案：A", False, None),
        ("A是正确的。B是正确的。C是错误的。D是正确的。E是错误的。", True, None),
        ("排除A和B，其余都选。", True, "CDE"),
        ("不能排除D，其余都选。", True, None),
        ("以上都是（ABC）。", True, None),
        ("The correct answers are (A), (B) and (D).", True, "ABD"),
        ("The correct answer is (A) or (B).", False, None),
        ("It is a", False, None),
        ("b) Serum\nc) Plasma", False, None),
        ("C（小青龙汤）不对", False, None),
        ("C（麻黄汤）", False, None),
        ("B. Ephedra decoction (桂枝汤) is used here.", False, None),
        ("选ABD。其中B项不应选。", True, None),
        ("选ABD，排除C、E。", True, "ABD"),
        ("A、C、D、E都正确，只有B错误。", False, "B"),
        ("因此桂枝汤（A）最不合适。", False, None),
        ("故桂枝汤（A）最容易混淆。", False, None),
        ('{"A": true, "B": true, "C": false}', True, "AB"),
        ('{"A": true, "B": true, "C": false}', False, None),
        ("大概率是A，也可能是B。", False, None),
        ("选D，抱歉，是C。", False, "C"),
        ("选D。等等，不对，这里更符合小青龙汤的主治。", False, None),
        ("A。错。B才对。", False, None),
        ("无汗者首选麻黄汤。", False, None),
        ("患者有汗，不应首选麻黄汤。", False, None),
        ("不宜用麻黄汤。首选桂枝汤。", False, None),
        ("选A、B，C也可能。", True, None),
        ("参考答案：b", False, "B"),
        ("在C和D之间犹豫", False, None),
        ("错误选项：A、B、C、D\n正确选项：E", False, "E"),
        ("您的答案A是错误的，正确答案是B。", False, "B"),
        ("为什么不选C？", False, None),
    ],
)
def test_what_is_near_to_it_is_no_other_answer(text, several, expected):
    assert read(text, SHOWN, several=several).value == expected


VITAMINS = ("维生素D", "维生素A", "维生素C", "维生素B1", "维生素K")
BLOOD = ("A型", "B型", "AB型", "O型")
DRUGS = ("Penicillin", "Penicillin V", "Vancomycin", "Amphotericin B")


@pytest.mark.parametrize(
    ("shown", "text", "expected"),
    [
        (VITAMINS, "维生素A缺乏引起夜盲症，故选维生素A。", "B"),
        (VITAMINS, "首选维生素A。", "B"),
        (VITAMINS, "答案：A. 维生素A", None),
        (VITAMINS, "The answer is vitamin A.", None),
        (VITAMINS, "抱歉，维生素A的问题我不能回答。", None),
        (BLOOD, "AB型", "C"),
        (BLOOD, "A型血", None),
        (BLOOD, "A. B型", None),
        (BLOOD, "患者是A型还是B型需要化验。", None),
        (DRUGS, "Penicillin V", "B"),
        (DRUGS, "Amphotericin B", "D"),
        (DRUGS, "b) Penicillin", None),
        (DRUGS, "I would go with option (c).", "C"),
        (DRUGS, "option (c) is wrong", None),
        (DRUGS, "The correct answer is option d: Amphotericin B.", "D"),
    ],
)
def test_letters_of_names_are_no_labels(shown, text, expected):
    assert read(text, shown).value == expected
