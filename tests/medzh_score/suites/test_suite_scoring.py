"""Scoring a suite on one process, several, in parts or on a cluster gives the same bytes, whoever dies meanwhile."""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest
from commands import heeding
from deadly import deadly, results_in
from simulated import answered_suite, prompts_in, write_lines

from medzh_score.cli.main import main
from medzh_score.results.result import Result
from medzh_score.suites.executors import processes
from medzh_score.suites.plan import read_plan
from medzh_score.suites.scoring import score_units, units_of

MODELS, CONFIGS = ("glm", "qwen", "baichuan"), ("sdak", "cmhe_hd")
EVERY = len(MODELS) * len(CONFIGS)


@pytest.fixture(scope="module")
def answered(tmp_path_factory, minis):
    return answered_suite(
        tmp_path_factory.mktemp("answered") / "suite", MODELS, minis, "--configs", *CONFIGS, "--runs", "2"
    )


@pytest.fixture(scope="module")
def scored(answered, tmp_path_factory):
    """Score all of it in this process."""
    suite = shutil.copytree(answered, tmp_path_factory.mktemp("scored") / "suite")
    assert main(["suite", "score", str(suite), "--quiet"]) == 0
    return suite


@pytest.fixture(scope="module")
def expected(scored):
    found = results_in(scored)
    assert len(found) == 4 * EVERY
    return found


@pytest.fixture
def suite(answered, tmp_path):
    return shutil.copytree(answered, tmp_path / "suite")


@pytest.fixture
def done(suite, scored):
    """Give the suite its results, as if it had been scored before."""
    shutil.copytree(scored / "results", suite / "results")


@pytest.fixture
def score(suite, capsys):
    """Call ``suite score``: its status, and what it said."""

    def call(*arguments):
        capsys.readouterr()
        status = main(["suite", "score", str(suite), *arguments])
        return status, capsys.readouterr().err

    return call


def test_shards_are_all_of_it_and_no_two_have_one_unit(suite, score, expected):
    counts = [score("--shard", f"{number}/4")[1].splitlines()[-1] for number in range(1, 5)]
    assert [line.partition(" ")[0] for line in counts] == ["2", "2", "1", "1"]
    assert results_in(suite) == expected


@pytest.mark.parametrize("part", ["0/2", "3/2", "1", "x/2", "1/0"])
def test_what_is_no_part_is_refused(score, part):
    status, said = score("--shard", part)
    assert status == 2
    assert "--shard" in said


@pytest.mark.usefixtures("done")
def test_again_scores_nothing_and_a_changed_file_only_its_unit(suite, score, expected):
    status, said = score("--workers", "2")
    assert (status, said) == (0, f"0 scored, 0 failed, {EVERY} already scored, 0 incomplete\n")
    path = suite / "answers" / "qwen" / "sdak" / "answer.jsonl"
    lines = prompts_in(path)
    lines[0]["prediction"] = "正确。" if lines[0]["prediction"] != "正确。" else "错误。"
    write_lines(path, lines)
    status, said = score()
    assert said.splitlines() == ["qwen sdak: scored", f"1 scored, 0 failed, {EVERY - 1} already scored, 0 incomplete"]
    changed = {name for name, content in results_in(suite).items() if content != expected[name]}
    assert {name.rpartition("/")[0] for name in changed} == {"qwen/sdak"}


@pytest.mark.parametrize("name", ["report.json", "items.parquet", "statistics.parquet", "SHA256SUMS"])
@pytest.mark.parametrize("harm", ["cut", "gone"])
@pytest.mark.usefixtures("done")
def test_a_result_that_was_damaged_is_made_again(suite, score, expected, name, harm):
    path = suite / "results" / "qwen" / "sdak" / name
    if harm == "gone":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-1])
    assert main(["suite", "status", str(suite), "--output", os.devnull]) == 3
    status, said = score()
    if harm == "gone" and name == "SHA256SUMS":  # then it may be anybody's folder
        assert (status, "the folder contains files that do not belong to a result and is not overwritten" in said) == (
            2,
            True,
        )
        return
    assert said.splitlines() == ["qwen sdak: scored", f"1 scored, 0 failed, {EVERY - 1} already scored, 0 incomplete"]
    assert results_in(suite) == expected


@pytest.mark.usefixtures("done")
def test_a_result_of_other_texts_is_another(suite, score, expected):
    for texts, scored in (("full", EVERY), ("full", 0), ("none", EVERY)):
        counts = f"{scored} scored, 0 failed, {EVERY - scored} already scored, 0 incomplete"
        assert score("--include-text", texts)[1].splitlines()[-1] == counts
        held = {Result.load(path.parent).texts for path in suite.glob("results/*/*/report.json")}
        assert held == {texts}
        assert main(["suite", "status", str(suite), "--output", os.devnull]) == 0
    assert results_in(suite) == expected


def test_what_is_not_whole_waits_and_is_not_scored(suite, score):
    path = suite / "answers" / "glm" / "cmhe_hd" / "answer.jsonl"
    write_lines(path, prompts_in(path)[1:])
    status, said = score()
    assert (status, said.splitlines()[-1]) == (0, f"{EVERY - 1} scored, 0 failed, 0 already scored, 1 incomplete")
    assert not (suite / "results" / "glm" / "cmhe_hd").exists()


