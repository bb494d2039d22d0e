"""Codes of ICD-10 that a text states, or else those of the names in its diagnosis, never both."""

from __future__ import annotations

import json
from collections import Counter

from places import CASE_FILES
from tables import case_tables, holds

from medzh_score.configs.cmhe_dd.reading.names_and_codes import SEPARATOR, code_of, reader
from medzh_score.terminology.disease_names import dictionary_of, our_dictionary
from medzh_score.terminology.icd_codes import category_of

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
        return found.value, found.why

    holds([(text, tuple(expected)) for text, *expected in CASES["answers"]], value_and_why)


def test_a_name_is_linked_as_a_whole():
    holds(CASES["names"], lambda name: code_of(name, NAMES))


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


def test_rows_with_names():
    counts = Counter()
    for row in rows("cmhe_dd_diagnoses.jsonl"):
        said = {category_of(code) for code in codes(read(row["text"]).value)}
        counts.update(right=len(said & set(row["codes"])), wrong=len(said - set(row["codes"])))
    assert counts["right"] >= NAMES_RIGHT
    assert counts["wrong"] <= NAMES_WRONG
