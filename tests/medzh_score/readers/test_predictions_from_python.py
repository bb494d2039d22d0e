"""Predictions given in Python: dicts, a Dataset, a DataFrame. Source of the numbers: the report of the same file."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path

import datasets
import numpy as np
import pandas as pd
import pytest
from places import SAMPLES

from medzh_score.benchmark.registry import config_names
from medzh_score.cli.main import main
from medzh_score.data.records import load_records
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError

OPTIONS = {"bootstrap": 20, "missing": "wrong"}
ID = "sdak-disease_cause-0001-f"
HASH = hashlib.sha256(
    f'{{"id":"{ID}","prediction":"正确。"}}\n'
    f'{{"id":"{ID}","model":"m","prediction":"","run":1}}\n'
    f'{{"error":"timed out","id":"{ID}","prediction":"","run":2}}\n'.encode()
).hexdigest()


def sample(config):
    text = (SAMPLES / config / "predictions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def numbers(report):
    return {key: value for key, value in json.loads(report.as_json()).items() if key != "inputs"}


def frame(rows):
    """Give a table; where a row lacks a field, the field's default stands in the cell."""
    names = dict.fromkeys(name for row in rows for name in row)
    default = {"run": 0, "variant": 0}
    return pd.DataFrame({name: [row.get(name, default.get(name)) for row in rows] for name in names}, dtype=object)


def table(rows):
    return datasets.Dataset.from_pandas(frame(rows), preserve_index=False)


@pytest.mark.parametrize("config", config_names())
def test_rows_give_the_numbers_of_the_file(config, minis):
    rows = sample(config)
    expected = score(config, SAMPLES / config / "predictions.jsonl", minis, **OPTIONS)
    reports = [score(config, of(rows), minis, **OPTIONS) for of in (list, tuple, frame, table)]
    for report in reports:
        assert numbers(report) == numbers(expected)
        assert [(one.name, one.reader) for one in report.inputs] == [("predictions", "python")]
    assert len({report.inputs[0].sha256 for report in reports}) == 1


def test_later_rounds_find_the_texts_of_rows(minis):
    stages = {"choose": SAMPLES / "cmhe_ce" / "choose.jsonl"}
    expected = score("cmhe_ce", SAMPLES / "cmhe_ce" / "predictions.jsonl", minis, stages=stages, **OPTIONS)
    for of in (list, frame, table):
        assert numbers(score("cmhe_ce", of(sample("cmhe_ce")), minis, stages=stages, **OPTIONS)) == numbers(expected)


def test_the_hash_is_of_what_the_rows_say(minis):
    """Of canonical JSON, written out here; other columns, the order of keys and what says nothing do not matter."""
    rows = [
        {"prediction": "正确。", "id": ID, "run": 0, "model": None, "score": object()},
        {"id": ID, "prediction": "", "run": np.int64(1), "model": "m", "variant": 0},
        {"id": ID, "error": " timed\n out", "run": 2},
    ]
    report = score("sdak", rows, minis, **OPTIONS)
    assert report.inputs[0].sha256 == HASH
    assert (report.coverage.read, report.coverage.empty, report.model) == (2, 1, "m")
    kinds = pd.DataFrame({"id": [ID] * 2, "prediction": ["正确。", ""], "run": [0, 1], "n": [1.0, np.nan]})
    assert score("sdak", kinds, minis, **OPTIONS).coverage.read == 2


def refusal(minis, predictions, **options):
    with pytest.raises(MedzhError) as failure:
        score("sdak", predictions, minis, **{**OPTIONS, **options})
    assert "\n" not in str(failure.value).replace("\n  ", "")
    return failure.value


GOOD = {"id": ID, "prediction": "正确。"}


@pytest.mark.parametrize(
    ("row", "field", "expected"),
    [
        ({"prediction": "正确。"}, "id", "the field is missing"),
        ({"id": 7, "prediction": "正确。"}, "id", "expected a string, found an integer"),
        ({"id": ID}, "prediction", "the field is missing"),
        ({**GOOD, "run": float("nan")}, "run", "found null"),
        ({**GOOD, "prediction": ["正确。"]}, "prediction", "expected a string, found a JSON array"),
        ({**GOOD, "run": 1.0}, "run", "expected an integer, found a floating-point number"),
        ({**GOOD, "run": True}, "run", "found true or false"),
        ({**GOOD, "run": None}, "run", "found null"),
        ({**GOOD, "run": "1"}, "run", "expected an integer, found a string"),
        ({**GOOD, "run": -1}, "run", "expected an integer of at least 0"),
        ({**GOOD, "variant": 5}, "variant", "has no such option order: expected 0, found 5"),
        (
            {**GOOD, "prediction": "好\ud83d"},
            "prediction",
            "the text contains an unpaired surrogate: expected a string that can be encoded in UTF-8",
        ),
        (GOOD, "id", "duplicate prediction"),
        ({**GOOD, "run": 1, "model": "other"}, "model", "expected m, as in predictions, row 1, found 'other'"),
        (
            {"id": "sdak-none", "prediction": "正确。"},
            "id",
            "1 prediction has an id that is not in the data ('sdak-none')",
        ),
    ],
)
def test_what_is_wrong_with_a_row_is_named(minis, row, field, expected):
    error = refusal(minis, [{**GOOD, "model": "m"}, row])
    assert str(error).startswith(f'predictions, row 2: field "{field}": ')
    assert expected in str(error)


