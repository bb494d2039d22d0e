"""Exports hold what the report says, in shapes that the libraries of others read, and never what may not be said."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest
import yaml
from huggingface_hub import EvalResult
from huggingface_hub.repocard_data import eval_results_to_model_index, model_index_to_eval_results
from jsonschema import Draft7Validator
from told_results import COMMIT, told_build, told_result

from medzh_score.data.records import load_records
from medzh_score.export.hub import metrics_of, notes_of, primary_name_of
from medzh_score.results.report import PrimaryMetric
from medzh_score.results.result import Result
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError

DATASET = ("--dataset", f"org/medzh@{COMMIT}")
EEE = ("--to", "eee", "--date", "2026-11-01", "--organization", "us", "--relationship", "third_party")
TEXT, NUMBER = {"type": "string"}, {"type": "number"}
# What of Every Eval Ever 0.3.0 our files have, restated by hand: names, what is required, and the closed lists.
SHAPE = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        *("schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata"),
        *("model_info", "eval_library", "evaluation_results"),
    ],
    "properties": {
        **dict.fromkeys(("schema_version", "evaluation_id", "evaluation_timestamp"), TEXT),
        "retrieved_timestamp": {"type": "string", "pattern": r"^\d+$"},
        "source_metadata": {
            "required": ["source_type", "source_organization_name", "evaluator_relationship"],
            "properties": {
                "source_type": {"enum": ["documentation", "evaluation_run"]},
                "evaluator_relationship": {"enum": ["first_party", "third_party", "collaborative", "other"]},
            },
        },
        "model_info": {
            "required": ["name", "id", "additional_details"],
            "properties": {"additional_details": {"required": ["deployment_type", "model_availability"]}},
        },
        "eval_library": {"required": ["name", "version"], "properties": {"name": TEXT, "version": TEXT}},
        "evaluation_results": {
            "minItems": 1,
            "items": {
                "required": ["evaluation_name", "source_data", "metric_config", "score_details"],
                "properties": {
                    "source_data": {
                        "required": ["dataset_name", "source_type"],
                        "properties": {"source_type": {"enum": ["hf_dataset", "other"]}, "hf_repo": TEXT},
                    },
                    "metric_config": {
                        "required": ["lower_is_better", "score_type", "min_score", "max_score"],
                        "properties": {"lower_is_better": {"type": "boolean"}, "score_type": {"const": "continuous"}},
                    },
                    "score_details": {
                        "required": ["score"],
                        "properties": {
                            "score": NUMBER,
                            "details": {"additionalProperties": TEXT},
                            "uncertainty": {"properties": {"confidence_interval": {"required": ["lower", "upper"]}}},
                        },
                    },
                },
            },
        },
    },
}


@pytest.fixture
def exported(calling):
    """Give a function that exports and gives what stands on standard output; errors are its end."""

    def export(*words):
        status, out, err = calling("export", *words)
        assert status == 0, err
        return out

    return export


@pytest.fixture
def refused(calling):
    """Give a function that exports in vain and gives the message."""

    def export(*words):
        status, out, err = calling("export", *words)
        assert (status, out) == (2, "")
        assert re.fullmatch(r"medzh-score: error: .+\n(  Fix: .+\n)?", err)
        return err

    return export


def report_of(folder):
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


def test_a_local_official_build_is_called_a_local_copy(told, exported):
    (index,) = yaml.safe_load(exported(told["sdak"], "--to", "model-index"))["model-index"]
    (result,) = index["results"]
    report = report_of(told["sdak"])
    assert index["name"] == "org/demo"
    fingerprint = report["signature"]["data"].split("/")[2]
    assert result["dataset"]["name"] == f"SDAK (local copy, fingerprint {fingerprint})"
    assert "revision" not in result["dataset"]
    values = {metric["name"]: metric["value"] for metric in result["metrics"]}
    expected = {f"{name} (percent)": report["metrics"][name]["value"] for name in ("FactAcc", "IFR")}
    assert values == expected


def test_data_at_a_tag_are_called_by_their_own_name(told, exported):
    parsed = yaml.safe_load(exported(told["sdak at a tag"], told["tcmd at a tag"], "--to", "model-index", *DATASET))
    name, results = model_index_to_eval_results(parsed["model-index"])
    assert name == "org/demo"
    assert {(one.dataset_name, one.dataset_config, one.dataset_type, one.dataset_revision) for one in results} == {
        (data, data, "org/medzh", COMMIT) for data in ("sdak", "tcmd_open")
    }


def test_the_index_survives_the_hubs_own_library(told, exported):
    url = ("--url", "https://example.org/results")
    parsed = yaml.safe_load(exported(told["sdak"], "--to", "model-index", *url))["model-index"]
    name, results = model_index_to_eval_results(parsed)
    assert all(isinstance(one, EvalResult) for one in results)
    assert {one.source_url for one in results} == {"https://example.org/results"}
    assert eval_results_to_model_index(name, results) == parsed


def test_entries_for_a_datasets_board_are_those_of_the_hubs_class(told, exported):
    hub = pytest.importorskip("huggingface_hub", minversion="1.4")
    more = ("--date", "2026-11-01", "--url", "https://example.org/results")
    text = exported(told["sdak at a tag"], told["tcmd at a tag"], "--to", "eval-results", *DATASET, *more)
    parsed = yaml.safe_load(text)
    entries = hub.parse_eval_result_entries(parsed)
    assert hub.eval_result_entries_to_yaml(entries) == parsed
    assert [one.task_id for one in entries] == ["sdak", "tcmd_open"]
    for one, folder in zip(entries, ("sdak at a tag", "tcmd at a tag"), strict=True):
        assert one.value == report_of(told[folder])["primary_metric"]["value"]
        assert (one.date, one.dataset_revision) == ("2026-11-01", COMMIT)
    assert "date: '2026-11-01'" in text


def test_only_what_is_unusual_about_a_setting_is_noted(minis, tmp_path, calling):
    """The default has no notes, whichever rule was chosen; what nobody stated is named as such."""
    build, sent = told_build(minis, tmp_path / "medzh"), tmp_path / "sent.jsonl"
    assert calling("prompts", "sdak", "--data", build, "--output", sent)[0] == 0
    usual = told_result(build, tmp_path / "a", tag=True, prompts=sent, missing="error")
    assert notes_of(Result.load(usual).report) == ""
    theirs = Result.load(told_result(build, tmp_path / "b", tag=True, prompts=sent, missing="error", rule="official"))
    assert re.fullmatch(r"rule: official\+[0-9a-f]{8}", notes_of(theirs.report))
    assert notes_of(theirs.report.by_rule("medzh-1")) == ""
    unknown = told_result(build, tmp_path / "c", tag=True)
    assert notes_of(Result.load(unknown).report).startswith("prompt: unknown; format: unknown; shots: unknown")


def test_every_eval_ever(told, exported):
    found = json.loads(exported(told["sdak at a tag"], told["tcmd at a tag"], *EEE, *DATASET))
    assert list(Draft7Validator(SHAPE).iter_errors(found)) == []
    by_name = {one["evaluation_name"]: one for one in found["evaluation_results"]}
    stated = report_of(told["tcmd at a tag"])["metrics"]["accuracy"]
    details = by_name["tcmd_open accuracy"]["score_details"]
    assert details["score"] == stated["value"]
    assert details["uncertainty"]["confidence_interval"]["lower"] == stated["low"]
    assert by_name["sdak IFR"]["source_data"]["hf_repo"] == "org/medzh"
    assert "sdak AccR" not in by_name  # nobody judged reasons: no value
    assert found["retrieved_timestamp"] == "1793491200"  # date -u -d 2026-11-01 +%s
    identifiers = [one["evaluation_result_id"] for one in found["evaluation_results"]]
    assert len(set(identifiers)) == len(identifiers)


@pytest.mark.skipif(find_spec("every_eval_ever") is None, reason="needs every-eval-ever, which asks for Python 3.12")
def test_every_eval_ever_by_its_own_schema(told, exported):
    folder = Path(find_spec("every_eval_ever").origin).parent / "schemas"
    schema = json.loads((folder / "eval.schema.json").read_text(encoding="utf-8"))
    for results in (["sdak"], ["sdak at a tag", "tcmd at a tag"]):
        dataset = DATASET if len(results) > 1 else ()
        found = json.loads(exported(*(told[name] for name in results), *EEE, *dataset))
        assert list(Draft7Validator(schema).iter_errors(found)) == []


def test_scores_of_single_predictions(told, exported):
    """Of pairs both sides have the pair's value, so that their mean is the headline where every claim was answered."""
    lines = [json.loads(line) for line in exported(told["sdak"], "--to", "inspect-scores").splitlines()]
    assert {line["value"] for line in lines} == {0.0, 1.0}
    mean = 100 * sum(line["value"] for line in lines) / len(lines)
    assert mean == pytest.approx(report_of(told["sdak"])["primary_metric"]["value"], abs=1e-12)
    assert len({(line["id"], line["epoch"]) for line in lines}) == len(lines) == 204
    assert not any("text" in line for line in lines)


