"""A file that is read by ranges gives the report, or the error, that reading it whole gives, wherever it is divided."""

from __future__ import annotations

import json
import pickle
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import SAMPLES

from medzh_score.benchmark.registry import find_config
from medzh_score.files.input_file import InputFile
from medzh_score.files.ranges import ranges_of
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.readers.several import PredictionFiles
from medzh_score.report.scoring import score
from medzh_score.report.steps import reading

FAULTS = ("none", "twice", "unknown", "two models", "not JSON", "no variant", "failed", "blank", "both ways")


def lines_of(config):
    return (SAMPLES / config / "predictions.jsonl").read_text(encoding="utf-8").splitlines()


def with_fault(lines, fault, place, model):
    """Put one fault, or what looks like one, into lines that all name one model."""
    lines = [json.dumps({**json.loads(line), "model": model}, ensure_ascii=False) for line in lines]
    at = json.loads(lines[place])
    if fault == "twice":
        lines.append(lines[place])
    elif fault == "unknown":
        lines.insert(place, json.dumps({"id": "nowhere-1", "prediction": "A"}))
    elif fault == "two models":
        lines[place] = json.dumps({**at, "model": "another"})
    elif fault == "not JSON":
        lines[place] = "{"
    elif fault == "no variant":
        lines[place] = json.dumps({**at, "variant": 5000})
    elif fault == "failed":
        lines.insert(0, json.dumps({"id": at["id"], "run": at.get("run", 0), "error": "time out"}))
    elif fault == "blank":
        lines.insert(place, "")
    elif fault == "both ways":
        lines.append(json.dumps({"id": at["id"].rpartition("-")[0], "prediction": "1. A 2. B 3. C"}))
    return lines


def outcome(path, config, data, parts=()):
    """Score a file: the report, or the error."""
    try:
        files, options = (
            PredictionFiles((path,), parts=parts),
            {"missing": "wrong", "bootstrap": 10, "every_rule": True},
        )
        return score(config, files, data, **options).as_dict()
    except MedzhError as error:
        return str(error)


def divided(path, config, data, lines):
    """Read a file by ranges, each as if it came from another process; records are loaded once for all."""
    of = find_config(config)
    records = reading.records_of(of, data, list(of.columns))
    with InputFile(path) as file:
        ranges = list(ranges_of(file.text(), lines, path))
    with patch.object(reading, "records_of", lambda *_: records):
        read = [reading.read_range(of, path, data, one) for one in ranges]
    return ranges, [pickle.loads(pickle.dumps(one)) for one in read]  # noqa: S301 - our own


@given(
    config=st.sampled_from(["sdak", "tcmd", "cmhe_dd"]),
    fault=st.sampled_from(FAULTS),
    where=st.integers(0, 10_000),
    lines=st.integers(1, 60),
    ends=st.sampled_from(["\n", "\r\n"]),
    begin=st.sampled_from(["", "\ufeff"]),
    last=st.booleans(),
)
def test_any_division_gives_the_same_report_or_error(
    minis, tmp_path_factory, config, fault, where, lines, ends, begin, last
):
    path = tmp_path_factory.mktemp("ranges") / "answer.jsonl"
    of = lines_of(config)
    text = ends.join(with_fault(of, fault, where % len(of), "glm")) + (ends if last else "")
    path.write_bytes((begin + text).encode("utf-8"))
    ranges, parts = divided(path, config, minis, lines)
    assert ranges[-1].end == path.stat().st_size
    assert [one.begin for one in ranges[1:]] == [one.end for one in ranges[:-1]]
    assert outcome(path, config, minis, parts) == outcome(path, config, minis)


def test_where_nothing_is_wrong_the_parts_are_what_is_scored(minis, tmp_path, monkeypatch):
    path = tmp_path / "answer.jsonl"
    path.write_text("\n".join(with_fault(lines_of("tcmd"), "none", 0, "glm")), encoding="utf-8")
    whole = outcome(path, "tcmd", minis)
    ranges, parts = divided(path, "tcmd", minis, 2)
    assert len(ranges) > 2

    def unread(*_arguments):
        pytest.fail("the file was read whole")

    monkeypatch.setattr("medzh_score.predictions.reading_answers.fill", unread)
    assert outcome(path, "tcmd", minis, parts) == whole


def test_a_range_that_nobody_read_is_made_up_for(minis, tmp_path):
    path = tmp_path / "answer.jsonl"
    path.write_text("\n".join(lines_of("sdak")), encoding="utf-8")
    _, parts = divided(path, "sdak", minis, 3)
    assert outcome(path, "sdak", minis, [None, *parts[1:]]) == outcome(path, "sdak", minis)
