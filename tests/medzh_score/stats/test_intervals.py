"""Wilson's interval of shares by the answers that their units are worth, and where no interval is given."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from random_models import Bench
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import beta, norm

from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.metrics import Metric, ratio, share
from medzh_score.benchmark.registry import config_names
from medzh_score.stats.intervals import exact_difference, paired_interval, student_quantile, wilson
from medzh_score.stats.sums import TOTAL
from medzh_score.stats.values import Bootstrap, values

RIGHT, OF, ANSWERS = range(3)
SHARE = Metric("share", "a share", share(RIGHT, OF, 100.0, answers=ANSWERS), OF, "nothing was counted")
MEAN = replace(SHARE, name="mean", formula=ratio(RIGHT, OF, 100.0))


def found_in(right, of, units, metric=SHARE, answers=None, **options):
    counts = np.stack(np.broadcast_arrays(right, of, of if answers is None else answers), axis=-1).astype(float)
    items = tuple(map(str, range(len(units))))
    layout = ItemIndex(items, np.arange(len(units))[:, None], np.asarray(units), options.pop("groups", {}))
    bootstrap = options.pop("bootstrap", Bootstrap(50))
    return values(layout, counts[None], (metric,), bootstrap=bootstrap, unit="percent", **options)[0]


@pytest.mark.parametrize("answers", [1, 2, 7, 20, 50, 1000])
def test_wilson_is_that_of_scipy(answers):
    for right in {0, 1, answers // 2, answers - 1, answers}:
        expected = scipy.stats.binomtest(right, answers).proportion_ci(0.95, "wilson")
        assert wilson(right / answers, answers, 0.95) == pytest.approx((expected.low, expected.high), abs=1e-12)


@given(st.lists(st.booleans(), min_size=2, max_size=40), st.integers(0, 5))
def test_one_answer_a_unit_is_wilson_of_those_that_count(right, more):
    hits = np.array([*right, *[0] * more], float)[:, None]
    of = np.array([*[1] * len(right), *[0] * more], float)[:, None]
    value = found_in(hits, of, range(len(hits)))[TOTAL]["share"]
    expected = scipy.stats.binomtest(sum(right), len(right)).proportion_ci(0.95, "wilson")
    assert (value.low, value.high) == pytest.approx((100 * expected.low, 100 * expected.high), abs=1e-9)
    assert (value.interval, value.unavailable_reason, value.n, value.n_per_run) == (
        "wilson",
        None,
        len(right),
        (len(right),),
    )


def student(share, units):
    """Solve Wilson's definition with Student's quantile, by scipy."""
    quantile = scipy.stats.t.ppf(0.975, units - 1)

    def beyond(truth):
        return (share - truth) ** 2 - quantile**2 * truth * (1 - truth) / units

    below = 0.0 if share == 0 else scipy.optimize.brentq(beyond, 0, min(share, 1 - 1e-9), xtol=1e-14)
    return [below, 1.0 if share == 1 else scipy.optimize.brentq(beyond, max(share, 1e-9), 1, xtol=1e-14)]


@pytest.mark.parametrize("degrees", [1, 2, 3, 9, 10, 199, 200, 201, 5000])
def test_students_quantile_is_that_of_scipy(degrees):
    for chance in (0.9, 0.975, 0.995):
        assert student_quantile(chance, degrees) == pytest.approx(scipy.stats.t.ppf(chance, degrees), rel=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_a_unit_of_several_answers_tells_as_much_as_one(seed):
    """Items, runs, variants and weights of a unit together; a run without a denominator is left out."""
    draw = np.random.default_rng(seed)
    units = np.concatenate([np.arange(6), draw.integers(0, 6, 14)])
    variants = draw.integers(1, 6, (20, 1))
    counted = (draw.random((20, 3)) < 0.9) * np.array([1, 1, seed % 2])
    of = counted * (1.0 if seed % 3 else 1 / np.bincount(units)[units, None])
    right = (draw.random((20, 3)) < draw.random(6)[units][:, None]) * of
    value = found_in(right, of, units, answers=variants * counted)[TOTAL]["share"]
    runs = [run for run in range(3) if of[:, run].any()]
    share = sum(right[:, run].sum() / of[:, run].sum() for run in runs) / len(runs)
    assert value.value == pytest.approx(100 * share)
    assert [value.low, value.high] == pytest.approx([100 * bound for bound in student(share, 6)])
    assert value.n_per_run == tuple(counted.sum(axis=0))


@pytest.mark.parametrize("runs", [1, 2])
@pytest.mark.parametrize("name", config_names())
def test_the_shares_of_every_config_have_these_intervals(name, runs, minis, tmp_path, write_lines):
    """From what items contribute, unit by unit: the quantile is Student's where any unit holds several answers."""
    bench = Bench(name, minis, tmp_path, write_lines)
    scored = bench.score(bench.model(5, runs))
    members = [bench.layout.clusters == unit for unit in set(bench.layout.clusters)]
    for metric in (one for one in scored.metrics if one.share is not None):
        value, scale = scored.report.metrics[metric.name], metric.formula.scale
        right, of, answers = (
            scored.chosen[..., column]
            for column in (metric.formula.numerator, metric.formula.denominator, metric.share)
        )
        units = sum(of[unit].any() for unit in members)
        if value.interval is None:
            assert units < 2, metric
            continue
        share = np.mean([right[:, run].sum() / of[:, run].sum() for run in range(runs) if of[:, run].any()])
        if max(answers[unit].sum() for unit in members) <= 1:
            ends = [*scipy.stats.binomtest(round(share * units), units).proportion_ci(0.95, "wilson")]
        else:
            ends = student(share, units)
        assert [value.value, value.low, value.high] == pytest.approx([scale * one for one in (share, *ends)]), metric


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=2, max_size=12), st.data())
def test_one_more_right_answer_never_lowers_an_end(said, data):
    right, units = np.array(said, float), np.arange(len(said)) // data.draw(st.sampled_from([1, 2]))
    wrong = np.argwhere(right == 0)
    if not len(wrong) or units[-1] == 0:
        return
    more = right.copy()
    more[tuple(wrong[data.draw(st.integers(0, len(wrong) - 1))])] = 1
    before, after = (found_in(one, np.ones_like(one), units)[TOTAL]["share"] for one in (right, more))
    assert after.low >= before.low
    assert after.high >= before.high


