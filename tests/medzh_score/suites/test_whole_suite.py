"""A suite from its plan to its results, as a model team walks it: few commands, no script of one's own."""

from __future__ import annotations

import csv
import json
from collections import Counter

import pytest
from simulated import as_batch, as_inspect, as_lm_eval, as_native, prompts_in

from medzh_score.cli.main import main
from medzh_score.results.result import Result

pytestmark = pytest.mark.smoke

CONFIGS = ("sdak", "tcmd", "cmhe_hd", "cmhe_dd", "cmhe_ce", "care_mi", "pemebench", "pemebench_cmexam")
CONFIGS += ("pemebench_huatuo", "pemebench_medqa")
MODELS = ("step-1000", "step-2000", "base")
JUDGES = ("correctness", "interpretability", "codes", "entities", "hallucination")
FORMS = (as_lm_eval, as_inspect, as_native)


@pytest.fixture(scope="module")
def walk(tmp_path_factory, minis):
    """Walk through a suite of three models, ten configs and three runs; give its folder and the commands."""
    folder = tmp_path_factory.mktemp("walk")
    suite, commands = folder / "suite", []

    def call(*arguments):
        commands.append(arguments)
        return main([*map(str, arguments), "--quiet"])

    judges = [part for name in JUDGES for part in ("--judge", f"{name}=judge")]
    plan = ("--models", *MODELS, "--configs", *CONFIGS, "--runs", 3, "--variants", 2, "--data", minis)
    assert call("suite", "plan", suite, *plan, *judges) == 0
    assert call("suite", "prompts", suite) == 0
    back = [file for model in MODELS for file in answered(suite, model, folder / "first")]
    assert call("suite", "add", suite, *back) == 0
    assert call("suite", "prompts", suite, "--to", "openai-batch") == 0
    back = [batch_answered(suite, label, folder / "later") for label in (*MODELS, "judge")]
    assert call("suite", "add", suite, *back) == 0
    assert call("suite", "score", suite, "--workers", 2) == 0
    assert call("summary", suite, "--baseline", "base", "--to", "csv", "--output", folder / "summary.csv") == 0
    return suite, commands


def answered(suite, model, folder):
    """Answer the first prompts as a model, configs in turn by another tool."""
    files = sorted((suite / "outbox" / "_shared").glob("*.jsonl"))
    return [FORMS[place % 3](prompts_in(path), model, folder / model / path.stem) for place, path in enumerate(files)]


def batch_answered(suite, label, folder):
    """Answer a batch file of later rounds."""
    stages = {
        line["id"]: line["stage"]
        for path in suite.glob("prompts/*/*.jsonl")
        for line in prompts_in(path)
        if "stage" in line
    }
    return as_batch(prompts_in(suite / "outbox" / f"{label}.jsonl"), folder / label, stages)


def test_from_plan_to_results_in_at_most_twelve_commands(walk, capsys):
    suite, commands = walk
    assert len(commands) <= 12
    assert main(["suite", "status", str(suite), "--to", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert not found["lacks"]
    assert {row["stage"] for row in found["rows"]} >= {"answer", "choose", *JUDGES}
    assert all(row["sent"] == row["back"] and not row["missing"] for row in found["rows"])
    assert found["next"] == [f"medzh-score summary {suite}"]


def test_the_models_of_a_suite_are_summarised_and_compared(walk, tmp_path):
    suite, _ = walk
    rows = list(csv.DictReader((suite.parent / "summary.csv").read_text(encoding="utf-8-sig").splitlines()))
    reports = {path.parent: Result.load(path.parent).report for path in suite.glob("results/*/*/report.json")}
    headlines = {(folder.name, one.primary_name) for folder, one in reports.items()}
    assert {(row["config"], row["metric"]) for row in rows} == headlines
    out = tmp_path / "compared.json"
    assert main(["compare", str(suite), "--config", "sdak", "--to", "json", "--output", str(out), "--quiet"]) == 0
    assert [one["label"] for one in json.loads(out.read_bytes())["systems"]] == sorted(MODELS)
    assert main(["compare", str(suite), "--config", "nothing"]) == 2


def test_every_model_has_a_result_on_every_config(walk):
    suite, _ = walk
    results = [Result.load(path.parent) for path in suite.glob("results/*/*/report.json")]
    assert Counter(one.report.model.partition(";")[0] for one in results) == dict.fromkeys(MODELS, len(CONFIGS))
    assert {one.report.signature["runs"] for one in results} == {"3"}
    assert all("unverified" not in one.report.signature.get("annotators", "") for one in results)
