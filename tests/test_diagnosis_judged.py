"""Diagnoses in answers that were judged by hand before any rule was run on them, one by one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from medzh_score.extraction import diagnosis
from medzh_score.terminology.traditional import simplified_characters

FILE = Path(__file__).parent / "data" / "answers_judged_diagnosis.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def test_the_set_has_all_manners():
    assert len({row["text"] for row in ROWS}) == len(ROWS) == 100
    assert min(Counter(row["label"] is None for row in ROWS).values()) >= 30
    assert len({row["manner"] for row in ROWS}) >= 12


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_judged_answers(row):
    label = row["label"] and row["label"].translate(simplified_characters())
    assert diagnosis.read(row["text"]).value == label
