"""What a terminal is shown and what a pipe is not; results are the same bytes whatever the surroundings."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import termios
import threading
from contextlib import suppress

import pytest
from rich.cells import cell_len

from medzh_score.cli.main import main
from medzh_score.readers import native

EAGER = """
import sys
from medzh_score.ui import progress as telling
telling.LONG, telling.BUFFER = 1, 4096
from medzh_score.cli.main import console
console()
"""
BETWEEN = b"======\n"
EACH = """
import json, sys
from medzh_score.ui import progress as telling
telling.LONG, telling.BUFFER = 1, 4096
from medzh_score.cli.main import main
for words in json.loads(sys.argv[1]):
    assert main(words) == 0
    print("======", flush=True)
"""
CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
ERASED = b"\x1b[2K"
CURSOR, NO_CURSOR = b"\x1b[?25h", b"\x1b[?25l"  # a bar hides it


@pytest.fixture
def predictions(sdak_sample):
    return sdak_sample / "predictions.jsonl"


def surroundings_with(**more):
    left_out = {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}
    return {**{name: value for name, value in os.environ.items() if name not in left_out}, "TERM": "xterm", **more}


def read_all(descriptor, parts):
    """Read until nobody writes any more, which a terminal says by an error."""
    with suppress(OSError):
        while part := os.read(descriptor, 4096):
            parts.append(part)


@pytest.fixture
def with_terminal(forked):
    """Give a function that runs with a terminal of so many columns for a stream; gives what it was sent, too."""

    def run(stream, columns, *arguments, code=EAGER):
        ours, theirs = pty.openpty()
        if columns:
            termios.tcsetwinsize(theirs, (24, columns))
        parts = []
        reader = threading.Thread(target=read_all, args=(ours, parts))
        reader.start()
        devices = {stream: os.ttyname(theirs)}
        done = forked("-c", code, *arguments, env=surroundings_with(), devices=devices)
        os.close(theirs)
        reader.join()
        os.close(ours)
        return done, b"".join(parts)

    return run


@pytest.fixture
def at_a_terminal(with_terminal):
    """Give a function that runs with a terminal for standard error: status, output and what the terminal was sent."""

    def run(*arguments, **more):
        done, shown = with_terminal("err", None, *arguments, **more)
        return done.returncode, done.stdout.encode(), shown

    return run


@pytest.fixture
def on_a_terminal(with_terminal):
    """Give a function that runs with a terminal of so many columns for standard output: status and lines."""

    def run(columns, *arguments):
        done, shown = with_terminal("out", columns, *arguments)
        return done.returncode, shown.decode().splitlines()

    return run


@pytest.fixture
def in_a_pipe(forked):
    """Give a function that runs without a terminal: status, output and what was said."""

    def run(*arguments, code=EAGER):
        done = forked("-c", code, *arguments, env=surroundings_with())
        return done.returncode, done.stdout.encode(), done.stderr.encode()

    return run


def test_progress_is_shown_to_a_terminal_and_erased(at_a_terminal, in_a_pipe, predictions, sdak_build):
    arguments = ("score", "sdak", predictions, "--data", sdak_build, "--bootstrap", "0")
    status, printed, shown = at_a_terminal(*arguments)
    assert status == 0
    *bars, note = shown.split(ERASED)
    assert note == f"{predictions}: read as native format\r\n".encode()
    assert all(bar.count(b"\n") <= 1 for bar in bars)  # each is one line, and written over or taken away
    assert shown.rindex(CURSOR) > shown.rindex(NO_CURSOR)
    read = [float(part) for part in re.findall(rb"([\d.]+)/36\.5 kB", shown)]
    assert read[0] < 18
    assert 36.5 in read
    piped = in_a_pipe(*arguments)
    assert piped == (0, printed, f"{predictions}: read as native format\n".encode())


def test_quiet_shows_nothing_but_errors(at_a_terminal, in_a_pipe, predictions, sdak_build, tmp_path):
    arguments = ("score", "sdak", predictions, "--data", sdak_build, "--bootstrap", "0", "--quiet")
    status, printed, shown = at_a_terminal(*arguments)
    assert (status, shown) == (0, b"")
    assert in_a_pipe(*arguments) == (0, printed, b"")
    status, printed, said = in_a_pipe("score", "sdak", tmp_path / "none", "--data", sdak_build, "--quiet")
    assert (status, printed, said.count(b"medzh-score: error: ")) == (2, b"", 1)


def test_an_error_stands_on_a_line_of_its_own(at_a_terminal, predictions, sdak_build, tmp_path):
    """Progress is taken away before the message."""
    path = tmp_path / "p.jsonl"
    path.write_bytes(predictions.read_bytes() + b"{")
    status, printed, shown = at_a_terminal("score", "sdak", path, "--data", sdak_build)
    assert (status, printed) == (2, b"")
    assert b"kB" in shown
    assert shown.rindex(CURSOR) > shown.rindex(NO_CURSOR)
    assert shown.split(ERASED)[-1].startswith(b"medzh-score: error: ")


STYLES = re.compile(r"\x1b\[[\d;]*m")
SURROUNDINGS = [
    {"PYTHONHASHSEED": "0", "LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONHASHSEED": "4242", "LC_ALL": "zh_CN.UTF-8", "LANG": "zh_CN.UTF-8", "COLUMNS": "20", "LINES": "3"},
    {"PYTHONHASHSEED": "7", "NO_COLOR": "1", "COLUMNS": "500", "TERM": "xterm-256color", "TZ": "Asia/Shanghai"},
    {"PYTHONHASHSEED": "8", "FORCE_COLOR": "1", "TTY_COMPATIBLE": "1", "CLICOLOR_FORCE": "1", "TERM": "dumb"},
]
FORMS = [("score", "--to", "json", "--bootstrap", "20"), ("score", "--to", "text", "--bootstrap", "20"), ("check",)]


def test_equal_input_gives_equal_bytes_in_all_surroundings(predictions, sdak_build, tmp_path):
    found = {form: set() for form in FORMS}
    for number, surroundings in enumerate(SURROUNDINGS):
        # A person who reads Chinese may be answered in it.
        forms = [form for form in FORMS if "json" in form or "zh" not in surroundings.get("LANG", "")]
        items = [tmp_path / f"{number}-{place}" for place in range(len(forms))]
        commands = [
            (form[0], "sdak", predictions, "--data", sdak_build, *form[1:], *(["--items", file] * (form[0] == "score")))
            for form, file in zip(forms, items, strict=True)
        ]
        words = [sys.executable, "-c", EACH, json.dumps(commands, default=str)]
        done = subprocess.run(words, env=surroundings_with(**surroundings), capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        assert CONTROLS.search(done.stdout) is None
        assert CONTROLS.search(done.stderr) is None
        for form, out, file in zip(forms, done.stdout.split(BETWEEN)[:-1], items, strict=True):
            found[form].add((out, file.read_bytes() if file.exists() else b""))
    assert {form: len(of) for form, of in found.items()} == dict.fromkeys(FORMS, 1)


@pytest.mark.parametrize("command", ["score", "check"])
def test_what_people_read_fits_their_terminal(
    on_a_terminal, in_a_pipe, predictions, sdak_build, tmp_path, command, capfdbinary
):
    """A pipe has 80 columns and no colors everywhere; a file has the same without the next commands."""
    arguments = (command, "sdak", predictions, "--data", sdak_build)

    def piped(*more):
        assert main([*map(str, arguments), *map(str, more)]) == 0
        return capfdbinary.readouterr().out

    wide = piped()
    for columns in (60, 100):
        status, lines = on_a_terminal(columns, *arguments)
        assert status == 0
        plain = [STYLES.sub("", line) for line in lines]
        assert plain != lines
        words = str(predictions), str(sdak_build)  # are never broken
        assert max(cell_len(line) for line in plain if not any(word in line for word in words)) <= columns
        asked = piped("--width", columns)
        assert asked.decode().splitlines() == plain
        assert wide != asked
        assert on_a_terminal(columns, *arguments, "--output", tmp_path / "out") == (0, [])
        assert wide.startswith((tmp_path / "out").read_bytes())
    assert in_a_pipe(*arguments)[1] == wide


def test_an_interruption_leaves_nothing_behind(sdak_build, monkeypatch, tmp_path, predictions, capfd):
    def interrupted(_path):
        raise KeyboardInterrupt

    kept = tmp_path / "kept"
    kept.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(kept))
    monkeypatch.setattr(native, "blocks", interrupted)
    with predictions.open(encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main(["score", "sdak", "-", "--data", str(sdak_build), "--output", str(tmp_path / "out")]) == 130
    assert capfd.readouterr() == ("", "")
    assert list(kept.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_standard_error_may_be_closed(in_a_pipe, predictions, sdak_build, tmp_path):
    closed = "import os; os.close(2); import sys; sys.stderr = None\n" + EAGER
    for path, status in ((predictions, 0), (tmp_path / "none", 2)):
        found = in_a_pipe("score", "sdak", path, "--data", sdak_build, "--bootstrap", "0", code=closed)
        assert found[0] == status
        assert (b"FactAcc" in found[1]) == (status == 0)


@pytest.mark.parametrize("command", ["score", "check", "explain", "configs"])
def test_standard_output_may_be_closed(at_a_terminal, command, predictions, sdak_build, tmp_path):
    """It is said, in a line; what goes to a file needs it not."""
    closed = "import sys; sys.stdout = None\n" + EAGER
    more = ["sdak", predictions, "--data", sdak_build] if command != "configs" else []
    more += ["--unparsed", "1"] if command == "explain" else []
    status, _, shown = at_a_terminal(command, *more, code=closed)
    assert status == 2
    assert shown.splitlines()[-2].startswith(b"medzh-score: error: standard output is closed")
    if more:
        assert at_a_terminal(command, *more, "--output", tmp_path / "out", code=closed)[0] == 0
        assert (tmp_path / "out").stat().st_size
