"""How commands end: by a signal, with nobody to hear what they say, and what they leave of the files they replace."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest
from commands import heeding
from places import SAMPLES

ANSWERS = SAMPLES / "sdak" / "predictions.jsonl"


def begun(*arguments, ignored="", **streams):
    """Begin a command as a process of its own."""
    return subprocess.Popen(heeding(*arguments, ignored=ignored), **streams)


def waiting(folder, process):
    """Wait until a command keeps standard input in a folder for what is temporary."""
    until = time.monotonic() + 120
    while not any(folder.glob("medzh-*/-")):
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_ends_a_command_cleanly(name, minis, tmp_path):
    """Source of the status: the shell's, 128 and the signal's number."""
    number = getattr(signal, name)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    out = tmp_path / "report.txt"
    with begun(
        *("score", "sdak", "-", "--data", minis, "--output", out),
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(temporary)},
    ) as process:
        process.stdin.write(ANSWERS.read_bytes()[:1000])
        process.stdin.flush()
        waiting(temporary, process)
        while process.poll() is None:  # a signal just before a reading that waits is seen only after it
            process.send_signal(number)
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
        assert process.returncode == 128 + number
        assert process.stderr.read() == b""
    assert list(temporary.iterdir()) == []
    assert not out.exists()


def test_what_nohup_ignores_stays_ignored(minis, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with begun(
        *("score", "sdak", "-", "--data", minis, "--bootstrap", "0"),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        ignored="SIGHUP",
        env={**os.environ, "TMPDIR": str(temporary)},
    ) as process:
        waiting(temporary, process)
        process.send_signal(signal.SIGHUP)
        process.communicate(ANSWERS.read_bytes(), timeout=120)
        assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(("answers", "status"), [(ANSWERS, 0), ("missing.jsonl", 2)])
def test_nobody_need_hear_what_is_said(answers, status, minis, tmp_path):
    """Standard error that is full, or whose reader is gone, changes neither result nor status."""
    results = []
    reader, gone = os.pipe()
    os.close(reader)
    with Path("/dev/full").open("wb") as full, os.fdopen(gone, "wb") as unparsed, (tmp_path / "e").open("wb") as plain:
        for errors in (plain, full, unparsed):
            with begun(
                *("score", "sdak", answers, "--data", minis, "--bootstrap", "0"), stdout=subprocess.PIPE, stderr=errors
            ) as process:
                printed, _ = process.communicate(timeout=120)
                results.append((process.returncode, printed))
    assert results == [results[0]] * 3
    assert results[0][0] == status
    assert bool(results[0][1]) == (status == 0)


def test_a_replaced_file_keeps_its_mode_and_a_new_one_has_the_usual(call, tmp_path):
    out, new, usual = (tmp_path / name for name in ("out", "new", "usual"))
    out.touch()
    out.chmod(0o600)
    usual.touch()
    for path in (out, new):
        call("--output", path)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert new.stat().st_mode == usual.stat().st_mode
    assert new.read_bytes() == out.read_bytes() != b""


@pytest.mark.parametrize(
    "name", ["长" * 84 + ".md", "x" * 255, "𠮷" * 63], ids=["Chinese", "ASCII", "beyond the basic plane"]
)
def test_the_longest_names_can_be_written(name, call, tmp_path):
    """A name has 255 bytes at most, and so has that under which it is written."""
    assert len(name.encode()) >= 252
    call("--output", tmp_path / name)
    call("--save", tmp_path / ("d" + name[1:]))
    assert (tmp_path / name).read_bytes()
    assert len(list(tmp_path.iterdir())) == 2  # and no lock


@pytest.fixture
def call(minis, capsys):
    """Score the sample into a place."""
    from medzh_score.cli.main import main

    def score(option, place):
        assert main(["score", "sdak", str(ANSWERS), "--data", str(minis), "--bootstrap", "0", option, str(place)]) == 0
        capsys.readouterr()

    return score
