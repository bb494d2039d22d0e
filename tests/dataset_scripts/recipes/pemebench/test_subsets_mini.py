"""The minis of PeMeBench's Table 4, the cards, and the promise that none of the three is ever published."""

from __future__ import annotations

import pytest
from places import SAMPLES
from tool_runs import lines_of

from dataset_scripts.building.build import build
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipe import dataset, dataset_names
from dataset_scripts.recipes.pemebench.pediatric import MEASURED, PATTERNS, matched
from medzh_score.benchmark.config import rule_of
from medzh_score.benchmark.registry import find_config
from medzh_score.benchmark.rules import OURS
from medzh_score.data.records import load_records

PREFIXES = {"pemebench_cmexam": "pmcmexam", "pemebench_medqa": "pmmedqa", "pemebench_huatuo": "pmhuatuo"}
CHOICE = ("pemebench_cmexam", "pemebench_medqa")
CONFIGS = tuple(PREFIXES)


def lines(config, name):
    return lines_of(SAMPLES / config / name)


@pytest.mark.parametrize("config", CHOICE)
def test_answers_of_every_kind_occur(config, minis):
    rows = load_records(minis, config).rows
    found = find_config(config)
    sides = {one.id: one.side for one in found.asked(rows, found.layout(rows))}
    rule = rule_of(found, OURS)
    said = {
        one["id"]: rule.read(one["prediction"], sides[one["id"]], 0)[0] for one in lines(config, "predictions.jsonl")
    }
    right = sum(said[row["id"]].value == row["answer"] for row in rows)
    assert len(rows) / 2 < right < len(rows)
    assert {"alone", "answer", "choice", "text"} <= {one.why for one in said.values() if one.value}
    assert {"unfinished thinking", "nothing"} <= {one.why for one in said.values() if one.value is None}


@pytest.mark.parametrize("config", CONFIGS)
def test_a_mini_builds_and_is_well(config, minis):
    rows = load_records(minis, config).rows
    assert len(rows) == len(lines(config, "questions.jsonl"))
    assert {row["recipe"] for row in rows} == {"mini"}
    assert {row["source"] for row in rows} == {f"{config.replace('_', '-')}-mini"}
    for row in rows:
        assert len(row["id"]) <= 40
        assert row["matched"] == matched(row["question"])
        assert row["prompt"].count(row["question"]) == 1


@pytest.mark.parametrize("config", CONFIGS)
def test_none_of_them_is_ever_published_and_the_card_says_why(config, minis):
    declared = dataset(config)
    assert declared.never_published
    assert [recipe.name for recipe in declared.recipes] == ["official", "mini"]
    card = " ".join((minis / "README.md").read_text(encoding="utf-8").split())
    section = card.split(f"## `{config}`")[1]
    assert f"never published here, for {declared.never_published}" in section
    for said in ("paper", "pemebench/pediatric.toml", "320", "94 %", "one reader, a language model and no physician"):
        assert said in section
    assert PATTERNS.replace("_", "\\_") in card or PATTERNS in card
    assert MEASURED in card


def test_other_configs_may_be_published_where_their_sources_allow_it():
    assert {name for name in dataset_names() if dataset(name).never_published} == set(CONFIGS)


def test_the_card_of_a_subset_says_whose_list_selected_it(tmp_path, write_lines):
    path = write_lines(tmp_path / "h.jsonl", [{"question": "宝宝发热怎么办", "answer": "多饮水"}])
    build("pemebench_huatuo", "official", tmp_path / "out", given=[str(path)])
    card = " ".join((tmp_path / "out" / "README.md").read_text(encoding="utf-8").split())
    assert "selected by our list, not the authors'" in card
    assert "It is NOT the official benchmark" in card
    assert "do not publish it" in card


@pytest.mark.parametrize("config", CHOICE)
def test_letters_beyond_the_options_are_refused_by_the_schema(config):
    from jsonschema import Draft202012Validator

    schema = read_schema(dataset(config).schema)
    row = {
        "id": f"{PREFIXES[config]}-0123456789",
        "question": "小儿肺炎是",
        "options": ["甲", "乙"],
        "answer": "AB",
        "matched": ["child"],
        "prompt": "p",
        "source": "s",
        "recipe": "mini",
        "upstream_key": "k",
    }
    validator = Draft202012Validator(schema)
    assert validator.is_valid(row)
    for wrong in (
        {"answer": "BA"},
        {"answer": "AA"},
        {"answer": "C"},
        {"answer": ""},
        {"answer": "a"},
        {"options": ["甲", "乙", "丙"], "answer": "D"},
        {"options": ["甲", "乙", "丙", "丁"], "answer": "E"},
        {"options": list("甲乙丙丁戊己")},
        {"options": ["甲"], "answer": "A"},
        {"matched": []},
        {"recipe": "open"},
        {"id": f"{PREFIXES[config]}-0123"},
    ):
        assert not validator.is_valid(row | wrong), wrong
    assert validator.is_valid(row | {"options": list("甲乙丙丁戊"), "answer": "ABCDE"})
