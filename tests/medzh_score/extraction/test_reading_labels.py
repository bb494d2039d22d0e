"""Readings of made-up answers against labels that were written before any rule ran on them, and the judgement itself.

The texts are in the manner of models of every size: terse, verbose, hedging, refusing, looping, off-topic and more.
"""

from __future__ import annotations

import dataclasses
import functools
import json
from collections import Counter

import labels
import pytest
import tallies
from labels import Row
from tables import holds

RIGHT = {"letters": 0.88, "verdict": 0.88, "yes_no": 0.85, "diagnosis": 0.78, "score": 0.88}
WRONG_OR_INVENTED = {"letters": 0.015, "verdict": 0.015, "yes_no": 0.015, "diagnosis": 0.02, "score": 0.01}
LEAST = {"letters": 317, "verdict": 326, "yes_no": 290, "diagnosis": 291, "score": 293}  # rows that there are
NO_ANSWERS = ("refusing", "off-topic")


@pytest.fixture(scope="module")
def rows():
    return labels.made_up_rows()


@pytest.fixture(scope="module")
def read(rows):
    return functools.cache(lambda kind: tallies.judge(rows[kind]))


@pytest.mark.parametrize("kind", labels.KINDS)
def test_most_are_read_as_labelled_and_few_as_another_or_made_up(read, kind):
    tally = tallies.whole(read(kind))
    assert tally.right >= RIGHT[kind], tally.ids("missed", "wrong", "invented")
    assert tally.not_right <= WRONG_OR_INVENTED[kind], tally.ids("wrong", "invented")


def test_nothing_is_read_from_refusals_and_from_what_is_off_topic(read):
    quiet = [one for kind in labels.KINDS for one in read(kind) if one.row.form in NO_ANSWERS and one.row.label is None]
    assert len(quiet) > 50
    assert [one.row.id for one in quiet if one.value is not None] == []


def test_the_sets_are_as_large_as_they_were(rows):
    assert {kind: len(of_kind) for kind, of_kind in rows.items()} == LEAST
    ids = Counter(row.id for of_kind in rows.values() for row in of_kind)
    assert max(ids.values()) == 1


LETTERS = Row("a", "letters", "", "B", alt=("BC", None))
NONE = Row("b", "letters", "", None)
NAMES = Row("c", "diagnosis", "", ("2型糖尿病", "高血压（3级）"), alt=(("2型糖尿病",),))
NUMBER = Row("d", "score", "", 8.0)
GROUP = Row("e", "letters", "", ("A", None, "C"), part=labels.GROUP)


def test_a_value_agrees_with_the_label_or_with_its_second_reading():
    rows = [
        (LETTERS, "B", "right"),
        (LETTERS, "BC", "right"),
        (LETTERS, None, "right"),
        (LETTERS, "C", "wrong"),
        (dataclasses.replace(LETTERS, alt=()), None, "missed"),
        (NONE, None, "right"),
        (NONE, "A", "invented"),
        (NAMES, ("高血压(3级)", "2 型糖尿病"), "right"),
        (NAMES, ("高血壓（3級）", "２型糖尿病"), "right"),
        (NAMES, ("2型糖尿病",), "right"),
        (NAMES, ("高血压",), "wrong"),
        (NAMES, None, "missed"),
        (dataclasses.replace(NAMES, label=None, alt=()), ("高血压",), "invented"),
        (NUMBER, 8, "right"),
        (NUMBER, 8.5, "wrong"),
        (GROUP, ("A", None, "C"), "right"),
        (GROUP, ("A", None, None), "missed"),
        (GROUP, ("A", "B", "C"), "invented"),
        (GROUP, ("B", None, None), "wrong"),
    ]
    holds(rows, labels.agree)


def written(folder, kind, *lines):
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    (folder / f"{kind}_some.jsonl").write_text(text, encoding="utf-8")


def test_real_rows_are_loaded_with_what_reading_them_needs(tmp_path):
    common = {"source": "owner/name@0:file#1", "model": "m", "question": "", "text": "B", "alt": []}
    letters = {**common, "several": False, "format": "bare"}
    written(
        tmp_path,
        "letters",
        {**letters, "id": "p1", "label": "B", "options": ["甲", "乙"], "prior300": True},
        {**letters, "id": "d1", "label": "none", "alt": ["AB"], "options": None},
        {**letters, "id": "d2", "label": ["B", "none"], "options": None},
    )
    written(tmp_path, "verdict", {**common, "id": "v1", "label": "incorrect", "note": "[field] the reason alone"})
    written(
        tmp_path,
        "score",
        {**common, "id": "s1", "label": {"score": 7, "scale": [1, 10]}, "group": "g"},
        {**common, "id": "s2", "label": "none", "group": "g"},
        {**common, "id": "s3", "label": "none", "group": "h", "parts_scale": [1, 5]},
    )
    written(tmp_path, "diagnosis", {**common, "id": "x1", "label": [], "alt": [["胃炎"]]})
    rows = labels.real_rows(tmp_path)
    first, second, third = rows["letters"]
    assert (first.label, first.options, first.prior, first.part) == ("B", ("甲", "乙"), True, "whole")
    assert (first.stratum, first.form) == ("m · owner/name", "bare")
    assert (second.label, second.alt, second.part) == (None, ("AB",), labels.WITHOUT_OPTIONS)
    assert (third.label, third.part, third.apart) == (("B", None), labels.GROUP, True)
    assert [(row.part, row.reached) for row in rows["verdict"]] == [("field", False)]
    assert [(row.label, row.scale) for row in rows["score"]] == [(7.0, (1, 10)), (None, (1, 10)), (None, (1, 5))]
    assert [(row.label, row.alt) for row in rows["diagnosis"]] == [(None, (("胃炎",),))]
    assert rows["yes_no"] == []


def test_shares_are_of_what_is_in_reach_and_precision_of_all():
    whole, field = Row("a", "verdict", "", "correct"), Row("b", "verdict", "", "correct", part="field")
    tally = tallies.of_values([whole, whole, field, field], ["correct", None, "incorrect", None])
    assert (tally.right, tally.not_right, tally.count("missed")) == (0.5, 0.25, 2)
