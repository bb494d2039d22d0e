from __future__ import annotations

import copy

import pytest
from amounts import at_least
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from dataset_scripts.packaging.schema import faults, invalid, read_schema, surveyed
from dataset_scripts.recipe import SourceFile, dataset
from dataset_scripts.recipes.sdak.dataset import MINI

SDAK = dataset("sdak")
SCHEMA = read_schema(SDAK.schema)
FILE = SourceFile("sdak-mini", MINI, "0" * 64, pinned=True)
RECORDS = SDAK.recipe("mini").make({"sdak-mini": FILE}, 0).splits["test"]
FIELDS = sorted(SCHEMA["properties"])


def inconsistent(made):
    return surveyed({"test": made}, {})["test"].inconsistent


def faults_of(splits, check):
    return faults("sdak", surveyed(splits, SCHEMA), splits, check)


def records():
    return copy.deepcopy(RECORDS[:6])


@pytest.mark.parametrize(
    ("change", "pointer", "expected", "found"),
    [
        (lambda record: record.pop("claim"), "/claim", "a value", "none"),
        (lambda record: record.update(claim=7), "/claim", "a string", "7"),
        (lambda record: record.update(claim=""), "/claim", "a string of at least 1 characters", "''"),
        (lambda record: record.update(label="supports"), "/label", "one of support, refute", "'supports'"),
        (lambda record: record.update(slot_values=["a", None]), "/slot_values/1", "a string", "None"),
        (lambda record: record.update({"a/b~c": 1}), "/a~1b~0c", "no field with this name", "1"),
        (lambda record: record.update(pair_id="sdak-X-1"), "/pair_id", "a string that matches ^sdak-", "'sdak-X-1'"),
        (lambda record: record.update(object=0), "/object", "a string or null", "0"),
    ],
)
def test_an_invalid_record_is_named_by_its_upstream_key_and_pointer(change, pointer, expected, found):
    made = records()
    change(made[3])
    problems = [problem for problem in invalid(made, SCHEMA) if problem.pointer == pointer]
    assert [(problem.record, problem.found) for problem in problems][:1] == [(RECORDS[3]["upstream_key"], found)]
    assert expected in problems[0].expected
    for part in (RECORDS[3]["upstream_key"], pointer, found):
        assert part in str(problems[0])


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.lists(st.one_of(st.text(max_size=3), st.none()), max_size=3),
    st.sampled_from(
        ["support", "refute", "factual", "正确", "错误", "sdak-a-0001", "sdak-a-0001-f", "sdak-0123456789-c"]
    ),
)


@at_least(300)
@given(
    st.integers(0, len(RECORDS) - 1),
    st.dictionaries(st.sampled_from([*FIELDS, "surplus"]), VALUES, max_size=3),
    st.sets(st.sampled_from(FIELDS), max_size=2),
)
def test_the_verdict_is_that_of_jsonschema(index, changes, removed):
    record = {name: value for name, value in {**RECORDS[index], **changes}.items() if name not in removed}
    theirs = list(Draft202012Validator(SCHEMA).iter_errors(record))
    ours = invalid([record], SCHEMA)
    assert bool(ours) == bool(theirs)
    # jsonschema names missing and surplus fields in its message only, so the places of the others are compared.
    at_record = {"required", "additionalProperties"}
    places = {
        "".join(f"/{step}" for step in error.absolute_path) for error in theirs if error.validator not in at_record
    }
    named = {problem.pointer for problem in ours if problem.expected not in {"a value", "no field with this name"}}
    assert named == places


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda made: made.pop(), "expected one factual and one counterfactual"),
        (lambda made: made[-1].update(polarity="factual"), "expected one factual and one counterfactual"),
        (lambda made: made.append(dict(made[-1])), "expected one factual and one counterfactual"),
        (lambda made: made[-1].update(type="Disease-Food"), "differ in type"),
        (lambda made: made[-1].update(slot_values=["a", "b"]), "differ in slot_values"),
        (lambda made: made[-1].update(slot_values=["a"]), "as many slot_names"),
        (lambda made: made[-1].update(id="sdak-food_effect-0001-c"), "expected the id"),
        (lambda made: made[-1].update(id="sdak-" + "a" * 40), "more than 40"),
    ],
)
def test_pairs_of_sdak_that_are_no_pairs_are_found(change, words):
    made = records()
    change(made)
    assert any(words in problem for problem in SDAK.check({"test": made}))


def test_a_config_s_own_check_sees_all_splits_once_the_records_are_valid():
    seen = []

    def check_all(splits):
        seen.append(splits)
        return ["the splits have something in common"]

    splits = {"test": records(), "train": records()}
    assert faults_of(splits, check_all) == ["sdak: the splits have something in common"]
    assert seen == [splits]
    splits["train"][0]["label"] = "perhaps"
    splits["test"].append(dict(splits["test"][0]))
    found = faults_of(splits, check_all)
    assert found
    assert all(line.startswith("sdak train: record ") for line in found)
    assert seen == [splits]
    splits["train"] = []
    assert [line.partition(": ")[0] for line in faults_of(splits, check_all)] == ["sdak test", "sdak"]


def test_half_a_character_is_found():
    made = records()
    made[2]["slot_values"] = ["半\ud800字", "字"]
    (problem,) = inconsistent(made)
    assert RECORDS[2]["upstream_key"] in problem
    assert "UTF-8" in problem
    made[3]["pair_id"] = "半\ud800字"
    assert [problem.record for problem in invalid(made, SCHEMA)] == [RECORDS[3]["upstream_key"]]


def test_numbers_that_json_has_not_are_invalid():
    schema = {"type": "object", "properties": {"n": {"type": "number"}}}
    assert [problem.pointer for problem in invalid([{"n": 1.5}, {"n": float("nan")}, {"n": float("inf")}], schema)] == [
        "/n",
        "/n",
    ]
