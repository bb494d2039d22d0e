"""Equal value keys mean equal reference data, settings and reading; what only shows values moves display keys alone.

Every config joins each change that applies to it. A change without an effect on any key, or on a key of the other kind,
fails.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from places import SAMPLES

from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.benchmark.rules import DEFAULT_RULE
from medzh_score.data.integrity import fingerprint
from medzh_score.data.records import MANIFEST, Records, load_records
from medzh_score.prompting.write import prompt_lines
from medzh_score.scoring import signature
from medzh_score.scoring.pipeline import score
from medzh_score.scoring.signature import DISPLAY, display_differences, value_differences

JUDGED = {
    "care_mi": ("correctness", "judge-correctness.jsonl"),
    "cmhe_dd": ("codes", "judge-codes.jsonl"),
    "pemebench": ("hallucination", "judge-hallucination.jsonl"),
}


@pytest.fixture(scope="module")
def data(config, minis):
    return load_records(minis, config.name)


@pytest.fixture(scope="module")
def lines(config):
    text = (SAMPLES / config.name / "predictions.jsonl").read_text(encoding="utf-8")
    sample = [json.loads(line) for line in text.splitlines()]
    return [line for line in sample if not line.get("run") and not line.get("variant")]


@pytest.fixture
def signed(config, data, lines, tmp_path, write_lines):
    """Give a function that scores, with changes, and gives the signature."""

    def run(said=None, sent=None, judge=None, **changes):
        path = write_lines(tmp_path / "p.jsonl", lines if said is None else said)
        options = {"bootstrap": 0, "missing": "wrong", **changes}
        if sent is not None:
            options["prompts"] = write_lines(tmp_path / "sent.jsonl", sent)
        if judge is not None:
            options["stages"] = {JUDGED[config.name][0]: write_lines(tmp_path / "judge.jsonl", judge)}
        return score(config.name, path, options.pop("data", data), **options).signature

    return run


@pytest.fixture
def prompts(config, data):
    def made(place=0, form="chat", **generation):
        asking = PromptSettings(config.prompting.templates[place])
        settings = {**config.prompting.generation_kwargs, **generation}
        return list(prompt_lines(config.prompting.builder(data.rows, asking), asking, settings, form=form))

    return made


@pytest.fixture(scope="module")
def before(config):  # noqa: ARG001 - one a config
    """Hold the signatures of what was scored before a change, by what it was."""
    return {}


@pytest.fixture
def moved(signed, before):
    """Give a function that says which keys of either kind two scorings differ in."""

    def keys(one, other):
        if repr(one) not in before:
            before[repr(one)] = signed(**one)
        both = before[repr(one)], signed(**other)
        return value_differences(*both), display_differences(*both)

    return keys


def test_the_keys_of_every_signature_are_of_one_kind_or_the_other_and_equal_input_gives_equal_ones(signed):
    first = signed()
    assert set(first) >= DISPLAY - {"withheld"}  # which private configs alone have
    assert "withheld" not in first
    assert signed() == first


# What moves values


def test_another_gold(config, data, minis, moved):
    """The fingerprint is of the rows: with two golds exchanged they are other reference data."""
    rows = [dict(row) for row in data.rows]
    first = rows[0]
    other = next(row for row in rows if row["answer"] != first["answer"])
    first["answer"], other["answer"] = other["answer"], first["answer"]
    features = json.loads((minis / MANIFEST).read_text(encoding="utf-8"))["configs"][config.name]["features"]
    digest = fingerprint({data.split: rows}, {column["name"]: column["type"] for column in features})
    edited = Records(data.config, data.split, rows, replace(data.origin, fingerprint=digest))
    assert moved({}, {"data": edited}) == (["data"], [])


def test_another_recipe(data, moved):
    """Rebuilt data are other questions, under another name; what is official differs from the sample by recipe."""
    for recipe, keys in (("official", ["data"]), ("open", ["config", "data"])):
        other = Records(data.config, data.split, data.rows, replace(data.origin, recipe=recipe))
        assert moved({}, {"data": other}) == (keys, [])


def test_another_rule_treatment_of_what_is_missing_prompt_form_or_setting(config, prompts, moved):
    for rule in config.rules[1:]:
        assert moved({}, {"rule": rule.name}) == (["rule"], [])
    assert moved({}, {"missing": "skip"}) == (["missing"], [])
    stated = {"sent": prompts()}
    values, display = moved({}, stated)
    assert ({"prompt", "format", "shots"} <= set(values), display) == (True, [])
    for place in range(1, len(config.prompting.templates)):
        assert moved(stated, {"sent": prompts(place)}) == (["prompt"], [])
    assert moved(stated, {"sent": prompts(form="text")}) == (["format"], [])
    assert moved(stated, {"sent": prompts(temperature=0.9)}) == (["generation"], [])


def test_other_variants(config, lines, moved):
    if config.name != "tcmd":
        pytest.skip("is asked in one variant")
    second = [{**line, "variant": 1} for line in lines if _has_variants(line["id"], config.name)]
    assert second
    assert moved({}, {"said": [*lines, *second]}) == (["variants"], [])


def _has_variants(identifier, name):
    sample = (SAMPLES / name / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    return any(line["id"] == identifier and line.get("variant") == 1 for line in map(json.loads, sample))


def test_another_second_reader(config, moved):
    if config.reads is None or not config.reads.second or config.reads.of is not None:
        pytest.skip("has no second reading of first answers")
    ours = {"rule": DEFAULT_RULE}
    by = [{**ours, "fallback_extractor": name} for name in ("甲", "乙")]
    assert moved(ours, by[0]) == (["fallback extractor"], [])
    assert moved(*by) == (["fallback extractor"], [])
    assert moved(by[0], {**by[0], "include_ambiguous": True}) == (["fallback extractor"], [])


def test_another_judge(config, moved):
    if config.name not in JUDGED:
        pytest.skip("has no sample of a judge")
    text = (SAMPLES / config.name / JUDGED[config.name][1]).read_text(encoding="utf-8")
    judge = [json.loads(line) for line in text.splitlines()]
    judge = [line for line in judge if not line.get("run")]
    other = [{**line, "model": "another judge"} for line in judge]
    assert moved({}, {"judge": judge})[0]
    assert moved({"judge": judge}, {"judge": other}) == (["annotators"], [])


def test_another_dictionary(config, tmp_path, moved):
    if config.name != "cmhe_dd":
        pytest.skip("reads by no dictionary")
    (tmp_path / "mine.csv").write_text("name,code\n急性膀胱炎,N30\n", encoding="utf-8")
    assert moved({"rule": DEFAULT_RULE}, {"rule": DEFAULT_RULE, "dictionary": tmp_path / "mine.csv"}) == (
        ["dictionary"],
        [],
    )


# What moves only how values are shown


def test_what_shows_values(lines, moved):
    drawn = {"bootstrap": 20}
    for one, other in ((drawn, {**drawn, "seed": 1}), ({}, drawn), ({}, {"interval": "bootstrap"})):
        assert moved(one, other) == ([], ["interval"])
    assert moved({}, {"ddof": 0}) == ([], ["ddof"])
    assert moved({}, {"said": [*lines, *({**line, "run": 1} for line in lines)]}) == ([], ["runs"])


def test_another_version(signed, monkeypatch):
    here = signed()
    monkeypatch.setattr(signature, "VERSION", "9.9.9")
    there = signed()
    assert (value_differences(here, there), display_differences(here, there)) == ([], ["medzh_score"])


# What moves neither


def test_the_models_own_answers_and_what_the_system_is_called(lines, moved):
    empty = [{**line, "prediction": ""} for line in lines]
    for said in ([*empty[:1], *lines[1:]], empty, lines[1:], lines[::-1]):
        assert moved({}, {"said": said}) == ([], []), said[0]
    named = [{**line, "model": "a"} for line in lines]
    assert moved({}, {"said": named, "model": "b"}) == ([], [])
