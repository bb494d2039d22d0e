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

from medzh_score.command_line import main
from medzh_score.files.named_files import in_natural_order, matching
from medzh_score.messages.errors import MedzhError


class Piped(io.TextIOWrapper):
    """Standard input that holds some bytes."""

    def __init__(self, content):
        super().__init__(io.BytesIO(content), encoding="ascii")


@pytest.fixture
def command(capfdbinary, sdak_build, monkeypatch, tmp_path):
    """Give a function that calls the command in this process: status, output, errors; nothing temporary stays."""
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


@pytest.fixture
def forms(content):
    """Give the same predictions in several forms."""
    lines = [json.loads(line) for line in content.splitlines()]
    batch = [
        {
            "custom_id": line["id"],
            "response": {"status_code": 200, "body": {"choices": [{"message": {"content": line["prediction"]}}]}},
            "error": None,
        }
        for line in lines
    ]
    cells = [f'{line["id"]},"{line["prediction"].replace(chr(34), chr(34) * 2)}"' for line in lines]
    return {
        "native": content,
        "gzip": gzip.compress(content),
        "batch": "\n".join(map(json.dumps, batch)).encode(),
        "sheet": "\n".join(["id,prediction", *cells]).encode(),
    }


@pytest.mark.parametrize("form", ["native", "gzip", "batch", "sheet"])
def test_standard_input_is_read_as_a_file_is(command, forms, tmp_path, form):
    path = tmp_path / "p"
    path.write_bytes(forms[form])
    arguments = ("--to", "json", "--bootstrap", "5", "--missing", "wrong")
    status, printed, errors = command("score", "sdak", "-", *arguments, stdin=forms[form])
    assert (status, errors.split(":")[0]) == (0, "<stdin>")
    found, wanted = json.loads(printed), json.loads(command("score", "sdak", path, *arguments)[1])
    (one,) = found.pop("inputs")
    assert one["name"] == "-"
    assert one["sha256"] == hashlib.sha256(forms[form]).hexdigest()
    assert one["reader"] == wanted.pop("inputs")[0]["reader"]
    assert found == wanted


def test_a_report_on_standard_input_can_be_verified(command, content, tmp_path):
    """What was piped in is given back as a file of the name that the report has for it."""
    report, kept = tmp_path / "r.json", tmp_path / "-"
    arguments = ("--to", "json", "--bootstrap", "0", "--out", report)
    assert command("score", "sdak", "-", *arguments, stdin=content)[0] == 0
    status, _, errors = command("verify", report)
    assert (status, f"verify {report} PATH/- …" in errors) == (2, True)
    kept.write_bytes(content)
    status, printed, _ = command("verify", report, kept)
    assert status == 0, printed


def test_faults_of_standard_input_are_named(command, content):
    for wrong, message in (
        (b"", "<stdin>: is empty"),
        (content + b"{", "<stdin>:205: is not JSON: the last line"),
        (content * 2, "<stdin>:205: field id: the same prediction twice"),
        (content.splitlines()[0], "-: 203 of 204 predictions are missing"),
    ):
        status, printed, errors = command("score", "sdak", "-", stdin=wrong)
        assert (status, printed, errors.count("\n")) == (2, "", 1)
        assert message in errors


