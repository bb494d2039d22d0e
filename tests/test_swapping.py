from __future__ import annotations

import errno
import fcntl
import os

import pytest

from dataset_scripts.building.build import build
from medzh_score.data.records import load_records
from medzh_score.messages.errors import MedzhError


def content(folder):
    """All files of a folder, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


@pytest.fixture
def out(tmp_path):
    return tmp_path / "build" / "medzh"


def test_the_last_two_builds_are_kept(out):
    for _ in range(4):
        build("sdak", "mini", out)
    assert sorted(path.name for path in out.parent.iterdir()) == ["medzh", "medzh.000003", "medzh.000004"]
    assert str(out.readlink()) == "medzh.000004"


def test_a_neighbour_of_a_like_name_is_left_alone(out):
    for name in ("medzh.1", "medzh.000001.old", "medzh2.000001", "medzh.backup"):
        (out.parent / name).mkdir(parents=True)
    for _ in range(3):
        build("sdak", "mini", out)
    assert {"medzh.1", "medzh.000001.old", "medzh2.000001", "medzh.backup"} < {
        path.name for path in out.parent.iterdir()
    }


def test_what_no_build_made_is_left_alone(out, tmp_path):
    out.parent.mkdir()
    for make in (
        out.mkdir,
        lambda: out.write_text("mine", encoding="utf-8"),
        lambda: out.symlink_to(tmp_path),
        lambda: out.symlink_to("medzh.old"),
    ):
        make()
        with pytest.raises(MedzhError, match="no build made"):
            build("sdak", "mini", out)
        assert [path.name for path in out.parent.iterdir()] == ["medzh"]
        out.rmdir() if out.is_dir() and not out.is_symlink() else out.unlink()


@pytest.mark.parametrize("inside", ["inner", "sdak/inner", "../medzh.000001/inner"])
def test_a_build_inside_another_is_refused(out, inside):
    build("sdak", "mini", out)
    before = content(out)
    with pytest.raises(MedzhError, match="lies in the folder of another build"):
        build("sdak", "mini", out / inside)
    assert content(out) == before


def test_a_first_build_that_fails_leaves_nothing(out, tmp_path):
    (tmp_path / "own.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(MedzhError, match=r"own\.jsonl:1"):
        build("sdak", "official", out, given=[str(tmp_path / "own.jsonl")])
    assert list(out.parent.iterdir()) == []


def test_a_link_to_a_build_that_was_deleted_is_replaced(out):
    out.parent.mkdir()
    out.symlink_to("medzh.000007")
    build("sdak", "mini", out)
    assert len(load_records(out, "sdak").rows) == 204


def test_the_folder_can_be_moved_with_its_link(out, tmp_path):
    build("sdak", "mini", out)
    out.parent.rename(tmp_path / "elsewhere")
    assert len(load_records(tmp_path / "elsewhere" / "medzh", "sdak").rows) == 204


def test_a_second_builder_is_told_and_touches_nothing(out):
    build("sdak", "mini", out)
    prepared = out.parent / ".medzh.building"
    prepared.mkdir()
    (prepared / "half").write_text("x", encoding="utf-8")
    with (out.parent / ".medzh.lock").open("a") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        with pytest.raises(MedzhError, match="another build is running"):
            build("sdak", "mini", out)
        assert (prepared / "half").exists()
        assert (out.parent / ".medzh.lock").exists()
    build("sdak", "mini", out)
    assert not prepared.exists()


def test_a_full_disk_leaves_the_build_that_stands(out, monkeypatch):
    build("sdak", "mini", out)
    before = content(out)

    def full(path, content):
        path.write_bytes(content[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr("dataset_scripts.packaging.build_files.write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        build("sdak", "mini", out)
    assert content(out) == before
    assert sorted(path.name for path in out.parent.iterdir()) == ["medzh", "medzh.000001"]
