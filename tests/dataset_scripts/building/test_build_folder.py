from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from held_locks import another_process_holding

from dataset_scripts.building import build_folder
from dataset_scripts.building.build import build
from dataset_scripts.building.check import check
from dataset_scripts.cli.main import main
from medzh_score.data.hub import folder_of
from medzh_score.data.records import load_records
from medzh_score.ui.errors import MedzhError


def content(folder):
    """All files of a build, by path."""
    folder = folder_of(folder)
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


def test_what_no_build_made_is_left_alone(out, tmp_path):
    out.parent.mkdir()
    exists = "the path already exists and was not created by medzh-build"
    is_link = "the path is a link that medzh-build did not create"
    for make, problem in (
        (out.mkdir, exists),
        (lambda: out.write_text("mine", encoding="utf-8"), exists),
        (lambda: out.symlink_to(tmp_path), is_link),
        (lambda: out.symlink_to("medzh.old"), is_link),
    ):
        make()
        with pytest.raises(MedzhError, match=problem):
            build("sdak", "mini", out)
        assert [path.name for path in out.parent.iterdir()] == ["medzh"]
        out.rmdir() if out.is_dir() and not out.is_symlink() else out.unlink()


@pytest.mark.parametrize("inside", ["inner", "sdak/inner", "../medzh.000001/inner"])
def test_a_build_inside_another_is_refused(out, inside):
    build("sdak", "mini", out)
    before = content(out)
    with pytest.raises(MedzhError, match="the path is inside another build folder"):
        build("sdak", "mini", out / inside)
    assert content(out) == before


def test_a_first_build_that_fails_leaves_nothing(out, tmp_path):
    (tmp_path / "own.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(MedzhError, match=r"own\.jsonl:1"):
        build("sdak", "official", out, given=[str(tmp_path / "own.jsonl")])
    assert list(out.parent.iterdir()) == []


def test_a_second_builder_is_told_and_touches_nothing(out):
    build("sdak", "mini", out)
    prepared = out.parent / ".medzh.building"
    prepared.mkdir()
    (prepared / "half").write_text("x", encoding="utf-8")
    with another_process_holding(out.parent / ".medzh.lock"):
        with pytest.raises(MedzhError, match="another process is using the path"):
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


@pytest.fixture
def without_links(monkeypatch):
    """Let the disk be one that knows no links, as those of cameras and sticks."""

    def refuse(path, *_, **__):
        raise OSError(errno.EPERM, os.strerror(errno.EPERM), str(path))

    monkeypatch.setattr(Path, "symlink_to", refuse)


@pytest.mark.usefixtures("without_links")
def test_where_no_links_can_be_made_a_file_of_one_line_names_the_folder(out, tmp_path, capsys):
    for number in (1, 2, 3):
        assert main(["build", "sdak", "--recipe", "mini", "--output", str(out)]) == 0
        assert f"in {out}.00000{number}\n" in capsys.readouterr().out  # a folder that load_dataset takes
        assert out.read_bytes() == b"medzh.00000%d\n" % number
        assert not out.is_symlink()
    assert sorted(path.name for path in out.parent.iterdir()) == ["medzh", "medzh.000002", "medzh.000003"]
    assert len(load_records(out, "sdak").rows) == len(load_records(str(out), "sdak").rows) == 204
    assert check(out).problems == []
    for command in (["check", out], ["diff", out, out], ["bundle", "--data", out, "--output", tmp_path / "b.zip"]):
        assert main([str(word) for word in command]) == 0, command
    assert len(load_records(tmp_path / "b.zip", "sdak").rows) == 204
    out.parent.rename(tmp_path / "elsewhere")
    assert len(load_records(tmp_path / "elsewhere" / "medzh", "sdak").rows) == 204


def test_link_and_pointer_file_take_each_others_place(out, monkeypatch):
    for pointer in (True, False, True):
        monkeypatch.setattr(build_folder, "WINDOWS", pointer)
        build("sdak", "mini", out)
        assert out.is_symlink() != pointer
        assert len(load_records(out, "sdak").rows) == 204
    assert sorted(path.name for path in out.parent.iterdir()) == ["medzh", "medzh.000002", "medzh.000003"]


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"mine", b"medzh.1\n", b"other.000001\n", b"../medzh.000001\n", b"medzh.000001\nmedzh.000002\n"),
        b"\xff" * 600,
    ],
)
def test_a_file_that_is_no_pointer_is_no_build_and_left_alone(out, content):
    build("sdak", "mini", out)
    out.unlink()
    out.write_bytes(content)
    with pytest.raises(MedzhError, match="the path already exists and was not created by medzh-build"):
        build("sdak", "mini", out)
    with pytest.raises(MedzhError, match="invalid offline bundle"):
        load_records(out, "sdak")
    assert out.read_bytes() == content


@pytest.mark.usefixtures("without_links")
def test_a_pointer_file_whose_folder_is_gone(out):
    out.parent.mkdir()
    out.write_text("medzh.000007\n", encoding="utf-8")
    with pytest.raises(MedzhError, match=r"medzh\.000007: no build found"):
        load_records(out, "sdak")
    build("sdak", "mini", out)
    assert len(load_records(out, "sdak").rows) == 204
