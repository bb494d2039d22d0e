"""What is saved is what the schemas say, for every config."""

from __future__ import annotations

import json

import jsonschema
import pytest
from places import ROOT, SAMPLES
from pyarrow import parquet
from round_cases import READ, SECOND, case_of

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.report.report import SCHEMA
from medzh_score.report.results.columns import ITEMS_VERSION, STATISTICS_VERSION
from medzh_score.report.scoring import score

REPORT, RESULT = (json.loads((ROOT / "schemas" / f"{name}.schema.json").read_bytes()) for name in ("report", "result"))
FILES = {"statistics.parquet": STATISTICS_VERSION, "items.parquet": ITEMS_VERSION}


def check_report(report):
    jsonschema.Draft202012Validator(REPORT).validate(json.loads(report.as_json()))


def check_tables(folder):
    for file, version in FILES.items():
        rows, schema = parquet.read_table(folder / file), RESULT["$defs"][version]
        validator = jsonschema.Draft202012Validator(schema)
        for row in rows.to_pylist():
            validator.validate(row)
        own = parquet.read_metadata(folder / file).metadata
        assert own[b"medzh"].decode() == version
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


def test_the_schemas_are_schemas():
    for schema in (REPORT, *RESULT["$defs"].values()):
        jsonschema.Draft202012Validator.check_schema(schema)
    assert REPORT["properties"]["schema"]["const"] == SCHEMA
    assert set(RESULT["$defs"]) == set(FILES.values())


@pytest.mark.parametrize("name", config_names())
def test_what_is_saved_is_what_the_schemas_say(name, minis, tmp_path, write_lines):
    path = SAMPLES / name / "predictions.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    fewer = write_lines(tmp_path / "p.jsonl", [*lines, *({**line, "run": 1} for line in lines[1:])])
    for rule in find_config(name).rules:
        reports = []
        for texts in ("none", "full"):
            folder = tmp_path / f"{rule.name}-{texts}"
            options = {"rule": rule.name, "missing": "wrong", "bootstrap": 20}
            reports.append(score(name, fewer, minis, save=folder, texts=texts, **options))
            check_tables(folder)
        check_report(reports[0])
        assert reports[1].as_json() == reports[0].as_json()


@pytest.mark.parametrize("name", READ)
def test_rounds_stand_in_the_report_as_the_schema_says(name, minis, tmp_path, capfdbinary):
    case = case_of(name, minis, tmp_path, capfdbinary)
    check_report(case.second({row["id"]: case.reply(row) for row in case.rows("audit", "--sample", 5)}, name="audit"))
    if name in SECOND:
        check_report(case.second({row["id"]: case.reply(row) for row in case.rows("second-reading")}))


def test_another_report_is_none(minis):
    """The schema is no empty one."""
    report = json.loads(score("sdak", SAMPLES / "sdak" / "predictions.jsonl", minis, bootstrap=0).as_json())
    validator = jsonschema.Draft202012Validator(REPORT)
    assert validator.is_valid(report)
    for change in ({"schema": 2}, {"more": 1}, {"metrics": {}}, {"coverage": {}}, {"inputs": [{"name": "x"}]}):
        assert not validator.is_valid(report | change)
    assert not validator.is_valid({key: value for key, value in report.items() if key != "rule"})
