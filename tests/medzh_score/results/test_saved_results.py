"""Result folders of every config: what is saved is what the schemas say, and is loaded as it was."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import subprocess
import sys

import jsonschema
import numpy as np
import pyarrow as pa
import pytest
from places import ROOT, SAMPLES
from pyarrow import parquet
from round_cases import NONE, READ, SECOND, case_of

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.render.report import rendered
from medzh_score.results.report import SCHEMA
from medzh_score.results.result import Result
from medzh_score.results.tables import ITEMS_VERSION, STATISTICS_VERSION
from medzh_score.scoring.pipeline import score

REPORT, RESULT = (json.loads((ROOT / "schemas" / f"{name}.schema.json").read_bytes()) for name in ("report", "result"))
FILES = {"statistics.parquet": STATISTICS_VERSION, "items.parquet": ITEMS_VERSION}
IS_REPORT = jsonschema.Draft202012Validator(REPORT)
MODEL = '甲 #1_%|&\u2028 "示例",\n'  # needs escaping in every form


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def saved(report, folder, **options):
    """Save a report, load it, and see that every form of it is the same."""
    report.save(folder, **options)
    found = Result.load(folder)
    assert found.report == report
    for form in ("text", "json", "markdown", "latex", "csv"):
        assert rendered(found.report, form) == rendered(report, form), form
    assert list(found.report.results) == list(report.results) == list(found.statistics)
    assert next(iter(found.report.results)) == report.rule
    IS_REPORT.validate(json.loads(report.as_json()))
    made_of = report.artifacts
    assert found.layout.items == made_of.layout.items
    assert found.layout.clusters.tolist() == made_of.layout.clusters.tolist()
    groups = {name: list(labels) for name, labels in made_of.layout.groups.items()}
    assert {name: list(labels) for name, labels in found.layout.groups.items()} == groups
    for name, of_rule in made_of.rules.items():
        assert found.runs == of_rule.answers.runs
        assert np.array_equal(found.statistics[name], of_rule.statistics)
    return found


@pytest.fixture(scope="module", params=config_names())
def case(request, minis, tmp_path_factory):
    """Score a sample whose second run lacks a line: name, lines, report, and the folder of its items."""
    name, folder = request.param, tmp_path_factory.mktemp(request.param)
    lines = [json.loads(line) for line in (SAMPLES / name / "predictions.jsonl").read_text("utf-8").splitlines()]
    lines = [{**lines[0], "prediction": " "}, *lines[1:], *({**line, "run": 3} for line in lines[2:])]
    (folder / "p.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    report = score(
        name, folder / "p.jsonl", minis, missing="wrong", model=MODEL, bootstrap=20, items=folder / "items.jsonl"
    )
    return name, lines, report, folder


def check_tables(folder):
    for file, version in FILES.items():
        rows, schema = parquet.read_table(folder / file), RESULT["$defs"][version]
        validator = jsonschema.Draft202012Validator(schema)
        for row in rows.to_pylist():
            validator.validate(row)
        assert parquet.read_metadata(folder / file).metadata[b"medzh"].decode() == version
        known = schema["properties"] | {
            name: kind
            for name in rows.column_names
            for start, kind in schema.get("patternProperties", {}).items()
            if name not in schema["properties"] and name.startswith(start[1])
        }
        assert rows.schema.names == sorted(known, key=rows.schema.names.index)
        assert {one.name: str(one.type) for one in rows.schema} == {
            name: kind["parquet"] for name, kind in known.items()
        }


def test_every_config_is_loaded_as_it_was_saved_and_as_the_schemas_say(case, minis, tmp_path):
    name, _, report, folder = case
    found = saved(report, tmp_path / "r", include_text="full")
    check_tables(tmp_path / "r")
    assert not hasattr(found.report, "artifacts")
    assert found.runs == (0, 3)
    for rule in find_config(name).rules[1:]:
        other = score(
            name, folder / "p.jsonl", minis, missing="skip", rule=rule.name, allow_partial_runs=True, bootstrap=5
        )
        dropped = saved(other, tmp_path / rule.name).missing.any(axis=1)
        assert not any(counts[dropped].any() for counts in other.artifacts.rules[rule.name].statistics[None])


def test_unread_and_missing_are_what_a_plain_loop_counts(case, tmp_path):
    report = case[2]
    report.save(tmp_path / "r")
    found, made_of = Result.load(tmp_path / "r"), report.artifacts
    for rule, of_rule in made_of.rules.items():
        table = of_rule.answers
        unparsed, missing = np.zeros_like(found.missing), np.zeros_like(found.missing)
        for item, members in enumerate(made_of.layout.members.tolist()):
            for place, run in enumerate(table.runs):
                for column, variant in enumerate(table.variants):
                    answers = [table.columns[run, variant][one] for one in members if table.expected[one, column]]
                    missing[item, place] += None in answers
                    unparsed[item, place] += any(one is not None and one.value is None for one in answers)
        assert np.array_equal(found.missing, missing)
        assert np.array_equal(found.unparsed[rule], unparsed)
        assert missing.sum() > 0 < unparsed.sum()
        assert missing[:, 0].sum() == 0


def test_rows_of_items_are_what_the_items_file_says_and_hold_texts_where_wanted(case, tmp_path):
    _, lines, report, folder = case
    rows = {}
    for texts in ("none", "spans", "full"):
        report.save(tmp_path / texts, include_text=texts)
        rows[texts] = Result.load(tmp_path / texts).items().to_pylist()
    written = {
        (rule, line["item"], line["run"], answer["id"], answer["variant"]): [
            answer[field] for field in ("answer", "found_by", "note")
        ]
        for line in map(json.loads, (folder / "items.jsonl").read_text(encoding="utf-8").splitlines())
        for rule, found in line["rules"].items()
        for answer in found["answers"]
    }
    assert written == {
        (row["rule"], row["item"], row["run"], row["id"], row["variant"]): [
            row[field] for field in ("answer", "found_by", "note")
        ]
        for row in rows["full"]
    }
    asked, ids = {one.id: one.members for one in report.artifacts.asked}, report.artifacts.ids
    said = {
        (ids[member], line.get("run", 0), line.get("variant", 0)): line["prediction"]
        for line in lines
        for member in asked[line["id"]]
    }
    for none, spans, full in zip(*rows.values(), strict=True):
        text = said.get((full["id"], full["run"], full["variant"]))
        assert (full["text"], full["spans"]) == (text, spans["spans"])
        assert none["text"] is none["spans"] is None
        if text is not None:
            assert spans["text"] == "".join(text[start:end] for start, end in spans["spans"] or ())
        assert none["answer"] == full["answer"] or (none["answer"] is None and full["answer"] in text)
    whole = (tmp_path / "none" / "items.parquet").read_bytes()
    assert not [text for text in said.values() if len(text) > 40 and text.encode() in whole]


@pytest.mark.parametrize("name", READ)
def test_second_readings_and_audits_are_loaded_as_they_were_saved(name, minis, tmp_path, capfdbinary):
    case = case_of(name, minis, tmp_path, capfdbinary)
    audit = case.second({row["id"]: case.reply(row) for row in case.rows("audit", "--sample", 12)}, name="audit")
    assert saved(audit, tmp_path / "audit").report.audit == audit.audit is not None
    if name in SECOND:
        rows = case.rows("fallback")
        report = case.second({row["id"]: NONE if at % 3 else case.reply(row) for at, row in enumerate(rows)})
        found = saved(report, tmp_path / "second")
        assert found.report.fallback.read == report.fallback.read > 0
        assert list(found.statistics)[-1].endswith(" without fallback")


def test_the_schemas_are_schemas_and_another_report_is_none(case):
    for schema in (REPORT, *RESULT["$defs"].values()):
        jsonschema.Draft202012Validator.check_schema(schema)
    assert REPORT["properties"]["schema"]["const"] == SCHEMA
    assert set(RESULT["$defs"]) == set(FILES.values())
    report = json.loads(case[2].as_json())
    for change in ({"schema": 2}, {"more": 1}, {"metrics": {}}, {"coverage": {}}, {"inputs": [{"name": "x"}]}):
        assert not IS_REPORT.is_valid(report | change)
    assert not IS_REPORT.is_valid({key: value for key, value in report.items() if key != "rule"})


def test_equal_input_gives_equal_bytes_in_another_process(minis, tmp_path):
    code = (
        "import sys, medzh_score;"
        "medzh_score.score('tcmd', sys.argv[1], sys.argv[2], bootstrap=20).save(sys.argv[3], include_text='full')"
    )
    words = [str(SAMPLES / "tcmd" / "predictions.jsonl"), str(minis), str(tmp_path / "1")]
    there = {**os.environ, "PYTHONHASHSEED": "1", "LC_ALL": "C"}
    subprocess.run([sys.executable, "-c", code, *words], env=there, check=True)
    report = score("tcmd", words[0], minis, bootstrap=20)
    report.save(tmp_path / "2", include_text="full")
    one, other = (content(tmp_path / name) for name in ("1", "2"))
    assert one == other
    lines = [
        f"{hashlib.sha256(held).hexdigest()}  {name}\n" for name, held in sorted(one.items()) if name != "SHA256SUMS"
    ]
    assert one["SHA256SUMS"].decode("ascii") == "".join(lines)
    assert b"pandas" not in one["items.parquet"]
    assert report.with_changes(artifacts=None) == report
    assert "artifacts" not in repr(report)


# Rows for other tools

OF_REPORT = ("config", "model", "rule", "breakdown", "group", "metric")
NUMBERS = ("value", "low", "high", "std", "least", "most")


def rows_of(report):
    """Walk the JSON in a plain loop: the rows that there should be."""
    plain, found = json.loads(report.as_json()), []
    for rule, result in {report.rule: plain, **plain["rules"]}.items():
        everything = {(None, None): result["metrics"]}
        for breakdown, groups in result["groups"].items():
            everything |= {(breakdown, group): named for group, named in groups.items()}
        for (breakdown, group), named in everything.items():
            for metric, value in named.items():
                place = (plain["config"], plain["model"], rule, breakdown, group, metric)
                runs = len([part for part in value["per_run"] if part is not None])
                none = {"unavailable_reason": None, "least": None, "most": None}
                found.append({**dict(zip(OF_REPORT, place, strict=True)), **none, **value, "runs": runs})
    return found


def test_csv_arrow_and_a_data_frame_have_the_rows_of_the_json(case):
    report = case[2]
    expected = rows_of(report)
    table = report.to_arrow()
    assert table.to_pylist() == [{name: row[name] for name in table.column_names} for row in expected]
    assert table.schema.field("value").type == pa.float64()
    frame = report.to_pandas()
    assert frame["metric"].tolist() == [row["metric"] for row in expected]
    assert frame["n"].tolist() == [row["n"] for row in expected]
    read = list(csv.DictReader(io.StringIO(rendered(report, "csv"), newline="")))
    assert [[row[name] or None for name in OF_REPORT] for row in read] == [
        [row[name] for name in OF_REPORT] for row in expected
    ]
    for row, plain in zip(read, expected, strict=True):
        assert [float(row[name]) if row[name] else None for name in NUMBERS] == [plain[name] for name in NUMBERS]
        assert json.loads(row["per_run"]) == plain["per_run"]
