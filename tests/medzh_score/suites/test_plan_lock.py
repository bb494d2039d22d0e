"""A plan that is edited after answers came changes no prompt that was answered, and nothing less than it counts."""

from __future__ import annotations

import json

import pytest
from simulated import as_native, prompts_in

from medzh_score.cli.main import main
from medzh_score.suites.plan import read_plan


@pytest.fixture
def suite(tmp_path, minis):
    """Plan a suite of two models on two configs, and add all answers of one of them."""
    folder = tmp_path / "suite"
    plan = ["--models", "glm", "qwen", "--configs", "cmhe_hd", "sdak", "--data", str(minis)]
    assert main(["suite", "plan", str(folder), *plan, "--quiet"]) == 0
    answer(folder, "qwen", "sdak", "answer")
    answer(folder, "qwen", "cmhe_hd", "answer")
    assert main(["suite", "score", str(folder), "--quiet"]) == 0
    return folder


def answer(suite, model, config, name):
    file = as_native(prompts_in(suite / "prompts" / config / f"{name}.jsonl"), model, suite.parent / model / config)
    assert main(["suite", "add", str(suite), str(file), "--quiet"]) == 0


def edit(suite, old, new):
    plan = suite / "plan.toml"
    text = plan.read_text("utf-8")
    assert old in text
    plan.write_text(text.replace(old, new), encoding="utf-8")


def held(suite):
    return {path.relative_to(suite): path.read_bytes() for path in suite.rglob("*") if path.is_file()}


def standing(suite, capsys):
    capsys.readouterr()
    status = main(["suite", "status", str(suite), "--to", "json"])
    found = json.loads(capsys.readouterr().out)
    return status, {(row["model"], row["config"]): (row["asked"], row["scored"]) for row in found["rows"]}


def test_no_more_runs_are_planned_than_files_may_have(suite, capsys):
    edit(suite, "runs = 1\n", "runs = 2000\n")
    assert {one.runs for one in read_plan(suite).configs} == {2000}
    edit(suite, "runs = 2000\n", "runs = 2001\n")
    before = held(suite)
    capsys.readouterr()
    for command in ("status", "prompts", "score"):
        assert main(["suite", command, str(suite)]) == 2
        (said,) = capsys.readouterr().err.splitlines()
        assert "plan.toml" in said
        assert "2000" in said
    assert held(suite) == before


@pytest.mark.parametrize(
    ("old", "new"), [("runs = 1\n", "runs = 3\n"), ('config = "sdak"\n', 'config = "sdak"\nprompt = "paper-2"\n')]
)
def test_more_than_was_sent_is_not_finished(suite, capsys, old, new):
    answer(suite, "glm", "sdak", "answer")
    answer(suite, "glm", "cmhe_hd", "answer")
    assert main(["suite", "score", str(suite), "--quiet"]) == 0
    assert standing(suite, capsys)[0] == 0
    edit(suite, old, new)
    before = held(suite)
    for command in ("status", "prompts", "score"):
        assert main(["suite", command, str(suite)]) == 2
        assert "glm already answered, but the prompts of the current plan or data differ" in capsys.readouterr().err
    assert held(suite) == before


@pytest.mark.parametrize("command", ["status", "prompts", "score"])
def test_where_the_plan_names_no_build_the_plan_is_what_to_mend(suite, capsys, command):
    edit(suite, f'data = "{read_plan(suite).data}"', 'data = "nowhere"')
    capsys.readouterr()
    assert main(["suite", command, str(suite)]) == 2
    said = "".join(capsys.readouterr())
    assert "nowhere: no build found" in said
    assert "data in plan.toml" in said
