"""Locks: held by one process at a time, and free when it ends."""

from __future__ import annotations

import subprocess
import sys

import pytest
from held_locks import another_process_holding

from medzh_score.io.atomic import locked
from medzh_score.ui.errors import MedzhError


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
        with pytest.raises(MedzhError, match="cannot write to the path: ") as caught, locked(place, tmp_path, "wait"):
            pytest.fail("it was held")
        assert caught.value.file == str(place)


def test_of_many_processes_one_at_a_time_has_the_lock(tmp_path):
    """Each that gets it adds one to a number that it read before; what two had at once would be lost."""
    code = """
import sys, time
from pathlib import Path
from dataset_scripts.cli.main import main
from medzh_score.io.atomic import locked
from medzh_score.cli.main import main as score
from medzh_score.ui.errors import MedzhError
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
        assert "another process is using the path" in str(error), error
"""
    number = tmp_path / "number"
    number.write_text("0", encoding="utf-8")
    command = [sys.executable, "-c", code, str(tmp_path / ".lock"), str(number)]
    running = [subprocess.Popen(command) for _ in range(3)]
    assert [one.wait(60) for one in running] == [0, 0, 0]
    assert number.read_text(encoding="utf-8") == "120"
