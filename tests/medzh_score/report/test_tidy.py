"""Tidy rows of a report: CSV, Arrow and pandas have every number of the JSON, and nothing else."""

from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from scored_minis import scored_mini

from medzh_score.benchmark.registry import config_names
from medzh_score.messages.errors import MedzhError
from medzh_score.show.reports import rendered

OF_REPORT = ("config", "model", "rule", "breakdown", "group", "metric")
NUMBERS = ("value", "low", "high", "std", "least", "most")
COUNTS = ("ddof", "runs", "n")


@pytest.fixture(scope="module", params=config_names())
def report(request, minis):
    return replace(scored_mini(request.param, minis), model='示例, "1"\n模型')


def rows_of(report):
    """Walk the JSON in a plain loop: the rows that there should be, by their place."""
    plain = json.loads(report.as_json())
    rules = {report.rule: plain, **plain["rules"]}
    found = {}
    for rule, result in rules.items():
        everything = {(None, None): result["metrics"]}
        for breakdown, groups in result["groups"].items():
            everything |= {(breakdown, group): named for group, named in groups.items()}
        for (breakdown, group), named in everything.items():
            for metric, value in named.items():
                runs = len([part for part in value["per_run"] if part is not None])
                place = (plain["config"], plain["model"], rule, breakdown, group, metric)
                found[place] = {"why": None, "least": None, "most": None, **value, "runs": runs}
    return found


def read(text):
    """Read CSV back as types say, with no help of ours."""
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    for row in rows:
        row |= {name: row[name] or None for name in ("model", "breakdown", "group", "interval", "direction", "why")}
        row |= {name: float(row[name]) if row[name] else None for name in NUMBERS}
        row |= {name: int(row[name]) for name in COUNTS}
        row |= {name: json.loads(row[name]) for name in ("per_run", "n_per_run")}
    return rows


def by_place(rows):
    found = {tuple(row[name] for name in OF_REPORT): row for row in rows}
    assert len(found) == len(rows)
    return {place: {name: row[name] for name in row if name not in OF_REPORT} for place, row in found.items()}


def test_csv_has_the_numbers_of_the_json(report):
    assert by_place(read(rendered(report, "csv"))) == rows_of(report)


def test_numbers_are_written_as_in_the_json(report):
    """Not only equal: in the shortest digits that mean them."""
    written = rendered(report, "csv")
    for named in report.metrics.values():
        if named.value is not None:
            assert f",{json.dumps(named.value)}," in written


def test_arrow_has_the_same_rows_in_the_same_order(report):
    table = report.to_arrow()
    assert by_place(table.to_pylist()) == rows_of(report)
    assert table.to_pylist() == read(rendered(report, "csv"))
    assert table.column_names == list(read(rendered(report, "csv"))[0])
    types = {name: table.schema.field(name).type for name in table.column_names}
    assert {name for name, kind in types.items() if kind == pa.float64()} == set(NUMBERS)
    assert {name for name, kind in types.items() if kind == pa.int64()} == set(COUNTS)
    assert types["per_run"] == pa.list_(pa.float64())
    assert types["n_per_run"] == pa.list_(pa.int64())
    assert all(kind == pa.string() for name, kind in types.items() if name in OF_REPORT)


def test_a_data_frame_has_the_same_rows(report):
    frame = report.to_pandas()
    for name, column in report.to_arrow().to_pydict().items():
        if name in {"per_run", "n_per_run"}:
            found = [[None if np.isnan(part) else part for part in runs] for runs in frame[name]]
        else:
            found = [None if lacking else one for one, lacking in zip(frame[name], frame[name].isna(), strict=True)]
        assert found == column
    assert {frame[name].dtype.kind for name in NUMBERS} == {"f"}
    assert {frame[name].dtype.kind for name in COUNTS} == {"i"}


def test_the_chosen_rule_comes_first_and_all_items_before_groups(report):
    rows = report.to_arrow().to_pylist()
    assert list(dict.fromkeys(row["rule"] for row in rows)) == list(report.results)
    assert rows[0]["rule"] == report.rule
    assert [row["metric"] for row in rows[: len(report.metrics)]] == list(report.metrics)
    assert all(row["breakdown"] is None for row in rows[: len(report.metrics)])


def test_a_label_stands_in_csv_as_it_is(report):
    """Negative numbers stay numbers."""
    value = replace(report.metrics[report.headline], value=-1.5, low=-2.25, high=-0.125)
    result = replace(report.results[report.rule], metrics={report.headline: value}, groups={})
    made = replace(report, model="=1+1", results={report.rule: result})
    row = read(rendered(made, "csv"))[0]
    assert row["model"] == "=1+1"
    assert (row["value"], row["low"], row["high"]) == (-1.5, -2.25, -0.125)


def test_without_pandas_it_is_said_how_to_get_it(report, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MedzhError, match=r"a data frame needs pandas: .*; install it: pip install pandas"):
        report.to_pandas()
    assert report.to_arrow().num_rows
