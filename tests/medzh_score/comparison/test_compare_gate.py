"""A gate says pass or fail only where that is sure, and else how large a difference had to be."""

from __future__ import annotations

import numpy as np
import pytest
from compared import comparison, difference, standing, value
from made_results import made, of_pairs, pairs

from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.registry import find_config
from medzh_score.comparison.gate import STATUSES, judged, worst
from medzh_score.comparison.load import Choices, Gate, gate_of
from medzh_score.comparison.run import comparable, compared
from medzh_score.configs.sdak.metrics import PairColumns
from medzh_score.render.compare_tables import signs_of
from medzh_score.stats.pairwise import MetricComparison
from medzh_score.stats.values import Bootstrap
from medzh_score.ui.errors import MedzhError


def gated(gate, base, *others, **choices):
    layout = pairs(len(base))
    results = [
        made(f"r/{name}", {"medzh-1": of_pairs(np.reshape(right, (-1, 1)))}, layout, model=name)
        for name, right in zip("abcde", (base, *others), strict=False)
    ]
    wanted = Choices(
        **{
            "baseline": "a",
            "gate": gate_of(gate),
            "bootstrap": Bootstrap(500),
            "permutations": 1000,
            "metrics": ("IFR",),
        }
        | choices
    )
    return compared(comparable(results, wanted), wanted)


def some(count, right):
    return np.arange(count) < right


def outcomes(found):
    return [one.outcome for one in found.judged]


@pytest.mark.parametrize(
    ("points", "lost", "outcome"),
    [("2", 100, "fail"), ("30", 100, "pass"), ("20", 100, "undecided"), ("0", 0, "undecided"), ("2", -100, "pass")],
)
def test_bounds_decide(points, lost, outcome):
    """Of 500 pairs, 300 are right in the baseline; so many of these are lost, or others won."""
    found = gated(f"FactAcc:{points}", some(500, 300), some(500, 300 - lost))
    difference = found.found[-1].differences[0]
    assert difference.value == pytest.approx(-lost / 5)
    assert outcomes(found) == [outcome]
    low, high = difference.low, difference.high
    if low is not None:
        assert outcome == ("pass" if low > -float(points) else "fail" if high < -float(points) else "undecided")


@pytest.mark.parametrize(("count", "outcome"), [(460, "pass"), (150, "undecided"), (20, "undecided")])
def test_equal_answers_pass_where_there_are_enough_of_them(count, outcome):
    """No pair of n differs: at the edge of the exact interval 1 - 0.0125 ** (1 / n) of all others might."""
    right = some(count, count // 2)
    assert (outcome == "pass") == (100 * (1 - 0.0125 ** (1 / count)) < 2)
    assert outcomes(gated("FactAcc:2", right, right.copy())) == [outcome]


def test_without_points_only_what_is_significant_fails():
    base = some(200, 120)
    found = gated("FactAcc", base, some(200, 118), some(200, 60), some(200, 200))
    assert outcomes(found) == ["pass", "fail", "pass"]
    assert worst(found) == "fail"
    assert STATUSES[worst(found)] == 1
    assert worst(gated("FactAcc", base, some(200, 118))) == "pass"


def test_lower_is_better_where_the_metric_says_so():
    config = find_config("pemebench")
    metric = next(one for one in config.metrics if one.name == "Hall_sentence")
    width = 1 + max(metric.formula.numerator, metric.formula.denominator, *(one.denominator for one in config.metrics))
    count = 300
    layout = ItemIndex(
        tuple(f"q{number:03}" for number in range(count)), np.zeros((count, 0), np.int64), np.arange(count), {}
    )

    def hallucinating(name, share):
        counts = np.zeros((count, 1, max(width, 120)))
        counts[:, 0, metric.formula.denominator] = 1
        counts[:, 0, metric.formula.numerator] = some(count, share)
        return made(f"r/{name}", {"medzh-1": counts}, layout, "pemebench", model=name)

    wanted = Choices(
        baseline="a",
        gate=Gate("Hall_sentence", 2.0),
        metrics=("Hall_sentence",),
        bootstrap=Bootstrap(200),
        permutations=200,
    )
    results = [hallucinating("a", 100), hallucinating("b", 200), hallucinating("c", 20)]
    found = compared(comparable(results, wanted), wanted)
    assert outcomes(found) == ["fail", "pass"]


def judged_reasons(count):
    """Give statistics of four right pairs, of so many of which a person checked the reasons."""
    counts = of_pairs(np.ones((4, 1)))
    counts[:count, :, (PairColumns.reliable, PairColumns.judged)] = 1
    return counts


def test_a_system_without_a_value_fails_and_a_baseline_without_one_decides_nothing():
    for gate in ("AccR", "AccR:50"):
        wanted = Choices(baseline="a", gate=gate_of(gate), bootstrap=Bootstrap(50), permutations=50)
        for base, other, outcome in ((4, 0, "fail"), (0, 4, "undecided"), (0, 0, "undecided")):
            both = [
                made(f"r/{name}", {"medzh-1": judged_reasons(count)}, pairs(4), model=name)
                for name, count in (("a", base), ("b", other))
            ]
            found = compared(comparable(both, wanted), wanted)
            assert outcomes(found) == [outcome]
            assert "has an annotation by a person (stage `reason`)" in found.notes[-1]


@pytest.mark.parametrize("runs", [1, 3])
@pytest.mark.parametrize("gate", ["FactAcc", "FactAcc:5"])
def test_all_right_against_all_wrong_fails(gate, runs):
    """All resamples are equal: the loss is sure all the same."""
    right, wrong = np.ones((39, runs)), np.zeros((39, runs))
    results = [made(f"r/{n}", {"medzh-1": of_pairs(x)}, pairs(39), model=n) for n, x in (("a", right), ("b", wrong))]
    wanted = Choices(baseline="a", gate=gate_of(gate), bootstrap=Bootstrap(200), permutations=1000)
    found = compared(comparable(results, wanted), wanted)
    assert outcomes(found) == ["fail"]
    assert found.notes[-1].endswith("b is more than 5 pp worse." if ":" in gate else "b is significantly worse.")


@pytest.mark.parametrize("text", ["FactAcc:x", "FactAcc:-1", ":2", "FactAcc:", "FactAcc:nan", "FactAcc:inf"])
def test_what_is_no_gate(text):
    with pytest.raises(MedzhError, match="--fail-on-regression: invalid regression check"):
        gate_of(text)


def test_a_gate_needs_a_baseline_and_a_better_direction():
    with pytest.raises(MedzhError, match="--fail-on-regression: a baseline is required"):
        gated("FactAcc", some(5, 2), some(5, 3), baseline=None)
    with pytest.raises(MedzhError, match="--fail-on-regression: unknown name: expected IFR, FactAcc"):
        gated("Accuracy:2", some(5, 2), some(5, 3))


@pytest.mark.parametrize(("corrected", "outcome"), [(0.05, "fail"), (0.0501, "pass")])
def test_a_gate_calls_significant_what_the_tables_do(corrected, outcome):
    """At exactly 5 % a table tells two systems apart, and so must the gate."""
    standings = (standing("a", value(50.0), (1, 1, 1)), standing("b", value(45.0), (2, 2, 2)))
    its = difference("b", "a", -5.0, corrected=corrected)
    row = MetricComparison("FactAcc", "", "", "a", standings, (its,), (), "holm", 1, 1000)
    assert outcomes(judged(comparison(("a", "b"), (row,)), Gate("FactAcc"))) == [outcome]
    assert (signs_of(row)["b", "a"] == "<") == (outcome == "fail")
