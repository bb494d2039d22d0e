"""The rounds in which recipes ask models: what goes out, what comes back, and what becomes of the rest."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from dataset_scripts.rounds.pending import AnswersPending, PendingStage, both
from dataset_scripts.rounds.question_ids import question_id
from dataset_scripts.rounds.rounds import Rounds
from medzh_score.benchmark.asking import Question
from medzh_score.files.package_files import package_file
from medzh_score.messages.errors import MedzhError

TEXTS = {"a": "麻疹有哪些并发症？", "b": "风疹如何预防？", "c": "水痘的病原体是什么？"}
QUESTIONS = {key: Question((text,), text) for key, text in TEXTS.items()}
IDS = {key: question_id("stage", text) for key, text in TEXTS.items()}


def read(text, _key):
    """Read what begins with an equals sign."""
    return text[1:] if text.startswith("=") else None


def ask(rounds, questions=QUESTIONS):
    return rounds.ask("stage", questions, prompt="ours-1", read=read)


def line(key, text, **more):
    return {"id": IDS.get(key, key), "prediction": text, **more}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "rounds" / "stage"


@pytest.fixture
def bring(folder):
    """Give a function that saves lines of answers under a name."""

    def bring(name, *lines):
        folder.mkdir(parents=True, exist_ok=True)
        content = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines).encode("utf-8")
        (folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)

    return bring


def written(path):
    return [json.loads(one) for one in path.read_text(encoding="utf-8").splitlines()]


def due(rounds, questions=QUESTIONS):
    """Ask, and give what is waited for and which keys went out."""
    with pytest.raises(AnswersPending) as caught:
        ask(rounds, questions)
    keys = {identifier: key for key, identifier in IDS.items()}
    lines = [one for path in caught.value.stages[0].files for one in written(path)]
    return caught.value.stages[0], [keys[one["id"]] for one in lines]


def test_the_first_call_writes_all_prompts_and_waits(rounds, folder):
    waiting, keys = due(rounds)
    assert keys == ["a", "b", "c"]
    assert waiting == PendingStage("stage", (folder / "prompts.jsonl",), folder / "answers-01.jsonl")
    assert str(waiting) == f"stage: send {folder / 'prompts.jsonl'} to a model, and save its answers as {waiting.back}"
    schema = json.loads(package_file("medzh_score", "schemas/prompt.schema.json").read_text(encoding="utf-8"))
    for one, text in zip(written(folder / "prompts.jsonl"), TEXTS.values(), strict=True):
        Draft202012Validator(schema).validate(one)
        assert one["messages"] == [{"role": "user", "content": text}]
        assert one["prompt"] == "ours-1"


def test_an_id_follows_from_stage_and_content_alone(rounds, folder):
    due(rounds)
    expected = [hashlib.sha256(text.encode("utf-8")).hexdigest()[:16] for text in TEXTS.values()]
    assert [one["id"] for one in written(folder / "prompts.jsonl")] == [f"stage-{digest}" for digest in expected]
    assert max(map(len, IDS.values())) <= 40


def test_calls_and_characters_are_counted_before_anything_is_written(tmp_path, folder):
    said = []

    def say(line):
        assert not folder.exists()
        said.append(line)

    due(Rounds(tmp_path / "rounds", say=say))
    characters = sum(map(len, TEXTS.values()))
    assert said == [f"stage: 3 of 3 prompts to be answered: {characters} characters"]


def test_answers_come_back_in_the_order_of_the_questions(rounds, bring):
    bring("answers-01.jsonl", line("c", "=3", model="m2"), line("a", "=1", model="m1"), line("b", "=2", model="m1"))
    assert list(ask(rounds).items()) == [("a", "1"), ("b", "2"), ("c", "3")]
    (account,) = rounds.summaries.values()
    assert (account.asked, account.answered, account.by) == (3, 3, ("m1", "m2"))
    assert rounds.notes == ("stage stage: 3 prompts (ours-1), 3 answered by m1, m2",)


def test_a_second_call_writes_only_what_is_missing(rounds, bring, folder):
    bring("answers-01.jsonl", line("b", "=2"))
    waiting, keys = due(rounds)
    assert keys == ["a", "c"]
    assert waiting.back == folder / "answers-02.jsonl"
    assert not waiting.back.exists()


def test_when_all_is_answered_nothing_stands_there_to_be_sent_again(rounds, bring, folder):
    due(rounds)
    bring("answers-01.jsonl", *(line(key, "=x") for key in TEXTS))
    ask(rounds)
    assert [path.name for path in folder.iterdir()] == ["answers-01.jsonl"]


@pytest.mark.parametrize(
    "answer",
    [
        {"prediction": "no equals sign"},
        {"prediction": ""},
        {"prediction": "=half", "finish_reason": "length"},
        {"prediction": "=x", "finish_reason": "content_filter"},
    ],
)
def test_what_cannot_be_read_is_asked_again_and_counted(tmp_path, bring, answer):
    said = []
    rounds = Rounds(tmp_path / "rounds", say=said.append)
    bring("answers-01.jsonl", line("a", "=1"), line("b", "=2"), {"id": IDS["c"], **answer})
    assert due(rounds)[1] == ["c"]
    assert rounds.summaries["stage"].unreadable == 1
    assert said[0].endswith("; 1 of them again: what came back was unreadable")
    bring("answers-02.jsonl", line("c", "=3"))
    assert ask(rounds)["c"] == "3"
    assert rounds.summaries["stage"].unreadable == 0


def test_a_failed_request_is_missing_and_not_unreadable(rounds, bring):
    bring("answers-01.jsonl", line("a", "=1"), line("b", "=2"), line("c", "", error="status 500"))
    assert due(rounds)[1] == ["c"]
    assert rounds.summaries["stage"].unreadable == 0


def test_a_later_file_wins_and_is_counted(rounds, bring):
    bring("answers-02.jsonl", line("a", "=new", model="later"))
    bring("answers-01.jsonl", *(line(key, "=old", model="sooner") for key in TEXTS))
    assert ask(rounds) == {"a": "new", "b": "old", "c": "old"}
    (account,) = rounds.summaries.values()
    assert (account.replaced, account.by) == (1, ("later", "sooner"))
    assert "1 answers replaced by a later file" in account.note


@pytest.mark.parametrize("later", [{"prediction": "nothing"}, {"prediction": "", "error": "status 500"}])
def test_what_is_no_value_never_takes_the_place_of_one(rounds, bring, later):
    bring("answers-01.jsonl", *(line(key, "=old") for key in TEXTS))
    bring("answers-02.jsonl", {"id": IDS["a"], **later})
    assert ask(rounds)["a"] == "old"
    (account,) = rounds.summaries.values()
    assert (account.replaced, account.unreadable) == (0, 0)


def test_in_one_file_a_second_try_may_follow_one_that_was_unreadable(rounds, bring):
    bring("answers-01.jsonl", line("a", "?"), line("a", "=1"), line("b", "=2"), line("c", "=3"))
    assert ask(rounds)["a"] == "1"


def test_an_answer_to_what_is_no_longer_asked_is_passed_over_and_counted(rounds, bring):
    bring("answers-01.jsonl", line("stage-0123456789abcdef", "=0"), *(line(key, "=x") for key in TEXTS))
    assert set(ask(rounds)) == set(TEXTS)
    assert rounds.summaries["stage"].stale == 1
    assert "1 answers to what is no longer asked passed over" in rounds.notes[0]


def test_a_changed_question_is_another_question(rounds, bring):
    bring("answers-01.jsonl", *(line(key, "=x") for key in TEXTS))
    changed = {**QUESTIONS, "a": Question(("麻疹有哪些常见并发症？",), "麻疹有哪些常见并发症？")}
    with pytest.raises(AnswersPending) as caught:
        ask(rounds, changed)
    (sent,) = written(caught.value.stages[0].files[0])
    assert sent["messages"][0]["content"] == "麻疹有哪些常见并发症？"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([line("x", "=0"), line("y", "=0")], "answers-01.jsonl: field id: answers nothing that is asked here"),
        ([line("a", "=1"), line("a", "=2")], "answers-01.jsonl:2: field id: is answered twice in one file"),
        ([line("a", "=1", run=1)], "answers-01.jsonl:1: field run: each prompt is asked once"),
        ([line("a", "=1", variant=2)], "answers-01.jsonl:1: field variant: each prompt is asked once"),
        ([line("a", "=1"), {"id": 7, "prediction": ""}], "answers-01.jsonl:2: field id"),
        ([], "answers-01.jsonl: is empty"),
        ([{"question": "?"}], "answers-01.jsonl:1: is of no known form"),
    ],
)
def test_a_faulty_file_is_named(rounds, bring, lines, words):
    bring("answers-01.jsonl", *lines)
    with pytest.raises(MedzhError) as caught:
        ask(rounds)
    assert words in str(caught.value)


def test_equal_questions_are_sent_once_and_answer_every_key(rounds, bring, folder):
    twice = {**QUESTIONS, "again": QUESTIONS["a"]}
    with pytest.raises(AnswersPending):
        ask(rounds, twice)
    assert len(written(folder / "prompts.jsonl")) == 3
    bring("answers-01.jsonl", *(line(key, f"={key}") for key in TEXTS))
    assert ask(rounds, twice)["again"] == "a"


def test_the_reader_is_told_which_question_was_answered(rounds, bring):
    bring("answers-01.jsonl", *(line(key, key) for key in TEXTS))
    seen = rounds.ask("stage", QUESTIONS, prompt="p", read=lambda text, key: (text, key))
    assert seen == {key: (key, key) for key in TEXTS}


def test_batch_output_sheets_and_gzip_are_read(rounds, bring, folder):
    body = {"model": "batch-model", "choices": [{"message": {"content": "=1"}}]}
    bring("answers-01.jsonl", {"custom_id": IDS["a"], "response": {"status_code": 200, "body": body}})
    bring("answers-02.jsonl.gz", line("b", "=2", model="zipped"))
    text = io.StringIO()
    # A leading apostrophe keeps a spreadsheet from running the cell; a person who types the answer writes none.
    csv.writer(text).writerows([("id", "prediction", "rater"), (IDS["c"], "=3", "a person")])
    (folder / "answers-03.csv").write_text(text.getvalue(), encoding="utf-8-sig")
    assert ask(rounds) == {"a": "1", "b": "2", "c": "3"}
    assert rounds.summaries["stage"].by == ("a person", "batch-model", "zipped")


def test_prompts_are_written_as_text_or_as_a_batch(tmp_path, folder):
    due(Rounds(tmp_path / "rounds", form="text"))
    assert [one["text"] for one in written(folder / "prompts.jsonl")] == list(TEXTS.values())
    with pytest.raises(AnswersPending):
        ask(Rounds(tmp_path / "rounds", form="openai-batch", model="glm-4"))
    requests = written(folder / "prompts.jsonl")
    assert [one["custom_id"] for one in requests] == list(IDS.values())
    assert {one["body"]["model"] for one in requests} == {"glm-4"}


def test_a_batch_is_split_and_parts_that_are_needed_no_more_go(tmp_path, bring, folder, monkeypatch):
    monkeypatch.setattr("medzh_score.prompts.writing.BATCH_LINES", 1)
    rounds = Rounds(tmp_path / "rounds", form="openai-batch", model="m")
    with pytest.raises(AnswersPending) as caught:
        ask(rounds)
    assert [path.name for path in caught.value.stages[0].files] == [f"prompts-{n}-of-3.jsonl" for n in (1, 2, 3)]
    bring("answers-01.jsonl", line("a", "=1"))
    with pytest.raises(AnswersPending):
        ask(rounds)
    names = sorted(path.name for path in folder.glob("prompts*"))
    assert names == ["prompts-1-of-2.jsonl", "prompts-2-of-2.jsonl"]


def test_without_any_answer_missing_ones_are_not_accepted(tmp_path):
    assert due(Rounds(tmp_path / "rounds", accept_missing=True))[1] == ["a", "b", "c"]


def test_missing_and_unreadable_answers_are_accepted_on_demand_and_counted(tmp_path, bring):
    rounds = Rounds(tmp_path / "rounds", accept_missing=True)
    bring("answers-01.jsonl", line("b", "?"), line("c", "=3"))
    assert ask(rounds) == {"c": "3"}
    (note,) = rounds.notes
    assert note.startswith("stage stage: 3 prompts (ours-1), 1 answered by unnamed; ")
    assert "1 left out because no answer came back" in note
    assert "1 left out because what came back was unreadable" in note
    assert due(Rounds(tmp_path / "rounds"))[1] == ["a", "b"]


def test_a_stage_without_questions_asks_nobody_and_reads_nothing(rounds, bring):
    bring("answers-01.jsonl", line("x", "=0"))
    assert ask(rounds, {}) == {}
    assert rounds.notes == ()


def test_the_files_that_came_back_are_in_the_provenance(rounds, bring, folder):
    bring("answers-01.jsonl", *(line(key, "=x", model="glm-4") for key in TEXTS))
    ask(rounds)
    (source,) = rounds.sources
    assert source["sha256"] == hashlib.sha256((folder / "answers-01.jsonl").read_bytes()).hexdigest()
    assert source["name"] == "rounds/stage/answers-01.jsonl"
    assert source["citation"] == "what glm-4 answered in the stage stage"
    assert not source["redistributable"]


def test_two_steps_that_need_not_wait_for_each_other_are_due_together(rounds):
    with pytest.raises(AnswersPending) as caught:
        both(lambda: ask(rounds), lambda: rounds.ask("other", QUESTIONS, prompt="p", read=read))
    assert [one.stage for one in caught.value.stages] == ["stage", "other"]


def test_the_first_of_two_steps_may_wait_alone(rounds):
    with pytest.raises(AnswersPending) as caught:
        both(lambda: ask(rounds), lambda: None)
    assert [one.stage for one in caught.value.stages] == ["stage"]


def test_prompts_that_cannot_be_written_leave_the_ones_before(rounds, folder, monkeypatch):
    due(rounds)
    before = (folder / "prompts.jsonl").read_bytes()

    def full(_line):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("dataset_scripts.rounds.question_files.encoded", full)
    with pytest.raises(OSError, match="No space left"):
        ask(rounds)
    assert (folder / "prompts.jsonl").read_bytes() == before
    assert [path.name for path in folder.iterdir()] == ["prompts.jsonl"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(sorted(TEXTS)), cuts=st.lists(st.integers(0, 3), max_size=2))
def test_how_answers_are_spread_over_files_does_not_matter(tmp_path_factory, order, cuts):
    rounds = tmp_path_factory.mktemp("rounds")
    (rounds / "stage").mkdir()
    edges = [0, *sorted(cuts), len(order)]
    for number, (start, end) in enumerate(pairwise(edges)):
        part = "".join(json.dumps(line(key, f"={key}")) + "\n" for key in order[start:end])
        if part:
            (rounds / "stage" / f"answers-{number}.jsonl").write_text(part, encoding="utf-8")
    assert list(ask(Rounds(rounds)).items()) == [(key, key) for key in TEXTS]
