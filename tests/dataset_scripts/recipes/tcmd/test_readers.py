from __future__ import annotations

import csv
import io
import json
import zipfile

import pytest
from openpyxl import Workbook
from tables import case_tables, holds

from dataset_scripts.recipes.banks.options import from_inside, from_mapping, from_texts
from dataset_scripts.recipes.tcmd.cmb import read_cmb, read_cmb_zip
from dataset_scripts.recipes.tcmd.cmexam import read_cmexam_csv, read_cmexam_xlsx
from dataset_scripts.recipes.tcmd.mlec import read_mlec
from dataset_scripts.recipes.tcmd.mtcmb import read_mtcmb
from dataset_scripts.recipes.tcmd.regroup import regroup
from dataset_scripts.recipes.tcmd.rows import REASONS, Raw, plain, settle, tidy
from dataset_scripts.recipes.tcmd.tcmbench import read_tcmbench
from dataset_scripts.sources.registry import REGISTRY, read_sources
from medzh_score.messages.errors import MedzhError

CASES = case_tables("tcmd_banks")
SOURCES = read_sources(REGISTRY)
ORGANS = ("心", "肝", "脾", "肺", "肾")
LETTERED = tuple(zip("ABCDE", ORGANS, strict=True))
ORGANS_BY_LETTER = dict(LETTERED)
COUGH = "患者，男，30岁。咳嗽2天，痰稠色黄，咽痛，身热，舌苔薄黄，脉浮数。"


@pytest.fixture
def written(tmp_path):
    """Write a file: JSON of a value, or text or bytes as they are."""

    def write(value, name="bank.json"):
        path = tmp_path / name
        content = value if isinstance(value, str | bytes) else json.dumps(value, ensure_ascii=False)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write


def brief(reading):
    return [(row.part.question, row.part.answer, row.kind) for row in reading.rows]


def test_row_that_is_no_sound_question_is_dropped_for_its_reason():
    def settled(question, options, answer, stem):
        return settle(Raw(question, tuple(map(tuple, options)), answer, stem=stem))

    holds(CASES["unsound"], settled)
    assert {reason for *_, reason in CASES["unsound"]} == set(REASONS)
    assert all(REASONS.values())


@pytest.mark.parametrize(
    ("raw", "question", "answer", "explanation"),
    [
        (Raw(" 开窍于舌的脏是（  ） ", LETTERED, "A"), "开窍于舌的脏是（ ）", "A", None),
        (Raw("12-开窍于舌的脏是", LETTERED, " A ", "nan"), "开窍于舌的脏是", "A", None),
        (Raw("3).开窍于舌的脏是", LETTERED, "A", "略"), "开窍于舌的脏是", "A", None),
        (Raw("(1-2共用备选答案)开窍于舌的脏是", LETTERED, "A", " 心开窍于舌。"), "开窍于舌的脏是", "A", "心开窍于舌。"),
        (Raw("其治法是", LETTERED, "E", stem=COUGH), "其治法是", "E", None),
    ],
)
def test_sound_question_loses_only_marks_and_spaces(raw, question, answer, explanation):
    part = settle(raw)
    assert (part.question, part.answer, part.explanation) == (question, answer, explanation)
    assert part.options == ORGANS


def test_whole_questions_are_not_damaged():
    rows = CASES["whole"]
    assert [text for (text,) in rows if settle(Raw(text, LETTERED, "A")).question != text] == []


def test_numbers_that_belong_to_a_question_stay():
    for text in (
        "5岁小儿的收缩压是",
        "5-羟色胺属于",
        "25-D甾体皂苷的特征是",
        "24小时尿蛋白定量大于3.5g见于",
        "20世纪提出的原则是",
    ):
        assert tidy(text) == text


def test_texts_that_say_the_same_have_one_form():
    holds(CASES["plain"], lambda one, other: plain(one) == plain(other))


def test_options_in_all_their_forms():
    assert from_mapping({"C": "脾", "A": "心", "B": " 肝 ", "D": "", "E": ""}) == LETTERED[:3]
    assert from_mapping({"A": "心", "B": "", "C": "脾"}) == (("A", "心"), ("B", ""), ("C", "脾"))
    assert from_texts(["A 心", "B.肝", "C．脾", "d、肺", "E: 肾", " "]) == LETTERED
    assert from_texts(["心", "B.肝"]) == (("", "心"), ("B", "肝"))
    assert from_inside("开窍于舌的脏是\nA．心\nB．肝\nC．脾\nD．肺\nE．肾") == ("开窍于舌的脏是", LETTERED)
    assert from_inside("开窍于舌的脏是 A.心 B.肝 C.脾 D.肺 E.肾")[1] == LETTERED
    assert from_inside("甲组 B. 乙组\nA．心\nB．肝") == ("甲组 B. 乙组", LETTERED[:2])
    assert from_inside("缺乏维生素A的表现是") == ("缺乏维生素A的表现是", ())


