"""Asking is killed at any moment and resumed: the file is the one that it would have been undisturbed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from shutil import rmtree
from time import sleep

import pytest
from killed import SIGKILL, harness
from model_server import MODEL, serving

from medzh_score.suites.ask import ask, part_of
from medzh_score.suites.requests import Endpoint

PROMPTS = [
    {"id": f"a-{n:02d}", "messages": [{"role": "user", "content": f"乙肝可以接种疫苗预防（{n}）"}]} for n in range(12)
]
TEXTS = {prompt["id"]: prompt["messages"][0]["content"] for prompt in PROMPTS}
# Two of the folder, three of the lock, the part file and its length; three of each answer; and in the end the file
# under another name and its own, before them the folder once more, and the part file and the lock, which go.
STEPS = 7 + 3 * len(PROMPTS) + 5
MOMENTS = 17 if "MEDZH_EXAMPLES" in os.environ else 3  # before the last three steps, which are always tried
ASKING = """
import json, os, sys
from pathlib import Path
from medzh_score.suites.ask import ask
from medzh_score.suites.requests import Endpoint
from medzh_score.suites.ask import ClientConfig
from medzh_score.suites.connection import check_installed

check_installed()
prompts, answers = json.loads(sys.argv[1]), Path(sys.argv[2])
endpoint = Endpoint(sys.argv[3], "served")

def work():
    asked = ask(prompts, answers, endpoint, ClientConfig(concurrency=3))
    return 128 + asked.signal if asked.signal else asked.left
"""
# A line is written in two halves, and each half and the way to the disk is a step like those that Python tells of.
IN_STEPS = """
place = str(answers.parent)
write, fsync = os.write, os.fsync

def in_halves(stream, content):
    sys.audit("shutil.first half")
    done = write(stream, content[: len(content) // 2])
    sys.audit("shutil.second half")
    return done + write(stream, content[done:])

def to_the_disk(stream):
    sys.audit("shutil.to the disk")
    fsync(stream)

class Steps:
    write, fsync = staticmethod(in_halves), staticmethod(to_the_disk)
    def __getattr__(self, name):
        return getattr(os, name)

from medzh_score.suites import ask as keeping
keeping.os = Steps()
"""


def whole_lines(answers):
    """Name what has an answer by now, in the part file or in the file itself."""
    there = [path for path in (part_of(answers), answers) if path.exists()]
    lines = [line for path in there for line in path.read_bytes().split(b"\n")[:-1]]
    return {json.loads(line)["id"] for line in lines}


@pytest.fixture
def undisturbed(tmp_path):
    with serving() as server:
        ask(PROMPTS, tmp_path / "undisturbed.jsonl", Endpoint(server.base_url, "served"))
    return (tmp_path / "undisturbed.jsonl").read_bytes()


def test_killed_at_any_moment_and_resumed_the_file_is_the_same(tmp_path, undisturbed):
    answers = tmp_path / "asked" / "answer.jsonl"
    spread = [1 + place * (STEPS - 4) // (MOMENTS - 1) for place in range(MOMENTS)]
    with serving() as server, harness(ASKING + IN_STEPS, json.dumps(PROMPTS), answers, server.base_url) as run:
        for number in [*spread, STEPS - 2, STEPS - 1, STEPS]:
            assert run(number) == SIGKILL
            server.settle()
            kept, before = whole_lines(answers), server.asked.copy()
            assert run() == 0
            assert answers.read_bytes() == undisturbed
            assert server.asked - before == Counter(TEXTS[one] for one in TEXTS.keys() - kept)
            # A temporary name of a killed process may be left.
            assert [path.name for path in answers.parent.iterdir() if path.name[0] != "."] == ["answer.jsonl"]
            rmtree(answers.parent)
        assert run(STEPS + 1) == 0
        killed_again_and_again(answers, run)
        assert answers.read_bytes() == undisturbed


def killed_again_and_again(answers, run):
    """Let each come a little further than the one before; at no time an answer is lost."""
    rmtree(answers.parent)
    kept, kills = set(), 0
    while (status := run(16)) == SIGKILL:
        kills += 1
        assert kept < whole_lines(answers)
        kept = whole_lines(answers)
    assert status == 0
    assert kills > 2


@contextmanager
def asking(answers, server):
    """Ask in a process of its own."""
    words = [sys.executable, "-c", ASKING + "sys.exit(work())", json.dumps(PROMPTS), answers, server.base_url]
    with subprocess.Popen(words, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_cleanly_and_what_came_is_kept(number, tmp_path, undisturbed):
    answers, stuck = tmp_path / "answer.jsonl", True
    with serving(lambda prompt, _, one: stuck and int(prompt[-3:-1].strip("（")) > 6 and one.hang()) as server:
        with asking(answers, server) as process:
            while server.under_way < 3 or len(whole_lines(answers)) < 7:
                sleep(0.01)
            process.send_signal(number)
            assert process.wait(20) == 128 + number
            assert process.stderr.read() == b""
        assert not answers.exists()
        assert len(whole_lines(answers)) == 7
        stuck = False
        server.closing.set()
        ask(PROMPTS, answers, Endpoint(server.base_url, "served"))
        assert answers.read_bytes() == undisturbed
    assert MODEL.encode() in undisturbed
