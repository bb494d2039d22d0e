"""Rounds in which several people and models judge the same side by side: nobody's values are mixed up or lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sheet_files import sheet_rows

from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.stages import Between, JudgeSpec, Panel, Source, Stage
from medzh_score.configs.pemebench.config import CONFIG
from medzh_score.data.records import Origin, Records
from medzh_score.io.sheets import as_csv_sheet
from medzh_score.prompting.ids import code_of
from medzh_score.readers.files import PredictionFiles
from medzh_score.stages.annotations import annotations_in
from medzh_score.stages.binding import FirstAnswerFiles, StageItems
from medzh_score.stages.write_tasks import stage_tasks, task_sheet
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.progress import telling

IDS = ("measles", "mumps", "rickets")
RECORDS = [{"id": name} for name in IDS]
LAYOUT = ItemIndex(IDS, np.arange(3)[:, np.newaxis], np.arange(3), {})
SCORE = Between(0, 1)


def read_score(text, _context):
    number = SCORE.read(text)
    return None if number is None else {"score": number}


MANY = Stage(
    name="score",
    summary="how good is the answer?",
    values={"score": SCORE},
    eligible=lambda layout, table: np.ones((len(layout.items), len(table.runs)), bool),
    context=lambda _members, texts: {"answer": "".join(texts)},
    columns=(0,),
    model=JudgeSpec((), read_score),
    panel=Panel(),
)
ANNA, BO, JUDGE = Source("Anna", "person"), Source("Bo", "person"), Source("judge-9", "model")


@pytest.fixture
def read(tmp_path, write_lines):
    def call(*files, later=MANY, texts_of=lambda _ids: {}):
        paths = []
        for number, content in enumerate(files):
            path = tmp_path / f"file{number}"
            if isinstance(content, str):
                path.write_text(content, encoding="utf-8")
            else:
                write_lines(path, content)
            paths.append(path)
        return annotations_in(later, paths, StageItems(RECORDS, LAYOUT, texts_of))

    return call


def line(item, text, model="judge-9", **more):
    return {"id": item, "prediction": text, "model": model, **more}


def scores(judged):
    return {source: {key: said["score"] for key, said in mine.items()} for source, mine in judged.sources.items()}


def test_people_and_models_stand_side_by_side(read):
    anna = "id,run,score,annotator\nmeasles,0,0.75,Anna\nmumps,0,.5,Anna\n"
    bo = "id,run,score,annotator\nmeasles,0,1,Bo\nmumps,1,0.25,Bo\n"
    judged = read(anna, bo, [line("measles", "0.9"), line("rickets", "0.1")])
    assert scores(judged) == {
        ANNA: {("measles", 0): "0.75", ("mumps", 0): "0.5"},
        BO: {("measles", 0): "1", ("mumps", 1): "0.25"},
        JUDGE: {("measles", 0): "0.9", ("rickets", 0): "0.1"},
    }
    assert (judged.annotators, judged.by_annotator) == (("Anna", "Bo", "judge-9"), (2, 2, 2))
    assert judged.values.keys() == {("measles", 0), ("mumps", 0), ("mumps", 1), ("rickets", 0)}
    assert judged.by_each == {("measles", 0)}
    assert judged.overridden == 0


def test_a_later_file_replaces_what_the_same_source_said_only(read):
    first = "id,run,score,annotator\nmeasles,0,0.75,Anna\nmeasles,0,1,Bo\n"
    judged = read(
        first, "id,run,score,annotator\nmeasles,0,0,Anna\n", [line("measles", "0.5")], [line("measles", "0.6")]
    )
    assert scores(judged) == {ANNA: {("measles", 0): "0"}, BO: {("measles", 0): "1"}, JUDGE: {("measles", 0): "0.6"}}
    assert judged.overridden == 2


def test_in_a_round_of_one_source_the_last_one_wins_whoever_it_is(read):
    first = "id,run,score,annotator\nmeasles,0,0.75,Anna\n"
    judged = read(first, [line("measles", "0.5")], later=replace(MANY, panel=None))
    assert scores(judged) == {JUDGE: {("measles", 0): "0.5"}}
    assert (judged.overridden, judged.values) == (1, {("measles", 0): {"score": "0.5"}})


def test_a_person_and_a_model_of_one_name_are_two_sources(read):
    judged = read("id,run,score,annotator\nmeasles,0,0.75,judge-9\n", [line("measles", "0.5")])
    assert scores(judged) == {JUDGE: {("measles", 0): "0.5"}, Source("judge-9", "person"): {("measles", 0): "0.75"}}
    assert judged.annotators == ("judge-9 (model)", "judge-9 (person)")


def test_what_one_judge_leaves_unread_is_counted_beside_what_another_said(read):
    first = [line("measles", "0.9"), line("mumps", "好")]
    second = [line("measles", "0.8 或 0.9", "judge-7"), line("mumps", "", "judge-7")]
    judged = read(first, second)
    assert judged.unreadable == (("measles", 0), ("mumps", 0))
    assert judged.unanswered == (("mumps", 0),)
    assert scores(judged) == {JUDGE: {("measles", 0): "0.9"}}
    again = read(first, second, [line("measles", "0.8", "judge-7"), line("mumps", "0.2", "judge-7")])
    assert (again.unreadable, again.unanswered) == ((("mumps", 0),), ())


def test_a_failed_request_is_made_up_for_by_any_second_try(read):
    failed = [{"custom_id": "measles", "response": None, "error": {"message": "rate limit"}}]
    assert read(failed).unanswered == (("measles", 0),)
    assert read(failed, [line("measles", "0.8")]).unanswered == ()


@pytest.mark.parametrize(
    "content",
    [
        "id,run,score,annotator\nmeasles,0,0.75,\n",
        "id,run,score\nmeasles,0,0.75\n",
        [{"id": "measles", "prediction": "1"}],
    ],
)
def test_a_source_without_a_name_is_refused(read, content):
    with pytest.raises(MedzhError, match=r"the annotator is missing.*expected a name"):
        read(content)


@pytest.mark.parametrize(
    "content",
    ["id,run,score,annotator\nmeasles,0,0.75,Anna\nmeasles,0,0.5,Anna\n", [line("measles", "1"), line("measles", "1")]],
)
def test_one_file_holds_one_value_of_a_source(read, content):
    with pytest.raises(MedzhError, match="the file contains two annotations for the same id"):
        read(content)


def test_equal_rows_of_a_sheet_are_one_and_blank_ones_are_named(read, capsys):
    once = "id,run,score,annotator\nmeasles,0,0.75,Anna\n"
    with telling():
        twice = read(f"{once}measles,0,0.75,Anna\nmumps,0,,Anna\nmumps,0,,Ben\nrickets,0,1,Ben\nmumps,0,,Cleo\n")
    assert twice.values == read(f"{once}rickets,0,1,Ben\n").values
    assert ": blank rows: 4, 5, 7" in capsys.readouterr().err


# Blind sheets

BLIND = replace(
    MANY,
    panel=Panel(blind=True),
    context=lambda _members, texts: {"answer": "".join(texts), "for the judge": "secret"},
    model=replace(MANY.model, prompt_only=("for the judge",)),
)


MODELS = ("glm", "moss", "belle")
TEXTS = {model: {name: f"{name} by {model}" for name in IDS} for model in MODELS}


@pytest.fixture
def asked(tmp_path, write_lines):
    """Ask about three models' answers to each question; give the questions and the sheet's rows."""
    rows = [{"id": name, "department": "新生儿疾病", "task": "疾病知识", "kind": "reason"} for name in IDS]
    rows = [{**row, "question": "?", "answer": "!", "entities": []} for row in rows]
    records = Records("pemebench", "test", rows, Origin("0.0.0", "mini", "0" * 64))

    def ask(later=BLIND, texts=TEXTS, **options):
        sets = [
            PredictionFiles(
                (
                    write_lines(
                        tmp_path / f"{model}.jsonl", [{"id": name, "prediction": text} for name, text in said.items()]
                    ),
                )
            )
            for model, said in texts.items()
        ]
        questions = stage_tasks(CONFIG, records, later, FirstAnswerFiles(sets[0], None, tuple(sets[1:])), **options)
        return questions, sheet_rows(as_csv_sheet(task_sheet(questions), None).decode("utf-8"))

    return ask


def one_run(texts):
    return lambda ids: {(name, 0): text for name, text in texts.items() if name in ids}


def test_a_blind_sheet_shows_neither_run_nor_model_nor_what_is_the_judges(asked):
    questions, rows = asked()
    assert list(rows[0]) == ["id", "answer_hash", "answer", "score", "annotator"]
    assert len({(row["id"], row["answer_hash"]) for row in rows}) == len({row["answer_hash"] for row in rows}) == 9
    assert questions.notes[-1] == "answers of 3 models; the output does not name the models"
    assert {task.key.run for task in questions.tasks} == {0}


def test_equal_answers_of_several_models_are_one_row(asked):
    equal = {**TEXTS, "moss": {**TEXTS["moss"], "mumps": TEXTS["glm"]["mumps"]}}
    questions, rows = asked(texts=equal)
    assert len(rows) == 8
    assert sum(row["answer"] == "mumps by glm" for row in rows) == 1
    assert questions.notes[-1] == "equal answers are queried only once: 1 skipped"


def test_a_round_that_is_not_blind_asks_about_one_model(asked):
    with pytest.raises(
        MedzhError, match="option --predictions: stage score is not blinded and accepts only one model at a time"
    ):
        asked(replace(BLIND, panel=Panel()))


@pytest.mark.parametrize("model", MODELS)
def test_each_model_takes_the_rows_of_its_answers_from_a_shared_sheet(asked, read, model):
    _, rows = asked()
    lines = ["id,answer_hash,score,annotator"]
    lines += [
        f"{row['id']},{row['answer_hash'].upper()},0.{MODELS.index(row['answer'].split()[-1])},Anna" for row in rows
    ]
    judged = read("\n".join(lines), later=BLIND, texts_of=one_run(TEXTS[model]))
    number = MODELS.index(model)
    assert scores(judged) == {ANNA: {(name, 0): f"0.{number}" if number else "0" for name in IDS}}
    assert (judged.others, judged.unverified) == (6, 0)


def test_a_value_serves_every_run_that_gave_the_same_text(asked, read):
    _, rows = asked(texts={"glm": TEXTS["glm"]})
    lines = ["id,answer_hash,score,annotator", *(f"{row['id']},{row['answer_hash']},1,Anna" for row in rows)]
    said = {("mumps", 0): "mumps by glm", ("mumps", 2): "mumps by glm", ("mumps", 3): "mumps by glm, later"}
    judged = read("\n".join(lines), later=BLIND, texts_of=lambda _ids: said)
    assert scores(judged) == {ANNA: {("mumps", 0): "1", ("mumps", 2): "1"}}
    assert judged.others == 2


def test_a_sheet_about_others_alone_is_refused_with_both_codes(asked, read):
    _, rows = asked()
    others = [row for row in rows if not row["answer"].endswith("glm")]
    lines = ["id,answer_hash,score,annotator", *(f"{row['id']},{row['answer_hash']},1,Anna" for row in others)]
    right = code_of("score", [TEXTS["glm"][others[0]["id"]]])
    with pytest.raises(
        MedzhError, match=r'file0:2: field "id": the answer hash matches no answer in the predictions file'
    ) as failure:
        read("\n".join(lines), later=BLIND, texts_of=one_run(TEXTS["glm"]))
    assert f"expected {others[0]['id']}~{right}, found '{others[0]['id']}~{others[0]['answer_hash']}'" in str(
        failure.value
    )


@pytest.mark.parametrize("code", ["zzz", "bbbbbbb", "bcdfghja", "12345678", "bbbbbbbbbbbb"])
def test_what_is_no_code_is_refused(read, code):
    with pytest.raises(MedzhError, match='file0:2: field "answer_hash": the answer hash does not belong to this row'):
        read(f"id,answer_hash,score,annotator\nmeasles,{code},1,Anna\n", later=BLIND)
    with pytest.raises(MedzhError, match='file0:1: field "id": the id has no valid answer hash'):
        read([line(f"measles~{code}0", "1")], later=BLIND)


@pytest.mark.parametrize("later", [BLIND, MANY])
def test_a_code_that_was_deleted_is_not_the_first_run(read, later):
    with pytest.raises(MedzhError, match='field "answer_hash": the answer hash is blank, and no run is specified'):
        read("id,answer_hash,score,annotator\nmeasles,,1,Anna\n", later=later)
    judged = read("id,run,score,annotator\nmeasles,2,1,Anna\n", later=later)
    assert (scores(judged), judged.unverified) == ({ANNA: {("measles", 2): "1"}}, 1)


def test_what_is_answered_for_all_models_is_not_asked_again(asked, tmp_path):
    _, rows = asked()
    sheet = tmp_path / "s.csv"
    done = [row for row in rows if row["id"] != "mumps"]
    sheet.write_text(
        "\n".join(["id,answer_hash,score,annotator", *(f"{row['id']},{row['answer_hash']},1,Anna" for row in done)]),
        encoding="utf-8",
    )
    _, left = asked(answered=[sheet])
    assert sorted(row["answer"] for row in left) == sorted(said["mumps"] for said in TEXTS.values())
    sheet.write_text("id,run,score,annotator\nmeasles,0,1,Anna\n", encoding="utf-8")
    with pytest.raises(MedzhError, match="the file does not identify the model of each answer"):
        asked(answered=[sheet])


def test_of_a_round_that_is_not_blind_a_code_is_compared(read):
    text = "Koplik 斑"
    mine = {("measles", 0): text, ("measles", 1): "皮疹"}
    sheet = f"id,run,answer_hash,score,annotator\nmeasles,0,{code_of('score', [text])},1,Anna\n"
    judged = read(sheet, texts_of=lambda _ids: mine)
    assert (scores(judged), judged.unverified) == ({ANNA: {("measles", 0): "1"}}, 0)
    with pytest.raises(MedzhError, match=('file0:2: field "id": the answer hash does not match the predictions file')):
        read(sheet.replace("measles,0", "measles,1"), texts_of=lambda _ids: mine)
    with pytest.raises(MedzhError, match='file0:2: field "id": the answer is not in the predictions file'):
        read(sheet.replace("measles,0", "measles,2"), texts_of=lambda _ids: mine)


def test_rows_of_a_blind_sheet_are_shuffled_by_the_seed(asked):
    orders = [[row["answer"] for row in asked(seed=seed)[1]] for seed in (0, 0, 1)]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(orders[2])
    assert orders[0] != [text for said in TEXTS.values() for text in said.values()]
