"""What people do to a suite behind its back is named in one line, and nothing that came back is lost."""

from __future__ import annotations

import errno
import os
import re
import shutil

import pytest
from simulated import answered_suite, as_native, prompts_in, write_lines

from medzh_score.cli.main import main

JUDGES = ("correctness", "interpretability")
MODELS = ("glm", "qwen")
GLM = 'label = "glm"\n'


@pytest.fixture(scope="module")
def both(tmp_path_factory, minis):
    """Answer and score two suites of the same models: of two configs with judges, and of two runs of one of these."""
    folder = tmp_path_factory.mktemp("hostile")
    judges = [part for name in JUDGES for part in ("--judge", f"{name}=judge")]
    suite = answered_suite(folder / "suite", MODELS, minis, "--configs", "sdak", "care_mi", *judges)
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    for path in sorted((suite / "outbox" / "judge").glob("*.jsonl")):
        answers = as_native(prompts_in(path), "judge", folder / path.stem)
        assert main(["suite", "add", str(suite), str(answers), "--quiet"]) == 0
    other = answered_suite(folder / "other", MODELS, minis, "--configs", "sdak", "--runs", "2")
    for one in (suite, other):
        assert main(["suite", "score", str(one), "--quiet"]) == 0
    return suite, other


@pytest.fixture
def suite(both, tmp_path):
    return shutil.copytree(both[0], tmp_path / "suite")


def kept(suite):
    """Read all that may not be lost; what can be sent next is made anew each time."""
    files = (path for path in suite.rglob("*") if path.is_file() and path.relative_to(suite).parts[0] != "outbox")
    return {str(path.relative_to(suite)): path.read_bytes() for path in files}


def edit(suite, old, new):
    path = suite / "plan.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def without_table(suite, name):
    """Take a table out of the plan, by a line of it."""
    path = suite / "plan.toml"
    tables = path.read_text(encoding="utf-8").split("\n\n")
    rest = [one for one in tables if name not in one]
    assert len(rest) == len(tables) - 1
    path.write_text("\n\n".join(rest), encoding="utf-8")


def cut(suite, name):
    path = suite / name
    path.write_bytes(path.read_bytes()[:-20])


def mixed(suite, other, *names):
    """Copy what belongs to another plan into a suite."""
    for name in names:
        if (other / name).is_dir():
            shutil.copytree(other / name, suite / name, dirs_exist_ok=True)
        else:
            shutil.copy(other / name, suite / name)


