"""CMHE-CE's records and files that users bring: in the columns of the schema, and what is refused."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import unicodedata
from functools import partial

import pytest
from recipe_work import bring, problems_of

from dataset_scripts.building.build import build
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.packaging.validating import invalid
from dataset_scripts.recipes.cmhe_ce.questions import QUESTIONS
from dataset_scripts.recipes.cmhe_ce.records import check, order, record_of, table_1
from medzh_score.configs.cmhe_ce.words import ASPECTS
from medzh_score.data.records import load_records
from medzh_score.files.package_files import package_file
from medzh_score.messages.errors import MedzhError

SCHEMA = read_schema(package_file("medzh_score", "schemas/cmhe_ce.schema.json"))
GOUT = {
    "concept": "痛风",
    "concept_class": "disease",
    "aspect": "symptom",
    "question": "痛风患者通常有哪些症状？",
    "options": ["假性痛风", "痛风", "骨关节炎", "白内障"],
    "answer": "B",
}
CT = {
    "concept": "计算机断层扫描",
    "concept_en": "Tomography, X-Ray Computed",
    "aliases": ["CT"],
    "concept_class": "test",
    "aspect": "procedure",
    "question": "计算机断层扫描是怎样进行的？",
    "options": ["计算机断层扫描", "磁共振成像", "超声检查", "肺功能检查"],
    "answer": "A",
}


def made(base=GOUT, **changes):
    return record_of(base | changes, source="own", recipe="official")


@pytest.fixture
def brought(tmp_path):
    return partial(bring, tmp_path, "cmhe_ce")


def rows(tmp_path):
    return {row["question"]: row for row in load_records(tmp_path / "build" / "medzh", "cmhe_ce").rows}


# Records.


def test_a_record_is_valid_and_its_ids_follow_from_its_texts():
    record = made()
    assert invalid([record], SCHEMA) == []
    texts = [unicodedata.normalize("NFKC", text) for text in (GOUT["concept"], GOUT["question"], *GOUT["options"])]
    digest = hashlib.sha256(json.dumps(texts, ensure_ascii=False).encode("utf-8")).hexdigest()
    assert record["id"] == f"ce-{digest[:10]}" == record["upstream_key"]
    assert record["concept_id"] == hashlib.sha256('"痛风"'.encode()).hexdigest()[:10]
    assert (record["options_mode"], record["distances"], record["widened"]) == ("given", None, None)
    assert record["prompt"] == GOUT["question"]


def test_an_id_changes_with_question_and_options_alone():
    same = {"question": "痛风患者 通常有哪些症状?"}, {"aspect": "cause", "upstream_key": "7", "aliases": ["痛风病"]}
    assert {made(**changes)["id"] for changes in same} == {made()["id"]}
    others = (
        {"question": "痛风有哪些症状？"},
        {"options": ["假性痛风", "痛风", "骨关节炎", "近视"]},
        {"options": ["痛风", "假性痛风", "骨关节炎", "白内障"]},
    )
    assert len({made()["id"], *(made(**changes)["id"] for changes in others)}) == 4


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"aspect": "procedure"}, "/aspect"),
        ({"concept_class": "test"}, "/aspect"),
        ({"concept_class": "medicine", "aspect": "screening"}, "/aspect"),
        ({"options": ["甲", "乙", "丙"]}, "/options"),
        ({"options": ["甲", "乙", "乙", "丙"]}, "/options"),
        ({"answer": "E"}, "/answer"),
        ({"distances": [0, 1, 2]}, "/distances"),
        ({"distances": [0, 1, 2, -1]}, "/distances/3"),
        ({"concept_id": "C10.668"}, "/concept_id"),
        ({"tree_numbers": ["C10.66"]}, "/tree_numbers/0"),
        ({"options_mode": "nearest"}, "/options_mode"),
    ],
)
def test_the_schema_refuses_other_values(changes, pointer):
    assert [problem.pointer for problem in invalid([made(**changes)], SCHEMA)] == [pointer]


def test_questions_are_four_of_diseases_and_medicines_and_two_of_tests():
    assert {name: len(aspects) for name, aspects in QUESTIONS.items()} == {"disease": 4, "medicine": 4, "test": 2}
    assert [aspect for name in ("medicine", "disease", "test") for aspect in QUESTIONS[name]] == list(ASPECTS)
    assert set(SCHEMA["properties"]["aspect"]["enum"]) == set(ASPECTS)
    assert all(text.count("{}") == 1 and text.endswith("？") for own in QUESTIONS.values() for text in own.values())


def test_records_stand_by_class_concept_and_aspect():
    metformin = {"concept": "二甲双胍", "concept_class": "medicine", "aspect": "indication"}
    records = [made(CT), made(), made(aspect="cause"), made(**metformin)]
    assert [one["concept"] for one in sorted(records, key=order)] == ["二甲双胍", "痛风", "痛风", "计算机断层扫描"]
    assert [one["aspect"] for one in sorted(records, key=order)][1:3] == ["cause", "symptom"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": "ce-0000000000"}, "expected the id of its content"),
        ({"answer": "A"}, "/answer: is not the letter of the concept"),
        ({"distances": [2, 0, 3, 0]}, "/distances: are not 0 at the answer, and only there"),
        ({"distances": [2, 1, 3, 7]}, "/distances: are not 0 at the answer"),
        ({"options_mode": "strict"}, "/distances: are missing, though the options were chosen by a rule"),
    ],
)
def test_what_no_schema_sees_is_found(change, words):
    (problem,) = check({"test": [made() | change]})
    assert words in problem
    assert check({"test": [made(), made(CT), made(distances=[2, 0, 3, 7], question="痛风是什么？")]}) == []


def test_alike_options_a_question_that_stands_twice_and_a_concept_with_two_names_are_found():
    (problem,) = check({"test": [made(options=["ＣＴ", "痛风", "ct", "白内障"])]})
    assert "/options: two options are alike" in problem
    (problem,) = check({"test": [made(), made(options=["近视", "痛风", "骨关节炎", "白内障"])]})
    assert "the question stands twice" in problem
    other = made(CT, concept_id=made()["concept_id"])
    assert [problem.split(": ")[1] for problem in check({"test": [made(), other]})] == ["/concept", "/concept_class"]


def test_counts_stand_beside_the_papers_and_its_factors_give_37516():
    table = table_1({"test": [made(), made(question="痛风有哪些治疗方法？", aspect="treatment"), made(CT)]})
    assert table.rows == (
        ("medicine", 1753, 0, 7012, 0),
        ("disease", 7096, 1, 28384, 2),
        ("test", 1060, 1, 2120, 1),
        ("all", 9909, 2, 37516, 3),
    )


# Files that users bring.


def test_the_interchange_form_is_read(brought, tmp_path):
    built = brought([GOUT, CT])
    assert built.records == {"test": 2}
    assert built.notes == ("1 questions name no alias and no English name: only the Chinese name can be masked",)
    found = rows(tmp_path)
    assert found[CT["question"]]["aliases"] == ["CT"]
    assert {row["source"] for row in found.values()} == {"cmhe_ce"}
    assert problems_of(tmp_path / "build" / "medzh") == []
    card = " ".join((tmp_path / "build" / "medzh" / "README.md").read_text(encoding="utf-8").split())
    for words in (
        "a folder of a shared drive, in a form that is documented nowhere",
        "Nothing shows that the file is CMHE-CE",
        "nothing shows that this data is the benchmark",
        "38,576",
    ):
        assert words in card


def test_classes_and_aspects_may_have_other_names(brought, tmp_path):
    gout, ct = {"concept_class": "疾病", "aspect": "症状"}, {"concept_class": "Checkup", "aspect": "操作过程"}
    brought([GOUT | gout, CT | ct])
    found = {question: (row["concept_class"], row["aspect"]) for question, row in rows(tmp_path).items()}
    assert found == {GOUT["question"]: ("disease", "symptom"), CT["question"]: ("test", "procedure")}


HEAD = ("名称", "别名", "类别", "问题", "甲", "乙", "丙", "丁", "答案")


def table(*lines):
    text = io.StringIO(newline="")
    csv.writer(text).writerows([HEAD, *lines])
    return text.getvalue()


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([{**GOUT, "answer": "A"}], r"own\.jsonl:1: field answer: is not the letter of the concept"),
        ([GOUT, GOUT], r"own\.jsonl:2: field question: repeats another row.*line 1 has it"),
        ([GOUT, GOUT | {"options": [*GOUT["options"][:3], "近视"]}], ":2: field question: repeats another row"),
        ([GOUT | {"options": GOUT["options"][:3]}], ":1: field options: is not what the schema says"),
        ([GOUT | {"aspect": "procedure"}], ":1: field aspect: is not what the schema says"),
        ([{name: value for name, value in GOUT.items() if name != "concept"}], ":1: field concept: is missing"),
        ([GOUT | {"question": "痛风\ufffd？"}], ":1: field question: holds the character U"),
        ([GOUT | {"aliases": ["a\x00"]}], ":1: field aliases/0: holds the character U"),
        ([GOUT | {"distances": [1, 1, 1, 1]}], ":1: field distances: are not 0 at the answer"),
        ("[]", "is a JSON array; expected one JSON object a line, or .csv or .xlsx"),
    ],
)
def test_faulty_files_are_refused(brought, lines, problem):
    with pytest.raises(MedzhError, match=problem):
        brought(lines)


def test_without_a_file_the_user_is_told_what_to_bring(tmp_path):
    with pytest.raises(MedzhError, match="CMHE-CE is a folder of a shared drive"):
        build("cmhe_ce", "official", tmp_path / "medzh")
