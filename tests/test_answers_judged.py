"""Verdicts and scores against texts that were judged by hand before the rules read them, and adversarial ones.

Their manners are those that the labelled set lacks: dialogues, questions that the text answers itself, parts that are
right and wrong, other scales, advice beside the point that holds the words of a verdict.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from medzh_score.extraction import verdict
from medzh_score.extraction.preparing import locate, prepare
from medzh_score.extraction.score import read_score

FILE = Path(__file__).parent / "data" / "answers_judged_verdict_score.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
READ = {
    "verdict": lambda row: verdict.read(row["text"]).value,
    "score": lambda row: read_score(row["text"], row["low"], row["high"]).value,
}
for row in ROWS:
    if row["kind"] == "score" and row["label"] is not None:
        row["label"] = float(row["label"])
AGREEMENT = 0.94  # the rest is missed: nothing is read


@pytest.mark.parametrize("kind", READ)
def test_readings_agree_with_what_was_judged(kind):
    rows = [row for row in ROWS if row["kind"] == kind]
    assert sum(READ[kind](row) == row["label"] for row in rows) >= AGREEMENT * len(rows)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_what_is_read_is_never_another_answer(row):
    assert READ[row["kind"]](row) in {row["label"], None}


def recombined():
    """Make texts of the clauses of all, so that whatever is remembered of one clause stands in many contexts."""
    draw = random.Random(8)  # noqa: S311 - a test
    clauses = [clause for row in ROWS for clause in re.split(r"(?<=[，。；：\n“”？])", row["text"]) if clause]
    return ["".join(draw.choices(clauses, k=draw.randint(1, 8))) for _ in range(1500)]


def test_reading_and_explaining_agree_on_recombined_texts():
    for text in recombined():
        read, explained = verdict.read(text), verdict.explain(text)
        assert (read.value, read.rule) == (explained.value, explained.rule), text
        located = locate(text)
        assert (located and located.text) == prepare(text), text
