from __future__ import annotations

import errno
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from dataset_scripts.building import build_folder
from dataset_scripts.building.build import build
from dataset_scripts.building.checking import check
from dataset_scripts.command_line import main
from medzh_score.command_line import main as score
from medzh_score.data.hub import folder_of
from medzh_score.data.records import load_records
from medzh_score.files.whole_folders import locked
from medzh_score.messages.errors import MedzhError


def content(folder):
    """All files of a build, by path."""
    folder = folder_of(folder)
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


HOLDER = """
import sys
from pathlib import Path
from dataset_scripts.command_line import main
from medzh_score.files.whole_folders import locked
with locked(Path(sys.argv[1]), Path("elsewhere"), "wait"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process_holding(lock):
    command = [sys.executable, "-c", HOLDER, str(lock)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as holder:
        assert holder.stdout.readline() == "held\n"
        yield holder
        holder.stdin.close()


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
    with another_process_holding(out.parent / ".medzh.lock"):
        with pytest.raises(MedzhError, match="another process is at work"):
            build("sdak", "mini", out)
        assert (prepared / "half").exists()
        assert (out.parent / ".medzh.lock").exists()
    build("sdak", "mini", out)
    assert not prepared.exists()


def test_a_lock_ends_with_its_process_however_that_ends(tmp_path):
    lock = tmp_path / ".lock"
    with another_process_holding(lock) as holder:
        holder.kill()
    assert lock.exists()
    with locked(lock, tmp_path, "wait"):
        pass
    assert not lock.exists()


def test_a_lock_is_free_again_after_an_error(tmp_path):
    lock = tmp_path / ".lock"
    for _ in range(2):
        with pytest.raises(RuntimeError, match="in the block"), locked(lock, tmp_path, "wait"):
            raise RuntimeError("in the block")
        assert not lock.exists()


def test_a_lock_that_cannot_be_written_is_no_other_build(tmp_path):
    """The message names the file and what the system says, not a cause that is not there."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    for place in (tmp_path / "file" / ".lock", tmp_path):
        with pytest.raises(MedzhError, match="cannot be written: ") as caught, locked(place, tmp_path, "wait"):
            pytest.fail("it was held")
        assert caught.value.file == str(place)


def test_of_many_processes_one_at_a_time_has_the_lock(tmp_path):
    """Each that gets it adds one to a number that it read before; what two had at once would be lost."""
    code = """
import sys, time
from pathlib import Path
from dataset_scripts.command_line import main
from medzh_score.files.whole_folders import locked
from medzh_score.command_line import main as score
from medzh_score.messages.errors import MedzhError
lock, number = Path(sys.argv[1]), Path(sys.argv[2])
got = 0
while got < 40:
    try:
        with locked(lock, lock, "wait"):
            read = int(number.read_text())
            time.sleep(0.001)
            number.write_text(str(read + 1))
            got += 1
    except MedzhError as error:
        assert "another process is at work here" in str(error), error
"""
    number = tmp_path / "number"
    number.write_text("0", encoding="utf-8")
    command = [sys.executable, "-c", code, str(tmp_path / ".lock"), str(number)]
    running = [subprocess.Popen(command) for _ in range(3)]
    assert [one.wait(60) for one in running] == [0, 0, 0]
    assert number.read_text(encoding="utf-8") == "120"


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
        assert main(["build", "sdak", "--recipe", "mini", "--out", str(out)]) == 0
        assert f"in {out}.00000{number}\n" in capsys.readouterr().out  # a folder that load_dataset takes
        assert out.read_bytes() == b"medzh.00000%d\n" % number
        assert not out.is_symlink()
    assert sorted(path.name for path in out.parent.iterdir()) == ["medzh", "medzh.000002", "medzh.000003"]
    assert len(load_records(out, "sdak").rows) == len(load_records(str(out), "sdak").rows) == 204
    assert check(out).problems == []
    for command in (["check", out], ["diff", out, out], ["bundle", "--data", out, "--out", tmp_path / "b.zip"]):
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


@pytest.mark.usefixtures("without_links")
def test_other_configs_are_carried_over_by_a_pointer_file(out):
    build("sdak", "mini", out)
    build("tcmd", "mini", out)
    assert load_records(out, "sdak").rows
    assert load_records(out, "tcmd").rows


def test_a_link_that_fails_for_another_reason_is_an_error(out, monkeypatch):
    def full(path, *_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "symlink_to", full)
    with pytest.raises(OSError, match="No space left"):
        build("sdak", "mini", out)
    assert not out.exists()


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
    with pytest.raises(MedzhError, match="no build made"):
        build("sdak", "mini", out)
    with pytest.raises(MedzhError, match="is no bundle"):
        load_records(out, "sdak")
    assert out.read_bytes() == content


@pytest.mark.usefixtures("without_links")
def test_a_pointer_file_whose_folder_is_gone(out):
    out.parent.mkdir()
    out.write_text("medzh.000007\n", encoding="utf-8")
    with pytest.raises(MedzhError, match=r"medzh\.000007.*there is no build here"):
        load_records(out, "sdak")
    build("sdak", "mini", out)
    assert len(load_records(out, "sdak").rows) == 204


@pytest.mark.usefixtures("without_links")
def test_a_pointer_file_is_not_written_over(out, sdak_sample):
    build("sdak", "mini", out)
    before = out.read_bytes()
    given = ["score", "sdak", str(sdak_sample / "predictions.jsonl"), "--data", str(out), "--bootstrap", "0"]
    assert score([*given, "--out", str(out)]) == 2
    assert out.read_bytes() == before
    assert score(given) == 0
