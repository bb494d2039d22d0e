"""Result folders of every config: what is saved is what is loaded, every form is the same again."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from places import SAMPLES
from round_cases import NONE, READ, SECOND, case_of

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.report.results.result import Result
from medzh_score.report.scoring import score
from medzh_score.show.reports import rendered

FORMS = ("text", "json", "markdown", "latex")


def sample_of(name):
    """Give the sample's predictions, and the rounds that the same model answered."""
    folder = SAMPLES / name
    later = [later.name for later in find_config(name).rounds if later.of_same_model]
    return folder / "predictions.jsonl", {one: folder / f"{one}.jsonl" for one in later}


def saved(report, folder, **options):
    """Save a report, load it, and see that every form of it is the same."""
    report.save(folder, **options)
    found = Result.load(folder)
    assert found.report == report
    assert found.report._basis is None
    for form in FORMS:
        assert rendered(found.report, form) == rendered(report, form), form
    assert list(found.report.results) == list(report.results) == list(found.statistics)
    assert next(iter(found.report.results)) == report.rule
    return found


def same_statistics(found, report):
    """Compare with what the report was made of."""
    basis = report._basis
    assert found.layout.items == basis.layout.items
    assert found.layout.units.tolist() == basis.layout.units.tolist()
    assert {name: list(labels) for name, labels in found.layout.groups.items()} == {
        name: list(labels) for name, labels in basis.layout.groups.items()
    }
    for name, of_rule in basis.rules.items():
        assert found.runs == of_rule.answers.runs
        assert np.array_equal(found.statistics[name], of_rule.statistics)


@pytest.mark.parametrize("name", config_names())
def test_every_rule_is_loaded_as_it_was_saved(name, minis, tmp_path):
    path, rounds = sample_of(name)
    for rule in find_config(name).rules:
        report = score(name, path, minis, rule=rule.name, rounds=rounds, bootstrap=20)
        same_statistics(saved(report, tmp_path / rule.name), report)


@pytest.mark.parametrize("name", config_names())
@pytest.mark.parametrize("missing", ["wrong", "skip"])
def test_what_is_missing_is_loaded_as_it_was_saved(name, missing, minis, tmp_path, write_lines):
    """Two runs, of which the second lacks a line, and a model's name that needs escaping."""
    path, _ = sample_of(name)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    again = write_lines(tmp_path / "p.jsonl", [*lines, *({**line, "run": 3} for line in lines[1:])])
    report = score(name, again, minis, missing=missing, allow_fragments=True, model="甲 #1_%|&\u2028", bootstrap=20)
    found = saved(report, tmp_path / "r")
    same_statistics(found, report)
    assert found.runs == (0, 3)
    assert found.missing[:, 0].sum() == 0 < found.missing[:, 1].sum() <= len(lines)
    if missing == "skip":
        dropped = found.missing.any(axis=1)
        assert not any(counts[dropped].any() for counts in found.statistics.values())


@pytest.mark.parametrize("name", SECOND)
def test_second_readings_are_loaded_as_they_were_saved(name, minis, tmp_path, capfdbinary):
    case = case_of(name, minis, tmp_path, capfdbinary)
    rows = case.rows("second-reading")
    replies = {row["id"]: NONE if place % 3 else case.reply(row) for place, row in enumerate(rows)}
    report = case.second(replies)
    found = saved(report, tmp_path / "r")
    same_statistics(found, report)
    assert found.report.second_reading.read == report.second_reading.read > 0
    assert list(found.statistics)[-1].endswith(" without second readings")


@pytest.mark.parametrize("name", READ)
def test_audits_are_loaded_as_they_were_saved(name, minis, tmp_path, capfdbinary):
    case = case_of(name, minis, tmp_path, capfdbinary)
    rows = case.rows("audit", "--sample", 12)
    report = case.second({row["id"]: case.reply(row) for row in rows}, name="audit")
    assert saved(report, tmp_path / "r").report.audit == report.audit is not None


