"""A rule that replaces another: it reads only where it is named, and the report says what it changed."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter

import pytest

from medzh_score.asking_rounds import After, questions_of
from medzh_score.checking import check
from medzh_score.config import Rule, answer, find_config
from medzh_score.configs import sdak
from medzh_score.readers.several import PredictionFiles
from medzh_score.records import load_records
from medzh_score.rendering.reports import rendered
from medzh_score.scoring import score
from medzh_score.verifying import verify

# By strict-1: correct, incorrect, incorrect, none, none, none, correct.
TEXTS = ("正确。", "错误。", "不对。", "难说。", "我认为正确", "抱歉，我无法回答。", "属实。")
NEW = {
    **dict.fromkeys(TEXTS, answer("correct", "all")),
    "错误。": answer(None, "contradiction"),
    "抱歉，我无法回答。": answer(None, "refusal"),
}


@pytest.fixture
def reads():
    """Count the texts that the newer rule was given."""
    return Counter()


@pytest.fixture
def config(monkeypatch, reads):
    """Declare a second version of strict-1, made up for the test."""

    def read(text, _side, _variant):
        reads[text] += 1
        return (NEW[text],)

    rules = (*sdak.CONFIG.rules, Rule("strict-2", "made up for a test", read, replaces="strict-1"))
    monkeypatch.setattr(sdak, "CONFIG", dataclasses.replace(sdak.CONFIG, rules=rules))
    assert find_config("sdak").rules == rules
    return find_config("sdak")


@pytest.fixture
def lines(sdak_rows):
    texts = [TEXTS[index % len(TEXTS)] for index in range(len(sdak_rows))]
    return [
        {"id": row["id"], "prediction": texts[(index + run) % len(texts)], "run": run}
        for run in range(2)
        for index, row in enumerate(sdak_rows)
    ]


@pytest.fixture
def path(tmp_path, write_lines, lines):
    return write_lines(tmp_path / "p.jsonl", lines)


@pytest.mark.usefixtures("config")
def test_it_reads_only_where_it_is_named(path, sdak_build, reads):
    for rule in (None, "official", "strict-1"):
        report = score("sdak", path, sdak_build, rule=rule, bootstrap=0)
        assert list(report.results) == ["official", "strict-1"]
        assert report.changed is report.as_dict()["changed"] is None
        check("sdak", [path], sdak_build, rule=rule)
    assert not reads
    assert list(score("sdak", path, sdak_build, rule="strict-2", bootstrap=0).results) == [
        *("official", "strict-1", "strict-2")
    ]
    assert sum(reads.values()) == 408


def test_the_report_says_what_it_changed(config, path, lines, sdak_build):
    """Source: the two rules, asked of each line."""
    report = score("sdak", path, sdak_build, rule="strict-2", bootstrap=0)
    old = {rule.name: rule for rule in config.rules}["strict-1"]
    pairs = [(old.read(line["prediction"], sdak.FACTUAL, 0)[0].value, NEW[line["prediction"]].value) for line in lines]
    gained = sum(a is None and b is not None for a, b in pairs)
    lost = sum(a is not None and b is None for a, b in pairs)
    other = sum(None not in {a, b} and a != b for a, b in pairs)
    assert min(gained, lost, other) > 0
    changed = gained + lost + other
    assert report.as_dict()["changed"] == {
        "from": "strict-1",
        "to": "strict-2",
        "of": 408,
        "changed": changed,
        "gained": gained,
        "lost": lost,
        "other": other,
    }
    (note,) = (note for note in report.notes if "changed" in note)
    assert note == (
        f"Rule strict-2 changed {changed} of 408 answers of strict-1: {gained} gained, {lost} lost, {other} became"
        " another."
    )
    assert note in rendered(report, "text")


@pytest.mark.usefixtures("config")
def test_a_text_that_is_read_as_a_refusal_is_refused_once(tmp_path, write_lines, lines, sdak_build):
    filtered = [line | ({"finish_reason": "content_filter"} if index < 7 else {}) for index, line in enumerate(lines)]
    path = write_lines(tmp_path / "p.jsonl", filtered)
    declining = sum(line["prediction"] == TEXTS[5] for line in lines)
    both = sum(line["prediction"] == TEXTS[5] for line in lines[:7])
    assert both == 1
    for rule, refused in (("strict-1", 7), ("strict-2", declining + 7 - both)):
        assert score("sdak", path, sdak_build, rule=rule, bootstrap=0).coverage.refused == refused
        assert check("sdak", [path], sdak_build, rule=rule).coverage.refused == refused


@pytest.mark.usefixtures("config")
def test_a_report_by_it_is_verified(path, sdak_build, tmp_path):
    report = score("sdak", path, sdak_build, rule="strict-2", bootstrap=20)
    saved = tmp_path / "report.json"
    saved.write_bytes(report.as_json())
    found = verify(saved, sdak_build, [path])
    assert found.problems == ()
    tampered = json.loads(report.as_json())
    tampered["changed"]["lost"] += 1
    saved.write_text(json.dumps(tampered), encoding="utf-8")
    assert any("changed.lost" in problem for problem in verify(saved, sdak_build, [path]).problems)


def test_the_items_file_and_later_rounds_know_it(config, path, sdak_build, tmp_path):
    items = tmp_path / "items.jsonl"
    score("sdak", path, sdak_build, rule="strict-2", bootstrap=0, items=items)
    first = json.loads(items.read_text(encoding="utf-8").splitlines()[0])
    assert list(first["rules"]) == ["official", "strict-1", "strict-2"]
    records = load_records(sdak_build, "sdak")
    (error,) = (one for one in config.rounds if one.name == "error")
    asked = {
        rule: len(questions_of(config, records, error, After(PredictionFiles((path,)), rule), sample=1000).shown)
        for rule in ("strict-1", "strict-2")
    }
    assert asked["strict-1"] < asked["strict-2"] == len(records.rows) // 2  # no text is incorrect by the newer rule


def test_how_often_each_wording_decided(config, path, lines, sdak_build):
    """Source: the rule, asked of each line."""
    report = score("sdak", path, sdak_build, rule="strict-1", bootstrap=0)
    rule = {one.name: one for one in config.rules}["strict-1"]
    answers = [rule.read(line["prediction"], sdak.FACTUAL, 0)[0] for line in lines]
    counted = Counter(one.rule for one in answers)
    plain = report.as_dict()
    assert plain["fired"] == counted
    assert sum(plain["rules"]["official"]["fired"].values()) == 408
    none = {one.rule for one in answers if one.value is None}
    names = list(plain["fired"])
    assert none == set(names[-len(none) :])
    table = (
        rendered(report, "text").partition("How often each wording decided, rule strict-1\n")[2].partition("\n\n")[0]
    )
    rows = [line.split() for line in table.splitlines()[2:]]
    assert [(row[-2], int(row[-1])) for row in rows] == list(plain["fired"].items())
    assert [row[0] for row in rows] == ["an"] * (len(names) - len(none)) + ["none"] * len(none)
