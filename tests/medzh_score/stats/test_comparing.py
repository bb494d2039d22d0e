"""What a comparison finds, of every config's metrics on made-up models and of simple systems worked out by hand."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import scipy.stats
from random_models import Bench
from simple_systems import sdak_systems

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import config_names
from medzh_score.configs.sdak import metrics as sdak
from medzh_score.stats.compare import compare_systems
from medzh_score.stats.sums import TOTAL
from medzh_score.stats.systems import Systems
from medzh_score.stats.values import Bootstrap, values

FACT = pick("metric", sdak.METRICS, "FactAcc")
MANY = "MEDZH_EXAMPLES" in os.environ
FEW_DRAWS = {"bootstrap": Bootstrap(60, 3), "permutations": 99}


@pytest.fixture(scope="module", params=config_names())
def models(request, minis, tmp_path_factory, write_lines):
    bench = Bench(request.param, minis, tmp_path_factory.mktemp(request.param), write_lines)
    scored = [bench.score(bench.model(seed)) for seed in range(3)]
    made = np.stack([one.chosen for one in scored])
    draw = np.random.default_rng(1)
    units = scored[0].layout.clusters
    mixed = np.stack([made[system, item] for item, system in enumerate(draw.integers(0, 3, units.max() + 1)[units])])
    every = np.concatenate([made, mixed[np.newaxis]])
    config = bench.config
    smallest = sorted(scored[0].layout.groups.items(), key=lambda one: len(set(one[1])))[:1]
    groups = {name: [labels[0] if label == labels[0] else "others" for label in labels] for name, labels in smallest}
    layout = replace(scored[0].layout, groups=groups)
    few = config.metrics if MANY else one_of_each_kind(config.metrics)
    return Systems(("m", "b", "z", "a"), layout, every, np.zeros(every.shape[:3])), replace(config, metrics=few)


def one_of_each_kind(metrics):
    kinds = {}
    for metric in metrics:
        formula = getattr(metric.formula, "__qualname__", type(metric.formula))
        kind = formula, metric.share is None, metric.direction, metric.of_answers, metric.ends is None
        kinds.setdefault(kind, metric)
    return tuple(kinds.values())


def compared(models, systems, **options):
    given, config = models
    options = {**FEW_DRAWS, "breakdowns": tuple(given.layout.groups), **options}
    return compare_systems(systems, config.metrics, config.unit, **options)


@pytest.fixture(scope="module")
def of_all(models):
    return cache(lambda **options: compared(models, models[0], **options))


def chosen(systems, places, labels=None):
    labels = tuple(systems.labels[place] for place in places) if labels is None else labels
    return Systems(labels, systems.layout, systems.statistics[list(places)], systems.unparsed[list(places)])


def turned(difference):
    negative = {name: None if (x := getattr(difference, name)) is None else -x for name in ("value", "low", "high")}
    bounds = difference.bounds
    return replace(
        difference,
        label=difference.other,
        other=difference.label,
        value=negative["value"],
        low=negative["high"],
        high=negative["low"],
        won=difference.lost,
        lost=difference.won,
        bounds=None if bounds is None else replace(bounds, low=-bounds.high, high=-bounds.low),
    )


def same(one, other):
    for name, value in vars(one).items():
        theirs = getattr(other, name)
        if name == "bounds" and value is not None:
            assert (value.low, value.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
        elif isinstance(value, float):
            assert value == pytest.approx(theirs, abs=1e-9), name
        else:
            assert value == theirs, name


@pytest.mark.parametrize("all_pairs", [False, True])
def test_the_order_of_systems_changes_nothing(models, of_all, all_pairs):
    options = {} if all_pairs else {"baseline": "b"}
    first = of_all(**options)
    second = compared(models, chosen(models[0], (2, 0, 3, 1)), **options)
    for one, other in zip(first, second, strict=True):
        assert {each.label: each for each in one.standings} == {each.label: each for each in other.standings}
        assert one.ties == other.ties
        theirs = {(each.label, each.other): each for each in other.differences}
        assert len(theirs) == len(one.differences) == (6 if all_pairs else 3)
        for difference in one.differences:
            pair = difference.label, difference.other
            same(difference, theirs[pair] if pair in theirs else turned(theirs[pair[::-1]]))


@pytest.mark.parametrize("all_pairs", [False, True])
def test_a_system_against_itself(models, all_pairs):
    twins = chosen(models[0], (0, 0, 1), ("one", "two", "three"))
    options = {} if all_pairs else {"baseline": "one"}
    for row in compared(models, twins, **options):
        difference = row.differences[0]
        assert {difference.label, difference.other} == {"one", "two"}
        assert difference.detectable is None
        if difference.interval is None:
            assert difference.low is difference.high is None
        else:  # of paired shares no unit that differs tells how many may
            assert (difference.interval, difference.low) == ("tango", -difference.high)
        if difference.value is None or difference.test is None:
            assert difference.unavailable_reason
            continue
        assert (difference.value, difference.p, difference.corrected) == (0, 1, 1)
        assert difference.unavailable_reason in {
            None,
            "all resamples give the same value",
            "not available in most resamples",
        }
        assert difference.won in {0, None}
        assert difference.lost in {0, None}


@pytest.mark.parametrize("all_pairs", [False, True])
def test_a_copied_run_changes_no_p(models, of_all, all_pairs):
    systems = models[0]
    copied = replace(
        systems,
        statistics=np.concatenate([systems.statistics] * 2, axis=2),
        unparsed=np.concatenate([systems.unparsed] * 2, axis=2),
    )
    options = {} if all_pairs else {"baseline": "b"}
    for one, other in zip(of_all(**options), compared(models, copied, **options), strict=True):
        assert one.baseline == other.baseline
        for here, there in zip(one.differences, other.differences, strict=True):
            assert (here.p, here.corrected, here.test) == (there.p, there.corrected, there.test)
            assert here.value == (None if there.value is None else pytest.approx(there.value))


def test_values_are_those_of_a_report_and_differences_are_between_them(models, of_all):
    systems, config = models
    breakdowns = tuple(systems.layout.groups)
    drawn = FEW_DRAWS["bootstrap"]
    found = values(systems.layout, systems.statistics, config.metrics, bootstrap=drawn, unit=config.unit)
    rows = of_all()
    assert len(rows) == len(config.metrics) * sum(key == TOTAL or key[0] in breakdowns for key in found[0])
    for row in rows:
        for place, standing in enumerate(row.standings):
            assert standing.value == found[place][row.breakdown, row.group][row.metric]
        at = {each.label: each for each in row.standings}
        for difference in row.differences:
            one, other = at[difference.label].value.value, at[difference.other].value.value
            if one is None or other is None:
                assert difference.value is difference.p is difference.bounds is None
                assert difference.unavailable_reason
                continue
            assert difference.value == pytest.approx(one - other, abs=1e-9)
            assert (difference.p is None) == (difference.test is None) == (difference.corrected is None)
            if difference.p is not None:
                assert 0 < difference.p <= difference.corrected <= 1
            if difference.low is not None:
                assert difference.low < difference.high
                assert difference.detectable is None or difference.detectable > 0
            else:
                assert difference.unavailable_reason
            metric, bounds = pick("metric", config.metrics, row.metric), difference.bounds
            plain = metric.ends is None and metric.share is not None and not metric.of_answers
            assert (bounds is not None) == (plain or metric.ends is not None)
            if bounds is not None:
                assert bounds.low - 1e-9 <= difference.value <= bounds.high + 1e-9
            if plain:  # nothing is unread but what a metric alone reads: all of it is wrong, and might be right
                scale = 1 if config.unit == "percent" else 100
                least = difference.value - at[difference.other].unparsed / scale
                most = difference.value + at[difference.label].unparsed / scale
                assert bounds.low == pytest.approx(least, abs=1e-9)
                assert bounds.high == pytest.approx(most, abs=1e-9)


def ranked(found, direction):
    sign = 1 if direction == "higher" else -1
    return [1 + sum(sign * other > sign * one + 1e-9 for other in found) for one in found]


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_ranks_and_intervals_are_those_of_loops_over_the_same_resamples(direction):
    draw = np.random.default_rng(6)
    right = draw.random((4, 50, 2)) < np.array([0.5, 0.55, 0.55, 0.8])[:, None, None]
    metric = replace(FACT, direction=direction)
    systems = sdak_systems(right)
    (found,) = compare_systems(
        systems, (metric,), "percent", bootstrap=Bootstrap(150, 8), baseline="s1", permutations=9
    )
    generator = np.random.Generator(np.random.PCG64(8))
    resampled = []
    for _ in range(150):
        units = generator.integers(0, 50, 50)
        resampled.append([100 * right[system, units].mean() for system in range(4)])
    ranks = np.array([ranked(row, direction) for row in resampled])
    observed = [100 * right[system].mean() for system in range(4)]
    assert [one.rank for one in found.standings] == ranked(observed, direction)
    for place, one in enumerate(found.standings):
        ordered = sorted(ranks[:, place])
        assert one.rank_low == ordered[math.floor(0.025 * 149)]
        assert one.rank_high == ordered[math.ceil(0.975 * 149)]
    for difference in found.differences:
        place = int(difference.label[1])
        apart = np.array([row[place] - row[1] for row in resampled])
        assert (difference.low, difference.high) == pytest.approx(np.percentile(apart, [2.5, 97.5]))
        error = math.sqrt(sum((one - apart.mean()) ** 2 for one in apart) / 149)
        beyond = scipy.stats.norm.ppf(1 - 0.05 / 2 / 3) + 0.84  # of three comparisons that are corrected together
        assert difference.detectable == pytest.approx(beyond * error)
        means = right.mean(axis=2)
        better = means[place] > means[1] if direction == "higher" else means[place] < means[1]
        worse = means[place] < means[1] if direction == "higher" else means[place] > means[1]
        assert (difference.won, difference.lost) == (better.sum(), worse.sum())
        assert difference.won + difference.lost + difference.tied == 50


def test_the_family_is_all_comparisons_of_all_metrics_and_groups():
    systems = sdak_systems(np.random.default_rng(1).random((4, 30, 1)) < 0.5, groups={"type": list("abc") * 10})
    options = {"bootstrap": Bootstrap(20), "breakdowns": ("type",)}
    rows = compare_systems(systems, (FACT,), "percent", baseline="s0", **options)
    assert [(row.breakdown, row.group) for row in rows] == [("", ""), ("type", "a"), ("type", "b"), ("type", "c")]
    assert {(row.family, row.correction, row.permutations) for row in rows} == {(12, "holm", 10_000)}
    again = replace(FACT, name="again")
    rows = compare_systems(systems, (FACT, again), "percent", permutations=100, baseline="s0", **options)
    assert {(row.family, row.permutations) for row in rows} == {(24, 4799)}
    flat = sorted(one.p for row in rows for one in row.differences)
    expected = np.minimum(1, np.maximum.accumulate([p * (24 - place) for place, p in enumerate(flat)]))
    assert sorted(one.corrected for row in rows for one in row.differences) == pytest.approx(expected)
    rows = compare_systems(systems, (FACT, again), "percent", permutations=100, **options)
    assert {(row.family, row.correction, row.permutations) for row in rows} == {(48, "randomised tukey", 100)}
    assert rows[0].baseline is None


def test_ties_begin_with_the_best_left():
    draw = np.random.default_rng(3)
    right = draw.random((5, 400, 1)) < np.array([0.9, 0.89, 0.5, 0.51, 0.1])[:, None, None]
    systems = sdak_systems(right)
    (found,) = compare_systems(systems, (FACT,), "percent", permutations=400, bootstrap=Bootstrap(20))
    by_rank = [one.label for one in sorted(found.standings, key=lambda one: one.rank)]
    assert found.ties == (tuple(by_rank[:2]), tuple(by_rank[2:4]), ("s4",))
    assert set(by_rank[:2]) == {"s0", "s1"}
    options = {"permutations": 400, "bootstrap": Bootstrap(20), "baseline": by_rank[0]}
    (found,) = compare_systems(systems, (FACT,), "percent", **options)
    assert found.ties == (tuple(by_rank[:2]),)
    (found,) = compare_systems(systems, (FACT,), "percent", permutations=400, bootstrap=Bootstrap(20), baseline="s2")
    assert found.ties == ()
    no_score = replace(FACT, direction=None)
    (found,) = compare_systems(systems, (no_score,), "percent", permutations=400, bootstrap=Bootstrap(20))
    assert found.ties == ()
    assert {one.rank for one in found.standings} | {one.rank_low for one in found.standings} == {None}
    assert {(one.won, one.tied) for one in found.differences} == {(None, None)}
    assert max(one.p for one in found.differences if {"s0", "s4"} == {one.label, one.other}) < 0.05


def test_what_has_no_value_has_no_difference_and_says_why():
    right = np.zeros((3, 20, 1))
    right[0, :9] = right[1, 5:] = 1
    systems = sdak_systems(right, groups={"type": ["one"] + ["rest"] * 19})
    systems.statistics[2] = 0
    for all_pairs in (False, True):
        options = {} if all_pairs else {"baseline": "s0"}
        total, one, rest = compare_systems(systems, (FACT,), "percent", breakdowns=("type",), **options, **FEW_DRAWS)
        for row in (total, rest):
            found = {difference.label + difference.other: difference for difference in row.differences}
            there = found.pop("s0s1" if all_pairs else "s1s0")
            assert there.p is not None
            for nothing in found.values():
                assert (nothing.value, nothing.p, nothing.low, nothing.won, nothing.bounds) == (None,) * 5
                assert nothing.unavailable_reason == FACT.undefined_reason
            assert [standing.rank for standing in row.standings] == [2, 1, None]
            assert "s2" not in {label for group in row.ties for label in group}
        few = next(each for each in one.differences if {each.label, each.other} == {"s0", "s1"})
        assert abs(few.value) == 100
        assert (few.p, few.test, few.corrected, few.low, few.detectable) == (None,) * 5
        assert few.unavailable_reason == "fewer than two clusters contribute"
        assert few.won + few.lost == 1
        assert one.standings[0].rank_low is None


def test_the_smallest_p_of_permutations_is_one_of_all_draws_and_the_observed():
    """Source: Noreen 1989, (c + 1) / (draws + 1); 40 units that only one system has right, which no draw equals."""
    right = np.array([[True] * 40, [False] * 40])[..., None]
    (found,) = compare_systems(sdak_systems(right), (FACT,), "percent", bootstrap=Bootstrap(0), permutations=99)
    assert found.differences[0].p == 1 / 100
