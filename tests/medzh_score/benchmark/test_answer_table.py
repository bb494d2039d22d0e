"""Answers are held as numbers, and gone through run by run."""

from __future__ import annotations

from collections import Counter

import numpy as np

from medzh_score.benchmark.answers import BARE, FORMS, AnswerTable


def test_columns_of_runs_and_variants_are_one_table():
    records, cells = 400, [(run, variant) for run in (0, 3) for variant in (0, 5)]
    table = AnswerTable({}, np.ones((records, 2), bool))
    values = {}
    for place, cell in enumerate(cells):
        table.open(cell, records)
        table.forms[cell] = bytearray(records)
        for record in range(records - place):  # the last ones lack
            value = str(record) if cell == (3, 0) else "AB"[record % 2]
            values[record, *cell] = value
            table.columns[cell][record] = table.numbering[value, "reason", None, False]
            table.forms[cell][record] = BARE
    lengths = np.array([[len(values.get((record, *cell), "")) for cell in cells] for record in range(records)])
    there = lengths.reshape(records, 2, 2) > 0
    assert np.array_equal(table.missing, ~there)
    assert np.array_equal(table.codes(lambda one: len(one.value)), lengths.reshape(records, 2, 2))
    assert np.array_equal(np.concatenate([one.missing for one in table.by_run()], axis=1), ~there)
    assert [one.runs for one in table.by_run()] == [(0,), (3,)]
    assert Counter({one.wording: one.answers for one in table.matches}) == {"reason": len(values)}
    assert [(one.form, one.predictions) for one in table.by_form] == [(FORMS[BARE], len(values))]


def test_what_is_added_later_is_coded_too():
    table = AnswerTable({}, np.ones((2, 1), bool))
    table.open((0, 0), 2)

    def code(one):
        return int(one.value == "A")

    for record, value in enumerate("BA"):
        table.columns[0, 0][record] = table.numbering[value, "reason", None, False]
        assert table.codes(code).ravel().tolist() == [0, record]