def mlec(number, kind, question, answer="A", **more):
    options = {**ORGANS_BY_LETTER, **more.pop("options", {})}
    return {"qid": f"q{number}", "qtype": kind, "qtext": question, "options": options, "answer": answer, **more}


def test_mlec(written):
    file = written(
        [
            mlec(1, "A1型题", "开窍于舌的脏是"),
            mlec(2, "A2型题", f"{COUGH}病位在", "D"),
            mlec(3, "A3/A4型题", f"{COUGH}其病位在", "D"),
            mlec(4, "B1型题", "主统血的脏是", "C", options={"E": ""}),
            mlec(5, "A1型题", "舌象属于", qimage="5.png"),
            mlec(6, "A1型题", "主藏血的脏是", ""),
        ]
    )
    reading = read_mlec(file)
    assert [row.kind for row in reading.rows] == ["A1", "A2", "A3", "B1"]
    assert [row.part.upstream_key for row in reading.rows] == ["q1", "q2", "q3", "q4"]
    assert reading.rows[3].part.options == ORGANS[:4]
    assert reading.dropped == {"image": 1, "no answer": 1}


CMB = [
    {
        "exam_type": "医师考试",
        "exam_class": "执业医师",
        "exam_subject": "中医执业医师",
        "question": "开窍于舌的脏是",
        "answer": "A",
        "question_type": "单项选择题",
        "option": ORGANS_BY_LETTER,
    },
    {"question": "与呼吸有关的脏是", "answer": "DE", "question_type": "多项选择题", "option": ORGANS_BY_LETTER},
    {"question": "与水液有关的脏有", "answer": "E", "question_type": "多项选择题", "option": ORGANS_BY_LETTER},
    {"id": 7, "question": "主统血的脏是", "question_type": "单项选择题", "option": ORGANS_BY_LETTER},
]


def test_cmb_with_its_answers_apart(written):
    file, answers = written(CMB), written([{"id": 7, "answer": "C"}], "answers.json")
    alone = read_cmb(file)
    assert brief(alone) == [("开窍于舌的脏是", "A", None)]
    assert alone.rows[0].labels == (
        "exam_type: 医师考试",
        "exam_class: 执业医师",
        "exam_subject: 中医执业医师",
    )
    assert alone.dropped == {"several answers": 2, "no answer": 1}
    together = read_cmb(file, answers)
    assert brief(together) == [("开窍于舌的脏是", "A", None), ("主统血的脏是", "C", None)]
    assert together.dropped == {"several answers": 2}


def test_answers_apart_do_not_fill_an_answer_that_is_empty(written):
    file = written([{**CMB[-1], "answer": ""}])
    assert read_cmb(file, written([{"id": 7, "answer": "C"}], "answers.json")).dropped == {"no answer": 1}


def test_cmb_zip_has_three_files(written, tmp_path):
    path = tmp_path / "CMB.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("CMB-Exam/CMB-train/CMB-train-merge.json", json.dumps(CMB[:-1]))
        archive.writestr("CMB-Exam/CMB-test/CMB-test-choice-question-merge.json", json.dumps(CMB[-1:]))
        archive.writestr("CMB-Clin/CMB-Clin-qa.json", "not read")
    assert read_cmb_zip(path).dropped == {"several answers": 2, "no answer": 1}
    answers = written([{"id": 7, "answer": "C"}], "answers.json")
    assert {row.part.answer for row in read_cmb_zip(path, answers).rows} == {"A", "C"}


CMEXAM = [
    ["Question", "Options", "Answer", "Explanation", "Medical Discipline"],
    ["开窍于舌的脏是", "A 心\nB 肝\nC 脾\nD 肺\nE 肾", "A", "心开窍于舌。", "中医学与中药学"],
    ["与呼吸有关的脏是", "A 心\nB 肝\nC 脾\nD 肺\nE 肾", "DE", "肺主呼气，肾主纳气。", ""],
    ["主统血的脏是", "A 心\nB 肝\nC 脾\nD 肺\nE 肾", "nan", "nan", ""],
    ["主藏血的脏是", "A 心\nB 肝\nC 脾\nD 肺\nE 肾", "B", "nan", ""],
]


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_cmexam_as_csv(written, ending, bom):
    stream = io.StringIO()
    csv.writer(stream, lineterminator=ending).writerows(CMEXAM)
    reading = read_cmexam_csv(written(bom + stream.getvalue(), "train.csv"))
    assert brief(reading) == [("开窍于舌的脏是", "A", None), ("主藏血的脏是", "B", None)]
    assert [row.part.options for row in reading.rows] == [ORGANS, ORGANS]
    assert [row.part.explanation for row in reading.rows] == ["心开窍于舌。", None]
    assert [row.labels for row in reading.rows] == [("Medical Discipline: 中医学与中药学",), ()]
    assert reading.dropped == {"several answers": 1, "no answer": 1}


