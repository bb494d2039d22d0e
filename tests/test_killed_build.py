"""A build is killed before each of its steps on the disk: the build that stood is whole, and the next succeeds."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from contextlib import contextmanager

import pytest

from dataset_scripts.building import build_folder
from dataset_scripts.building.build import build
from dataset_scripts.building.checking import check
from dataset_scripts.recipes.sdak.dataset import MINI
from medzh_score.data.hub import folder_of
from medzh_score.data.records import load_records

SIGKILL = -9

# Imports everything once. For each number n on its standard input it forks a child that builds and is killed by
# SIGKILL when it is about to do its n-th step; it answers with the status of the child: -9 killed, 0 finished.
HARNESS = """
import os, signal, sys
from pathlib import Path
import datasets, jinja2, jsonschema_rs, pyarrow.parquet, yaml
from dataset_scripts.building import build_folder
from dataset_scripts.building.build import build

out, source = Path(sys.argv[1]), sys.argv[2]
if sys.argv[3] == "pointer":
    build_folder.WINDOWS = True
place = str(out.parent)
STEPS = {"os.rename", "os.symlink", "os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.link", "os.chmod"}

def is_step(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        return bool(writes) and str(path).startswith(place)
    return event.startswith("shutil.") or event in STEPS

def child(number):
    count = 0
    def hook(event, arguments):
        nonlocal count
        if is_step(event, arguments):
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    build("sdak", "mini", out, given=[source])

for line in sys.stdin:
    process = os.fork()
    if process == 0:
        try:
            child(int(line))
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""


@contextmanager
def harness(out, source, kind="link"):
    process = subprocess.Popen(
        [sys.executable, "-c", HARNESS, str(out), str(source), kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )

    def run(number):
        process.stdin.write(f"{number}\n")
        process.stdin.flush()
        return int(process.stdout.readline())

    with process:
        yield run
        process.stdin.close()


def content(build):
    folder = folder_of(build)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def other(tmp_path):
    """Give a source that makes another build than the sample does: the last pair is missing."""
    path = tmp_path / "other.jsonl"
    path.write_text("".join(MINI.read_text(encoding="utf-8").splitlines(keepends=True)[:-2]), encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", ["link", "pointer"])
def test_killed_before_any_step_the_previous_build_is_whole_and_the_next_succeeds(kind, tmp_path, other, monkeypatch):
    monkeypatch.setattr(build_folder, "WINDOWS", kind == "pointer")
    out = tmp_path / "build" / "medzh"
    build("sdak", "mini", out, given=[str(other)])
    new = content(out)
    build("sdak", "mini", out)
    old = content(out)
    assert new != old
    swapped, number = [], 0
    with harness(out, other, kind) as run:
        while True:
            number += 1
            status = run(number)
            if status == 0:
                break
            assert status == SIGKILL
            stands = content(out)
            assert stands in (old, new)
            assert len(load_records(out, "sdak").rows) == (204 if stands == old else 202)
            swapped.append(stands == new)
            build("sdak", "mini", out)
            assert content(out) == old
    # Once the new build stands it stands; before, the old one does.
    assert swapped == sorted(swapped)
    assert swapped[0] is False
    assert number > 15
    assert content(out) == new
    assert out.is_symlink() == (kind == "link")
    assert check(out).problems == []
    folders = sorted(path.name for path in out.parent.iterdir() if path.name.startswith("medzh."))
    assert len(folders) == 2
    assert sorted(path.name for path in out.parent.iterdir() if path.name.startswith(".")) == []


def test_killed_again_and_again_without_a_build_between(tmp_path, other):
    out = tmp_path / "build" / "medzh"
    build("sdak", "mini", out)
    old = content(out)
    digest = hashlib.sha256(out.joinpath("manifest.json").read_bytes()).hexdigest()
    with harness(out, other) as run:
        for number in range(2, 14):
            assert run(number) == SIGKILL
            assert content(out) == old
        assert run(10_000) == 0
    assert hashlib.sha256(out.joinpath("manifest.json").read_bytes()).hexdigest() != digest
    assert len(load_records(out, "sdak").rows) == 202
    assert len(list(out.parent.iterdir())) == 3  # the link and two builds


def test_killed_in_the_first_build_there_is_none_and_the_next_succeeds(tmp_path, other):
    out = tmp_path / "build" / "medzh"
    number = 0
    with harness(out, other) as run:
        while run(number := number + 1) == SIGKILL:
            assert not out.exists() or len(load_records(out, "sdak").rows) == 202
    assert number > 10
    assert len(load_records(out, "sdak").rows) == 202
