"""The audit of rules: what is counted, how far a share could be off, and that no score moves by it."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from round_cases import NONE, READ, case_of, key_of, values
from scipy.stats import beta
from uncoded import answer_in

from medzh_score.benchmark.answers import answer, answer_table
from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.registry import find_config
from medzh_score.configs.tcmd import metrics as tcmd
from medzh_score.stages.audit import ANY, INVENTED, KINDS, MISSED, WRONG, weights


@pytest.fixture(params=READ)
def any_case(request, minis, tmp_path, capfdbinary):
    return case_of(request.param, minis, tmp_path, capfdbinary)


def test_an_audit_changes_no_number_but_its_own(any_case):
    """Whatever an auditor says: the report is the same in all else, signature and all."""
    rows = any_case.rows("audit", "--sample", 40, "--seed", 2)
    assert len(rows) == min(40, len(rows))
    before = values(any_case.score())
    for reply in (NONE, None, "没有读懂"):
        replies = {row["id"]: reply or any_case.reply(row) for row in rows}
        report = any_case.second(replies, name="audit")
        assert values(report) == before
        assert report.audit.as_dict()["unparsed"] == (len(rows) if reply == "没有读懂" else 0)


def test_an_audit_counts_wrong_invented_and_missed(any_case):
    """Restated: the rule's value beside the auditor's, row by row."""
    rows, readings = any_case.rows("audit", "--sample", 10_000), any_case.readings()
    assert {key_of(row) for row in rows} == readings.keys()
    replies = {row["id"]: NONE if number % 4 == 0 else any_case.reply(row) for number, row in enumerate(rows)}
    report = any_case.second(replies, name="audit")
    rates = report.audit.as_dict()["rules"]["medzh-1"]
    read = any_case.readings(
        any_case.write(
            "audited.jsonl",
            [
                {
                    "id": name,
                    **({"variant": variant} if variant else {}),
                    "prediction": any_case.config.reads.completion_prefix + any_case.readable(name),
                }
                for name, _, variant in readings
            ],
        )
    )
    counts = Counter()
    for row in rows:
        found = readings[key_of(row)].value
        said = None if replies[row["id"]] == NONE else read[key_of(row)].value
        if found != said:
            counts[MISSED if found is None else INVENTED if said is None else WRONG] += 1
    assert {kind: rates[kind]["count"] for kind in (WRONG, INVENTED, MISSED)} == {
        kind: counts[kind] for kind in (WRONG, INVENTED, MISSED)
    }
    assert rates[ANY]["count"] == sum(counts.values()) > 0
    for kind in KINDS:
        count, of = rates[kind]["count"], rates[kind]["of"]
        assert of == len(rows)
        assert rates[kind]["high"] == pytest.approx(
            beta.ppf(0.975, count + 1, of - count) if count < of else 1, abs=1e-9
        )
    assert rates["points"].keys() == set(any_case.config.reads.shares)


def test_the_draw_is_blind_to_what_the_rule_said(any_case):
    """The same answers are drawn whichever rule reads them: the draw sees ids alone."""
    lines = [json.loads(line) for line in any_case.predictions.read_text(encoding="utf-8").splitlines()]
    other = any_case.write(
        "other.jsonl", [{**line, "prediction": answer_in(line["prediction"]) and "不知道"} for line in lines]
    )
    rows = [any_case.rows("audit", "--sample", 12, after=after) for after in (None, other)]
    drawn = [sorted(map(key_of, found)) for found in rows]
    assert drawn[0] == drawn[1]


def test_rows_that_a_later_sheet_fills_in_are_not_counted_as_lacking(any_case):
    rows = any_case.rows("audit", "--sample", 10)
    first = any_case.write("first.jsonl", [{"id": row["id"], "prediction": "没有读懂"} for row in rows])
    replies = [{"id": row["id"], "prediction": any_case.reply(row)} for row in rows[:6]]
    report = any_case.score(stages={"audit": [first, any_case.write("second.jsonl", replies)]})
    assert report.audit.unparsed == len(rows) - 6
    assert f"Stage audit: 6 audited, {len(rows) - 6} without a value; by unnamed." in report.notes


def test_a_rule_that_leaves_texts_to_a_judge_is_not_audited(minis, tmp_path, capfdbinary):
    case = case_of("cmhe_dd", minis, tmp_path, capfdbinary)
    sheet = case.write("audit.jsonl", [{"id": "x~bbbbbbbb", "prediction": "J45.9"}])
    status, printed, errors = case.call(
        "score", "cmhe_dd", case.predictions, "--stage", f"audit={sheet}", "--rule", "judge"
    )
    assert (status, printed) == (2, "")
    assert "option --rule: the rule extracts no answers that can be audited: expected medzh-1, found 'judge'" in errors


def test_an_auditor_of_the_evaluated_name_is_a_caution(any_case):
    rows = any_case.rows("audit", "--sample", 3)
    report = any_case.second({row["id"]: NONE for row in rows}, name="audit", model="reader-1")
    assert "Stage audit was answered by reader-1, which also generated the predictions." in report.notes


def table_of(columns, expected):
    return answer_table(columns, np.array(expected, bool), {})


def moved_most(layout, table, statistics, formula, errors, choices):
    """Change so many answers in all possible ways: how many points does a metric move at most?"""

    def value(columns):
        sums = statistics(layout, answer_table(columns, table.expected, {}), {}).sum(axis=0)
        return float(np.mean(formula(sums)))

    cells = [
        (cell, place) for cell, column in table.columns.items() for place, one in enumerate(column) if one is not None
    ]
    start, most = value(table.columns), 0.0
    for chosen in combinations(cells, errors):
        for other in choices:
            columns = {cell: list(column) for cell, column in table.columns.items()}
            for cell, place in chosen:
                columns[cell][place] = other(cell, place)
            most = max(most, abs(value(columns) - start))
    return most


@pytest.mark.parametrize("errors", [1, 2])
def test_no_errors_move_a_share_further_than_the_bound_tcmd(errors):
    """Brute force: two groups of two and one question, two variants of most, two runs; any answers may be wrong."""
    gold = np.array([0, 1, 2, 0, 1])
    layout = ItemIndex(
        tuple("abcde"), np.arange(5)[:, np.newaxis], np.array([0, 0, 1, 1, 2]), {},
        item_values={"gold": gold, "options": np.full(5, 3)},
    )  # fmt: skip
    letters = {(0, 0): "ABCBB", (0, 1): "ABCA-", (1, 0): "BBCAA", (1, 1): "ACCA-"}
    columns = {cell: [None if one == "-" else answer(one, "x", one) for one in text] for cell, text in letters.items()}
    table = table_of(columns, [[1, 1]] * 4 + [[1, 0]])
    counts = tcmd.statistics(layout, table, {})
    right = answer("A", "x", "A"), answer("B", "x", "B"), answer("C", "x", "C")
    choices = (lambda _cell, place: right[gold[place]], lambda *_: answer(None, "unparsed"))
    over = weights(tcmd.METRICS, ("accuracy", "group-exact"), counts, table)
    for metric in tcmd.METRICS[:2]:
        most = moved_most(layout, table, tcmd.statistics, metric.formula, errors, choices)
        assert 0 < 100 * most <= 100 * errors / over[metric.name] + 1e-9


@pytest.mark.parametrize("name", READ)
def test_shares_are_metrics_of_their_config(name):
    config = find_config(name)
    assert set(config.reads.shares) <= {metric.name for metric in config.metrics}


def test_the_bound_is_the_formula(any_case):
    """Worked out from the report's numbers; in each sample some record was asked in one variant alone."""
    rows = any_case.rows("audit", "--sample", 25)
    report = any_case.second({row["id"]: any_case.reply(row) for row in rows}, name="audit")
    plain = json.loads(report.as_json())
    coverage, rates = plain["coverage"], plain["audit"]["rules"]["medzh-1"]
    with_text = len(any_case.readings())
    assert any_case.of or with_text == coverage["read"] - coverage["empty"]
    for share, points in rates["points"].items():
        counted = plain["metrics"][share]["n"] * len(plain["metrics"][share]["per_run"])
        assert points == pytest.approx(min(100, 100 * rates[ANY]["high"] * with_text / counted))
