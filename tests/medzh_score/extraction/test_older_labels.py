"""Answers that were labelled for rules of former days: few are read as another, none as the opposite, most as labelled.

A row of groups has a letter or none for each question; single rows one. Several letters where one was asked for are the
value as they stand, and no answer by the labels of that time.
"""

from __future__ import annotations

import json
from collections import Counter

import pytest
from labels import Row, agree
from places import CASE_FILES
from tool_runs import lines_of

from medzh_score.extraction import read_diagnosis, read_groups, read_letters, read_verdict, read_yes_no

SETS = json.loads((CASE_FILES / "option_sets.json").read_text(encoding="utf-8"))
OPTIONS, GROUPS = SETS["of a question"], SETS["of a group"]
# Labelled none with care, where a wording of today says as much as the others: double denial, science, a whole answer.
TODAY = {
    *("这是错误的做法。", "错误（部分）。", "这种观点是不科学的。", "这个说法没有问题。", "是的，这个说法是错误的。"),
    *("不太准确。", "The claim is not incorrect."),
}


def told(reading, label):
    """Say how a reading stands to a label."""
    if reading.value == label or (label is None and reading.reason == "several"):
        return "right"
    if reading.value is None:
        return "missed"
    return "invented" if label is None else "wrong"


def single(name, label, *, several=False):
    return Counter(
        told(
            read_letters(row["text"], tuple(OPTIONS[row["options"]]), several=several and row.get("several", False)),
            row[label],
        )
        for row in lines_of(CASE_FILES / name)
        if row["options"] in OPTIONS
    )


@pytest.mark.parametrize(
    ("name", "label", "several"),
    [
        ("option_letters_answers.jsonl", "value", True),
        ("tcmd_single_answers.jsonl", "value", False),
        ("pemebench_choice_answers.jsonl", "lenient", True),
    ],
)
def test_answers_to_one_question(name, label, several):
    found = single(name, label, several=several)
    assert found["wrong"] <= 0.02 * found.total(), found
    assert found["wrong"] + found["invented"] <= 0.06 * found.total(), found
    assert found["right"] >= 0.75 * found.total(), found


def test_answers_to_a_group():
    found = Counter(
        told(reading, label)
        for row in lines_of(CASE_FILES / "tcmd_group_answers.jsonl")
        for reading, label in zip(read_groups(row["text"], GROUPS[row["group"]]), row["values"], strict=True)
    )
    assert found["wrong"] + found["invented"] <= 0.02 * found.total(), found
    assert found["right"] >= 0.8 * found.total(), found


def test_verdicts():
    rows = [line.split("\t", 1) for line in (CASE_FILES / "verdicts.tsv").read_text("utf-8").splitlines()]
    labelled = [
        (label if label in {"correct", "incorrect"} else None, text.replace("\\n", "\n")) for label, text in rows
    ]
    read = [(label, read_verdict(text).value, text) for label, text in labelled]
    assert [row for row in read if row[1] not in {None, row[0]} and row[2] not in TODAY] == []
    assert sum(value is not None for _, value, _ in read) >= 160


@pytest.mark.parametrize(
    ("name", "field", "least"),
    [("yes_no_answers", "value", 230), ("cmhe_hd_judged", "verdict", 120), ("cmhe_hd_answers", "strict", 90)],
)
def test_yes_or_no(name, field, least):
    rows = [row for row in lines_of(CASE_FILES / f"{name}.jsonl") if row[field]]
    read = [(row[field].lower(), read_yes_no(row["text"]).value, row["text"]) for row in rows]
    assert [row for row in read if row[1] not in {None, row[0]}] == []
    assert sum(label == value for label, value, _ in read) >= least


def test_diagnoses():
    """As many as ever are read rightly, of 206, and no more wrongly."""
    outcomes = Counter()
    for row in lines_of(CASE_FILES / "diagnoses_stated.jsonl"):
        label = tuple(row["value"].split("；")) if row["value"] else None
        outcomes[agree(Row("", "diagnosis", row["text"], label), read_diagnosis(row["text"]).value)] += 1
    assert outcomes["right"] >= 195
    assert outcomes["wrong"] + outcomes["invented"] <= 2
