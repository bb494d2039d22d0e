from __future__ import annotations

from dataclasses import replace

import pytest
from tables import case_tables

from dataset_scripts.packaging.schema import column_types, faults, invalid, read_schema, surveyed
from dataset_scripts.recipes.tcmd.dataset import DATASET
from dataset_scripts.recipes.tcmd.records import Group, SubQuestion, group_id, records_of
from dataset_scripts.recipes.tcmd.user_file import table_1
from medzh_score.configs.tcmd.exam import SUBJECTS, TYPES
from medzh_score.configs.tcmd.prompts import alone

CASES = case_tables("tcmd_banks")
SCHEMA = read_schema(DATASET.schema)
ORGANS = ("心", "肝", "脾", "肺", "肾")
TONGUE = Group("A1", None, (SubQuestion("开窍于舌的脏是", ORGANS, "A", "心开窍于舌。", "k1"),), "中医基础理论", "own")
BLOOD = Group(
    "B1",
    None,
    (SubQuestion("主藏血的脏是", ORGANS, "B", None, ""), SubQuestion("主统血的脏是", ORGANS, "C", None, "")),
    "中医基础理论",
    "own",
)
COUGH = Group(
    "A3",
    "患者，男，30岁。咳嗽2天，痰稠色黄，咽痛，身热，舌苔薄黄，脉浮数。",
    (
        SubQuestion("其证候是", ("风寒袭肺", "风热犯肺", "痰湿蕴肺"), "B", None, ""),
        SubQuestion("治疗应首选", ("桑菊饮", "三拗汤"), "A", None, ""),
        SubQuestion("其治法是", ("疏风清热", "疏风散寒", "燥湿化痰"), "A", None, ""),
    ),
    "中医内科学",
    "own",
)


def made(*groups):
    return [record for group in groups for record in records_of(group, "official", group_id(group))]


def faults_of(splits):
    return faults("tcmd", surveyed(splits, SCHEMA), splits, DATASET.check)


def test_records_have_the_columns_of_the_schema_and_are_valid():
    records = made(TONGUE, BLOOD, COUGH)
    assert faults_of({"test": records}) == []
    for record in records:
        assert list(record) == list(SCHEMA["properties"]) == list(column_types(SCHEMA))
        assert record["prompt"] == alone(record)
    assert [record["type"] for record in records] == ["A1", "B1", "B1", "A3", "A3", "A3"]
    assert {record["realm_en"] for record in records} == {"Foundation of TCM", "Clinical Practice of TCM"}
    assert {record["subject_en"] for record in records} == {"Fundamental Theory of TCM", "Internal Medicine of TCM"}


def part(group, **changes):
    return replace(group, parts=(replace(group.parts[0], **changes), *group.parts[1:]))


def broken(group, place, **changes):
    records = made(group)
    records[place].update(changes)
    return records


def test_the_schema_refuses():
    groups = {"tongue": TONGUE, "cough": COUGH}

    def refused(group, place, changes, pointer):
        return pointer in {problem.pointer for problem in invalid(broken(groups[group], place, **changes), SCHEMA)}

    assert [row for row in CASES["refused"] if not refused(*row)] == []


@pytest.mark.parametrize(
    ("splits", "words"),
    [
        (
            {"test": broken(TONGUE, 0, subject_en="Pediatrics of TCM")},
            "/subject_en: expected 'Fundamental Theory of TCM'",
        ),
        ({"test": broken(TONGUE, 0, options=["心", "肝", "脾", "肺", "肺 "])}, "/options: two options are equal"),
        ({"test": broken(TONGUE, 0, question="开窍于目的脏是")}, "expected the id of its content"),
        ({"test": broken(BLOOD, 1, position=3)}, "expected the positions 1 to 2, found 1, 3"),
        ({"test": broken(BLOOD, 1, id=f"{group_id(BLOOD)}-7")}, "its id is not that of place 2"),
        ({"test": broken(BLOOD, 1, options=[*ORGANS[:4], "胃"])}, "its members differ in options"),
        ({"test": broken(COUGH, 1, stem="另一患者。")}, "its members differ in stem"),
        ({"test": broken(COUGH, 2, subject="中医外科学")}, "its members differ in subject"),
        ({"test": broken(COUGH, 2, type="B1")}, "its members differ in type"),
        ({"test": made(BLOOD)[1:]}, "expected the positions 1 to 1, found 2"),
        ({"test": made(BLOOD)[:1], "train": made(BLOOD)[1:]}, "stands in test and train"),
        ({"test": made(TONGUE), "train": made(TONGUE)}, "stands in test and train"),
        ({"test": made(TONGUE), "train": made(part(TONGUE, options=("心", "胃")))}, "stands in train and test"),
        ({"test": made(COUGH), "train": made(replace(COUGH, parts=COUGH.parts[1:]))}, "stands in train and test"),
        (
            {"test": made(replace(COUGH, parts=COUGH.parts[:1])), "train": made(replace(COUGH, parts=COUGH.parts[1:]))},
            "its case stands in train and test",
        ),
    ],
)
def test_records_that_do_not_agree_are_found(splits, words):
    assert any(words in problem for problem in DATASET.check(splits))


def test_the_paper_s_table_1_stands_beside_the_counts():
    # Section 3.2: 2,851 and 600 questions; errata T1: by type 212, 142, 102, 144 in test, 1,580, 536, 60, 675 in train.
    table = table_1({"test": made(TONGUE, COUGH), "train": made(BLOOD)})
    rows = {row[1]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert list(rows) == [*SUBJECTS, "all"]
    assert [rows["all"][f"{kind}, paper"] for kind in TYPES] == ["1580/212", "536/142", "60/102", "675/144"]
    assert rows["all"]["all, paper"] == "2851/600"
    assert [rows["all"][f"{kind}, here"] for kind in (*TYPES, "all")] == ["0/1", "0/0", "0/3", "2/0", "2/4"]
    assert (rows["中医内科学"]["A3, here"], rows["中医内科学"]["A3, paper"]) == ("0/3", "0/27")
    assert (rows["针灸学"]["all, paper"], rows["针灸学"]["all, here"]) == ("211/60", "0/0")