def test_cmexam_as_spreadsheet(tmp_path):
    book = Workbook()
    for row in CMEXAM:
        book.active.append([cell.replace("\n", "\\n") for cell in row])
    book.save(tmp_path / "val.xlsx")
    reading = read_cmexam_xlsx(tmp_path / "val.xlsx")
    assert brief(reading) == [("开窍于舌的脏是", "A", None), ("主藏血的脏是", "B", None)]
    assert [row.part.options for row in reading.rows] == [ORGANS, ORGANS]
    assert reading.dropped == {"several answers": 1, "no answer": 1}


LISTED = "\n".join(f"{letter}．{organ}" for letter, organ in LETTERED)
SINGLE = {"question": f"开窍于舌的脏是（  ）。\n{LISTED}", "answer": ["A"], "analysis": "心开窍于舌。 12", "index": 3}


def grouped(shared, *questions):
    parts = [{"sub_question": text, "answer": [letter], "analysis": ""} for text, letter in questions]
    return {"share_content": shared, "question": parts, "knowledge_point": "藏象", "index": 9}


def test_tcmbench(written):
    shared = grouped(f"\n{LISTED}", ("主藏血的脏是", "B"), ("主统血的脏是", "C"))
    case = grouped(COUGH, (f"其病位在\n{LISTED}", "D"), ("其治法是\nA．疏风清热\nB．疏风散寒", "A"))
    reading = read_tcmbench(written({"keywords": "题库", "example": [SINGLE, shared, case]}))
    assert reading.dropped == {}
    assert [row.part.upstream_key for row in reading.rows] == ["3", "9-1", "9-2", "9-1", "9-2"]
    assert reading.rows[0].part.explanation == "心开窍于舌。"  # without the number of the page
    assert reading.rows[1].labels == ("knowledge_point: 藏象",)
    first, b1, a3 = regroup(reading.rows, "tcmbench")
    assert (first.group.kind, b1.group.kind, a3.group.kind) == ("A1", "B1", "A3")
    assert [part.options for part in b1.group.parts] == [ORGANS, ORGANS]
    assert a3.group.stem == COUGH
    assert [part.options for part in a3.group.parts] == [ORGANS, ("疏风清热", "疏风散寒")]


MLEC_ROW = mlec(1, "A1型题", "开窍于舌的脏是")


@pytest.mark.parametrize(
    ("read", "content", "message"),
    [
        (read_mlec, "{", "not JSON in UTF-8"),
        (read_mlec, b"\xff\xfe", "not JSON in UTF-8"),
        (read_mlec, "[" * 100_000, "not JSON in UTF-8"),
        (read_mlec, {}, "not a list of questions"),
        (read_mlec, [1], "/0: .*not a question|not a question.*/0"),
        (read_mlec, [{**MLEC_ROW, "qtype": "X型题"}], "an unknown type"),
        (read_mlec, [{"qtype": "A1型题", "answer": "A"}], "a field is missing"),
        (read_mlec, [{**MLEC_ROW, "options": ["心"]}], "not an object of texts"),
        (read_mlec, [{**MLEC_ROW, "answer": ["A"]}], "not a text"),
        (read_cmb, [{"answer": "A"}], "a field is missing"),
        (read_cmb, [{**CMB[0], "option": {"A": 1}}], "not an object of texts"),
        (read_cmb_zip, "no archive", "not a zip archive"),
        (read_cmexam_csv, b"\xff", "not UTF-8"),
        (read_cmexam_csv, "", "a column is missing"),
        (read_cmexam_csv, "Question,Options\n", "a column is missing"),
        (read_cmexam_csv, 'Question,Options,Answer,Explanation\n"a', "not CSV"),
        (read_cmexam_csv, "Question,Options,Answer,Explanation\na,b\n", "a row is too short"),
        (read_cmexam_xlsx, "no spreadsheet", "not a spreadsheet"),
        (read_tcmbench, [], "not a file of TCMBench"),
        (read_tcmbench, {"example": [{"answer": ["A"]}]}, "a field is missing"),
        (read_tcmbench, {"example": [{**SINGLE, "answer": "A"}]}, "not a list of texts"),
    ],
)
def test_file_of_another_form_is_an_error_in_one_line(written, read, content, message):
    with pytest.raises(MedzhError, match=message) as caught:
        read(written(content))
    assert "bank.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_archive_without_the_exam_and_file_that_is_not_there(tmp_path):
    with zipfile.ZipFile(tmp_path / "CMB.zip", "w") as archive:
        archive.writestr("README.md", "nothing")
    with pytest.raises(MedzhError, match="not the archive of CMB"):
        read_cmb_zip(tmp_path / "CMB.zip")
    with pytest.raises(MedzhError, match="cannot be read"):
        read_mlec(tmp_path / "absent.json")


