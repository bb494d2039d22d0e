"""The hand-written sample: what it covers, and that its README says what stands in it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from places import SAMPLES
from recipe_work import sample_predictions, sample_records

from dataset_scripts.recipes.care_mi.own_reader import MINI, read_own
from dataset_scripts.recipes.care_mi.statements import ask_openly, ask_whether, negate

SAMPLE = SAMPLES / "care_mi"
README = (SAMPLE / "README.md").read_text(encoding="utf-8")
FILES = ("predictions.jsonl", "predictions-second.jsonl")


@pytest.fixture(scope="module")
def records():
    return sample_records(SAMPLE / "CARE-MI.jsonl", MINI, read_own)


@pytest.fixture(scope="module")
def predictions():
    return {name: sample_predictions(SAMPLE / name) for name in FILES}


def test_sources_and_types_are_those_of_the_readme(records):
    counts = Counter((one["source"], one["type"]) for one in records.values())
    rows = re.findall(r"^\| `([\w-]+)` \| (\d+) \| (\d+) \|", README, re.MULTILINE)
    listed = {(name, kind): int(n) for name, *cells in rows for kind, n in zip(("tf", "open"), cells, strict=True)}
    assert counts == Counter({key: count for key, count in listed.items() if count})
    assert sum(counts.values()) == 28


def test_statements_and_questions_are_what_the_rules_make(records):
    """Of 无助于, 不包含 and 不可能 no rule makes the negation."""
    others = []
    for one in records.values():
        true, false = (one[name].rstrip("。") for name in ("true_statement", "false_statement"))
        if one["type"] == "open":
            head, verb, answer = re.split("([是为])", true)
            assert false.startswith(f"{head}{verb}")
            assert ask_openly(true, answer, one["context"]) == one["question"]
        else:
            assert ask_whether(true, one["context"]) == one["question"]
            denied = negate(true).text
            assert denied in {"", false}
            others += [] if denied else [one["false_statement"]]
    assert others == [
        "叶酸无助于预防胎儿神经管缺陷。",
        "妊娠剧吐的相关症状不包含脱水。",
        "出血的原因不可能是子宫收缩乏力。",
    ]


def test_answers_are_as_many_of_each_kind_as_the_readme_counts(predictions):
    rows = re.findall(r"^\| ([a-z][^|`]*) \| (\d+) \| (\d+) \|$", README, re.MULTILINE)
    for column, name in enumerate(FILES, 1):
        assert sum(int(row[column]) for row in rows) == 28
        counts = {row[0].split(",")[0]: int(row[column]) for row in rows if row[0] in {"empty", "a refusal"}}
        said = predictions[name].values()
        assert counts["empty"] == sum(not text for text in said)
        assert counts["a refusal"] == sum("抱歉" in text for text in said)


def test_the_card_says_what_it_is(minis, records):
    card = (minis / "README.md").read_text(encoding="utf-8")
    assert "the full 1,612 questions are not public" in card
    assert "| CPubMed | 4 | 497 tf |\n| MEDQA | 10 | 1,617 tf, 1,346 open |\n" in card
    assert "Surface cues" in card
    assert len(records) == 28
