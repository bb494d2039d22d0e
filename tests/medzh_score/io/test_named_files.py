"""Files as users name them: standard input, patterns, folders.

Source of the expectations: the report of the same predictions, named as plain files.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import socket
import sys
import tempfile
from pathlib import Path

import pytest

from medzh_score.cli.main import main
from medzh_score.io.paths import in_natural_order, matching
from medzh_score.ui.errors import MedzhError


class Piped(io.TextIOWrapper):
    def __init__(self, content):
        super().__init__(io.BytesIO(content), encoding="ascii")


@pytest.fixture
def command(capfdbinary, sdak_build, monkeypatch, tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(kept))

    def call(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "stdin", Piped(stdin))
        status = main([*map(str, arguments), "--data", str(sdak_build)])
        assert list(kept.iterdir()) == []
        captured = capfdbinary.readouterr()
        return status, captured.out.decode("utf-8"), captured.err.decode("utf-8")

    return call


@pytest.fixture
def content(sdak_sample):
    return (sdak_sample / "predictions.jsonl").read_bytes()


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input_is_read_as_a_file_is(command, content, tmp_path, pack):
    path, piped = tmp_path / "p", pack(content)
    path.write_bytes(piped)
    arguments = ("--to", "json", "--bootstrap", "5", "--missing", "wrong")
    status, printed, errors = command("score", "sdak", "-", *arguments, stdin=piped)
    assert (status, errors.split(":")[0]) == (0, "<stdin>")
    found, wanted = json.loads(printed), json.loads(command("score", "sdak", path, *arguments)[1])
    (one,) = found.pop("inputs")
    assert one["name"] == "-"
    assert one["sha256"] == hashlib.sha256(piped).hexdigest()
    assert one["reader"] == wanted.pop("inputs")[0]["reader"]
    assert found == wanted


def test_faults_of_standard_input_are_named(command, content):
    for wrong, message, lines in (
        (b"", "<stdin>: the file is empty", 2),
        (content + b"{", "<stdin>:205: invalid JSON: the last line", 2),
        (content * 2, '<stdin>:205: field "id": duplicate prediction', 2),
        (content.splitlines()[0], "-: 203 of 204 predictions are missing", 2),
    ):
        status, printed, errors = command("score", "sdak", "-", stdin=wrong)
        assert (status, printed, errors.count("\n")) == (2, "", lines)
        assert message in errors


def test_standard_input_stands_beside_files(command, content, tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(b"".join(content.splitlines(keepends=True)[:100]))
    rest = b"".join(content.splitlines(keepends=True)[100:])
    status, printed, errors = command("score", "sdak", path, "-", "--to", "json", "--bootstrap", "0", stdin=rest)
    assert status == 0
    assert [one["name"] for one in json.loads(printed)["inputs"]] == ["p.jsonl", "-"]
    assert errors.splitlines() == [f"{path}: read as native format", "<stdin>: read as native format"]
    assert command("check", "sdak", path, "-", stdin=rest)[0] == 0


def test_standard_input_is_named_once(command, content, tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(content)
    for named in (("-", "-"), (path, "--stage", "reason=-", "--stage", "error=-"), ("-", "--stage", "reason=-")):
        status, printed, errors = command("score", "sdak", *named, stdin=content)
        assert (status, printed) == (2, "")
        assert "standard input is specified twice" in errors


def test_a_closed_standard_input(monkeypatch, sdak_build, capfd):
    shut = Piped(b"")
    shut.close()
    for closed in (None, shut):
        monkeypatch.setattr(sys, "stdin", closed)
        assert main(["score", "sdak", "-", "--data", str(sdak_build)]) == 2
        assert "<stdin>: standard input is closed" in capfd.readouterr().err


def test_what_is_no_regular_file_is_refused(command, tmp_path):
    """A pipe may never end, and can be read once; standard input alone is kept."""
    pipe, made = tmp_path / "answers", tmp_path / "socket"
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(made))
        for name in (pipe, made, Path("/dev/zero")):
            for arguments in (
                ["score", "sdak", name],
                ["check", "sdak", name],
                ["explain", "sdak", name, "--unparsed", "1"],
            ):
                status, printed, errors = command(*arguments)
                assert (status, printed) == (2, "")
                assert f"{name}: the path is a pipe, a device or a socket" in errors


@pytest.fixture
def runs(tmp_path, content):
    folder = tmp_path / "runs"
    (folder / "below").mkdir(parents=True)
    for number in range(1, 11):
        text = content.replace("正确".encode(), "错误".encode()) if number == 10 else content
        (folder / f"run{number}.jsonl").write_bytes(text)
    (folder / "below" / "run3.jsonl").write_bytes(content)
    (folder / "notes.md").write_text("x")
    return folder


def test_a_pattern_is_expanded_in_natural_order(command, runs):
    arguments = ("--file-per-run", "--to", "json", "--bootstrap", "0")
    status, printed, errors = command("score", "sdak", runs / "run*.jsonl", *arguments)
    assert status == 0
    names = [f"run{number}.jsonl" for number in range(1, 11)]
    assert [one["name"] for one in json.loads(printed)["inputs"]] == names
    said = [f"{runs / name}: read as native format, run {run}" for run, name in enumerate(names, 1)]
    assert errors.splitlines() == said
    plain = command("score", "sdak", *(runs / name for name in names), *arguments)
    assert plain == (status, printed, errors)


def test_patterns_look_into_folders_below_and_leave_folders_out(runs):
    assert [Path(name).name for name in matching(str(runs / "**" / "run3.jsonl"))] == ["run3.jsonl"] * 2
    assert str(runs / "below") not in matching(str(runs / "*"))
    assert len(matching(str(runs / "**"))) == 12
    assert [Path(name).name for name in matching(str(runs / "run[12].jsonl"))] == ["run1.jsonl", "run2.jsonl"]


def test_a_pattern_that_matches_nothing(command, runs):
    status, printed, errors = command("score", "sdak", runs / "*.json")
    assert (status, printed, errors.count("\n")) == (2, "", 2)
    assert f"{runs / '*.json'}: no file matches the pattern" in errors
    with pytest.raises(MedzhError, match="no file matches"):
        matching(str(runs / "below*"))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["run10", "run2", "run1"], ["run1", "run2", "run10"]),
        (["a2b10", "a2b9", "a10b1"], ["a2b9", "a2b10", "a10b1"]),
        (["02", "2", "1"], ["1", "02", "2"]),
        (["b", "a1", "a", "1"], ["1", "a", "a1", "b"]),
        (["第10轮", "第2轮"], ["第2轮", "第10轮"]),
        (["x²1", "x²0"], ["x²0", "x²1"]),
    ],
)
def test_natural_order(names, expected):
    assert in_natural_order(names) == in_natural_order(reversed(names)) == expected


def test_a_folder_names_the_files_in_it(command, runs, tmp_path):
    status, printed, errors = command("score", "sdak", runs)
    assert (status, printed, errors.count("\n")) == (2, "", 2)
    assert "the path is a folder" in errors
    assert (
        "specify a file in the folder: below/run3.jsonl (native), run1.jsonl (native), run2.jsonl (native)," in errors
    )
    assert "run4.jsonl (native), …" in errors
    empty = tmp_path / "empty"
    (empty / "below").mkdir(parents=True)
    assert (
        "choose another path; none of the 0 checked files in the folder contains predictions"
        in command("score", "sdak", empty)[2]
    )
    (empty / "report.json").write_text('{"config": "sdak", "metrics": {}, "coverage": {}, "signature": {}}', "utf-8")
    (empty / "notes.md").write_text("id,prediction\n", "utf-8")
    assert (
        "choose another path; none of the 1 checked files in the folder contains predictions"
        in command("score", "sdak", empty)[2]
    )
    (empty / "below" / "\x1b[31m.csv").write_text("id,prediction\na,正确\n", "utf-8")
    for name in ("score", "check"):
        assert "specify a file in the folder: below/\\x1b[31m.csv (table).\n" in command(name, "sdak", empty)[2]
    assert (
        "specify a file in the folder: below/\\x1b[31m.csv (table).\n"
        in command("explain", "sdak", empty, "--unparsed", 1)[2]
    )
