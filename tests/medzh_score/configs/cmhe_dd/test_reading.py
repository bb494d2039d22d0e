"""Answers and judges' responses of CMHE-DD read: tables by hand, and what holds for every text."""

from __future__ import annotations

import csv
import json
from collections import Counter

from hypothesis import example, given
from hypothesis import strategies as st
from places import CASE_FILES
from tables import case_tables, holds

from medzh_score.configs.cmhe_dd.metrics import codes_in_cell
from medzh_score.configs.cmhe_dd.reading import NONE, SEPARATOR, code_of, read_judged, reader
from medzh_score.terminology.disease_names import dictionary_of, our_dictionary
from medzh_score.terminology.icd_codes import MANIFESTATIONS, category_of, normal_code

CASES = case_tables("cmhe_dd_cases")
NAMES = dictionary_of([("J18.9", "肺炎"), ("J18.0", "支气管肺炎"), ("A16.2", "肺结核"), ("E11.9", "2型糖尿病")], "test")
# Rows with codes, of which so many are read as they are labelled, and so many have a category that they should not.
CODES, CODES_RIGHT, CODES_WRONG = 396, 360, 10
# Rows without codes: categories that are right and wrong, in all four sets.
NAMES_RIGHT, NAMES_WRONG = 360, 4


def rows(name):
    return [json.loads(line) for line in (CASE_FILES / name).read_text(encoding="utf-8").splitlines()]


def read(text, dictionary=our_dictionary):
    return reader(dictionary)(text, None)


def codes(value):
    return value.split(SEPARATOR) if value else []


def test_answers_are_read_by_their_codes_or_else_by_names():
    def value_and_why(text):
        found = read(text, lambda: NAMES)
        assert found.value is None or len(found.spans) == len(codes(found.value)), text
        return found.value, found.reason

    holds([(text, tuple(expected)) for text, *expected in CASES["answers"]], value_and_why)


def test_a_name_is_linked_as_a_whole():
    holds(CASES["names"], lambda name: code_of(name, NAMES))


def test_rows_with_codes():
    table = [row for row in rows("cmhe_dd_codes.jsonl") if row["rule"] == "medzh-1"]
    found = [read(row["text"]) for row in table]
    said = [codes(one.value) if one.reason == "codes" else [] for one in found]
    assert len(table) == CODES
    assert sum(mine == row["codes"] for mine, row in zip(said, table, strict=True)) >= CODES_RIGHT
    wrong = [
        set(map(category_of, mine)) - set(map(category_of, row["codes"])) for mine, row in zip(said, table, strict=True)
    ]
    assert sum(map(bool, wrong)) <= CODES_WRONG


def test_rows_with_names():
    counts = Counter()
    for row in rows("cmhe_dd_diagnoses.jsonl"):
        said = {category_of(code) for code in codes(read(row["text"]).value)}
        counts.update(right=len(said & set(row["codes"])), wrong=len(said - set(row["codes"])))
    assert counts["right"] >= NAMES_RIGHT
    assert counts["wrong"] <= NAMES_WRONG


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


def test_the_categories_of_manifestations_are_those_that_the_tree_marks(upstream_file):
    rows = csv.DictReader(upstream_file(TREE).read_text("utf-8").splitlines(), delimiter="\t")
    assert {category_of(row["code"]) for row in rows if "*" in row["code"]} == MANIFESTATIONS
    assert len(MANIFESTATIONS) == 83
