"""CMHE-DD rebuilt by the command from questions and dialogues, from the first prompt to the build that stands."""

from __future__ import annotations

import csv
import io
import json

import pytest

from dataset_scripts.building.checking import check
from dataset_scripts.command_line import main
from dataset_scripts.recipe import SourceFile
from dataset_scripts.recipes.banks.questions import Question
from dataset_scripts.recipes.cmhe_dd.asking import read_description, read_exam, read_extraction
from dataset_scripts.recipes.cmhe_dd.cases import Case, exam_case, gather
from dataset_scripts.recipes.cmhe_dd.coding import sure_code
from medzh_score.data.records import load_records
from medzh_score.messages.errors import MedzhError
from medzh_score.terminology.disease_names import our_dictionary

APOLLO = "FreedomIntelligence/Apollo/505c48e82207b36cf3921df61fcd58895fb6ca4e/metadata/test/zh.json"
DIALMED = "f-window/DialMed/4cd19719ad8a25e0d2cb411cdede3aea9d9e095f/data/dataset/dev.txt"
OPTIONS = "(A) 急性阑尾炎.\n(B) 右侧输尿管结石并感染.\n(C) 急性胰腺炎.\n(D) 阑尾切除术."


def question(stem, answer, options=OPTIONS):
    return {"question": stem, "options": options, "answer": f"({answer})", "source": "medqa-mcmle"}


APPENDIX = "男，22岁。转移性右下腹痛18小时，体温38.2℃，麦氏点压痛、反跳痛。最可能的诊断是"
STONE = "女，40岁。右侧腰腹部绞痛5小时，伴寒战，体温39℃，尿红细胞满视野。其诊断应首先考虑"
QUESTIONS = [
    question(APPENDIX, "A"),
    question(STONE, "B"),
    question(APPENDIX, "A"),
    question("女，30岁。上腹剧痛6小时，血淀粉酶升高。为明确诊断，首选的检查是", "C"),
    question("急性阑尾炎最常见的并发症是", "B"),
    question("男，35岁。上腹剧痛6小时，血淀粉酶1 500U/L。下列诊断中最不可能的是", "A"),
    {**question("男，22岁。右下腹痛18小时。最可能的诊断是", "A"), "source": "cmb"},
]
RHINITIS = ["患者：鼻子痒，打喷嚏三年了，家里养了猫。", "医生：发烧吗？", "患者：不发烧。", "医生：考虑过敏性鼻炎。"]
GASTRITIS = ["患者：胃痛两天。", "医生：可能是胃炎。"]
DIALOGUES = [
    {"label": [], "disease": ["过敏性鼻炎"], "dialog": RHINITIS},
    {"label": [], "disease": ["慢性浅表性胃炎"], "dialog": GASTRITIS},
    {"label": [], "disease": ["其他疾病或无确诊"], "dialog": ["患者：肚子不舒服。", "医生：先观察。"]},
]
SESSIONS = [
    {
        "id": "s1",
        "dialogue": [[["尿频", "、", "尿痛", "2", "天", "。"], None], [["是", "急性膀胱炎", "。"], "diagnosis"]],
    },
    {"id": "s2", "dialogue": [[["你好"], "chitchat"], [["多", "喝水"], "chitchat"]]},
]
DESCRIPTIONS = {
    APPENDIX: "22岁男性，转移性右下腹痛18小时，体温38.2℃，麦氏点有压痛和反跳痛。",
    STONE: "40岁女性，右侧腰腹部绞痛5小时，伴寒战，体温39℃，尿红细胞满视野。",
}
EMPTY = {"年龄": "", "性别": "", "症状": "", "检查": "", "病史": "", "主诉": "", "诊断": []}
EXTRACTED = {
    "鼻子痒": {**EMPTY, "症状": "鼻痒、喷嚏", "病史": "三年，家里养猫", "诊断": ["过敏性鼻炎"]},
    "胃痛": {**EMPTY, "主诉": "胃痛两天", "诊断": ["消化不良"]},
    "尿频": {**EMPTY, "症状": "尿频、尿痛2天", "诊断": ["急性膀胱炎"]},
}
TOLD = {
    "鼻痒": "我鼻子痒、打喷嚏三年了，家里还养着猫。",
    "胃痛": "我这两天一直胃痛，不知道怎么回事。",
    "尿频": "我尿频、尿痛2天了，想问问怎么回事。",
}


def answer(stage, prompt):
    """Answer a prompt as a model would."""
    known = {"exam-descriptions": DESCRIPTIONS, "chat-extraction": EXTRACTED, "chat-descriptions": TOLD}[stage]
    (said,) = (value for key, value in known.items() if key in prompt)
    return said if isinstance(said, str) else f"```json\n{json.dumps(said, ensure_ascii=False)}\n```"