def mtcmb(*rows):
    """Write rows of MTCMB: question, options as they stand, right letter."""
    listed = [
        {"id": place, "question": question, "options": options, "answer": answer, "source": "题库"}
        for place, (question, options, answer) in enumerate(rows)
    ]
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in listed)


PREFIXED = [f"{letter}.{organ}" for letter, organ in LETTERED]
DYED = ["A.赤", "B.青", "C.黄", "D.白", "E.黑"]
TASTES = ["A.酸", "B.苦", "C.甘", "D.辛", "E.咸"]


def test_numbered_papers_of_mtcmb_lose_their_numbers_and_keep_their_groups(written):
    rows = (
        ("1.开窍于舌的脏是", PREFIXED, "A"),
        ("2.开窍于鼻的脏是", PREFIXED, "D"),
        ("3．心在五色为", DYED, "A"),
        ("4.5岁小儿发热，其色多见", DYED, "A"),
        ("1.脾在五味为", TASTES, "C"),
        ("2.开窍于耳的脏是", PREFIXED, "E"),
        ("3.开窍于耳的脏是", PREFIXED, "E"),
        ("1.主骨的脏是", PREFIXED, "E"),
    )
    reading = read_mtcmb(written(mtcmb(*rows), "paper.jsonl"))
    assert brief(reading) == [
        ("开窍于舌的脏是", "A", "B1"),
        ("开窍于鼻的脏是", "D", "B1"),
        ("心在五色为", "A", "B1"),
        ("5岁小儿发热，其色多见", "A", "B1"),
        ("脾在五味为", "C", None),
        ("开窍于耳的脏是", "E", None),  # the same question twice is no group
        ("开窍于耳的脏是", "E", None),
        ("主骨的脏是", "E", None),  # numbered 1 again: the neighbour is of another paper
    ]
    assert [len(one.group.parts) for one in regroup(reading.rows, "mtcmb-ed-b")] == [2, 2, 1, 1, 1, 1]
    assert [row.part.upstream_key for row in reading.rows] == list("01234567")


def test_a_sample_of_mtcmb_has_neither_numbers_nor_neighbours(written):
    rows = [(f"开窍于{organ}的脏是", ORGANS_BY_LETTER, letter) for organ, letter in (("舌", "A"), ("目", "B"))]
    rows.append(("5.5mmol/L的血糖，其主要消耗的脏是", ORGANS_BY_LETTER, "A"))
    reading = read_mtcmb(written(mtcmb(*rows), "sample.jsonl"))
    assert [(row.part.question, row.kind) for row in reading.rows] == [(question, None) for question, *_ in rows]


def test_a_section_of_mtcmb_that_lost_its_cases_is_not_taken(written):
    lost = (("1.其辨证分型是", PREFIXED, "A"), ("2.其治法是", DYED, "B"), ("3.辨证为胸痹之", PREFIXED, "C"))
    sound = (("1.其病机是", PREFIXED, "A"), *((f"{n}.第{n}色所属的脏是", DYED, "B") for n in range(2, 9)))
    reading = read_mtcmb(written(mtcmb(*lost, *sound), "paper.jsonl"))
    assert reading.dropped == {"stem lost": 4}
    assert len(reading.rows) == 7


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"id": 1}', r"line 1/question: a field is missing"),
        ('{"question": "1.问", "options": "A.心", "answer": "A"}', r"line 1/options: not an object of texts"),
        ('{"question": "1.问", "options": [1], "answer": "A"}', r"line 1/options: not a list of texts"),
    ],
)
def test_mtcmb_that_is_none(row, message, written):
    with pytest.raises(MedzhError, match=message):
        read_mtcmb(written(row, "bank.jsonl"))
