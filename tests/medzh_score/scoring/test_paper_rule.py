"""The values by the rule of the paper's authors stand beside those by ours, in every form, and are not compared."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from made_results import made, of_pairs, pairs

from medzh_score.comparison.across_configs import summary_of
from medzh_score.comparison.load import Choices
from medzh_score.comparison.run import comparable, compared
from medzh_score.render.compare import rendered, rendered_summary
from medzh_score.render.display import DisplayOptions
from medzh_score.stats.values import Bootstrap

OURS = {"a": [1, 1, 1, 0, 1, 1], "b": [1, 0, 1, 0, 0, 1]}
THEIRS = {"a": [1, 0, 1, 0, 0, 0], "b": [1, 0, 0, 0, 0, 0]}
STATED = {"a": "33.3", "b": "16.7"}  # two and one of six
FEW = {"bootstrap": Bootstrap(20), "permutations": 50, "metrics": ("FactAcc",)}


def column(values):
    return of_pairs(np.reshape(values, (-1, 1)))


def both(chosen="medzh-1", **changes):
    by_rule = {"medzh-1": OURS, "official": THEIRS}
    order = sorted(by_rule, key=lambda name: name != chosen)
    return [
        made(f"r/{name}", {rule: column(by_rule[rule][name]) for rule in order}, pairs(6), model=name, **changes)
        for name in OURS
    ]


def compare(results, **choices):
    wanted = Choices(**{**FEW, **choices})
    return compared(comparable(results, wanted), wanted)


def test_the_authors_values_stand_beside_ours_on_all_items_and_by_group():
    found = compare(both(), by=("type",))
    for row in found.found:
        of = {"A": slice(0, None, 2), "B": slice(1, None, 2)}.get(row.group, slice(None))
        for standing in row.standings:
            assert standing.value.value == pytest.approx(100 * np.mean(OURS[standing.label][of]))
            assert standing.by_rules == {"official": pytest.approx(100 * np.mean(THEIRS[standing.label][of]))}


def test_they_are_of_the_units_that_are_compared():
    lacking = np.array([[0], [0], [1], [0], [0], [0]])
    one, _ = both()
    _, other = both(missing="wrong", missing_answers=lacking)
    (row,) = compare([one, other], allow=("missing",)).found
    assert [standing.by_rules["official"] for standing in row.standings] == [20.0, 20.0]


def test_every_form_holds_them_and_marks_none_of_them():
    comparison = compare(both())
    for form in ("text", "markdown", "latex"):
        for layout, head in (("full", "official"), ("paper", "FactAcc (official)")):
            lines = rendered(comparison, form, DisplayOptions(), layout).splitlines()
            assert any(head in line for line in lines)
            assert all(any(value in line for line in lines) for value in STATED.values())
            assert not any(f"**{value}" in line or f"{{{value}" in line for line in lines for value in STATED.values())
    rows = list(csv.DictReader(io.StringIO(rendered(comparison, "csv", DisplayOptions()).removeprefix("\ufeff"))))
    beside = [row for row in rows if row["kind"] == "beside"]
    assert [(row["rule"], row["system"], row["value"][:5], row["rank"], row["p"]) for row in beside] == [
        ("official", "a", "33.33", "", ""),
        ("official", "b", "16.66", "", ""),
    ]
    (found,) = json.loads(comparison.as_json())["found"]
    assert [round(one["by_rules"]["official"], 2) for one in found["standings"]] == [33.33, 16.67]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv"])
def test_a_summary_has_them_too(form):
    shown = rendered_summary(summary_of(both(), Choices(**FEW, baseline="a")), form, DisplayOptions(), full=True)
    assert ("sdak: FactAcc (official)" if form != "csv" else "beside,sdak,official,FactAcc") in shown
    assert all(value[:3] in shown for value in STATED.values())


def test_nothing_stands_beside_the_authors_rule_or_where_a_report_lacks_it():
    alone = made("r/c", {"medzh-1": column(OURS["a"])}, pairs(6), model="c")
    for found in (compare(both("official"), rule="official"), compare([*both(), alone])):
        assert all(not standing.by_rules for row in found.found for standing in row.standings)
        assert "(official)" not in rendered(found, "text", DisplayOptions(), "paper")
