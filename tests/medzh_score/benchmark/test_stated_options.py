"""What a report says was asked for gives the same options again: no field of `Options` can be forgotten."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest

from medzh_score.scoring.options import MOVES_NOTHING, ScoringOptions, options_again, stated
from medzh_score.stats.values import Bootstrap
from medzh_score.ui.errors import MedzhError

# One for each field, other than its default. A new field needs a line here, or is named as moving nothing.
OTHERS = {
    "rule": "medzh-1",
    "missing": "skip",
    "bootstrap": Bootstrap(20, 3),
    "interval": "bootstrap",
    "ddof": 0,
    "reader": "native",
    "file_per_run": True,
    "stages": {"codes": (Path("a/codes.csv"), Path("b/codes.csv")), "audit": (Path("audit.csv"),)},
    "prompts": (Path("sent-1.jsonl"), Path("sent-2.jsonl")),
    "dictionary": (Path("names.csv"),),
    "model": "step-1000",
    "annotator": "甲",
    "fallback_extractor": "reader-1",
    "include_ambiguous": True,
    "allow_partial_runs": True,
    "variants": "4:7",
    "stage_sample": {"hallucination": "20:3"},
    "keep_reasoning": True,
}


def files_of(options):
    stages = {f"round {name}": paths for name, paths in options.stages.items()}
    return {**stages, "prompts": options.prompts, "dictionary": options.dictionary}


def again(options):
    return options_again(json.loads(json.dumps(stated(options))), files_of(options))


def test_every_field_is_stated_or_moves_nothing():
    assert {one.name for one in fields(ScoringOptions)} == {*OTHERS, *MOVES_NOTHING}
    assert all(getattr(ScoringOptions(), name) != other for name, other in OTHERS.items())


@pytest.mark.parametrize("name", OTHERS)
def test_every_field_comes_back_from_what_a_report_says(name):
    options = replace(ScoringOptions(), **{name: OTHERS[name]})
    assert again(options) == options
    assert stated(options) != stated(ScoringOptions())


def test_all_fields_come_back_together():
    options = ScoringOptions(**OTHERS)
    assert again(options) == options


@pytest.mark.parametrize("name", sorted(stated(ScoringOptions()).keys() - {"prompts", "dictionary"}))
def test_what_a_report_does_not_say_is_not_guessed(name):
    said = stated(ScoringOptions())
    with pytest.raises(MedzhError, match=rf'field "arguments\.{name}": wrong type: found 1\.5'):
        options_again({**said, name: 1.5}, {})
    del said[name]
    with pytest.raises(MedzhError, match=rf'field "arguments\.{name}": an argument is missing from the report'):
        options_again(said, {})