@pytest.mark.parametrize("name", config_names())
def test_unread_and_missing_are_what_a_plain_loop_counts(name, minis, tmp_path, write_lines):
    path, _ = sample_of(name)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()][2:]
    lines[0] |= {"prediction": " "}
    report = score(name, write_lines(tmp_path / "p.jsonl", lines), minis, missing="wrong", bootstrap=0)
    report.save(tmp_path / "r")
    found, basis = Result.load(tmp_path / "r"), report._basis
    for rule, of_rule in basis.rules.items():
        table = of_rule.answers
        unread, missing = np.zeros_like(found.missing), np.zeros_like(found.missing)
        for item, members in enumerate(basis.layout.members.tolist()):
            for place, run in enumerate(table.runs):
                for column, variant in enumerate(table.variants):
                    answers = [table.columns[run, variant][one] for one in members if table.due[one, column]]
                    missing[item, place] += None in answers
                    unread[item, place] += any(one is not None and one.value is None for one in answers)
        assert np.array_equal(found.missing, missing)
        assert np.array_equal(found.unread[rule], unread)
        assert missing.sum() > 0 < unread.sum()


def test_rows_of_items_are_what_the_items_file_says(minis, tmp_path):
    """The JSON lines have been there before: the same answers, by rule, run, variant and record."""
    for name in config_names():
        path, rounds = sample_of(name)
        report = score(name, path, minis, rounds=rounds, bootstrap=0, items=tmp_path / f"{name}.jsonl")
        report.save(tmp_path / name, texts="full")
        written = {
            (rule, line["item"], line["run"], answer["id"], answer["variant"]): (
                *(answer[field] for field in ("answer", "found_by", "note")),
            )
            for line in map(json.loads, (tmp_path / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
            for rule, found in line["rules"].items()
            for answer in found["answers"]
        }
        rows = Result.load(tmp_path / name).items().to_pylist()
        assert len(rows) == len(written)
        assert written == {
            (row["rule"], row["item"], row["run"], row["id"], row["variant"]): (
                *(row[field] for field in ("answer", "found_by", "note")),
            )
            for row in rows
        }


@pytest.mark.parametrize("name", config_names())
def test_texts_stand_there_only_where_they_are_wanted(name, minis, tmp_path):
    path, rounds = sample_of(name)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    report = score(name, path, minis, rounds=rounds, bootstrap=0)
    rows = {}
    for texts in ("none", "spans", "full"):
        report.save(tmp_path / texts, texts=texts)
        rows[texts] = Result.load(tmp_path / texts).items().to_pylist()
    asked = {one.id: one.members for one in report._basis.asked}
    ids = report._basis.ids
    said = {
        (ids[member], line.get("run", 0), line.get("variant", 0)): line["prediction"]
        for line in lines
        for member in asked[line["id"]]
    }
    for none, spans, full in zip(*rows.values(), strict=True):
        text = said[full["id"], full["run"], full["variant"]]
        assert full["text"] == text
        assert none["text"] is none["spans"] is None
        assert full["spans"] == spans["spans"]
        assert spans["text"] == "".join(text[start:end] for start, end in spans["spans"] or ())
        assert none["answer"] == full["answer"] or (none["answer"] is None and full["text"].find(full["answer"]) >= 0)
    whole = (tmp_path / "none" / "items.parquet").read_bytes()
    long = [text.encode() for text in said.values() if len(text) > 40]
    assert not [text for text in long if text in whole]


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_equal_input_gives_equal_bytes_in_other_processes(minis, tmp_path):
    code = (
        "import sys, medzh_score;"
        "medzh_score.score('tcmd', sys.argv[1], sys.argv[2], bootstrap=20).save(sys.argv[3], texts='full')"
    )
    path, _ = sample_of("tcmd")
    for seed, locale in (("0", "C"), ("1", "C.UTF-8")):
        subprocess.run(
            [sys.executable, "-c", code, str(path), str(minis), str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale},
            check=True,
        )
    score("tcmd", path, minis, bootstrap=20).save(tmp_path / "2", texts="full")
    found = [content(tmp_path / name) for name in ("0", "1", "2")]
    assert found[0] == found[1] == found[2]
    sums = "".join(
        f"{hashlib.sha256(content).hexdigest()}  {name}\n"
        for name, content in sorted(found[0].items())
        if name != "SHA256SUMS"
    )
    assert found[0]["SHA256SUMS"].decode("ascii") == sums
    assert b"pandas" not in found[0]["items.parquet"]


def test_a_report_without_its_basis_equals_the_one_with_it(minis):
    path, _ = sample_of("cmhe_hd")
    report = score("cmhe_hd", path, minis, bootstrap=20)
    assert replace(report, _basis=None) == report
    assert "_basis" not in repr(report)
    assert b"basis" not in report.as_json()
