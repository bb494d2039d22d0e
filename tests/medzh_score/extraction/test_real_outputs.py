"""Readings of what models really wrote, against labels made by reading: how far they reach, and how rightly.

The folder that ``MEDZH_REAL`` names holds the labelled outputs; without it these tests are skipped, and with
``MEDZH_REQUIRE_REAL=1`` they fail instead. The labels are the source of all numbers; the bounds are what was promised.
"""

from __future__ import annotations

import dataclasses
import functools
import os
import time
from pathlib import Path

import labels
import pytest
import tallies

RIGHT = {"letters": 0.98, "verdict": 0.99, "yes_no": 0.88, "diagnosis": 0.95, "score": 0.985}
WRONG_OR_INVENTED = {"letters": 0.005, "verdict": 0.005, "yes_no": 0.01, "diagnosis": 0.03, "score": 0.005}
RIGHT_OF_THE_FIRST_SAMPLE = 0.98  # outputs of MedBench's kind
RIGHT_OF_EVERY_STRATUM = 0.80
CLEAR, CLEAR_RIGHT, CLEAR_KINDS = 0.60, 0.995, ("letters", "verdict")
SECONDS_A_TEXT = 0.05


@pytest.fixture(scope="module")
def real():
    chosen = os.environ.get("MEDZH_REAL")
    rows = labels.real_rows(Path(chosen)) if chosen and Path(chosen).is_dir() else {}
    if any(rows.values()):
        return rows
    if os.environ.get("MEDZH_REQUIRE_REAL"):
        pytest.fail("MEDZH_REQUIRE_REAL is set, but MEDZH_REAL names no folder of labelled outputs")
    pytest.skip("needs labelled outputs of real models: set MEDZH_REAL")


@pytest.fixture(scope="module")
def read(real):
    return functools.cache(lambda kind: tallies.judge(real[kind]))


@pytest.fixture(scope="module")
def every_row(real):
    return [row for rows in real.values() for row in rows]


def test_every_kind_has_rows_and_no_id_repeats(real):
    assert all(len({row.id for row in rows}) == len(rows) > 0 for rows in real.values())
    assert {row.part for row in real["letters"]} >= {"whole"}


@pytest.mark.parametrize("kind", labels.KINDS)
def test_most_answers_are_read_as_a_reader_does_and_few_as_another_or_made_up(read, kind):
    tally = tallies.whole(read(kind))
    assert tally.right >= RIGHT[kind], tally.ids("missed", "wrong", "invented")
    assert tally.not_right <= WRONG_OR_INVENTED[kind], tally.ids("wrong", "invented")


def test_the_first_sample_of_letters_is_read_almost_whole(read):
    tally = tallies.Tally(tuple(one for one in tallies.whole(read("letters")).judged if one.row.prior))
    assert tally.judged
    assert tally.right >= RIGHT_OF_THE_FIRST_SAMPLE, tally.ids("missed", "wrong", "invented")


def test_no_model_is_lost_to_its_manner(read):
    strata = tallies.strata(read("letters"))
    shares = {name: (len(tally.judged), round(tally.right, 3)) for name, tally in strata.items()}
    assert strata
    assert [name for name, (_, right) in shares.items() if right < RIGHT_OF_EVERY_STRATUM] == [], shares


@pytest.mark.parametrize("kind", CLEAR_KINDS)
def test_what_is_clear_is_most_and_right(read, kind):
    tally = tallies.whole(read(kind))
    assert tally.unambiguous >= CLEAR
    assert tally.clear_right >= CLEAR_RIGHT, [
        one.row.id for one in tally.given if one.unambiguous and one.outcome != "right"
    ]


def test_only_an_answer_is_clear_and_spans_lie_in_the_text(every_row):
    for row in every_row:
        found = labels.read(row)
        for one in found if row.part == labels.GROUP else (found,):
            assert one.value is not None or not one.unambiguous, row.id
            assert one.reason, row.id
            assert all(0 <= span.start < span.end <= len(row.text) for span in one.spans), row.id


def test_reasoning_that_never_ends_commits_itself_to_nothing(every_row):
    unended = [row for row in every_row if not row.apart and "</think" not in row.text]
    begun = [dataclasses.replace(row, text=f"<think>\n{row.text}") for row in unended]
    assert len(begun) > len(every_row) / 2
    assert [row.id for row in begun if labels.read(row).value is not None] == []


def test_reasoning_that_ends_is_not_read(every_row):
    """What stands before the end of thinking changes nothing, unless the text itself thinks."""
    shown = [row for row in every_row if not row.apart and "think" not in row.text]
    for row in shown:
        thought = dataclasses.replace(row, text=f"<think>\n先看题目。\n</think>\n\n{row.text}")
        assert labels.read(thought).value == labels.read(row).value, row.id


def test_no_text_takes_long(every_row):
    """A text over the bound is read three times more: a busy machine may have let it wait."""
    slow = {}
    for row in every_row:
        if (seconds := _seconds(row)) > SECONDS_A_TEXT:
            seconds = min(_seconds(row) for _ in range(3))
        if seconds > SECONDS_A_TEXT:
            slow[row.id] = seconds
    assert slow == {}


def _seconds(row):
    start = time.process_time()
    labels.read(row)
    return time.process_time() - start
