"""The rule tf-1 on answers whose reading was decided by hand before the rule was written."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from medzh_score.extraction.care_mi_tf import Claim, read

LINES = (Path(__file__).parent / "data" / "care_mi_tf_answers.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]
CLAIM = ("question", "true_statement", "false_statement")


def test_the_table_has_many_of_each_kind():
    counts = Counter(case["read"] for case in CASES)
    assert len(CASES) >= 170
    assert min(counts.values()) >= 40


@pytest.mark.parametrize("case", CASES, ids=[f"{number}-{case['text'][:12]}" for number, case in enumerate(CASES, 1)])
def test_answers_are_read_as_decided_by_hand(case):
    assert read(case["text"], Claim(*(case[name] for name in CLAIM))) == case["read"]
