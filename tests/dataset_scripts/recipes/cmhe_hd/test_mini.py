"""The hand-written sample: what it covers, and that its README says what stands in it."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from places import SAMPLES
from recipe_work import sample_predictions, sample_records

from dataset_scripts.recipes.cmhe_hd.own_reader import MINI, read_own
from medzh_score.configs.cmhe_hd.config import CONFIG

SAMPLE = SAMPLES / "cmhe_hd"
README = (SAMPLE / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def records():
    return sample_records(SAMPLE / "CMHE-HD.jsonl", MINI, read_own)


@pytest.fixture(scope="module")
def predictions():
    return sample_predictions(SAMPLE / "predictions.jsonl")


def test_partitions_are_those_of_the_readme(records):
    counts = Counter(one["partition"] for one in records.values())
    assert sum(counts.values()) == len(records) == 35
    listed = {name: int(number) for name, number in re.findall(r"^\| `(\w+)` \| (\d+) \|", README, re.MULTILINE)}
    assert counts == listed
    assert README.count("**false on purpose**") == 2


def test_every_tampered_answer_holds_the_replacements_that_it_lists(records):
    for one in records.values():
        if one["partition"] != "tampered":
            assert one["edits"] == []
            continue
        assert 1 <= len(one["edits"]) <= 3
        for edit in one["edits"]:
            point, arrow, replacement = edit.partition(" -> ")
            assert arrow
            assert replacement in one["response"]
            assert point not in one["response"]


def test_predictions_have_every_class_of_answer_in_every_partition_that_the_readme_counts(records, predictions):
    assert set(predictions) == set(records)
    read = {name: CONFIG.rules[0].read(text, None, 0)[0].value for name, text in predictions.items()}
    counts = Counter(read.values())
    told = re.search(r"`medzh-1` reads\s+(\d+) of them as Yes, (\d+) as No and (\d+) as no answer", README)
    assert [counts[said] for said in ("Yes", "No", None)] == [int(one) for one in told.groups()]
    seen = Counter((one["partition"], read[name]) for name, one in records.items())
    assert {value for partition, value in seen if partition == "tampered"} == {"Yes", "No", None}
    assert {value for partition, value in seen if partition == "correct"} == {"Yes", "No", None}
    assert {value for partition, value in seen if partition == "generated"} == {"Yes", "No"}


def test_reasons_for_no_answer_are_there(predictions):
    read = [CONFIG.rules[0].read(text, None, 0)[0] for text in predictions.values()]
    reasons = Counter(found.why for found in read if found.value is None)
    once = dict.fromkeys(("hedge", "unfinished thinking", "empty"), 1)
    assert reasons == {"contradiction": 2, "nothing": 3, **once}


def test_ids_in_the_readme_are_those_of_records(records):
    named = re.findall(r"`(cmhehd-[0-9a-f]{10})`", README)
    assert named
    assert set(named) <= set(records)
