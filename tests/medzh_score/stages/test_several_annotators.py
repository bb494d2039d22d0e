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
from medzh_score.readers.files import PredictionFiles
from medzh_score.stages.annotations import annotations_in
from medzh_score.stages.binding import FirstAnswerFiles, StageItems
from medzh_score.stages.write_tasks import stage_tasks, task_sheet
from medzh_score.ui.errors import MedzhError

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


@pytest.mark.parametrize("code", ["zzz", "bbbbbbb", "bcdfghja", "12345678", "bbbbbbbbbbbb"])
def test_what_is_no_code_is_refused(read, code):
    with pytest.raises(MedzhError, match='file0:2: field "answer_hash": the answer hash does not belong to this row'):
        read(f"id,answer_hash,score,annotator\nmeasles,{code},1,Anna\n", later=BLIND)
    with pytest.raises(MedzhError, match='file0:1: field "id": the id has no valid answer hash'):
        read([line(f"measles~{code}0", "1")], later=BLIND)


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
