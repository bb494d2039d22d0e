"""CMHE-DD rebuilt by the command from questions and dialogues, from the first prompt to the build that stands."""

from __future__ import annotations

import json

import pytest
from recipe_work import Work, own_file, problems_of
from tables import case_tables, holds

from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.banks.questions import Question
from dataset_scripts.recipes.cmhe_dd.asking import read_description, read_exam, read_extraction
from dataset_scripts.recipes.cmhe_dd.cases import Case, exam_case, gather
from dataset_scripts.recipes.cmhe_dd.coding import sure_code
from medzh_score.files.sheets import sheet_bytes
from medzh_score.messages.errors import MedzhError
from medzh_score.terminology.disease_names import our_dictionary

APOLLO = "FreedomIntelligence/Apollo/505c48e82207b36cf3921df61fcd58895fb6ca4e/metadata/test/zh.json"
DIALMED = "f-window/DialMed/4cd19719ad8a25e0d2cb411cdede3aea9d9e095f/data/dataset/dev.txt"
OPTIONS = "(A) 急性阑尾炎.\n(B) 右侧输尿管结石并感染.\n(C) 急性胰腺炎.\n(D) 阑尾切除术."


CASES = case_tables("cmhe_dd_cases")
QUESTIONS = [
    {"question": stem, "options": OPTIONS, "answer": letter, "source": source}
    for stem, letter, source in CASES["questions"]
]
DESCRIPTIONS, TOLD = dict(CASES["described"]), dict(CASES["told"])
EMPTY = {"年龄": "", "性别": "", "症状": "", "检查": "", "病史": "", "主诉": "", "诊断": []}
EXTRACTED = {word: EMPTY | found for word, found in CASES["extracted"]}


def answer(work, stage):
    """Answer a stage as a model would, and give what was asked."""

    def say(prompt):
        known = {"exam-descriptions": DESCRIPTIONS, "chat-extraction": EXTRACTED, "chat-descriptions": TOLD}[stage]
        (said,) = (value for key, value in known.items() if key in prompt)
        return said if isinstance(said, str) else f"```json\n{json.dumps(said, ensure_ascii=False)}\n```"

    return work.answer(stage, say)


@pytest.fixture
def work(tmp_path):
    work = Work("cmhe_dd", tmp_path)
    own_file(tmp_path / "zh.json", json.dumps(QUESTIONS, ensure_ascii=False))
    own_file(tmp_path / "dev.txt", CASES["dialogues"])
    own_file(tmp_path / "k.jsonl", CASES["sessions"])
    work.sources = {"apollo-zh-test": "zh.json", "dialmed-dev": "dev.txt", "kamed": "k.jsonl"}
    return work


def test_from_the_first_prompt_to_the_build(work, capsys):
    assert work.build() == 3
    asked = answer(work, "exam-descriptions")
    assert len(asked) == 2
    assert not any("(A)" in prompt or "急性阑尾炎" in prompt for prompt in asked.values())
    assert len(answer(work, "chat-extraction")) == 3
    (row,) = work.fill("exam-codes", [{"codes": "N20.1；N39.0"}])
    assert row["name"] == "右侧输尿管结石并感染"
    assert "输尿管结石 N20.1" in row["found"]
    assert work.build() == 3
    asked = answer(work, "chat-descriptions")
    assert len(asked) == 3
    assert not any("鼻炎" in prompt or "膀胱炎" in prompt for prompt in asked.values())
    (row,) = work.fill("chat-codes", [{"codes": "k29.3"}])
    assert row["name"] == "慢性浅表性胃炎"
    assert work.build() == 3
    doubts = [row["doubt"] for row in work.sheet("chat-check")]
    rows = work.fill("chat-check", [{"complete": "yes", "diagnosis": "no" if doubt else "yes"} for doubt in doubts])
    assert [row["doubt"] for row in rows if "胃痛" in row["dialogue"]] == ["the model read 消化不良"]
    assert work.build() == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "does not ask for a disease 2" in shown
    assert "a person: diagnosis no 1" in shown
    assert problems_of(work.out) == []
    records = work.records()
    assert work.manifest()["recipe"] == "rebuilt"
    assert {(row["part"], row["answer"]) for row in records} == {
        ("exam", "急性阑尾炎（K35.8）"),
        ("exam", "右侧输尿管结石并感染（N20.1）；右侧输尿管结石并感染（N39.0）"),
        ("chat", "过敏性鼻炎（J30.4）"),
        ("chat", "急性膀胱炎（N30.0）"),
    }
    assert {row["description"] for row in records} == {*DESCRIPTIONS.values(), TOLD["鼻痒"], TOLD["尿频"]}
    assert {row["upstream_key"] for row in records} >= {"s1", "dialmed-dev/1"}


