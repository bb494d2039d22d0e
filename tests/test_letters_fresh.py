"""Readings of option letters against answers in stranger manners, labelled before the rules were run on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medzh_score.extraction.letters_boxes import boxes
from medzh_score.extraction.option_letters import explain, question_of, read

FILE = Path(__file__).parent / "data" / "answers_fresh_letters.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
READ_AS_LABELLED = 1.0
SHOWN = ("阿托品", "纳洛酮", "氟马西尼", "碘解磷定", "维生素K1")
SEVERAL, ONE = True, False


def value_of(row):
    return read(row["text"], tuple(row["options"]), several=row["several"]).value


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_no_answer_is_read_as_another_and_none_is_invented(row):
    assert value_of(row) in {None, row["label"]}


def test_the_share_that_is_read_as_labelled_stays():
    assert sum(value_of(row) == row["label"] for row in ROWS) >= READ_AS_LABELLED * len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_what_is_explained_is_what_is_read(row):
    options = tuple(row["options"])
    said, told = (
        read(row["text"], options, several=row["several"]),
        explain(row["text"], options, several=row["several"]),
    )
    assert (told.value, told.rule) == (said.value, said.rule)
    assert all(0 <= span.start < span.end <= len(row["text"]) for span in told.spans)


OBJECTS = (
    ('{"answer": "B", "correct_option": "E"}', None),
    ('结果如下：{"answer": "B", "correct_option": "E"}', None),
    ('{"result": {"answer": "B", "correct_option": "E"}}', None),
    ('```json\n{"answer": "B", "correctAnswer": "C"}\n```', None),
    ('{"answer": "B", "correct_option": "氟马西尼"}', None),
    ('{"answer": "B", "correct_option": "纳洛酮"}', "B"),
    ('{"answer": "B", "correct_answer": "B. 纳洛酮"}', "B"),
    ('{"answer": "b", "final_choice": "B"}', "B"),
    ('{"answer": "B", "correct_option": null}', "B"),
    ('{"options": [{"label": "A", "selected": true}, {"label": "B", "selected": true}]}', None),
    ('{"options": [{"label": "A", "selected": true}, {"label": "B", "selected": false}]}', "A"),
)


@pytest.mark.parametrize(("text", "value"), OBJECTS)
def test_fields_of_an_object_that_name_different_options_are_no_answer(text, value):
    assert read(text, SHOWN).value == value


CASES = (
    ("先选A和B。", SEVERAL, "AB"),
    ("选A，再加上C。", SEVERAL, None),
    ("先选A和B；再加上C，共三项：ABC。", SEVERAL, "ABC"),
    ("我看，共五项：A、B、C、D、E，其中正确的是A、B。", SEVERAL, "AB"),
    ("不能A到D都选。", SEVERAL, None),
    ("如果A到D都选，那就错了。", SEVERAL, None),
    ("难道除了C都选？", SEVERAL, None),
    ("All except C and D.", SEVERAL, "ABE"),
    ("Everything except E is wrong.", SEVERAL, None),
    ("C项错误，不选；A、B、D、E四项均正确。", SEVERAL, "ABDE"),
    ("C项错误；A、B、D、E四项均正确。", SEVERAL, None),  # the wrong one may be what was asked for
    ("A√ B√", ONE, None),
    ("A√ B√", SEVERAL, "AB"),
    ("A× B√ C× D× E×", ONE, "B"),
    ("答案不就是A嘛。", ONE, "A"),
    ("答案不就是A吗？不，是B。", ONE, "B"),
    ("答案不就是A吗？我不确定。", ONE, None),
    ("答案不是A吗？", ONE, None),
    ("A排除；B排除；D排除；E排除。", ONE, "C"),
    ("A排除；B排除；C排除；D排除。", ONE, None),  # it may be cut off
    ("A项不能排除；C排除；D排除；E排除。", ONE, None),
    ("选B纳洛。", ONE, "B"),
    ("选B阿托。", ONE, None),
    ("→ 【B】 ←", ONE, None),
    ("★ 答案：B ★", ONE, "B"),
    ("选B。缺的是维生素。A。", ONE, None),
)


@pytest.mark.parametrize(("text", "several", "value"), CASES)
def test_what_is_read_is_what_is_said(text, several, value):
    assert read(text, SHOWN, several=several).value == value


def _listed(ticked, names=SHOWN, on="- [x]", off="- [ ]"):
    return "\n".join(
        f"{on if label in ticked else off} {label}. {name}" for label, name in zip("ABCDE", names, strict=True)
    )


BOXES = (
    (_listed("B"), ONE, "B"),
    (_listed("BC"), ONE, None),
    (_listed("BC"), SEVERAL, "BC"),
    (_listed("BC", on="☑", off="☐"), SEVERAL, "BC"),
    (f"我的选择：\n{_listed('B')}\n", ONE, "B"),
    (_listed(""), ONE, None),
    (_listed("B", names=SHOWN[::-1]), ONE, None),
    (f"{_listed('B')}\n\n所以选C。", ONE, "C"),
    ("- [x] B\n- [ ] C", ONE, None),
)


@pytest.mark.parametrize(("text", "several", "value"), BOXES)
def test_boxes_that_are_ticked_are_the_choice(text, several, value):
    assert read(text, SHOWN, several=several).value == value
    assert explain(text, SHOWN, several=several).value == value


def test_a_list_of_boxes_says_which_lines_were_ticked():
    text = _listed("BD")
    letters, rule, spans = boxes(text, question_of(SHOWN), several=True)
    assert (letters, rule) == ("BD", "labels")
    assert [text[span.start : span.end] for span in spans] == ["B. 纳洛酮", "D. 碘解磷定"]
