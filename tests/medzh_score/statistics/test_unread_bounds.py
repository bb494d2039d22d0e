"""What unread answers leave open, beside all that they could have been, tried one by one."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from simple_systems import systems_of

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.metrics import Metric
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.configs.care_mi import statistics as care_mi
from medzh_score.statistics.comparison.compare import compare_systems
from medzh_score.statistics.formulas.ratio import ratio
from medzh_score.statistics.values import Bootstrap

RIGHT, OF, ANSWERS = range(3)
SHARE = Metric("share", "a share", ratio(RIGHT, OF, 100.0), OF, "nothing was counted", share=ANSWERS)
ENTERING = Metric("entering", "of answers", ratio(RIGHT, OF), OF, "nothing", share=ANSWERS, of_answers=True)
WHOLE = Metric("whole", "units", ratio(RIGHT, OF), OF, "nothing was counted", share=ANSWERS, of_units=True)


def extremes(values_of_runs):
    """Give the least and the most of the mean over runs, of all that each run could be for itself."""
    least = [min(each) for each in values_of_runs]
    most = [max(each) for each in values_of_runs]
    return sum(least) / len(least), sum(most) / len(most)


def found_for(metric, statistics, unread, **options):
    """Compare a system with one that has nothing unread: what bounds leave is the first's alone."""
    asked = np.full(statistics.shape[1], 99)
    systems = systems_of(statistics, unread=unread, asked=asked, **options)
    (row,) = compare_systems(systems, (metric,), "percent", baseline="s1", bootstrap=Bootstrap(0), swaps=9)
    bounds, settled = row.differences[0].bounds, row.standings[1].value.value
    return bounds.low + settled, bounds.high + settled


def of_answers_in(outcomes, weights, scale):
    """Add up outcomes (items, variants) of one run, None for what does not count."""
    right = sum(weight * one for row, weight in zip(outcomes, weights, strict=True) for one in row if one is not None)
    over = sum(weight for row, weight in zip(outcomes, weights, strict=True) for one in row if one is not None)
    return scale * right / over if over else None


@pytest.mark.parametrize("seed", range(12))
def test_a_share_with_weights_variants_and_runs(seed):
    """Each answer is right, wrong or unread; an unread one is wrong as it stands, and may be right."""
    draw = np.random.default_rng(seed)
    items, variants, runs = 3, 2, 2
    weights = draw.choice([1.0, 0.5, 0.25], items)
    answers = draw.integers(0, 3, (2, items, runs, variants))  # 0 wrong, 1 right, 2 unread
    answers[1] = np.minimum(answers[1], 1)
    statistics = np.zeros((2, items, runs, 3))
    statistics[..., RIGHT] = (answers == 1).sum(axis=3) * weights[:, None]
    statistics[..., OF] = variants * weights[:, None]
    statistics[..., ANSWERS] = variants
    runs_could_be = []
    for run in range(runs):
        options = [(0, 1) if one == 2 else (one,) for one in answers[0, :, run].ravel().tolist()]
        could = [
            of_answers_in(np.reshape(chosen, (items, variants)).tolist(), weights, 100)
            for chosen in itertools.product(*options)
        ]
        runs_could_be.append(could)
    assert found_for(SHARE, statistics, (answers == 2).sum(axis=3)) == pytest.approx(extremes(runs_could_be))


@pytest.mark.parametrize("seed", range(12))
def test_a_share_whose_denominator_comes_from_the_answers(seed):
    """Each item counts (right or wrong) or not, and is read or not; nothing says whether what is unread counts.

    So of an item that counts, is wrong and has an unread answer, that answer is the wrong one, or another that does not
    count yet and may: as nothing, as wrong or as right.
    """
    draw = np.random.default_rng(seed + 50)
    items, runs = 4, 2
    state = draw.integers(0, 3, (2, items, runs))  # 0 wrong, 1 right, 2 does not count
    state[:, 0] = np.minimum(state[:, 0], 1)
    unread = draw.integers(0, 2, (2, items, runs))
    unread[1] = 0
    statistics = np.zeros((2, items, runs, 3))
    statistics[..., RIGHT] = state == 1
    statistics[..., OF] = statistics[..., ANSWERS] = state < 2
    could_be = []
    for run in range(runs):
        options = []
        for one, open_ in zip(state[0, :, run], unread[0, :, run], strict=True):
            sure = () if one == 2 else (int(one),)
            possible = [sure]
            if open_:
                possible += [(*sure, 0), (*sure, 1), *([(1,)] if one == 0 else [])]
            options.append(possible)
        could_be.append([of_answers_in(chosen, [1] * items, 1) for chosen in itertools.product(*options)])
    assert found_for(ENTERING, statistics, unread) == pytest.approx(extremes(could_be))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("at_first", [True, False], ids=["at the first item", "at every item"])
