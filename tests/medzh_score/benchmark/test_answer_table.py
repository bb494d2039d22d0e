"""Answers are held as numbers, as narrow as these are, and gone through run by run."""

from __future__ import annotations

import io
import tracemalloc
from array import array
from collections import Counter

import numpy as np
import pytest
from places import SAMPLES

from medzh_score.benchmark.answer_table import WIDTHS, AnswerTable, Column, Numbering
from medzh_score.benchmark.layout import Layout
from medzh_score.configs.tcmd.config import CONFIG
from medzh_score.report.results import columns
from medzh_score.report.scoring import score
from medzh_score.text.folding import BARE, FORMS

NUMBERS = (255, 256, 65_535, 65_536, 7)


def fresh(records):
    return Column(array(WIDTHS[0], bytes(records)), Numbering())


def test_a_column_grows_as_wide_as_its_numbers_and_keeps_what_it_holds():
    one = fresh(6)
    widths = []
    for record, number in enumerate(NUMBERS):
        one[record] = number
        widths.append(one.numbers.itemsize)
    assert one.numbers.tolist() == [*NUMBERS, 0]
    assert widths == [1, 2, 2, 4, 4]


def test_columns_of_several_widths_are_one_table():
    records, cells = 400, [(run, variant) for run in (0, 3) for variant in (0, 5)]
    table = AnswerTable({}, np.ones((records, 2), bool))
    values = {}
    for place, cell in enumerate(cells):
        table.open(cell, records)
        table.forms[cell] = bytearray(records)
        for record in range(records - place):  # the last ones lack
            value = str(record) if cell == (3, 0) else "AB"[record % 2]
            values[record, *cell] = value
            table.columns[cell][record] = table.numbering[value, "why", None, False]
            table.forms[cell][record] = BARE
    assert {cell: table.columns[cell].numbers.itemsize for cell in cells} == {
        cell: 2 if cell == (3, 0) else 1 for cell in cells
    }
    lengths = np.array([[len(values.get((record, *cell), "")) for cell in cells] for record in range(records)])
    there = lengths.reshape(records, 2, 2) > 0
    assert np.array_equal(table.missing, ~there)
    assert np.array_equal(table.codes(lambda one: len(one.value)), lengths.reshape(records, 2, 2))
    assert np.array_equal(np.concatenate([one.missing for one in table.by_run()], axis=1), ~there)
    assert [one.runs for one in table.by_run()] == [(0,), (3,)]
    assert Counter({one.wording: one.answers for one in table.fired}) == {"why": len(values)}
    assert [(one.form, one.predictions) for one in table.by_form] == [(FORMS[BARE], len(values))]


def test_what_is_added_later_is_coded_too():
    table = AnswerTable({}, np.ones((2, 1), bool))
    table.open((0, 0), 2)

    def code(one):
        return int(one.value == "A")

    for record, value in enumerate("BA"):
        table.columns[0, 0][record] = table.numbering[value, "why", None, False]
        assert table.codes(code).ravel().tolist() == [0, record]


def test_statistics_of_many_runs_hold_less_than_a_byte_an_answer_beside_their_sums():
    records, runs, variants = 30, 120, 120
    table = AnswerTable({}, np.ones((records, variants), bool))
    known = [table.numbering[one, "why", None, True] for one in "ABCDE"]
    answers = np.array([known[place % 5] for place in range(records)])
    for run in range(runs):
        for variant in range(variants):
            table.open((run, variant), records)
            for record, number in enumerate(np.roll(answers, run + variant).tolist()):
                table.columns[run, variant][record] = number
    layout = Layout(
        items=tuple(f"q{place:02d}" for place in range(records)),
        members=np.arange(records)[:, np.newaxis],
        units=np.arange(records),
        groups={},
        facts={"gold": np.arange(records) % 5, "options": np.full(records, 5)},
    )
    tracemalloc.start()
    try:
        counts = CONFIG.statistics(layout, table, {})
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak - counts.nbytes < records * runs * variants


@pytest.mark.parametrize("rows", [1, 7])
def test_statistics_are_written_in_the_same_bytes_however_many_rows_come_at_once(monkeypatch, rows):
    report = score("tcmd", SAMPLES / "tcmd" / "predictions.jsonl", "mini")
    monkeypatch.setattr(columns, "ROWS", rows)
    whole = written(report._basis)
    monkeypatch.setattr(columns, "ROWS", rows)
    assert written(report._basis) == whole


def written(basis):
    stream = io.BytesIO()
    count = next(iter(basis.rules.values())).statistics.shape[2]
    schema = columns.statistics_schema(basis.layout.groups, count)
    columns.write_tables(stream, schema, {}, columns.statistics_columns(basis))
    return stream.getvalue()