def broken(suite):
    """Break a unit so that it is whole and cannot be scored: two systems answer in one file."""
    path = suite / "answers" / "glm" / "sdak" / "answer.jsonl"
    lines = prompts_in(path)
    lines[-1]["model"] = "another"
    write_lines(path, lines)
    return len(lines)


def test_a_unit_that_fails_is_named_and_the_rest_goes_on(suite, score, expected):
    last = broken(suite)
    status, said = score()
    assert status == 2
    lines = said.splitlines()
    (place,) = [number for number, line in enumerate(lines) if "failed:" in line and "glm sdak" in line]
    failure, fix = lines[place : place + 2]
    assert f'answer.jsonl:{last}: field "model": the model differs from that of earlier predictions' in failure
    assert fix.startswith("  Fix: write the predictions of each model to a file of its own")
    assert said.splitlines()[-1] == f"{EVERY - 1} scored, 1 failed, 0 already scored, 0 incomplete"
    assert results_in(suite) == {name: one for name, one in expected.items() if not name.startswith("glm/sdak/")}
    status, said = score("--quiet")
    assert (status, said.splitlines()) == (2, [failure, fix])


def units(suite):
    return units_of(suite, read_plan(suite), "none")


def test_a_unit_that_kills_each_worker_is_named_and_no_other_is_lost(suite, expected):
    found = list(score_units(deadly(units(suite), "qwen"), processes(2)))
    assert len(found) == EVERY
    assert {one.outcome for one in found if one.model == "qwen"} == {"failed"}
    assert {one.outcome for one in found if one.model != "qwen"} <= {"scored", "done before"}
    said = {str(one.problem) for one in found if one.problem}
    assert said == {"every worker process that scored this result died"}
    assert results_in(suite) == {name: one for name, one in expected.items() if not name.startswith("qwen/")}


@contextmanager
def called(suite, *arguments):
    """Run the command as a process of its own."""
    options = {"stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(heeding("suite", "score", suite, *arguments), **options) as process:
        try:
            yield process
        finally:
            process.kill()


def workers_of(process):
    """Find the processes that a command began as its workers."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii").split()
    return [int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()]


linux = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks processes up as Linux lists them")


@linux
def test_a_worker_killed_in_the_middle_changes_nothing(suite, expected):
    with called(suite, "--workers", "2") as process:
        assert "scored" in process.stderr.readline()
        os.kill(workers_of(process)[0], signal.SIGKILL)
        said = process.stderr.read()
        assert process.wait() == 0
    # One that was ended between its result and its word of it is found done.
    scored, rest = re.fullmatch(
        r"(\d+) scored, 0 failed, (\d+) already scored, 0 incomplete", said.splitlines()[-1]
    ).groups()
    assert int(scored) + int(rest) == EVERY
    assert int(rest) <= 2
    assert results_in(suite) == expected


@linux
def test_an_interrupt_ends_all_workers_without_a_word(suite, score, expected):
    with called(suite, "--workers", "2") as process:
        assert "scored" in process.stderr.readline()
        workers = workers_of(process)
        os.killpg(process.pid, signal.SIGINT)
        said = process.stderr.read()
        assert process.wait() == 130
    assert "Traceback" not in said
    assert not [one for one in workers if Path(f"/proc/{one}").exists()]
    assert score()[0] == 0
    assert not list(suite.glob("results/*/.*"))
    assert results_in(suite) == expected


def test_a_full_disk_is_named_and_loses_nothing(suite, score, expected, monkeypatch):
    broken(suite)
    score()
    before = results_in(suite)
    for model in MODELS:
        path = suite / "answers" / model / "cmhe_hd" / "answer.jsonl"
        lines = prompts_in(path)
        write_lines(path, [{**lines[0], "prediction": "其他。"}, *lines[1:]])

    def full(_descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        status, said = score()
    assert status == 2
    for model in MODELS:
        place = suite / "results" / model / "cmhe_hd"
        assert f"failed: {place}: {os.strerror(errno.ENOSPC)}" in said
    assert results_in(suite) == before
    assert not list(suite.glob("results/*/.*"))
    assert len(before) == len(expected) - 4


@pytest.mark.parametrize("again", [False, True], ids=["before", "again"])
@pytest.mark.usefixtures("done")
def test_what_the_killed_left_is_no_result_and_is_cleared(suite, score, expected, again, capsys):
    assert main(["summary", str(suite), "--to", "csv"]) == 0
    summary, one = capsys.readouterr().out, suite / "results" / "glm"
    shutil.copytree(one / "sdak", one / ".sdak.4711.0.part")
    shutil.copytree(one / "sdak", one / ".cmhe_hd.4711.1.part")
    (one / ".sdak.lock").touch()
    (suite / "results" / "qwen" / ".sdak.lock").touch()  # nothing else: killed when the result stood in its place
    assert main(["summary", str(suite), "--to", "csv"]) == 0
    assert capsys.readouterr().out == summary
    if again:
        shutil.rmtree(one / "sdak")
    counts = f"{int(again)} scored, 0 failed, {EVERY - again} already scored, 0 incomplete"
    assert score()[1].splitlines()[-1] == counts
    assert not list(suite.glob("results/*/.*"))
    assert results_in(suite) == expected