@pytest.mark.parametrize("metric", [SHARE, MEAN], ids=["share", "mean"])
def test_a_group_of_fewer_than_two_units_that_count_has_no_interval(metric):
    right = np.array([[1.0], [0.0], [1.0], [0.0], [1.0], [0.0]])
    of = np.array([[1.0], [1.0], [1.0], [0.0], [1.0], [1.0]])
    groups = {"kind": ["one unit", "one unit", "one counts", "one counts", "two", "two"]}
    found = found_in(right * of, of, [0, 0, 1, 2, 3, 4], metric, groups=groups)
    for group in ("one unit", "one counts"):
        value = found["kind", group][metric.name]
        assert (value.low, value.high, value.interval) == (None, None, None)
        assert value.value is not None
        assert value.unavailable_reason == "fewer than two clusters contribute"
    assert found["kind", "two"][metric.name].low is not None


def test_the_bootstrap_can_be_asked_for_and_its_resamples_not():
    right = (np.random.default_rng(1).random((40, 1)) < 0.6).astype(float)
    ones = np.ones((40, 1))
    drawn = found_in(right, ones, range(40), interval="bootstrap")[TOTAL]["share"]
    other = found_in(right, ones, range(40), MEAN)[TOTAL]["mean"]
    assert (drawn.low, drawn.high, drawn.interval) == (other.low, other.high, "bootstrap")
    none = found_in(right, ones, range(40), MEAN, bootstrap=Bootstrap(0))[TOTAL]["mean"]
    assert (none.low, none.high, none.unavailable_reason) == (None, None, "no resamples were requested")
    wilsons = found_in(right, ones, range(40), bootstrap=Bootstrap(0))[TOTAL]["share"]
    assert wilsons.interval == "wilson"


def by_beta(count, of):
    """Restate the interval of Clopper and Pearson at 97.5 %."""
    low = 0.0 if count == 0 else beta.ppf(0.0125, count, of - count + 1)
    return low, 1.0 if count == of else beta.ppf(0.9875, count + 1, of - count)


@pytest.mark.parametrize("units", [1, 4, 9, 39, 460])
def test_an_exact_difference_holds_all_that_fit_both_how_many_differ_and_how_they_split(units):
    for won in range(min(units, 9) + 1):
        for lost in range(min(units, 9) - won + 1):
            differing = np.linspace(*by_beta(won + lost, units), 101)
            split = np.linspace(*(by_beta(won, won + lost) if won + lost else (0.0, 1.0)), 101)
            tried = np.outer(differing, 2 * split - 1)
            expected = tried.min(), tried.max()
            assert exact_difference(won, lost, units) == pytest.approx(expected, abs=1e-9)
            if won + lost < 10:
                assert paired_interval(won, lost, units) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("won", "lost", "units"), [(12, 2, 50), (10, 0, 10), (10, 0, 40), (6, 6, 13), (30, 25, 300)])
def test_where_more_units_differ_it_is_the_score_interval(won, lost, units):
    """By Tango's definition: the share that only the second has is the likeliest of those with the difference."""

    def errors(difference):
        def unlikely(second):
            chances = second + difference, second, 1 - difference - 2 * second
            counts = won, lost, units - won - lost
            return -sum(count * math.log(max(chance, 1e-300)) for count, chance in zip(counts, chances, strict=True))

        room = max(0.0, -difference), (1 - difference) / 2
        second = minimize_scalar(unlikely, bounds=room, method="bounded", options={"xatol": 1e-13}).x
        return (won - lost - units * difference) / math.sqrt(units * (2 * second + difference * (1 - difference)))

    found, far = (won - lost) / units, norm.ppf(0.975)
    low = brentq(lambda difference: errors(difference) - far, -1 + 1e-9, found - 1e-9)
    high = 1.0 if found == 1 else brentq(lambda difference: errors(difference) + far, found + 1e-9, 1 - 1e-9)
    assert paired_interval(won, lost, units) == pytest.approx((low, high), abs=1e-5)