class Work:
    """A working folder with sources, in which the command is run and its stages are answered."""

    def __init__(self, place):
        self.rounds, self.out = place / "rounds", place / "build" / "medzh"
        self.sources = {
            "apollo-zh-test": place / "zh.json",
            "dialmed-dev": place / "dev.txt",
            "kamed": place / "k.jsonl",
        }
        self.sources["apollo-zh-test"].write_text(json.dumps(QUESTIONS, ensure_ascii=False), encoding="utf-8")
        for name, rows in (("dialmed-dev", DIALOGUES), ("kamed", SESSIONS)):
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            self.sources[name].write_text(text, encoding="utf-8")

    def build(self, *more):
        given = [word for name, path in self.sources.items() for word in ("--source", f"{name}={path}")]
        where = ["--rounds", str(self.rounds), "--out", str(self.out)]
        return main(["build", "cmhe_dd", "--recipe", "rebuilt", *given, *where, *more])

    def stage(self, name):
        return self.rounds / "cmhe_dd" / name

    def answer(self, stage):
        text = (self.stage(stage) / "prompts.jsonl").read_text(encoding="utf-8")
        asked = {line["id"]: line["messages"][0]["content"] for line in map(json.loads, text.splitlines())}
        lines = [{"id": key, "prediction": answer(stage, prompt), "model": "m"} for key, prompt in asked.items()]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (self.stage(stage) / "answers-01.jsonl").write_text(text, encoding="utf-8")
        return asked

    def rows(self, stage):
        text = (self.stage(stage) / "sheet.csv").read_text(encoding="utf-8-sig")
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def fill(self, stage, said):
        """Fill a sheet in: from a row to its values."""
        rows = [{**row, **said(row)} for row in self.rows(stage)]
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
        (self.stage(stage) / "filled-01.csv").write_text(text.getvalue(), encoding="utf-8-sig")
        return rows


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.setenv("MEDZH_SOURCES", str(tmp_path / "cache"))
    return Work(tmp_path)


def test_from_the_first_prompt_to_the_build(work, capsys):
    assert work.build() == 3
    assert len(work.answer("exam-descriptions")) == 2
    assert len(work.answer("chat-extraction")) == 3
    (row,) = work.fill("exam-codes", lambda _: {"codes": "N20.1；N39.0"})
    assert row["name"] == "右侧输尿管结石并感染"
    assert "输尿管结石 N20.1" in row["found"]
    assert work.build() == 3
    assert len(work.answer("chat-descriptions")) == 3
    (row,) = work.fill("chat-codes", lambda _: {"codes": "k29.3"})
    assert row["name"] == "慢性浅表性胃炎"
    assert work.build() == 3
    rows = work.fill("chat-check", lambda row: {"complete": "yes", "diagnosis": "no" if row["doubt"] else "yes"})
    assert [row["doubt"] for row in rows if "胃痛" in row["dialogue"]] == ["the model read 消化不良"]
    assert work.build() == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "does not ask for a disease 2" in shown
    assert "a person: diagnosis no 1" in shown
    assert check(work.out).problems == []
    records = load_records(work.out, "cmhe_dd")
    assert records.origin.recipe == "rebuilt"
    assert {(row["part"], row["answer"]) for row in records.rows} == {
        ("exam", "急性阑尾炎（K35.8）"),
        ("exam", "右侧输尿管结石并感染（N20.1）；右侧输尿管结石并感染（N39.0）"),
        ("chat", "过敏性鼻炎（J30.4）"),
        ("chat", "急性膀胱炎（N30.0）"),
    }
    assert {row["description"] for row in records.rows} == {*DESCRIPTIONS.values(), TOLD["鼻痒"], TOLD["尿频"]}
    assert {row["upstream_key"] for row in records.rows} >= {"s1", "dialmed-dev/1"}


def test_no_prompt_shows_options_or_the_answer(work):
    assert work.build() == 3
    asked = work.answer("exam-descriptions")
    assert not any("(A)" in prompt or "急性阑尾炎" in prompt for prompt in asked.values())
    work.answer("chat-extraction")
    work.fill("exam-codes", lambda _: {"codes": "无"})
    assert work.build() == 3
    asked = work.answer("chat-descriptions")
    assert not any("鼻炎" in prompt or "膀胱炎" in prompt for prompt in asked.values())


def test_what_a_person_calls_no_disease_is_left_out(work):
    work.sources = {"apollo-zh-test": work.sources["apollo-zh-test"]}
    assert work.build() == 3
    work.answer("exam-descriptions")
    work.fill("exam-codes", lambda _: {"codes": "无"})
    assert work.build() == 0
    assert [row["answer"] for row in load_records(work.out, "cmhe_dd").rows] == ["急性阑尾炎（K35.8）"]


