"""Whole diagnoses, linked by name: how often the codes are right.

The rows stand in ``data/cmhe_dd_diagnoses.jsonl``: a diagnosis as models write them, written by hand, and the
three-character categories of the diseases that it gives as the patient's or offers as possible (可能, 待排 …). They
were judged by reading, before the text was linked: not what a text rules out, tells apart, tells of the past, of the
family or of diseases in general, fears, or treats; symptoms only where it names nothing else. Those of the sets
``first``, ``second`` and ``third`` were used to mend the reading. The ``fourth`` was written afterwards, and nothing
was mended by it: its figures are those to expect. Two of its rows, of which the categories had been written down
wrongly, were put right when they had been read (头皮裂伤 is S01, 二期梅毒 A51).
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from dataset_scripts.disease_names import read_names
from dataset_scripts.recipe import SourceFile
from medzh_score.extraction.cmhe_dd_names import linked
from medzh_score.terminology.disease_names import dictionary_of, our_dictionary
from medzh_score.terminology.icd10 import icd10
from medzh_score.terminology.icd_codes import category_of

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "cmhe_dd_diagnoses.jsonl").read_text(encoding="utf-8").splitlines()
]
FILES = {
    "icd10-national": "hint-lab/chinese-medical-kg/ef00c6c955a4210a4e13073c36f7b215ea51ed3d/data/"
    "国家临床版2.0疾病诊断编码（ICD-10）.xlsx",
    "icd10-cn-codes": "chaseliu/ICD-10-CN/a12ed01f6b05b7f662d5212447a61bb622463acd/disease.csv",
}
# By set: categories that are right, wrong, and missing.
OURS = {"first": (289, 1, 6), "second": (94, 1, 5), "third": (82, 0, 11), "fourth": (83, 5, 17)}
NATIONAL = {"first": (287, 3, 8), "second": (93, 2, 6), "third": (84, 3, 9), "fourth": (90, 7, 10)}


def counts(dictionary):
    found = {}
    for row in ROWS:
        said, gold = {category_of(code) for code in linked(row["text"], dictionary)[0]}, set(row["codes"])
        found.setdefault(row["set"], Counter()).update(
            right=len(said & gold), wrong=len(said - gold), missing=len(gold - said)
        )
    return {name: (found[name]["right"], found[name]["wrong"], found[name]["missing"]) for name in found}


def test_the_rows_are_as_many_as_is_said_and_their_codes_are_categories():
    assert Counter(row["set"] for row in ROWS) == {"first": 279, "second": 96, "third": 89, "fourth": 93}
    assert all(len(code) == 3 and icd10().place(code) for row in ROWS for code in row["codes"])


def test_how_often_our_own_names_are_right():
    assert counts(our_dictionary()) == OURS


def test_how_often_the_national_edition_is_right(upstream_file):
    files = {name: SourceFile(name, upstream_file(path), "", pinned=False) for name, path in FILES.items()}
    assert counts(dictionary_of(read_names(files), "national")) == NATIONAL


@pytest.mark.parametrize("row", [row for row in ROWS if not row["codes"]], ids=lambda row: repr(row["text"][:20]))
def test_what_names_no_diagnosis_gets_none(row):
    if "头晕" not in row["text"]:  # taken for the complaint that it is: one of the wrong ones above
        assert linked(row["text"], our_dictionary())[0] == []