def test_a_share_that_needs_all_of_a_unit(seed, at_first):
    """Units of two items, of which each answer is right, wrong or unread: bounds hold what may come of it.

    They are the widest that statistics leave: that another answer of the unit is wrong for sure is not in them.
    """
    draw = np.random.default_rng(seed)
    units = np.repeat(np.arange(3), 2)
    answers = draw.integers(0, 3, (2, 6, 1))
    answers[1] = np.minimum(answers[1], 1)
    unread = answers == 2
    exact = (answers == 1).reshape(2, 3, 2, 1).all(axis=2)[:, units]
    weight = np.where(np.arange(6) % 2 == 0, 1.0, 0.0) if at_first else np.full(6, 0.5)
    statistics = np.zeros((2, 6, 1, 3))
    statistics[..., OF] = statistics[..., ANSWERS] = weight[:, None]
    statistics[..., RIGHT] = exact * weight[:, None]
    low, high = found_for(WHOLE, statistics, unread, units=units)
    options = [(0, 1) if one == 2 else (one,) for one in answers[0, :, 0].tolist()]
    could_be = [np.reshape(chosen, (3, 2)).all(axis=1).mean() for chosen in itertools.product(*options)]
    assert low == pytest.approx(min(could_be))
    assert high >= max(could_be) - 1e-12
    widest = (exact[0, ::2, 0] | unread[0].reshape(3, 2).any(axis=1)).mean()
    assert high == pytest.approx(widest)


def test_metrics_say_where_a_whole_unit_must_be_right():
    whole = {(name, metric.name) for name in config_names() for metric in find_config(name).metrics if metric.of_units}
    assert whole == {("cmhe_ce", "accuracy-strict"), ("tcmd", "group-exact")}


def test_both_systems_leave_something_open():
    """Worked by hand: of ten, 6 right and 2 unread against 5 right and 1 unread."""
    statistics = np.ones((2, 10, 1, 3))
    statistics[0, 6:, :, RIGHT] = statistics[1, 5:, :, RIGHT] = 0
    unread = np.zeros((2, 10, 1))
    unread[0, 7:9] = unread[1, 9] = 1
    (row,) = compare_systems(systems_of(statistics, unread=unread), (SHARE,), "percent", bootstrap=Bootstrap(0))
    (difference,) = row.differences
    assert (difference.label, difference.value) == ("s0", 10)
    assert (difference.bounds.low, difference.bounds.high) == (0, 30)
    assert difference.depends_on_unread
    (row,) = compare_systems(
        systems_of(statistics, unread=unread * [[[0.0]], [[1.0]]]), (SHARE,), "percent", bootstrap=Bootstrap(0)
    )
    assert (row.differences[0].bounds.low, row.differences[0].bounds.high) == (0, 10)
    missing = compare_systems(
        replace(systems_of(statistics), missing=unread), (SHARE,), "percent", bootstrap=Bootstrap(0)
    )
    assert missing[0].differences[0].bounds == difference.bounds  # what did not come is as open


def test_no_share_has_no_bounds():
    statistics = np.ones((2, 10, 1, 3))
    mean = Metric("mean", "no share", ratio(RIGHT, OF), OF, "nothing was counted")
    (row,) = compare_systems(systems_of(statistics), (mean,), "percent", bootstrap=Bootstrap(0))
    assert row.differences[0].bounds is None
    assert not row.differences[0].depends_on_unread


def test_a_metric_that_reads_something_else_has_its_own_unread():
    """By hand: of four yes-or-no questions one is answered truly, one falsely, one was not read, one did not come."""
    metric = pick("metric", care_mi.METRICS, "TF-agree")
    made = np.zeros((2, 4, 1, care_mi.WIDTH))
    made[..., care_mi.TF] = 1
    for question, column in enumerate((care_mi.TRUE_SAID, care_mi.FALSE_SAID, care_mi.UNREAD_TF)):
        made[0, question, 0, column] = 1
    made[1, :, 0, care_mi.TRUE_SAID] = 1
    found = compare_systems(systems_of(made), (metric,), "fraction", baseline="s1")[0]
    assert {standing.label: standing.unread for standing in found.standings} == {"s0": 25, "s1": 0}
    (difference,) = found.differences
    assert (difference.value, difference.bounds.low, difference.bounds.high) == (-0.75, -0.75, -0.5)


def test_an_item_that_lacks_one_answer_and_leaves_another_unread_is_open_once():
    statistics = np.ones((2, 4, 1, 3))
    statistics[0, 0, :, RIGHT] = 0
    once = np.zeros((2, 4, 1))
    once[0, 0] = 1
    found = [
        compare_systems(replace(systems_of(statistics, unread=once), missing=missing), (SHARE,), "percent")[0]
        for missing in (None, once)
    ]
    assert found[0].differences[0].bounds == found[1].differences[0].bounds
