"""Yes or No against texts that were written, with what a careful reader takes, before the rules were run on them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medzh_score.extraction import yes_no

FILE = Path(__file__).parent / "data" / "answers_judged_yes_no.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
# "Yes, stopping … is unsafe" and "No, … is the recommended first aid" may be said to the patient, ``strict-1`` holds;
# of check boxes without letters the marks are taken off before the rules read.
MISSED = {"yes_no_judged-010", "yes_no_judged-011", "yes_no_judged-058"}


def test_there_are_a_hundred_texts_with_every_answer():
    assert len({row["id"] for row in ROWS}) == len({row["text"] for row in ROWS}) == len(ROWS) >= 100
    assert min(sum(row["label"] == value for row in ROWS) for value in ("Yes", "No", None)) >= 20


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_what_a_reader_takes_is_read(row):
    expected = None if row["id"] in MISSED else row["label"]
    assert yes_no.read(row["text"]).value == expected


def test_few_are_missed():
    assert len(MISSED) <= 0.03 * len(ROWS)
