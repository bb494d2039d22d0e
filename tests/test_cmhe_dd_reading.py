"""Codes of ICD-10 that a text states, or else those of the names in its diagnosis, never both."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from medzh_score.configs.cmhe_dd.reading.judged_codes import NONE, SEPARATOR, read_judged
from medzh_score.configs.cmhe_dd.reading.names_and_codes import code_of, reader
from medzh_score.terminology.disease_names import dictionary_of, our_dictionary
from medzh_score.terminology.icd_codes import category_of

DATA = Path(__file__).parent / "data"
NAMES = dictionary_of([("J18.9", "肺炎"), ("J18.0", "支气管肺炎"), ("A16.2", "肺结核"), ("E11.9", "2型糖尿病")], "test")
# Rows with codes, of which so many are read as they are labelled, and so many have a category that they should not.
CODES, CODES_RIGHT, CODES_WRONG = 396, 360, 10
JUDGED, JUDGED_RIGHT = 66, 63
# Rows without codes: categories that are right and wrong, in all four sets.
NAMES_RIGHT, NAMES_WRONG = 360, 4


def rows(name):
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def read(text, dictionary=our_dictionary):
    return reader(dictionary)(text, None)


def codes(value):
    return value.split(SEPARATOR) if value else []


@pytest.mark.parametrize(
    ("text", "value", "why"),
    [
        ("诊断：过敏性鼻炎（J30.4）。", "J30.4", "codes"),
        ("1. 原发性高血压（I10）\n2. 高脂血症（E78.5）", "I10；E78.5", "codes"),
        ("诊断：肺炎。ICD-10编码：J18.9", "J18.9", "codes"),
        ("I10、E11", "I10；E11", "codes"),
        ("诊断：肺炎（J18.9），既往2型糖尿病。", "J18.9", "codes"),
        ("诊断：肺炎（J18.9）\n鉴别诊断：\n1. 肺结核（A16.2）", "J18.9", "codes"),
        ("排除肺结核（A16.2），考虑肺炎（J18.9）。", "J18.9", "codes"),
        ("诊断：支气管肺炎", "J18.0", "names"),
        ("诊断：肺炎合并2型糖尿病。维生素B12正常", "J18.9；E11.9", "names"),
        ("诊断：双侧肺炎。鉴别诊断：肺结核。", "J18.9", "names"),
        ("诊断：肺结核瘤样变", None, "no code or name"),
        ("排除肺结核（A16.2）。", None, "denied"),
        ("可能是肺炎。", None, "hedge"),
        ("T38.5 P110，多喝水。", None, "nothing"),
        ("", None, "empty"),
    ],
)
def test_table(text, value, why):
    reading = read(text, lambda: NAMES)
    assert (reading.value, reading.why) == (value, why)
    assert value is None or len(reading.spans) == len(codes(value))


@pytest.mark.parametrize(
    ("name", "code"), [("右侧肺炎", "J18.9"), ("重症肺炎", "J18.9"), ("新生儿肺炎", None), ("肺炎疫苗", None)]
)
def test_a_name_is_linked_as_a_whole(name, code):
    assert code_of(name, NAMES) == code


def test_rows_with_codes():
    table = [row for row in rows("cmhe_dd_codes.jsonl") if row["rule"] == "medzh-1"]
    found = [read(row["text"]) for row in table]
    said = [codes(one.value) if one.why == "codes" else [] for one in found]
    assert len(table) == CODES
    assert sum(mine == row["codes"] for mine, row in zip(said, table, strict=True)) >= CODES_RIGHT
    wrong = [
        set(map(category_of, mine)) - set(map(category_of, row["codes"])) for mine, row in zip(said, table, strict=True)
    ]
    assert sum(map(bool, wrong)) <= CODES_WRONG


def test_rows_of_judges():
    table = [row for row in rows("cmhe_dd_codes.jsonl") if row["rule"] == "judge"]
    found = [read_judged(row["text"], {}) for row in table]
    said = [None if one is None else [] if one["codes"] == NONE else codes(one["codes"]) for one in found]
    assert len(table) == JUDGED
    assert sum(mine == row["codes"] for mine, row in zip(said, table, strict=True)) >= JUDGED_RIGHT


def test_rows_with_names():
    counts = Counter()
    for row in rows("cmhe_dd_diagnoses.jsonl"):
        said = {category_of(code) for code in codes(read(row["text"]).value)}
        counts.update(right=len(said & set(row["codes"])), wrong=len(said - set(row["codes"])))
    assert counts["right"] >= NAMES_RIGHT
    assert counts["wrong"] <= NAMES_WRONG
