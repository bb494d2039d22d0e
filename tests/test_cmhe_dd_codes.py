"""Codes in texts and in a judge's responses: a table, what holds for every text, and the real Chinese editions.

The rows stand in ``data/cmhe_dd_codes.jsonl``: a text, the rule that reads it, its codes (null where a judge's response
gives no verdict), and what the row shows. They were written by hand, and their codes decided before any rule saw them.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from medzh_score.configs.cmhe_dd.reading.judged_codes import NONE, SEPARATOR, read_judged
from medzh_score.configs.cmhe_dd.statistics import taken_apart
from medzh_score.terminology.icd10 import icd10
from medzh_score.terminology.icd_codes import MANIFESTATIONS, category_of, normal_code

TABLE = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "cmhe_dd_codes.jsonl").read_text(encoding="utf-8").splitlines()
]
TREE = "chaseliu/ICD-10-CN/a12ed01f6b05b7f662d5212447a61bb622463acd/disease.csv"
NATIONAL = (
    "hint-lab/chinese-medical-kg/ef00c6c955a4210a4e13073c36f7b215ea51ed3d/data/国家临床版2.0疾病诊断编码（ICD-10）.xlsx"
)
APOLLO = "FreedomIntelligence/Apollo/505c48e82207b36cf3921df61fcd58895fb6ca4e/metadata/test/zh.json"
# Texts of what codes are made of, and of what stands around them.
PIECES = st.lists(
    st.sampled_from(
        [
            *"AEJMTPRX01349.xX-/*+†（）(),，；;、 \n|:：",
            "J30",
            "I10",
            "T38",
            "M8140/3",
            "ICD-10",
            "编码",
            "肺炎",
            "排除",
            "G01*",
            "℃",
        ]
    ),
    max_size=25,
).map("".join)


JUDGED = [row for row in TABLE if row["rule"] == "judge"]


@pytest.mark.parametrize("row", JUDGED, ids=lambda row: f"{row['rule']}: {row['shows']}: {row['text'][:30]!r}")
def test_table(row):
    if row["codes"] is None:
        assert read_judged(row["text"], {}) is None
    else:
        assert read_judged(row["text"], {}) == {"codes": SEPARATOR.join(row["codes"]) or NONE}


def test_the_table_is_as_large_as_it_should_be():
    assert len(TABLE) > 380
    assert len({(row["rule"], row["text"]) for row in TABLE}) == len(TABLE)


@given(st.one_of(PIECES, st.text(max_size=60)))
@example("O00.1x00；E11.9x01")
@example("T78.40XA S06.0X0A M1A.09X0 Z99.999 X00 U99")
@example("C22.101M81600/3 B37.600I39.8 A17.0†G01*")
def test_all_that_is_read_is_accepted_by_what_follows(text):
    judged = read_judged(text, {})
    for value in (judged and judged["codes"],):
        if value is not None and value != NONE:
            codes = taken_apart(value)
            assert codes == tuple(value.split(SEPARATOR))
            assert all(normal_code(code) == code for code in codes)


@given(st.sampled_from(sorted(icd10().places)), st.sampled_from(["", ".9", ".901", ".9x01", ".x00x002", ".40XA"]))
def test_every_category_is_read_behind_a_word_that_says_code(category, division):
    code = category + division
    assert read_judged(code, {}) == {"codes": code}


@given(
    st.lists(st.tuples(st.sampled_from(sorted(icd10().places)), st.sampled_from(["", ".0", ".9", ".901"])), min_size=1),
    st.sampled_from(["；", ";", "、", "\n"]),
)
@example([("R05", ""), ("R50", ".9")], "；")
@example([("J12", ".8"), ("U07", ".1")], "\n")
def test_all_that_a_judge_lists_counts(parts, between):
    codes = list(dict.fromkeys(category + division for category, division in parts))
    assert read_judged(between.join(codes), {}) == {"codes": SEPARATOR.join(codes)}


@given(st.sampled_from(sorted(icd10().places)), st.sampled_from(sorted(icd10().places)))
def test_a_range_of_categories_is_none(one, other):
    first, last = sorted((one, other))
    expected = [one] if one == other else []
    assert read_judged(f"{first}–{last}", {}) == ({"codes": one} if expected else None)


def test_the_categories_of_manifestations_are_those_that_the_tree_marks(upstream_file):
    rows = csv.DictReader(upstream_file(TREE).read_text("utf-8").splitlines(), delimiter="\t")
    assert {category_of(row["code"]) for row in rows if "*" in row["code"]} == MANIFESTATIONS
    assert len(MANIFESTATIONS) == 83
