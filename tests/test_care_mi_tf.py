"""Whether answers agree with the claim of their question, against readings decided by hand."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from medzh_score.configs.care_mi.reading.true_false import Claim, read

LINES = (Path(__file__).parent / "data" / "care_mi_tf_answers.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]
LACTATION = Claim("活动性肺结核的产妇不宜母乳喂养。")
DEHYDRATION = Claim("妊娠剧吐会引起脱水。")


def test_the_table_has_many_of_each_kind():
    counts = Counter(case["read"] for case in CASES)
    assert len(CASES) >= 170
    assert min(counts.values()) >= 40


def test_answers_are_read_as_decided_by_hand_or_not_at_all():
    found = [(case, read(case["text"], Claim(case["true_statement"]))) for case in CASES]
    other = [case["text"] for case, value in found if value is not None and value != case["read"]]
    assert set(other) <= {"无。", "不会诊断。"}  # of which a person says that they answer another question
    right = sum(value == case["read"] for case, value in found)
    assert right >= 0.85 * len(CASES)


@pytest.mark.parametrize(
    ("claim", "text", "verdict"),
    [
        (LACTATION, "是的，可以母乳喂养。", None),  # a nod, and the opposite
        (LACTATION, "是的，不宜母乳喂养。", "agree"),
        (LACTATION, "不是。", None),  # denies or repeats
        (LACTATION, "不对，可以哺乳。", "refuse"),
        (DEHYDRATION, "不是的。\n答案：是", None),
        (DEHYDRATION, "是的，但不一定。", None),
        (DEHYDRATION, "不完全正确。", None),
        (DEHYDRATION, "不错，会引起脱水。", "agree"),
        (DEHYDRATION, "不会。", "refuse"),
    ],
)
def test_what_a_nod_or_a_no_means_depends_on_the_claim(claim, text, verdict):
    assert read(text, claim) == verdict