@pytest.mark.parametrize("nothing", [None, float("nan"), np.float64("nan"), pd.NA])
def test_what_pandas_writes_for_nothing_is_nothing(minis, nothing):
    row = {"id": ID, "prediction": nothing, "model": nothing, "error": nothing, "finish_reason": nothing}
    found = score("sdak", [row], minis, **{**OPTIONS, "missing": "wrong"})
    assert (found.coverage.read, found.coverage.empty, found.model) == (1, 1, None)


@pytest.mark.parametrize("row", ["正确。", 7, None, [("id", ID)], Path("p.jsonl")])
def test_a_row_that_is_no_mapping(minis, row):
    assert str(refusal(minis, [GOOD, row])).startswith("predictions, row 2: wrong type: expected a dict")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (
            {"test": [GOOD]},
            "the value is a single mapping: expected one or more paths, a list of dicts, a Dataset or a DataFrame",
        ),
        (
            datasets.DatasetDict({"test": datasets.Dataset.from_list([GOOD])}),
            "select a split of a DatasetDict, such as data['test']",
        ),
        (iter([GOOD]), "the object can be iterated only once"),
        (7, "the object is not iterable"),
        (None, "the object is not iterable"),
    ],
)
def test_what_holds_no_rows(minis, given, problem):
    error = refusal(minis, given)
    assert str(error).startswith('field "predictions": ')
    assert problem in str(error)


def test_nothing_and_what_says_how_files_are_read(minis):
    nothing = "predictions: no predictions found\n  Fix: check that generation ran."
    assert str(refusal(minis, pd.DataFrame({"id": [], "prediction": []}))) == nothing
    assert str(refusal(minis, datasets.Dataset.from_dict({"id": [], "prediction": []}))) == nothing
    assert "no predictions file is specified" in str(refusal(minis, []))
    assert str(refusal(minis, [GOOD], reader="native")).startswith(
        "option --from: the option applies only to files, but rows were passed"
    )
    assert str(refusal(minis, [GOOD], file_per_run=True)).startswith(
        "option --file-per-run: the option applies only to files, but rows were passed"
    )
    other = pd.DataFrame({"question": [ID], "answer": ["正确。"]})
    missing = "predictions: a column is missing: expected id, prediction, found 'question, answer'"
    assert str(refusal(minis, other)) == missing
    twice = pd.DataFrame([[ID, "正确。", "错误。"]], columns=["id", "prediction", "prediction"])
    assert str(refusal(minis, twice)) == "predictions: duplicate column: found 'prediction'"


def test_a_file_of_that_name_has_lines(minis, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("predictions").write_text(json.dumps({"id": 7}), encoding="utf-8")
    assert str(refusal(minis, "predictions")).startswith("predictions:1: ")


def test_a_report_on_rows_is_verified_by_a_file_that_is_named(minis, tmp_path, capsys):
    report, named = tmp_path / "report.json", tmp_path / "predictions.csv"
    report.write_bytes(score("sdak", frame(sample("sdak")), minis, **OPTIONS).as_json())
    data = ["--data", str(minis)]
    assert main(["verify", str(report), *data]) == 2
    problem = (
        "the predictions were passed in Python, so the report names no predictions file\n"
        "  Fix: write them to a file in any input format, and pass its path: medzh-score verify "
    )
    assert problem in capsys.readouterr().err
    plain = SAMPLES / "sdak" / "predictions.jsonl"
    assert main(["verify", str(report), str(plain), *data]) == 0
    assert "matches: predictions: the file matches" in capsys.readouterr().out
    rows = [[row["id"], row["prediction"], row.get("run", 0)] for row in sample("sdak")]
    with named.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([["id", "prediction", "run"], *rows[:-1]])
    assert main(["verify", str(report), str(named), *data]) == 1
    assert "predictions: the file differs: expected SHA-256 " in capsys.readouterr().out
    assert main(["archive", str(report), str(plain), "--output", str(tmp_path / "b.zip")]) == 0


def test_records_are_a_sequence(minis):
    records = load_records(minis, "sdak")
    assert len(records) == len(records.rows) == len(list(records))
    assert list(records) == records.rows
    assert (records[0], records[-1], records[1:3]) == (records.rows[0], records.rows[-1], records.rows[1:3])