def test_standard_input_stands_beside_files(command, content, tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(b"".join(content.splitlines(keepends=True)[:100]))
    rest = b"".join(content.splitlines(keepends=True)[100:])
    status, printed, errors = command("score", "sdak", path, "-", "--to", "json", "--bootstrap", "0", stdin=rest)
    assert status == 0
    assert [one["name"] for one in json.loads(printed)["inputs"]] == ["p.jsonl", "-"]
    assert errors.splitlines() == [f"{path}: read as native lines", "<stdin>: read as native lines"]
    assert command("check", "sdak", path, "-", stdin=rest)[0] == 0


def test_standard_input_is_named_once(command, content, tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(content)
    for named in (("-", "-"), (path, "--round", "reason=-", "--round", "error=-"), ("-", "--round", "reason=-")):
        status, printed, errors = command("score", "sdak", *named, stdin=content)
        assert (status, printed) == (2, "")
        assert "standard input is named twice" in errors


def test_a_round_and_the_answers_it_asks_about_come_in_by_standard_input(command, content, tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_bytes(content)
    status, sheet, errors = command("prompts", "sdak", "--round", "reason", "--after", "-", stdin=content)
    assert status == 0
    assert sheet == command("prompts", "sdak", "--round", "reason", "--after", path)[1]
    assert "<stdin>: read as native lines" in errors
    asked = ("prompts", "sdak", "--round", "error", "--after", path)
    for answered in ((path,), ("-",)):
        status, _, errors = command(*asked, "--answered", *answered, stdin=content)
        assert (status, "a column is missing" in errors) == (2, True)
    assert "<stdin>:1: " in errors
    filled = sheet.replace(",,,\r\n", ",yes,yes,li\r\n").encode()
    arguments = ("score", "sdak", path, "--to", "json", "--bootstrap", "0")
    status, printed, _ = command(*arguments, "--round", "reason=-", stdin=filled)
    assert status == 0
    assert json.loads(printed)["inputs"][1]["name"] == "-"
    status, printed, errors = command(*arguments, "--round", "reason=-", stdin=filled.replace(b"yes", b"perhaps"))
    assert "<stdin>:2: field factual_supported" in errors


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
                ["explain", "sdak", name, "--unread", "1"],
            ):
                status, printed, errors = command(*arguments)
                assert (status, printed) == (2, "")
                assert f"{name}: is a pipe, a device or a socket" in errors


@pytest.fixture
def runs(tmp_path, content):
    """Write eleven runs into a folder and one below it; run10 differs from the others."""
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
    said = [f"{runs / name}: read as native lines, run {run}" for run, name in enumerate(names)]
    assert errors.splitlines() == said
    plain = command("score", "sdak", *(runs / name for name in names), *arguments)
    assert plain == (status, printed, errors)


def test_patterns_look_into_folders_below_and_leave_folders_out(runs):
    assert [Path(name).name for name in matching(str(runs / "**" / "run3.jsonl"))] == ["run3.jsonl"] * 2
    assert str(runs / "below") not in matching(str(runs / "*"))
    assert len(matching(str(runs / "**"))) == 12
    assert [Path(name).name for name in matching(str(runs / "run[12].jsonl"))] == ["run1.jsonl", "run2.jsonl"]


def test_a_name_that_looks_like_a_pattern_but_exists(tmp_path, content):
    path = tmp_path / "run[1].jsonl"
    path.write_bytes(content)
    (tmp_path / "run1.jsonl").write_bytes(content)
    assert matching(str(path)) == [str(path)]


def test_a_pattern_that_matches_nothing(command, runs):
    status, printed, errors = command("score", "sdak", runs / "*.json")
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert f"{runs / '*.json'}: no file matches the pattern" in errors
    with pytest.raises(MedzhError, match="no file matches"):
        matching(str(runs / "below*"))


def test_what_a_pattern_matches_is_not_written_over(command, runs):
    before = (runs / "run2.jsonl").read_bytes()
    status, _, errors = command("score", "sdak", runs / "run*.jsonl", "--file-per-run", "--items", runs / "run2.jsonl")
    assert status == 2
    assert "is one of the files that are read" in errors
    assert (runs / "run2.jsonl").read_bytes() == before


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
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert "is a folder" in errors
    assert "name a file in it: below/run3.jsonl (native), run1.jsonl (native), run2.jsonl (native)," in errors
    assert "run4.jsonl (native), …" in errors
    empty = tmp_path / "empty"
    (empty / "below").mkdir(parents=True)
    assert "no file in it holds predictions (0 looked at)" in command("score", "sdak", empty)[2]
    (empty / "report.json").write_text('{"config": "sdak", "metrics": {}, "coverage": {}, "signature": {}}', "utf-8")
    (empty / "notes.md").write_text("id,prediction\n", "utf-8")
    assert "no file in it holds predictions (1 looked at)" in command("score", "sdak", empty)[2]
    (empty / "below" / "\x1b[31m.csv").write_text("id,prediction\na,正确\n", "utf-8")
    for name in ("score", "check"):
        assert "name a file in it: below/\\x1b[31m.csv (sheet)\n" in command(name, "sdak", empty)[2]
    assert "name a file in it: below/\\x1b[31m.csv (sheet)\n" in command("explain", "sdak", empty, "--unread", 1)[2]
