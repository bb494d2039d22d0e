"""The files that come back in a round: which count, in which order, what is proposed next, and who may write."""

from __future__ import annotations

import fcntl
import json

import pytest

from dataset_scripts.rounds.answer_files import answer_files, next_name
from dataset_scripts.rounds.pending import AnswersPending
from dataset_scripts.rounds.question_ids import question_id
from dataset_scripts.rounds.rounds import Rounds
from medzh_score.benchmark.asking import Question
from medzh_score.messages.errors import MedzhError

QUESTION = Question(("麻疹有哪些并发症？",), "麻疹有哪些并发症？")
ID = question_id("stage", *QUESTION.turns)


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "rounds" / "stage"
    made.mkdir(parents=True)
    return made


def ask(rounds):
    return rounds.ask("stage", {1: QUESTION}, prompt="p", read=lambda text, _: text)[1]


def save(path, text, identifier=ID):
    path.write_text(json.dumps({"id": identifier, "prediction": text}) + "\n", encoding="utf-8")


# Written down by hand, each in the order in which the files count.
ORDERS = [
    ["answers.jsonl", "answers-01.jsonl"],
    ["answers-2.jsonl", "answers-10.jsonl"],
    ["answers-02.jsonl", "answers-010.jsonl.gz", "answers-10.csv"],
    ["answers.jsonl", "answers-glm.jsonl", "answers1.jsonl", "answers-02.jsonl", "answers_3.jsonl"],
    ["answers-01.jsonl", "answers-01 (1).jsonl", "answers-01 (2).jsonl", "answers-02.jsonl"],
    ["answers-01.csv", "answers-01.jsonl"],
    ["answers-2025-12-31.jsonl", "answers-2026-01-02.jsonl"],
]


@pytest.mark.parametrize("names", ORDERS)
def test_files_count_in_the_order_of_their_numbers(folder, names):
    for name in reversed(names):
        (folder / name).touch()
    files, backups = answer_files(folder, "answers")
    assert [path.name for path in files] == names
    assert backups == 0


@pytest.mark.parametrize("names", ORDERS)
def test_the_name_that_is_proposed_is_free_and_counts_last(folder, names):
    for name in names:
        (folder / name).touch()
    proposed = next_name(folder, "answers")
    assert not proposed.exists()
    proposed.touch()
    assert answer_files(folder, "answers")[0][-1] == proposed


@pytest.mark.parametrize(
    ("there", "proposed"),
    [
        ([], "filled-01.csv"),
        (["filled.csv"], "filled-01.csv"),
        (["filled-01.csv", "filled-03.csv"], "filled-04.csv"),
        (["filled-02.csv~"], "filled-03.csv"),
        (["filled-99.csv"], "filled-100.csv"),
    ],
)
def test_the_next_number_is_proposed(folder, there, proposed):
    for name in there:
        (folder / name).touch()
    assert next_name(folder, "filled").name == proposed


def test_the_answer_under_the_proposed_name_wins(rounds, folder):
    save(folder / "answers.jsonl", "old")
    save(next_name(folder, "answers"), "new")
    assert ask(rounds) == "new"
    assert rounds.summaries["stage"].replaced == 1


@pytest.mark.parametrize(
    "name", ["answers-01.jsonl~", "answers-01.jsonl.bak", "answers-01.jsonl.~1~", "answers-01.jsonl.swp", "answers.BAK"]
)
def test_backups_are_passed_over_and_counted(rounds, folder, name):
    save(folder / "answers-01.jsonl", "right")
    save(folder / name, "of an editor")
    assert ask(rounds) == "right"
    assert rounds.notes[0].endswith("; 1 files passed over as backups")


def test_answers_to_what_was_asked_before_are_passed_over_and_said(tmp_path, folder):
    said = []
    rounds = Rounds(tmp_path / "rounds", say=said.append)
    save(folder / "answers-01.jsonl", "to another text", question_id("stage", "风疹有哪些并发症？"))
    with pytest.raises(AnswersPending) as caught:
        ask(rounds)
    assert caught.value.stages[0].back == folder / "answers-02.jsonl"
    assert said[0].endswith("; 1 answers to what is no longer asked were passed over")
    save(folder / "answers-02.jsonl", "right")
    assert ask(rounds) == "right"
    assert [source["name"] for source in rounds.sources] == ["rounds/stage/answers-02.jsonl"]


def test_with_nothing_but_such_answers_missing_ones_are_not_accepted(tmp_path, folder):
    save(folder / "answers-01.jsonl", "to another text", question_id("stage", "风疹有哪些并发症？"))
    with pytest.raises(AnswersPending):
        ask(Rounds(tmp_path / "rounds", accept_missing=True))


def test_answers_of_another_stage_are_refused(rounds, folder):
    save(folder / "answers-01.jsonl", "x", question_id("other-stage", *QUESTION.turns))
    with pytest.raises(MedzhError, match=r"answers nothing that is asked here; .*; it belongs elsewhere"):
        ask(rounds)


def test_two_builds_never_write_at_once(rounds, folder):
    """The lock is held through a file of its own, as another process would."""
    save(folder / "answers-01.jsonl", "right")
    lock = folder.parent / ".lock"
    with lock.open("a", encoding="utf-8") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        with pytest.raises(MedzhError, match=r"another process is at work here; wait until it ends, or .* --rounds"):
            ask(rounds)
    assert ask(rounds) == "right"
    assert not lock.exists()


def test_while_it_says_what_is_to_be_written_no_other_build_can(tmp_path, folder):
    other = Rounds(tmp_path / "rounds")

    def say(_line):
        with pytest.raises(MedzhError, match="another process is at work here"):
            ask(other)

    with pytest.raises(AnswersPending):
        ask(Rounds(tmp_path / "rounds", say=say))
    assert [path.name for path in folder.iterdir()] == ["prompts.jsonl"]


def test_nothing_to_ask_makes_no_folder(tmp_path):
    assert Rounds(tmp_path / "rounds").ask("stage", {}, prompt="p", read=lambda text, _: text) == {}
    assert list(tmp_path.iterdir()) == []


def test_a_folder_under_the_name_of_a_file_is_named(folder):
    (folder / "answers-01.jsonl").mkdir()
    with pytest.raises(MedzhError, match=r"answers-01\.jsonl: is a folder, not a file"):
        answer_files(folder, "answers")
