"""No table and no gate takes a result of other answers than those that are there."""

from __future__ import annotations

import csv
import io
import shutil

import pytest
from simulated import as_native, prompts_in, write_lines

from medzh_score.cli.main import main

CONFIGS = ("cmhe_hd", "sdak")
STALE = "some results are not from the current responses (glm sdak)"


@pytest.fixture(scope="module")
def scored(tmp_path_factory, minis):
    """Plan a suite of two models on two configs, answer it and score it."""
    folder = tmp_path_factory.mktemp("stale")
    suite = folder / "suite"
    plan = ["--models", "glm", "qwen", "--configs", *CONFIGS, "--data", str(minis)]
    assert main(["suite", "plan", str(suite), *plan, "--quiet"]) == 0
    for config in CONFIGS:
        for model in ("glm", "qwen"):
            prompts = prompts_in(suite / "prompts" / config / "answer.jsonl")
            assert main(["suite", "add", str(suite), str(as_native(prompts, model, folder / config / model))]) == 0
    assert main(["suite", "score", str(suite), "--quiet"]) == 0
    return suite


@pytest.fixture
def suite(scored, tmp_path):
    """Replace answers of one model on one config, and score nothing."""
    suite = shutil.copytree(scored, tmp_path / "suite")
    lines = prompts_in(suite / "answers" / "glm" / "sdak" / "answer.jsonl")
    others = write_lines(tmp_path / "others.jsonl", [{**line, "prediction": "正确。"} for line in lines])
    assert main(["suite", "add", str(suite), str(others), "--overwrite", "--quiet"]) == 0
    return suite


@pytest.fixture
def call(capsys):
    """Call a command: its status, and what it wrote."""

    def called(*arguments):
        capsys.readouterr()
        return main([str(one) for one in arguments]), capsys.readouterr()

    return called


GATE = ("--baseline", "qwen", "--fail-on-regression", "FactAcc")


@pytest.mark.parametrize(
    "arguments", [("summary",), ("compare", "--config", "sdak"), ("compare", "--config", "sdak", *GATE)]
)
def test_a_result_of_other_answers_is_refused_until_it_is_scored_again(suite, call, arguments, scored):
    assert call(*arguments, scored)[0] in {0, 1, 4}
    status, said = call(*arguments, suite)
    assert (status, said.out) == (2, "")
    assert STALE in said.err
    assert f"score again: medzh-score suite score {suite}" in said.err
    assert call("suite", "score", suite)[0] == 0
    assert call(*arguments, suite)[0] in {0, 1, 4}


@pytest.mark.parametrize(
    ("arguments", "without", "status", "said"),
    [
        (
            ("compare",),
            (),
            2,
            "option --config: the suite has results of several configs: expected one of cmhe_hd, sdak",
        ),
        (
            ("compare", "--config", "sdak"),
            ("glm/sdak",),
            2,
            "models without results on sdak: glm\n  Fix: run `medzh-sco",
        ),
        (("compare", "--config", "sdak"), (), 0, ""),
        (("summary",), ("glm/sdak", "glm/cmhe_hd"), 0, "suite: models without results: glm\n"),
        (("summary", "--lang", "zh"), ("glm/sdak", "glm/cmhe_hd"), 0, "suite：没有结果的模型：glm\n"),
        (("summary",), ("glm/sdak",), 0, ""),
    ],
)
def test_models_without_results_are_named(scored, call, tmp_path, arguments, without, status, said):
    suite = shutil.copytree(scored, tmp_path / "suite")
    for folder in without:
        shutil.rmtree(suite / "results" / folder)
    found, told = call(*arguments, suite)
    assert found == status, told.err
    assert said in told.err
    assert said or not told.err


def values(text):
    """Take what a summary says of each system on each config out of its CSV."""
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    return {(row["system"], row["config"]): row["value"] for row in rows if row["kind"] == "system"}


@pytest.mark.parametrize("texts", ["none", "full"])
def test_results_that_were_brought_without_answers_or_prompts_stand_for_themselves(scored, call, tmp_path, texts):
    copy = shutil.copytree(scored, tmp_path / "copy")
    assert call("suite", "score", copy, "--include-text", texts)[0] == 0
    shutil.copytree(copy / "results", tmp_path / "new" / "results")
    shutil.copy(copy / "plan.toml", tmp_path / "new")
    status, shown = call("summary", tmp_path / "new", "--to", "csv")
    assert status == 0
    expected = values(call("summary", scored, "--to", "csv")[1].out)
    assert len(expected) == len(CONFIGS) * 2
    assert values(shown.out) == expected


def test_a_damaged_result_is_named(scored, call, tmp_path):
    copy = shutil.copytree(scored, tmp_path / "copy")
    path = copy / "results" / "glm" / "sdak" / "report.json"
    path.write_bytes(path.read_bytes()[:-1])
    status, said = call("summary", copy)
    assert (status, "report.json: the file has changed since it was saved" in said.err) == (2, True)
    path.unlink()
    status, said = call("summary", copy)
    assert (status, "a file of the result folder is missing: expected report.json" in said.err) == (2, True)
