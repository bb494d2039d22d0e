"""The verdict on a difference: each of the four, and each reason of an undecided one, by hand."""

from __future__ import annotations

import json

import pytest
from compared import comparison, difference, standing, value

from medzh_score.comparison.verdict import decide
from medzh_score.stats.pairwise import Bounds, MetricComparison

OPEN = Bounds(-4.0, 9.0)  # unparsed answers could reverse the sign
FIXED = Bounds(1.0, 9.0)
# value, ends of the interval, adjusted p, bounds; verdict and reasons, for a metric of which higher values are better
CASES = [
    (5.0, (1.0, 9.0), 0.05, None, "ahead", ()),
    (5.0, (1.0, 9.0), 0.01, FIXED, "ahead", ()),
    (5.0, (None, None), 0.01, None, "ahead", ()),  # without resamples the test decides
    (-5.0, (-9.0, -1.0), 0.01, None, "behind", ()),
    (2.0, (-1.0, 5.0), 0.31, None, "no_difference", ()),
    (2.0, (-1.0, 5.0), 0.31, OPEN, "no_difference", ()),
    (2.0, (0.0, 4.0), 0.31, None, "no_difference", ()),
    (0.0, (0.0, 0.0), 1.0, None, "no_difference", ()),
    (2.0, (None, None), 0.31, None, "no_difference", ()),
    (5.0, (1.0, 9.0), 0.0501, None, "undecided", ("test_not_significant",)),
    (5.0, (-1.0, 11.0), 0.01, None, "undecided", ("interval_includes_zero",)),
    (5.0, (1.0, 9.0), 0.01, OPEN, "undecided", ("unparsed_could_reverse",)),
    (7.2, (0.7, 14.1), 0.06, OPEN, "undecided", ("test_not_significant", "unparsed_could_reverse")),
    (5.0, (-1.0, 11.0), 0.01, OPEN, "undecided", ("interval_includes_zero", "unparsed_could_reverse")),
    (5.0, (1.0, 9.0), None, None, "undecided", ("no_test",)),
    (None, (None, None), None, None, "undecided", ("not_available",)),
]


def made(of, ends, adjusted, bounds):
    return difference("a", "b", of, low=ends[0], high=ends[1], p=adjusted, corrected=adjusted, bounds=bounds)


@pytest.mark.parametrize(("of", "ends", "adjusted", "bounds", "verdict", "reasons"), CASES)
def test_interval_test_and_bounds_decide(of, ends, adjusted, bounds, verdict, reasons):
    one = made(of, ends, adjusted, bounds)
    assert decide(one, "higher") == (verdict, reasons)
    mirrored = {"ahead": "behind", "behind": "ahead"}.get(verdict, verdict)
    assert decide(one, "lower") == (mirrored, reasons)


def test_a_metric_without_a_direction_has_no_verdict():
    assert decide(made(5.0, (1.0, 9.0), 0.01, None), None) == ("undecided", ("no_direction",))


def test_the_json_has_the_verdict_on_each_difference():
    standings = (standing("a", value(55.0), (1, 1, 1)), standing("b", value(50.0), (2, 2, 2)))
    one = made(5.0, (1.0, 9.0), 0.01, OPEN)
    row = MetricComparison("FactAcc", "", "", None, standings, (one,), (), "randomised tukey", 1, 1000)
    (found,) = json.loads(comparison("ab", (row,)).as_json())["found"]
    assert [(of["verdict"], of["reasons"]) for of in found["differences"]] == [
        ("undecided", ["unparsed_could_reverse"])
    ]
