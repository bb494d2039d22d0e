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


APART = 'system = "你是医生。"\n'


def test_a_model_whose_answers_come_in_just_now_is_not_asked_apart(suite, capsys):
    path = suite / "answers" / "qwen" / "sdak" / "answer.jsonl"
    path.rename(path.with_name("answer.jsonl.part"))
    (suite / "answers" / "qwen" / "cmhe_hd" / "answer.jsonl").unlink()
    edit(suite, 'label = "qwen"\n', f'label = "qwen"\n{APART}')
    before = held(suite)
    assert main(["suite", "prompts", str(suite)]) == 2
    assert "was answered by qwen, and the plan or the data now ask otherwise" in capsys.readouterr().err
    assert held(suite) == before


def test_what_is_asked_apart_is_not_edited_either_once_it_was_answered(suite, capsys):
    edit(suite, 'label = "glm"\n', f'label = "glm"\n{APART}')
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    answer(suite, "glm", "sdak", "answer--glm")
    assert standing(suite, capsys)[1]["glm", "sdak"] == ("yes", "no")
    edit(suite, APART, "decoding = { max_new_tokens = 16384 }\n")
    before = held(suite)
    status, rows = standing(suite, capsys)
    assert (status, rows["glm", "sdak"]) == (3, ("no", "no"))
    assert main(["suite", "prompts", str(suite)]) == 2
    assert "answer--glm.jsonl: field messages: was answered by glm, and the plan" in capsys.readouterr().err
    assert held(suite) == before  # of cmhe_hd neither, which glm did not answer


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
    status, rows = standing(suite, capsys)
    assert (status, rows["glm", "sdak"], rows["qwen", "sdak"]) == (3, ("no", "no"), ("no", "no"))
    before = held(suite)
    assert main(["suite", "prompts", str(suite)]) == 2
    assert "was answered by glm, qwen, and the plan or the data now ask otherwise" in capsys.readouterr().err
    assert held(suite) == before


@pytest.mark.parametrize("command", ["status", "prompts", "score"])
def test_where_the_plan_names_no_build_the_plan_is_what_to_mend(suite, capsys, command):
    edit(suite, f'data = "{read_plan(suite).data}"', 'data = "nowhere"')
    capsys.readouterr()
    assert main(["suite", command, str(suite)]) == 2
    said = "".join(capsys.readouterr())
    assert "nowhere: there is no build here" in said
    assert "data in plan.toml" in said
