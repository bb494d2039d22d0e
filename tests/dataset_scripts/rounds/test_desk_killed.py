"""A recipe is killed before its steps on the disk: nothing is lost, and nothing half-written is left.

Before which of them, `Killed.chosen` says: all where MEDZH_EXAMPLES is set.
"""

from __future__ import annotations

import json

from killed import SIGKILL, harness
from sheet_files import save_sheet, sheet_rows

WAITS, DONE = 3, 0

# A recipe of two stages.
CODE = """
import sys
from pathlib import Path
from dataset_scripts.rounds.rounds import Rounds
from dataset_scripts.rounds.pending import AnswersPending
from medzh_score.benchmark.asking import Question

rounds = Path(sys.argv[1])
place = str(rounds)

def work():
    desk = Rounds(rounds)
    questions = {number: Question((f"q{number}",), f"q{number}") for number in range(3)}
    try:
        answers = desk.ask("ask", questions, prompt="p", read=lambda text, _: text)
        desk.sheet("look", {key: {"answer": text} for key, text in answers.items()}, {"right": ("yes", "no")})
    except AnswersPending:
        return 3
"""


def visible(rounds):
    files = (path for path in rounds.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(rounds).as_posix(): path.read_bytes() for path in files}


def answer(rounds, count):
    """Answer the first of what is asked."""
    lines = (rounds / "ask" / "prompts.jsonl").read_text(encoding="utf-8").splitlines()[:count]
    back = "".join(json.dumps({"id": json.loads(line)["id"], "prediction": "a"}) + "\n" for line in lines)
    (rounds / "ask" / f"answers-{count}.jsonl").write_text(back, encoding="utf-8")


def fill(rounds):
    rows = sheet_rows((rounds / "look" / "sheet.csv").read_text(encoding="utf-8"))
    save_sheet(rounds / "look" / "filled.csv", [{**row, "right": "yes"} for row in rows])


def test_killed_before_any_step_each_file_is_as_before_or_as_after_and_the_next_run_goes_on(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    came_back = (lambda _: None, lambda rounds: answer(rounds, 1), lambda rounds: answer(rounds, 2), fill)
    kills = 0
    with harness(CODE, whole) as undisturbed, harness(CODE, killed) as run:
        for number, bring in enumerate(came_back):
            bring(whole)
            bring(killed)
            before = visible(whole)
            expected = DONE if number == len(came_back) - 1 else WAITS
            assert undisturbed() == expected
            after = visible(whole)
            statuses = []
            for step in undisturbed.chosen():
                statuses.append(run(step))
                stands = visible(killed)
                assert stands.items() <= (before.items() | after.items())
                assert {name for name in before if name.split("/")[1].startswith(("answers", "filled"))} <= set(stands)
            kills += statuses.count(SIGKILL)
            assert set(statuses) <= {SIGKILL, expected}  # what a killed one left need not be done again
            assert run() == expected
            assert visible(killed) == after
    assert kills > 10
    assert not list(killed.rglob(".*"))