WHOLE = ("plan.toml", "prompts", "answers", "results")
UNNAMED, OTHERWISE = (
    "the path contains a name that is not in the plan",
    "already answered, but the prompts of the current plan or data differ",
)
UNASKED, HALF = "ids are not from prompts of this suite (", "invalid JSON: the last line is incomplete: "
ADDED = ("system = '您是医生。'", "extra_body = { chat_template_kwargs = { enable_thinking = false } }")
FIRST, JUDGED = "answers/glm/sdak/answer.jsonl", "answers/_shared/care_mi/correctness--judge.jsonl"
# What was done, by which command it is named, and in which words.
CASES = {
    **{
        f"asked with {line.partition(' ')[0]}": (
            lambda suite, _, line=line: edit(suite, GLM, f"{GLM}{line}\n"),
            "score",
            OTHERWISE,
        )
        for line in ADDED
    },
    "asked as text": (lambda suite, _: edit(suite, f'{GLM}form = "chat"', f'{GLM}form = "text"'), "score", OTHERWISE),
    "asked twice": (lambda suite, _: edit(suite, "runs = 1", "runs = 2"), "prompts", OTHERWISE),
    "a model taken out": (lambda suite, _: without_table(suite, 'label = "qwen"'), "score", UNNAMED),
    "a model renamed": (lambda suite, _: edit(suite, GLM, 'label = "glm-4"\n'), "score", UNNAMED),
    "a config taken out": (lambda suite, _: without_table(suite, 'config = "sdak"'), "score", UNNAMED),
    "a judge taken out": (lambda suite, _: without_table(suite, "care_mi/correctness"), "score", UNNAMED),
    "a judge renamed": (lambda suite, _: edit(suite, 'label = "judge"', 'label = "jury"'), "score", UNNAMED),
    "another plan": (lambda suite, other: mixed(suite, other, "plan.toml"), "score", UNNAMED),
    "all of another suite": (lambda suite, other: mixed(suite, other, *WHOLE), "score", UNNAMED),
    "answers of another suite": (lambda suite, other: mixed(suite, other, "answers"), "score", UNASKED),
    "prompts of another suite": (lambda suite, other: mixed(suite, other, "prompts"), "prompts", OTHERWISE),
    "results of another model": (
        lambda suite, _: shutil.copytree(suite / "results" / "glm", suite / "results" / "yi"),
        "score",
        UNNAMED,
    ),
    "half a prompt": (lambda suite, _: cut(suite, "prompts/sdak/answer.jsonl"), "score", HALF),
    "half of the lock": (lambda suite, _: cut(suite, "prompts/plan.lock"), "score", HALF),
    "half a plan": (lambda suite, _: cut(suite, "plan.toml"), "score", "invalid TOML"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_wrong_is_named_in_a_line_and_nothing_is_lost(suite, both, tmp_path, capsys, case):
    harm, command, words = CASES[case]
    harm(suite, both[1])
    before, files = kept(suite), [str(write_lines(tmp_path / "new.jsonl", [{"id": "x", "prediction": "y"}]))]
    capsys.readouterr()
    assert main(["suite", command, str(suite), *(files if command == "add" else [])]) == 2
    said = capsys.readouterr().err.splitlines()
    assert any(words in line for line in said)
    errors = [line for line in said if not line.startswith("  Fix: ")]
    assert len(errors) == 1 or command == "score"  # which names each unit, and counts
    assert "unexpected" not in "".join(said)
    assert kept(suite) == before


@pytest.mark.parametrize("name", [FIRST, JUDGED])
def test_half_an_answer_has_not_come(suite, capsys, name):
    cut(suite, name)
    assert main(["suite", "score", str(suite)]) == 0
    assert re.search(r"[12] incomplete$", capsys.readouterr().err.strip())


@pytest.mark.parametrize("command", [["summary"], ["compare", "--config", "sdak"], ["suite", "status"]])
def test_what_the_plan_does_not_name_stands_in_no_table(suite, command, capsys):
    without_table(suite, 'label = "qwen"')
    capsys.readouterr()
    assert main([*command, str(suite)]) == 2
    assert UNNAMED in capsys.readouterr().err


def test_results_of_another_suite_are_not_taken_for_its_own(suite, both):
    own = kept(suite)
    mixed(suite, both[1], "results")
    assert main(["suite", "status", str(suite), "--output", os.devnull]) == 3
    assert main(["suite", "score", str(suite), "--quiet"]) == 0
    assert kept(suite) == own


def test_a_plan_set_right_again_goes_on(suite, capsys):
    whole = (suite / "plan.toml").read_bytes()
    edit(suite, GLM, f"{GLM}{ADDED[0]}\n")
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 2
    (suite / "plan.toml").write_bytes(whole)
    capsys.readouterr()
    assert main(["suite", "score", str(suite)]) == 0
    assert capsys.readouterr().err == "0 scored, 0 failed, 4 already scored, 0 incomplete\n"


def test_who_is_asked_as_the_others_again_before_an_answer_has_no_prompts_left_over(tmp_path, minis):
    suite = tmp_path / "suite"
    plan = ["--models", "glm", "--configs", "sdak", "--data", str(minis)]
    assert main(["suite", "plan", str(suite), *plan, "--quiet"]) == 0
    edit(suite, GLM, f"{GLM}{ADDED[0]}\n")
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    assert (suite / "prompts/sdak/answer--glm.jsonl").exists()
    edit(suite, f"{GLM}{ADDED[0]}\n", GLM)
    assert main(["suite", "prompts", str(suite), "--quiet"]) == 0
    assert not (suite / "prompts/sdak/answer--glm.jsonl").exists()
    answers = as_native(prompts_in(suite / "prompts/sdak/answer.jsonl"), "glm", tmp_path)
    assert main(["suite", "add", str(suite), str(answers), "--quiet"]) == 0
    assert main(["suite", "score", str(suite), "--quiet"]) == 0


@pytest.mark.parametrize("command", ["prompts", "add"])
def test_a_full_disk_is_named_and_changes_nothing(suite, tmp_path, monkeypatch, capsys, command):
    line = {**prompts_in(suite / FIRST)[0], "prediction": "错误。"}
    files = [str(write_lines(tmp_path / "new.jsonl", [{**line, "model": "glm"}])), "--overwrite"]
    before = kept(suite)

    def full(_descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    capsys.readouterr()
    assert main(["suite", command, str(suite), *(files if command == "add" else [])]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    name = {"prompts": "prompts/plan.lock", "add": "answers/glm/sdak/answer.jsonl"}[command]
    assert f"{suite / name}: {os.strerror(errno.ENOSPC)}" in said
    assert kept(suite) == before
