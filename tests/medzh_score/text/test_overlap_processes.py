"""Overlap counted by several processes: the same counts in the same order, whatever becomes of a process."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields

import pytest

from medzh_score.text.overlap import counting, processes
from medzh_score.text.overlap.counting import Overlap, overlap

PREDICTIONS = [
    f"第{number}例：患儿发热{number % 7}天。\n\n咳嗽，IL-6升高" + "，多饮水" * (number % 5) for number in range(60)
]
REFERENCES = [f"第{number % 9}例患儿发热、咳嗽{number % 4}天" for number in range(60)]

# Its work tells in which process it was done. It ends every process but its own, or waits for another at the last.
SCRIPT = """
import json, os, sys
from multiprocessing import parent_process
from multiprocessing.connection import Client, Listener
from medzh_score.text.overlap.processes import in_processes

def work(number, address):
    here = parent_process() is None
    if not here and address is None:
        os._exit(1)
    if not here and number == 0:
        Client(address).close()
    if here and number == 19 and address is not None:
        listener.accept().close()
    return number, os.getpid()

if __name__ == "__main__":
    listener = Listener(("127.0.0.1", 0))
    address = None if sys.argv[1] == "deadly" else listener.address
    print(json.dumps([os.getpid(), *in_processes(work, [(number, address) for number in range(20)], processes=3)]))
"""


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("tokens", ["jieba", "characters"])
def test_processes_count_as_one_does(monkeypatch, count, tokens):
    expected = overlap(PREDICTIONS, REFERENCES, tokens)
    monkeypatch.setattr(counting, "CHUNK", 100)
    monkeypatch.setattr(counting, "WORTH_A_PROCESS", 0)
    found = overlap(PREDICTIONS, REFERENCES, tokens, processes=count)
    for field in fields(Overlap):
        assert getattr(found, field.name).tolist() == getattr(expected, field.name).tolist()


def test_few_texts_are_counted_here(monkeypatch):
    def started(*_, **__):
        raise AssertionError("a process was started")

    monkeypatch.setattr(processes, "ProcessPoolExecutor", started)
    counts = overlap(PREDICTIONS, REFERENCES, processes=2)
    assert counts.lcs.tolist() == overlap(PREDICTIONS, REFERENCES).lcs.tolist()


@pytest.mark.parametrize("work", ["harmless", "deadly"])
def test_others_share_the_work_and_what_a_dead_process_leaves_is_done_here(tmp_path, work):
    script = tmp_path / "work.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run([sys.executable, script, work], capture_output=True, check=True, timeout=60)
    own, *results = json.loads(done.stdout)
    assert [number for number, _ in results] == list(range(20))
    there = [number for number, process in results if process != own]
    assert there == ([] if work == "deadly" else list(range(len(there))))
    assert bool(there) is (work == "harmless")