def test_cells_of_a_sheet_that_are_no_code_or_hide_one_are_refused_and_what_is_no_disease_is_left_out(work, capsys):
    work.keep("apollo-zh-test")
    assert work.build() == 3
    answer(work, "exam-descriptions")
    (row,) = work.sheet("exam-codes")
    filled = work.stage("exam-codes") / "filled-01.csv"
    for cell in ("E99", "M8140/3", "J00-J06", "I10/E11", "I10+E11", "鼻炎", "U99", "J18.9 鼻炎"):
        filled.write_bytes(sheet_bytes(list(row), [{**row, "codes": cell}]))
        assert work.build() == 2, cell
        said = capsys.readouterr().err
        assert "no code of 右侧输尿管结石并感染" in said
        assert cell in said
    filled.write_bytes(sheet_bytes(list(row), [{**row, "codes": "无"}]))
    assert work.build() == 0
    assert [row["answer"] for row in work.records()] == ["急性阑尾炎（K35.8）"]


OF_A_PATIENT = Case("exam", "男，22岁。右下腹痛18小时。诊断是", ("急性阑尾炎",), "s", "k")


def test_which_questions_ask_for_the_disease_of_a_patient():
    def fits(stem):
        found = exam_case(Question("apollo-zh-test", stem, "B", ("胃溃疡", "食管癌"), ""), "k")
        return isinstance(found, Case) and (found.names, found.part) == (("食管癌",), "exam")

    holds(CASES["stems"], fits)


def test_only_a_whole_name_of_a_disease_is_sure():
    holds(CASES["sure_names"], lambda name: sure_code(name, our_dictionary()))


def test_which_descriptions_of_stems_can_be_used():
    holds(CASES["descriptions"], lambda text: read_exam(text, OF_A_PATIENT))


def test_a_description_may_name_what_the_information_names():
    assert read_description("我有急性阑尾炎病史，现在又肚子痛。", "病史：急性阑尾炎", ["急性阑尾炎"]) is not None
    assert read_description("我有急性阑尾炎，现在又肚子痛。", "主诉：肚子痛", ["急性阑尾炎"]) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "没有",
        json.dumps({**EMPTY, "诊断": ["胃炎"]}),
        json.dumps({**EMPTY, "症状": 3}),
        "<think>{}",
        f'{{"体温": {"[" * 5000}{"]" * 5000}}}',  # deeper than can be decoded
    ],
)
def test_extractions_that_cannot_be_read(text):
    assert read_extraction(text, None) is None


def gathered(tmp_path, name, row):
    return gather({name: SourceFile(name, own_file(tmp_path / "f.jsonl", [row]), "0" * 64, pinned=False)})


@pytest.mark.parametrize(
    ("name", "row", "field"),
    [
        ("dialmed-dev", {"disease": ["胃炎"]}, "dialog"),
        ("dialmed-dev", {"disease": "胃炎", "dialog": ["患者：痛"]}, "disease"),
        ("kamed", {"dialogue": "患者：痛"}, "dialogue"),
        ("kamed", {"dialogue": [[["痛"], None]], "diagnosis": "胃炎"}, "diagnosis"),
        ("kamed", {"dialogue": [[[1, 2], "diagnosis"]]}, "dialogue"),
        ("kamed", {"dialogue": [[], ["痛"]]}, "dialogue"),
    ],
)
def test_other_files_are_refused(name, row, field, tmp_path):
    with pytest.raises(MedzhError, match=field):
        gathered(tmp_path, name, row)


def test_a_dialogue_in_which_nothing_is_said_is_none_and_a_disease_named_twice_is_one(tmp_path):
    for name, row in (
        ("dialmed-dev", {"disease": ["胃炎"], "dialog": []}),
        ("dialmed-dev", {"disease": ["胃炎"], "dialog": [" "]}),
        ("kamed", {"dialogue": [[[], "diagnosis"], ["", None]]}),
    ):
        found = gathered(tmp_path, name, row)
        assert (found.cases, found.counts[name]) == ((), {"nothing said": 1})
    twice = {"disease": ["胃炎", "胃炎 ", "便秘"], "dialog": ["患者：痛"]}
    (case,) = gathered(tmp_path, "dialmed-dev", twice).cases
    assert case.names == ("胃炎", "便秘")


def test_the_real_questions_and_dialogues(upstream_file):
    """Counted apart from the code, by the label alone: 147 dialogues of DialMed have no disease."""
    files = {"apollo-zh-test": upstream_file(APOLLO), "dialmed-dev": upstream_file(DIALMED)}
    found = gather({name: SourceFile(name, path, "0" * 64, pinned=True) for name, path in files.items()})
    labels = [json.loads(line)["disease"] for line in files["dialmed-dev"].read_text("utf-8").splitlines()]
    rows = [row for row in json.loads(files["apollo-zh-test"].read_text("utf-8")) if row["source"] == "medqa-mcmle"]
    assert sum(found.counts["apollo-zh-test"].values()) == len(rows) == 3426
    assert found.counts["dialmed-dev"]["no diagnosis"] == labels.count(["其他疾病或无确诊"]) == 147
    assert sum(found.counts["dialmed-dev"].values()) == len(labels) == 1192
    exam = [case for case in found.cases if case.part == "exam"]
    assert found.counts["apollo-zh-test"]["taken"] == len(exam) > 300
    by_stem = {row["question"].strip(): row for row in rows}
    for case in exam:
        row = by_stem[case.text]
        (line,) = [one for one in row["options"].split("\n") if one.startswith(row["answer"])]
        assert line == f"{row['answer']} {case.names[0]}."
