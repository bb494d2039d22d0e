"""The workers of a dask.distributed scheduler score as one process does, and what is wrong with them is named."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from contextlib import contextmanager
from importlib.util import find_spec

import pytest
from deadly import deadly, results_in
from simulated import answered_suite
from tool_runs import NEEDS_TOOLS

from medzh_score.cli.main import main
from medzh_score.suites import executors, scoring
from medzh_score.suites.executors import cluster
from medzh_score.suites.plan import read_plan
from medzh_score.suites.scoring import score_units, units_of
from medzh_score.ui.errors import MedzhError

if find_spec("distributed") is None:  # which takes a second to import, also where these tests are left out
    pytest.skip("this option requires Dask: the extra cluster", allow_module_level=True)
# Dask leaves sockets to the collector when a scheduler or a worker is killed.
pytestmark = [
    NEEDS_TOOLS,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
MODELS = ("glm", "qwen", "baichuan")
SCHEDULER = """
import asyncio, sys
from distributed import Scheduler
async def run():
    async with Scheduler(host="127.0.0.1", port=int(sys.argv[1]), dashboard=False) as scheduler:
        print("here", flush=True)
        await scheduler.finished()
asyncio.run(run())
"""
# A nanny begins another worker where one is killed, as a batch system does.
WORKER = """
import asyncio, sys
from distributed import Nanny
async def run():
    async with Nanny(sys.argv[1], nthreads=2, host="127.0.0.1") as nanny:
        await nanny.finished()
if __name__ == "__main__":
    asyncio.run(run())
"""


@pytest.fixture(scope="module")
def answered(tmp_path_factory, minis):
    return answered_suite(tmp_path_factory.mktemp("answered") / "suite", MODELS, minis, "--configs", "sdak")


@pytest.fixture(scope="module")
def expected(answered, tmp_path_factory):
    """Score all of it in this process."""
    suite = shutil.copytree(answered, tmp_path_factory.mktemp("expected") / "suite")
    assert main(["suite", "score", str(suite), "--quiet"]) == 0
    return results_in(suite)


@pytest.fixture
def suite(answered, tmp_path):
    return shutil.copytree(answered, tmp_path / "suite")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def same_modules():
    """Let a process find what this one does."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


@contextmanager
def scheduler():
    """Run a scheduler on the loopback; give its address and process."""
    port = free_port()
    command = [sys.executable, "-c", SCHEDULER, str(port)]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, **quiet, env=same_modules()) as process:
        try:
            assert process.stdout.readline() == "here\n"
            yield f"tcp://127.0.0.1:{port}", process
        finally:
            process.kill()


@contextmanager
def workers(address, folder, count):
    """Run workers of a scheduler, below a nanny each."""
    script = folder / "worker.py"
    script.write_text(WORKER, encoding="utf-8")
    command = [sys.executable, str(script), address]
    begun = [subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=folder, env=same_modules()) for _ in range(count)]
    try:
        yield
    finally:
        for one in begun:
            one.terminate()
            one.wait()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Run a scheduler with two workers."""
    with scheduler() as (where, _), workers(where, tmp_path_factory.mktemp("workers"), 2):
        yield where


def test_a_cluster_gives_the_same_bytes(suite, address, expected, capsys):
    capsys.readouterr()
    assert main(["suite", "score", str(suite), "--scheduler", address]) == 0
    assert capsys.readouterr().err.splitlines()[-1] == f"{len(MODELS)} scored, 0 failed, 0 already scored, 0 incomplete"
    assert results_in(suite) == expected


def test_a_unit_that_kills_each_worker_is_named_and_no_other_is_lost(suite, address, expected):
    units = deadly(units_of(suite, read_plan(suite), "none"), "qwen")
    found = {one.model: one for one in score_units(units, cluster(address))}
    # What a worker had scored and not sent when it died is found done when it is asked for again.
    assert found["qwen"].outcome == "failed"
    assert {found[model].outcome for model in ("glm", "baichuan")} <= {"scored", "done before"}
    assert str(found["qwen"].problem) == "every worker process that scored this result died"
    assert results_in(suite) == {name: one for name, one in expected.items() if not name.startswith("qwen/")}


def test_workers_of_another_version_are_refused_by_name(suite, address, monkeypatch):
    monkeypatch.setattr(executors, "VERSION", "99.0")
    with pytest.raises(
        MedzhError, match=r"the scheduler or a worker has a different medzh-score version, or no medzh-score \("
    ) as raised:
        list(score_units(units_of(suite, read_plan(suite), "none"), cluster(address)))
    assert raised.value.expected == "medzh-score 99.0 on the scheduler and every worker"
    assert not (suite / "results").exists()


def test_a_worker_of_another_version_that_comes_later_fails_its_units(suite, address, monkeypatch):
    monkeypatch.setattr(scoring, "VERSION", "99.0")
    monkeypatch.setattr(executors, "_check_workers", lambda *_: None)
    found = list(score_units(units_of(suite, read_plan(suite), "none"), cluster(address)))
    assert {one.outcome for one in found} == {"failed"}
    assert {one.problem.problem.partition(":")[0] for one in found} == {"a worker has a different medzh-score version"}


def test_a_scheduler_without_workers_is_named(suite, monkeypatch, capsys):
    monkeypatch.setattr(executors, "FIRST_WORKER", 0.2)
    capsys.readouterr()
    with scheduler() as (where, _):
        assert main(["suite", "score", str(suite), "--scheduler", where]) == 2
    assert f"option --scheduler: the scheduler has no workers: found '{where}'" in capsys.readouterr().err


def test_no_scheduler_is_named_in_one_line(suite, monkeypatch, capsys):
    monkeypatch.setattr(executors, "CONNECTING", 1)
    where = f"tcp://127.0.0.1:{free_port()}"
    capsys.readouterr()
    assert main(["suite", "score", str(suite), "--scheduler", where]) == 2
    line, fix = capsys.readouterr().err.splitlines()
    assert "option --scheduler: the scheduler cannot be reached: " in line
    assert where in line
    assert fix == "  Fix: start the scheduler if it is not running: dask scheduler."


def test_a_scheduler_lost_in_the_middle_is_named(suite, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(executors, "CONNECTING", 10)
    with scheduler() as (where, process), workers(where, tmp_path, 1):
        found = score_units(units_of(suite, read_plan(suite), "none"), cluster(where))
        assert next(found).outcome == "scored"
        process.kill()
        process.wait()
        with pytest.raises(MedzhError, match="the connection was lost during scoring"):
            list(found)
    assert capsys.readouterr().err in {"", f"{where}: waiting for workers\n"}
