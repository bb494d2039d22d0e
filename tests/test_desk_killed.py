"""A recipe is killed before each of its steps on the disk: nothing is lost, and nothing half-written is left."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from contextlib import contextmanager

SIGKILL, WAITS, DONE = -9, 3, 0

# Imports everything once. For each number n on its standard input it forks a child that runs a recipe of two stages and
# is killed by SIGKILL when it is about to do its n-th step on the disk; it answers with the status of the child.
HARNESS = """
import os, signal, sys
from pathlib import Path
from dataset_scripts.rounds.rounds import Rounds
from dataset_scripts.rounds.pending import AnswersPending
from medzh_score.prompts.asking import Question

rounds = Path(sys.argv[1])
STEPS = {"os.rename", "os.mkdir", "os.remove"}

def is_step(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        return bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)) and str(path).startswith(str(rounds))
    return event in STEPS

def recipe():
    desk = Rounds(rounds)
    questions = {number: Question((f"q{number}",), f"q{number}") for number in range(3)}
    answers = desk.ask("ask", questions, prompt="p", read=lambda text, _: text)
    desk.sheet("look", {key: {"answer": text} for key, text in answers.items()}, {"right": ("yes", "no")})

def child(number):
    count = 0
    def hook(event, arguments):
        nonlocal count
        if is_step(event, arguments):
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    try:
        recipe()
    except AnswersPending:
        os._exit(3)

for line in sys.stdin:
    process = os.fork()
    if process == 0:
        try:
            child(int(line))
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)
"""


@contextmanager
def harness(rounds):
    process = subprocess.Popen(
        [sys.executable, "-c", HARNESS, str(rounds)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )

    def run(number=10_000):
        process.stdin.write(f"{number}\n")
        process.stdin.flush()
        return int(process.stdout.readline())

    with process:
        yield run
        process.stdin.close()


def visible(rounds):
    files = (path for path in rounds.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(rounds).as_posix(): path.read_bytes() for path in files}


def answer(rounds, count):
    """Answer the first of what is asked."""
    lines = (rounds / "ask" / "prompts.jsonl").read_text(encoding="utf-8").splitlines()[:count]
    back = "".join(json.dumps({"id": json.loads(line)["id"], "prediction": "a"}) + "\n" for line in lines)
    (rounds / "ask" / f"answers-{count}.jsonl").write_text(back, encoding="utf-8")


def fill(rounds):
    text = (rounds / "look" / "sheet.csv").read_text(encoding="utf-8-sig")
    rows = [{**row, "right": "yes"} for row in csv.DictReader(io.StringIO(text, newline=""))]
    filled = io.StringIO(newline="")
    writer = csv.DictWriter(filled, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    (rounds / "look" / "filled.csv").write_text(filled.getvalue(), encoding="utf-8")


def test_killed_before_any_step_each_file_is_as_before_or_as_after_and_the_next_run_goes_on(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    came_back = (lambda _: None, lambda rounds: answer(rounds, 1), lambda rounds: answer(rounds, 2), fill)
    kills = 0
    with harness(whole) as undisturbed, harness(killed) as run:
        for number, bring in enumerate(came_back):
            bring(whole)
            bring(killed)
            before = visible(whole)
            expected = DONE if number == len(came_back) - 1 else WAITS
            assert undisturbed() == expected
            after = visible(whole)
            step = 1
            while (status := run(step)) == SIGKILL:
                stands = visible(killed)
                assert stands.items() <= (before.items() | after.items())
                assert {name for name in before if name.split("/")[1].startswith(("answers", "filled"))} <= set(stands)
                step += 1
            kills += step - 1
            assert status == expected
            assert run() == expected
            assert visible(killed) == after
    assert kills > 10
    assert not list(killed.rglob(".*"))