def test_a_mean_that_is_not_the_headline_is_said(told, calling):
    """Questions of TCMD have unlike numbers of variants: the mean over predictions is another number."""
    status, out, err = calling("export", told["tcmd at a tag"], "--to", "inspect-scores", *DATASET)
    values = [json.loads(line)["value"] for line in out.splitlines()]
    primary_name = report_of(told["tcmd at a tag"])["primary_metric"]["value"]
    assert abs(sum(values) / len(values) - primary_name) > 1e-6
    mean = 100 * sum(values) / len(values)
    note = f"The mean of these scores is {mean:.1f}%. It differs from accuracy, which is {100 * primary_name:.1f}%."
    assert (status, note in err) == (0, True)
    assert (
        "inspect finds no scores for prompts that contain several questions, because their ids are not record ids. "
        "Use the scorer medzh_score/tcmd instead."
    ) in err
    assert "The mean of these scores" not in calling("export", told["sdak"], "--to", "inspect-scores")[2]


@pytest.mark.parametrize("form", ["model-index", "eval-results", "eee", "inspect-scores"])
def test_nothing_is_said_of_samples(told, refused, form):
    more = EEE[2:] if form == "eee" else ()
    assert "the result cannot be exported because the mini sample is not a benchmark" in refused(
        told["mini"], "--to", form, *more
    )


