"""What unread answers leave open, beside all that they could have been, tried one by one."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from simple_systems import systems_of

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.metrics import Metric, of_open
from medzh_score.configs.care_mi import statistics as care_mi
from medzh_score.statistics.comparison.compare import compare_systems
from medzh_score.statistics.formulas.ratio import ratio
from medzh_score.statistics.values import Bootstrap

RIGHT, OF, ANSWERS = range(3)
SHARE = Metric("share", "a share", ratio(RIGHT, OF, 100.0), OF, "nothing was counted", share=ANSWERS)
MEAN = Metric("mean", "no share", ratio(RIGHT, OF), OF, "nothing was counted")


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


@pytest.mark.parametrize("metric", [MEAN, replace(SHARE, of_answers=True)])
def test_what_is_no_share_or_of_answers_has_no_bounds_but_by_its_own_ends(metric):
    """By hand: of ten 6 are right and one is open, against ten; declared is that it counts once more, or is right."""
    statistics = np.ones((2, 10, 1, 3))
    statistics[0, 6:, :, RIGHT] = 0
    unread = np.zeros((2, 10, 1))
    unread[0, 9] = 1
    systems = systems_of(statistics, unread=unread)
    (row,) = compare_systems(systems, (metric,), "percent", baseline="s1", bootstrap=Bootstrap(0))
    assert row.differences[0].bounds is None
    assert not row.differences[0].depends_on_unread
    own = replace(metric, formula=ratio(RIGHT, OF), ends=of_open({OF: ANSWERS}, {RIGHT: ANSWERS}))
    (row,) = compare_systems(systems, (own,), "percent", baseline="s1", bootstrap=Bootstrap(0))
    bounds = row.differences[0].bounds
    assert (bounds.low, bounds.high) == pytest.approx((6 / 11 - 1, 0.7 - 1))


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