def test_a_wrong_code_in_a_sheet_is_refused(work, capsys):
    work.sources = {"apollo-zh-test": work.sources["apollo-zh-test"]}
    assert work.build() == 3
    work.answer("exam-descriptions")
    work.fill("exam-codes", lambda _: {"codes": "E99"})
    assert work.build() == 2
    assert "no code of 右侧输尿管结石并感染" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("stem", "fits"),
    [
        (APPENDIX, True),
        (STONE, True),
        ("患者，女，25岁。停经50天，突发下腹痛伴晕厥，后穹隆穿刺抽出不凝血。该患者最可能的诊断为（　　）", True),
        ("患儿，3岁。发热5天，皮疹、球结膜充血、杨梅舌，手足硬肿。1．应首先考虑", True),
        ("男，60岁。进行性吞咽困难3个月，消瘦，胃镜见食管中段肿物。最可能的疾病是", True),
        ("男，60岁。进行性吞咽困难3个月，消瘦，食管中段肿物。1．下列诊断可能性最大的是", True),
        ("男，60岁。进行性吞咽困难3个月，消瘦，食管中段肿物。根据以上病史拟诊为", True),
        ("男，60岁。进行性吞咽困难3个月，消瘦，胃镜见食管中段肿物。为明确诊断，首选的检查是", False),
        ("男，60岁。进行性吞咽困难3个月，消瘦，食管中段肿物。下列疾病可能性不大的是", False),
        ("男，60岁。进行性吞咽困难3个月，消瘦，食管中段肿物。确诊的依据是", False),
        ("男，60岁。进行性吞咽困难3个月，消瘦，食管中段肿物。下一步的治疗应考虑", False),
        ("下列哪一种疾病最常引起血尿和水肿，并且与链球菌感染有关，最可能的诊断是", False),
        ("男，60岁。最可能的诊断是", False),
    ],
)
def test_which_questions_ask_for_the_disease_of_a_patient(stem, fits):
    found = exam_case(Question("apollo-zh-test", stem, "B", ("胃溃疡", "食管癌"), ""), "k")
    assert isinstance(found, Case) == fits
    if fits:
        assert (found.names, found.part) == (("食管癌",), "exam")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("急性阑尾炎", "K35.8"),
        ("缺铁性 贫血", "D50.9"),
        ("右侧急性阑尾炎", None),
        ("急性阑尾炎，急性胰腺炎", None),
        ("发热", None),  # a symptom
        ("阑尾切除术", None),
    ],
)
def test_only_a_whole_name_of_a_disease_is_sure(name, code):
    assert sure_code(name, our_dictionary()) == code


CASE = Case("exam", "男，22岁。右下腹痛18小时。诊断是", ("急性阑尾炎",), "s", "k")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("22岁男性，右下腹痛18小时。", "22岁男性，右下腹痛18小时。"),
        ("<think>急性阑尾炎</think>22岁男性，\n右下腹痛18小时。", "22岁男性， 右下腹痛18小时。"),
        ("２２岁男性，右下腹痛１８小时。", "２２岁男性，右下腹痛１８小时。"),
        ("22岁男性，急性阑尾炎，右下腹痛18小时。", None),  # says the answer
        ("22岁男性，右下腹痛18小时，体温38℃。", None),  # a number of its own
        ("腹痛。", None),
        ("", None),
        ("<think>22岁男性，右下腹痛18小时。", None),
    ],
)
def test_which_descriptions_of_stems_can_be_used(text, read):
    assert read_exam(text, CASE) == read


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
    path = tmp_path / "f.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(MedzhError, match=field):
        gather({name: SourceFile(name, path, "0" * 64, pinned=False)})


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("dialmed-dev", {"disease": ["胃炎"], "dialog": []}),
        ("dialmed-dev", {"disease": ["胃炎"], "dialog": [" "]}),
        ("kamed", {"dialogue": [[[], "diagnosis"], ["", None]]}),
    ],
)
def test_a_dialogue_in_which_nothing_is_said_is_none(name, row, tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    found = gather({name: SourceFile(name, path, "0" * 64, pinned=False)})
    assert found.cases == ()
    assert found.counts[name] == {"nothing said": 1}


def test_a_disease_that_is_named_twice_is_one(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text(json.dumps({"disease": ["胃炎", "胃炎 ", "便秘"], "dialog": ["患者：痛"]}), encoding="utf-8")
    (case,) = gather({"dialmed-dev": SourceFile("dialmed-dev", path, "0" * 64, pinned=False)}).cases
    assert case.names == ("胃炎", "便秘")


@pytest.mark.parametrize("cell", ["M8140/3", "J00-J06", "I10/E11", "I10+E11", "鼻炎", "U99", "J18.9 鼻炎"])
def test_a_cell_that_is_no_code_or_hides_one_is_refused(cell, work, capsys):
    work.sources = {"apollo-zh-test": work.sources["apollo-zh-test"]}
    assert work.build() == 3
    work.answer("exam-descriptions")
    work.fill("exam-codes", lambda _: {"codes": cell})
    assert work.build() == 2
    assert cell in capsys.readouterr().err


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