def test_nothing_is_said_of_other_data_that_nobody_can_look_at(told, refused):
    assert "the result cannot be exported because the data are neither official data nor published at a tag" in refused(
        told["tcmd"], "--to", "model-index"
    )


@pytest.mark.parametrize(
    ("edited", "words"), [(True, "the records were edited"), (False, "the source of the data is not pinned")]
)
def test_nothing_is_said_of_other_rows_than_the_benchmarks(minis, tmp_path, refused, edited, words):
    records = load_records(told_build(minis, tmp_path / "medzh"), "sdak")
    rows = [{**row, "claim": f"{row['claim']}。"} for row in records] if edited else records.rows
    records = replace(records, rows=rows, origin=replace(records.origin, pinned=edited))
    score(
        "sdak", [{"id": rows[0]["id"], "prediction": "正确"}], records, missing="wrong", model="m", save=tmp_path / "r"
    )
    assert words in refused(tmp_path / "r", "--to", "model-index")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("sdak at a tag", "--to", "model-index"),
            (
                "option --dataset: the option is required because the result does not contain the name of the data "
                "repository"
            ),
        ),
        (("sdak", "--to", "model-index", *DATASET), "the data were not loaded from a hub"),
        (
            ("sdak", "--to", "eval-results"),
            "an eval-results entry requires a dataset on a hub, but the data are a local copy",
        ),
        (
            ("sdak at a tag", "--to", "model-index", "--dataset", f"org/medzh@{'f' * 40}"),
            "the commit differs from the scored commit",
        ),
        (("sdak at a tag", "--to", "model-index", "--dataset", "medzh"), "invalid dataset repository"),
        (("sdak", "sdak", "--to", "model-index"), "another result has the same signature"),
        (("sdak", "--to", "eee"), "option --date: this option is required with --to eee"),
        (("sdak", "--to", "model-index", "--date", "2026-11-01"), "this option does not apply to --to model-index"),
        (("sdak",), "option --to: this option is required"),
        (("sdak", "--to", "model-index", "--yes"), "this option requires --update-card"),
        (("sdak", "--to", "model-index", "--url", "example.org"), "invalid URL"),
        (
            ("sdak at a tag", "tcmd at a tag", "--to", "inspect-scores", *DATASET),
            "--to inspect-scores requires exactly one result folder",
        ),
    ],
)
def test_wrong_words_are_refused_in_a_line(told, refused, words, message):
    assert message in refused(*(told.get(word, word) for word in words))


def test_results_of_several_models_are_no_card(told, minis, tmp_path, refused):
    build = told_build(minis, tmp_path / "medzh")
    other = told_result(build, tmp_path / "other", tag=False, model="org/other", missing="error")
    assert "the model differs from the model of the first result" in refused(told["sdak"], other, "--to", "model-index")
    nobody = told_result(build, tmp_path / "nobody", tag=False, model=None)
    assert "the model name is missing" in refused(nobody, "--to", "model-index")


def test_where_lower_is_better_a_metric_is_never_the_hubs_value(told):
    result = Result.load(told["sdak"])
    value = replace(result.report.metrics["IFR"], direction="lower")
    results = {
        "medzh-1": msgspec.structs.replace(
            result.report.results["medzh-1"], metrics={**result.report.metrics, "IFR": value}
        )
    }
    lower = replace(result, report=result.report.with_changes(primary_metric=PrimaryMetric("IFR"), results=results))
    with pytest.raises(MedzhError, match="higher is not better for this metric, but a hub ranks higher values first"):
        primary_name_of(lower)
    assert metrics_of(lower.report)["IFR"].direction == "lower"


def test_no_value_is_no_zero(told):
    result = Result.load(told["sdak"])
    with pytest.raises(MedzhError, match="the primary metric has no value"):
        primary_name_of(replace(result, report=result.report.with_changes(primary_metric=PrimaryMetric("AccR"))))
