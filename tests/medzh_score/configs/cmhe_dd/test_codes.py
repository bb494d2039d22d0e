"""Codes in texts and in a judge's responses: a table, what holds for every text, and the real Chinese editions.

The rows stand in ``data/cmhe_dd_codes.jsonl``: a text, the rule that reads it, its codes (null where a judge's response
gives no verdict), and what the row shows. They were written by hand, and their codes decided before any rule saw them.
"""

from __future__ import annotations

import csv
import json

from hypothesis import example, given
from hypothesis import strategies as st
from places import CASE_FILES
from tables import holds

from medzh_score.configs.cmhe_dd.reading.names_and_codes import NONE, SEPARATOR, read_judged
from medzh_score.configs.cmhe_dd.statistics import codes_in_cell
from medzh_score.terminology.icd10 import icd10
from medzh_score.terminology.icd_codes import MANIFESTATIONS, category_of, normal_code

TABLE = [json.loads(line) for line in (CASE_FILES / "cmhe_dd_codes.jsonl").read_text(encoding="utf-8").splitlines()]
TREE = "chaseliu/ICD-10-CN/a12ed01f6b05b7f662d5212447a61bb622463acd/disease.csv"
# Texts of what codes are made of, and of what stands around them.
SIGNS = (
    *"AEJMTPRX01349.xX-/*+†（）(),，；;、 \n|:：",
    *("J30", "I10", "T38", "M8140/3", "ICD-10", "编码", "肺炎", "排除", "G01*", "℃"),
)
PIECES = st.lists(st.sampled_from(SIGNS), max_size=25).map("".join)


def test_the_table():
    """Each row of judges is read as it is labelled; those of our rule are counted in test_reading.py."""
    judged = [(row["shows"], row["text"], row["codes"]) for row in TABLE if row["rule"] == "judge"]

    def codes(_, text):
        found = read_judged(text, {})
        return found and [code for code in found["codes"].split(SEPARATOR) if code != NONE]

    holds(judged, codes)
    assert len(judged) == 66
    assert len(TABLE) > 380
    assert len({(row["rule"], row["text"]) for row in TABLE}) == len(TABLE)


@given(st.one_of(PIECES, st.text(max_size=60)))
@example("O00.1x00；E11.9x01")
@example("T78.40XA S06.0X0A M1A.09X0 Z99.999 X00 U99")
@example("C22.101M81600/3 B37.600I39.8 A17.0†G01*")
def test_all_that_is_read_is_accepted_by_what_follows(text):
    judged = read_judged(text, {}) or {"codes": NONE}
    if judged["codes"] != NONE:
        codes = codes_in_cell(judged["codes"])
        assert codes == tuple(judged["codes"].split(SEPARATOR))
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
    assert read_judged(f"{first}–{last}", {}) == ({"codes": one} if one == other else None)


def test_the_categories_of_manifestations_are_those_that_the_tree_marks(upstream_file):
    rows = csv.DictReader(upstream_file(TREE).read_text("utf-8").splitlines(), delimiter="\t")
    assert {category_of(row["code"]) for row in rows if "*" in row["code"]} == MANIFESTATIONS
    assert len(MANIFESTATIONS) == 83
