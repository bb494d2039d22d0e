"""A build is killed before its steps on the disk: the build that stood is whole, and the next succeeds.

Before which of them, `Killed.chosen` says: all where MEDZH_EXAMPLES is set.
"""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from functools import cache

import pytest
from killed import SIGKILL, harness

from dataset_scripts.building import build_folder
from dataset_scripts.building.build import build
from dataset_scripts.building.check import check
from dataset_scripts.recipes.sdak.dataset import MINI
from medzh_score.data.hub import folder_of
from medzh_score.data.records import load_records

CODE = """
import sys
from pathlib import Path
import datasets, jinja2, jsonschema_rs, pyarrow.parquet, yaml
from dataset_scripts.building import build_folder
from dataset_scripts.building.build import build
from dataset_scripts.recipe import dataset
from medzh_score.benchmark.registry import find_config

loaded = dataset("sdak"), find_config("sdak")
out, source = Path(sys.argv[1]), sys.argv[2]
if sys.argv[3] == "pointer":
    build_folder.WINDOWS = True
place = str(out.parent)

def work():
    build("sdak", "mini", out, given=[source])
"""


def content(build):
    folder = folder_of(build)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def other(place):
    """Give a source that makes another build than the sample does: the last pair is missing."""
    path = place / "other.jsonl"
    path.write_text("".join(MINI.read_text(encoding="utf-8").splitlines(keepends=True)[:-2]), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("killed")


@pytest.fixture(scope="module")
def of_kind(place, other):
    """Give a function that gives what is killed with a link or a pointer; each is started once."""
    with ExitStack() as stack:
        yield cache(lambda kind: stack.enter_context(harness(CODE, place / "build" / "medzh", other, kind)))


@pytest.fixture
def out(place):
    """Give the place of the build, where nothing is yet."""
    shutil.rmtree(place / "build", ignore_errors=True)
    return place / "build" / "medzh"


@pytest.mark.parametrize("kind", ["link", "pointer"])
def test_killed_before_any_step_the_previous_build_is_whole_and_the_next_succeeds(
    kind, out, of_kind, other, monkeypatch
):
    monkeypatch.setattr(build_folder, "WINDOWS", kind == "pointer")
    build("sdak", "mini", out, given=[str(other)])
    new = content(out)
    build("sdak", "mini", out)
    old = content(out)
    assert new != old
    swapped, run = [], of_kind(kind)
    assert run() == 0
    build("sdak", "mini", out)
    for number in run.chosen():
        assert run(number) == SIGKILL
        stands = content(out)
        assert stands in (old, new)
        assert len(load_records(out, "sdak").rows) == (204 if stands == old else 202)
        swapped.append(stands == new)
        build("sdak", "mini", out)
        assert content(out) == old
    assert run() == 0
    # Once the new build stands it stands; before, the old one does.
    assert swapped == sorted(swapped)
    assert swapped[0] is False
    assert swapped[-1] is True
    assert len(run.steps) > 15
    assert content(out) == new
    assert out.is_symlink() == (kind == "link")
    assert check(out).problems == []
    folders = sorted(path.name for path in out.parent.iterdir() if path.name.startswith("medzh."))
    assert len(folders) == 2
    assert sorted(path.name for path in out.parent.iterdir() if path.name.startswith(".")) == []


def test_killed_in_the_first_build_there_is_none_and_the_next_succeeds(out, of_kind):
    run = of_kind("link")
    assert run() == 0
    shutil.rmtree(out.parent)
    for number in run.chosen():
        assert run(number) == SIGKILL
        assert not out.exists() or len(load_records(out, "sdak").rows) == 202
    assert run() == 0
    assert len(run.steps) > 10
    assert len(load_records(out, "sdak").rows) == 202
