"""The rules of CMHE-HD against verdicts that a reader gave without them.

The rows of ``data/cmhe_hd_judged.jsonl`` were written by hand, in the manner of models that are asked by ``paper-1`` or
``medzh-zh-1``. One reader, no physician, judged each before either rule was run on it: ``Yes`` or ``No`` where the text
commits itself to an answer to the prompt, null where it does not, or where it may as well be said to the patient. The
reader saw no dialogue, as the rules see none. What some rows say of doctors and doses is false on purpose. On the
rows ``mended by`` the rule ``strict-1`` was mended; on those ``kept apart`` nothing was, so they alone say how it reads
texts that it has not met.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from medzh_score.extraction import cmhe_hd_simple, cmhe_hd_strict

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "cmhe_hd_judged.jsonl").read_text(encoding="utf-8").splitlines()
]
MENDED_BY, KEPT_APART = ([row for row in ROWS if row["set"] == name] for name in ("mended by", "kept apart"))


def told_apart(read, rows):
    """Count the rows with a verdict that were read rightly, oppositely or not at all, and those without that were."""
    counts = Counter()
    for row in rows:
        found = read(row["text"], None).value
        if row["verdict"] is None:
            counts["made up" if found else "left"] += 1
        else:
            counts["right" if found == row["verdict"] else "opposite" if found else "not read"] += 1
    return dict(counts)


def test_the_rows_are_many_and_each_stands_once():
    assert len({row["text"] for row in ROWS}) == len(ROWS) == len(MENDED_BY) + len(KEPT_APART)
    assert len(MENDED_BY) >= 150
    assert len(KEPT_APART) >= 60
    for rows in (MENDED_BY, KEPT_APART):
        assert {row["verdict"] for row in rows} == {"Yes", "No", None}


@pytest.mark.parametrize("row", MENDED_BY, ids=lambda row: repr(row["text"][:40]))
def test_what_the_rule_was_mended_by_is_never_read_as_something_else(row):
    assert cmhe_hd_strict.read(row["text"], None).value in {row["verdict"], None}


def test_how_much_of_what_the_rule_was_mended_by_is_read():
    assert told_apart(cmhe_hd_strict.read, MENDED_BY) == {"right": 131, "not read": 8, "left": 159}


def test_rows_kept_apart_are_read_as_the_card_says():
    assert told_apart(cmhe_hd_strict.read, KEPT_APART) == {"right": 46, "not read": 3, "left": 37, "made up": 1}
    assert told_apart(cmhe_hd_simple.read, KEPT_APART) == {"right": 26, "not read": 23, "left": 24, "made up": 14}


def test_simple_1_takes_words_that_are_no_answer():
    counts = told_apart(cmhe_hd_simple.read, MENDED_BY)
    assert "opposite" not in counts
    assert counts["made up"] > 50
