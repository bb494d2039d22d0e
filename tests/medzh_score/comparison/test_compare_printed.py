"""Rows of papers beside a comparison: their metrics, and what is and is not comparable."""

from __future__ import annotations

import numpy as np
import pytest
from made_results import made, of_pairs, pairs

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.benchmark.rules import signed_rule
from medzh_score.comparison.load import Choices
from medzh_score.comparison.run import comparable, compared, row_name
from medzh_score.results.warnings import warn
from medzh_score.scoring.paper import load_paper
from medzh_score.stats.values import Bootstrap
from medzh_score.ui.errors import MedzhError

RIGHT = np.array([[1], [0], [1], [1]])
MINI = warn("not_official_data", made="mini")


def compare(*printed, rules=("official", "medzh-1"), warnings=(), **choices):
    statistics = {name: of_pairs(RIGHT) for name in rules}
    signed = {"rule": signed_rule(rules[0])}
    results = [
        made(f"r/{name}", statistics, pairs(4), model=name, warnings=warnings, signature=signed) for name in ("a", "b")
    ]
    wanted = Choices(printed=printed, bootstrap=Bootstrap(20), permutations=20, **choices)
    return compared(comparable(results, wanted), wanted)


def test_what_columns_print_are_metrics_of_the_config():
    declared = 0
    for name in config_names():
        metrics = {metric.name for metric in find_config(name).metrics}
        for table in load_paper(name).tables:
            rows = [cells for cells in table.rows if table.whole.items() <= cells.items()]
            assert rows
            for column in table.columns:
                if column.metric:
                    declared += 1
                    assert {column.metric.format_map(cells) for cells in rows} <= metrics
            if any(column.metric for column in table.columns):
                names = [row_name(table, cells) for cells in rows]
                per_name = {row: names.count(row) for row in names}
                wanted = {len({column.metric.format_map(c) for c in rows for column in table.columns if column.metric})}
                columns = sum(column.metric is not None for column in table.columns)
                assert {count * columns for count in per_name.values()} == wanted  # no cell is lost to another
    assert declared > 20


@pytest.mark.parametrize("name", ["4:GPT-4", "4:General/GPT-4"])
def test_a_row_has_its_values_and_says_what_is_comparable(name):
    (row,) = compare(name).printed
    assert (row.table, row.row) == ("Table 4", "General/GPT-4")
    assert row.values == {"IFR": 99.96, "FactAcc": 65.42, "AccR": 100.0}
    assert row.remarks[0].startswith("Table 4 of the SDAK paper: metrics of general and medical models")
    assert row.remarks[1].startswith("Not tested for significance because the predictions are different samples.")
    assert row.remarks[1].endswith(" Systems: generation settings temperature 0, rule official.")
    assert "S14" in row.remarks[2]


def test_the_rule_is_the_papers_unless_another_is_asked_for():
    both = ("medzh-1", "official")
    assert compare(rules=both).rule == "medzh-1"
    assert compare("4:GPT-4", rules=both).rule == "official"
    found = compare("4:GPT-4", rules=both, rule="medzh-1")
    assert found.rule == "medzh-1"
    assert "another rule (medzh-1; closest to the paper: official)" in found.printed[0].remarks[1]


def test_data_that_are_not_the_papers_are_refused_unless_they_are_allowed():
    with pytest.raises(
        MedzhError,
        match=("--paper-row: the data differ from the data of the paper: found 'The data were built with recipe mini"),
    ):
        compare("4:GPT-4", warnings=(MINI,))
    (row,) = compare("4:GPT-4", warnings=(MINI,), allow=("data",)).printed
    assert MINI.message in row.remarks
    assert MINI.message in compare(warnings=(MINI,)).notes


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("GPT-4", "invalid table row: expected TABLE:ROW"),
        ("4:", "invalid table row"),
        ("99:GPT-4", "option --paper-row: the paper has no such table"),
        (
            "6:GPT-4",
            "option --paper-row: the table is not included: only example queries: expected 1, 3, 4, 5, 11, found 6$",
        ),
        ("11:Metric-Effect", "Table 11 has no metric over all items: expected 4$"),
        ("4:GPT-5", "Table 4 has no such row: expected General/GPT-4, General/Qwen-14b-Chat"),
        ("4:Medical", "Table 4 has several matching rows: expected Medical/Mixed/Zhongjing"),
    ],
)
def test_rows_that_are_not_there(name, message):
    with pytest.raises(MedzhError, match=message):
        compare(name)


def test_rows_about_a_part_are_none():
    from medzh_score.comparison.run import _row

    paper = load_paper("cmhe_dd")
    row = _row(paper, "3:Diagnose-all/Qwen", [])
    assert row.values["F1-level-2"] == 37.9
    assert row.values["P-level-0"] == 66.9
    assert len(row.values) == 9
    assert _row(paper, "3:Qwen", []).values == row.values
    with pytest.raises(MedzhError, match="Table 3 has no such row: expected Diagnose-all/ChatGPT"):
        _row(paper, "3:Diagnose-chat/Qwen", [])
