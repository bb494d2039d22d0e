"""Wilson's interval of shares by the answers that their units are worth, and where no interval is given."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from places import SAMPLES

from medzh_score.benchmark.layout import Layout
from medzh_score.benchmark.metrics import Metric
from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.command_line import main
from medzh_score.report.scoring import score
from medzh_score.show.reports import rendered
from medzh_score.statistics.formulas.ratio import ratio
from medzh_score.statistics.intervals import effective_sample_size, wilson
from medzh_score.statistics.sums import TOTAL
from medzh_score.statistics.values import Bootstrap, values

RIGHT, OF, ANSWERS = range(3)
SHARE = Metric("share", "a share", ratio(RIGHT, OF, 100.0), OF, "nothing was counted", share=ANSWERS)
MEAN = replace(SHARE, name="mean", share=None)
SHARES = {
    "care_mi": ["TF-agree", "proxy-chrF"],
    "cmhe_ce": [
        *("accuracy", "accuracy-questions", "accuracy-strict", "accuracy-refusals-wrong", "Refusal rate"),
        *("Unnamed rate", "Leakage"),
    ],
    "cmhe_dd": [],
    "cmhe_hd": ["accuracy", "Yes-rate"],
    "pemebench": ["Hall_sentence", "Hall_sentence-strict", "Empty rate"],
    "pemebench_cmexam": ["accuracy"],
    "pemebench_huatuo": [],
    "pemebench_medqa": ["accuracy"],
    "sdak": ["IFR", "FactAcc", "AccR"],
    "tcmd": ["accuracy", "group-exact"],
}
HEADLINES = {  # name, unit, direction
    "care_mi": ("correctness", "fraction"),
    "cmhe_ce": ("accuracy", "percent"),
    "cmhe_dd": ("F1-level-2", "percent"),
    "cmhe_hd": ("accuracy", "percent"),
    "pemebench": ("S_total", "percent"),
    "pemebench_cmexam": ("accuracy", "percent"),
    "pemebench_huatuo": ("R-L-F", "percent"),
    "pemebench_medqa": ("accuracy", "percent"),
    "sdak": ("FactAcc", "percent"),
    "tcmd": ("accuracy", "fraction"),
}
NO_SCORE = {
    *("Yes-rate", "Empty rate", "Refusal rate", "Unnamed rate", "Leakage", "item_r2"),
    *(f"{aspect}{who}-std" for aspect in ("correctness", "interpretability") for who in ("", "-judge")),
    *(f"gap-level-{level}" for level in range(3)),
}


def found_in(right, of, units, metric=SHARE, answers=None, **options):
    """Score items, shape (items, runs), of units."""
    counts = np.stack(np.broadcast_arrays(right, of, of if answers is None else answers), axis=-1).astype(float)
    items = tuple(map(str, range(len(units))))
    layout = Layout(items, np.arange(len(units))[:, None], np.asarray(units), options.pop("groups", {}))
    bootstrap = options.pop("bootstrap", Bootstrap(50))
    return values(layout, counts[None], (metric,), bootstrap=bootstrap, unit="percent", **options)[0]


@pytest.mark.parametrize("answers", [1, 2, 7, 20, 50, 1000])
def test_wilson_is_that_of_scipy(answers):
    for right in {0, 1, answers // 2, answers - 1, answers}:
        expected = scipy.stats.binomtest(right, answers).proportion_ci(0.95, "wilson")
        assert wilson(right / answers, answers, 0.95) == pytest.approx((expected.low, expected.high), abs=1e-12)


@given(st.floats(0.01, 0.99), st.floats(1.5, 5000), st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_holds_the_shares_whose_normal_test_does_not_reject(share, answers, level):
    """Source: its definition; |found - p| = z sqrt(p (1 - p) / n) at both ends, for no whole n either."""
    normal = scipy.stats.norm.ppf((1 + level) / 2)

    def beyond(truth):
        return (share - truth) ** 2 - normal**2 * truth * (1 - truth) / answers

    low, high = wilson(share, answers, level)
    assert low == pytest.approx(scipy.optimize.brentq(beyond, 0, share), abs=1e-9)
    assert high == pytest.approx(scipy.optimize.brentq(beyond, share, 1), abs=1e-9)


@given(st.lists(st.booleans(), min_size=2, max_size=40), st.integers(0, 5))
def test_one_answer_a_unit_is_wilson_of_those_that_count(right, more):
    hits = np.array([*right, *[0] * more], float)[:, None]
    of = np.array([*[1] * len(right), *[0] * more], float)[:, None]
    value = found_in(hits, of, range(len(hits)))[TOTAL]["share"]
    expected = scipy.stats.binomtest(sum(right), len(right)).proportion_ci(0.95, "wilson")
    assert (value.low, value.high) == pytest.approx((100 * expected.low, 100 * expected.high), abs=1e-9)
    assert (value.interval, value.why, value.n, value.n_per_run) == ("wilson", None, len(right), (len(right),))


def restated(right, of, answers, units):
    """Linearise by loops: what each unit's answers, of all runs, move the mean of the runs' ratios."""
    runs = [run for run in range(right.shape[1]) if of[:, run].sum()]
    sums = [(right[:, run].sum(), of[:, run].sum()) for run in runs]
    share = sum(hit / over for hit, over in sums) / len(runs)
    variance = 0.0
    for unit in set(units):
        moved = 0.0
        for item in (item for item in range(len(units)) if units[item] == unit):
            for run, (hit, over) in zip(runs, sums, strict=True):
                moved += (right[item, run] - hit / over * of[item, run]) / over / len(runs)
        variance += moved**2
    counting = {units[item] for item in range(len(units)) if of[item].any()}
    if variance < 1e-15:
        return share, len(counting)
    return share, min(share * (1 - share) / variance, answers[:, runs].sum())


@pytest.mark.parametrize("seed", range(12))
def test_clusters_runs_variants_and_weights_are_those_of_loops(seed):
    draw = np.random.default_rng(seed)
    units = np.concatenate([np.arange(6), draw.integers(0, 6, 14)])
    variants = draw.integers(1, 6, (20, 1))
    chance = draw.random(6)[units][:, None, None]
    said = draw.random((20, 3, 5)) < chance
    asked = np.arange(5) < variants[..., None]
    counted = draw.random((20, 3)) < 0.9
    right = (said & asked).sum(axis=2) / variants * counted
    answers = variants * counted
    of = counted * (1.0 if seed % 2 else 1 / np.bincount(units)[units, None])
    right = right * of
    share, number = restated(right, of, answers, units)
    value = found_in(right, of, units, answers=answers)[TOTAL]["share"]
    assert value.value == pytest.approx(100 * share)
    bounds = wilson(share, number, 0.95)
    assert (value.low, value.high) == pytest.approx((100 * bounds[0], 100 * bounds[1]))
    assert value.n_per_run == tuple(counted.sum(axis=0))


@pytest.mark.parametrize(("alike", "runs"), [(0.05, 1), (0.3, 1), (0.3, 3), (0.8, 2)])
def test_the_variance_behind_it_is_that_of_simulated_sets(alike, runs):
    """Source: brute force; the share of many sets that are drawn alike varies as the effective number says."""
    draw = np.random.default_rng(5)
    units = np.repeat(np.arange(150), np.arange(150) % 4 + 1)
    spread, shares, numbers = 1 / alike - 1, [], []
    for _ in range(1500):
        chance = draw.beta(0.7 * spread, 0.3 * spread, 150)[units]
        right = (draw.random((len(units), runs)) < chance[:, None]).astype(float)
        sums = np.add.reduceat(right, np.flatnonzero(np.diff(units, prepend=-1)), axis=0)
        of = np.repeat(np.bincount(units)[:, None], runs, axis=1).astype(float)
        shares.append(right.mean())
        numbers.append(effective_sample_size(sums, of, of))
    assert np.mean(numbers) == pytest.approx(0.21 / np.var(shares), rel=0.1)


def test_the_effective_number_is_at_most_that_of_the_answers():
    """Each unit has one right and one wrong answer, but for one: the units differ less than chance would have it."""
    units = np.repeat(np.arange(10), 2)
    right = np.array([[1.0], [0.0]] * 9 + [[1.0], [1.0]])
    value = found_in(right, np.ones((20, 1)), units)[TOTAL]["share"]
    low, high = wilson(11 / 20, 20, 0.95)
    assert (value.low, value.high) == pytest.approx((100 * low, 100 * high))


@pytest.mark.parametrize("right", [1.0, 0.0, 0.5])
def test_where_units_do_not_differ_the_number_is_that_of_units(right):
    rows = np.tile([[1.0], [1.0 if right == 1 else 0.0]], (8, 1)) if right else np.zeros((16, 1))
    value = found_in(rows, np.ones((16, 1)), np.repeat(np.arange(8), 2))[TOTAL]["share"]
    expected = scipy.stats.binomtest(round(8 * right), 8).proportion_ci(0.95, "wilson")
    assert (value.low, value.high) == pytest.approx((100 * expected.low, 100 * expected.high))


def test_a_copy_of_a_run_changes_no_interval_and_a_run_without_a_denominator_is_left_out():
    draw = np.random.default_rng(3)
    for units in (np.arange(12), np.repeat(np.arange(6), 2)):
        right = (draw.random((12, 1)) < 0.5).astype(float)
        one = found_in(right, np.ones((12, 1)), units)[TOTAL]["share"]
        copied = np.repeat(right, 3, axis=1)
        of = np.repeat([[1.0, 1.0, 0.0]], 12, axis=0)
        two = found_in(copied * of, of, units)[TOTAL]["share"]
        assert (two.low, two.high) == pytest.approx((one.low, one.high))
        assert two.n_per_run == (12, 12, 0)
    right = np.array([[1.0], [0.0]] * 5 + [[1.0], [1.0]])
    one, two = (
        found_in(np.repeat(right, runs, axis=1), np.ones((12, runs)), np.repeat(np.arange(6), 2))[TOTAL]["share"]
        for runs in (1, 2)
    )
    assert (two.low, two.high) == pytest.approx((one.low, one.high))  # where the number of answers is what bounds it


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
        assert value.why == "fewer than two units count"
    assert found["kind", "two"][metric.name].low is not None


def test_no_interval_is_without_width():
    ones = np.ones((30, 2))
    share, mean = (found_in(ones, ones, range(30), metric)[TOTAL][metric.name] for metric in (SHARE, MEAN))
    assert share.low < share.high == share.value == 100
    assert (mean.value, mean.low, mean.high, mean.interval) == (100, None, None, None)
    assert mean.why == "all resamples give the same value"


def test_the_bootstrap_can_be_asked_for_and_its_resamples_not():
    right = (np.random.default_rng(1).random((40, 1)) < 0.6).astype(float)
    ones = np.ones((40, 1))
    drawn = found_in(right, ones, range(40), interval="bootstrap")[TOTAL]["share"]
    other = found_in(right, ones, range(40), MEAN)[TOTAL]["mean"]
    assert (drawn.low, drawn.high, drawn.interval) == (other.low, other.high, "bootstrap")
    none = found_in(right, ones, range(40), MEAN, bootstrap=Bootstrap(0))[TOTAL]["mean"]
    assert (none.low, none.high, none.why) == (None, None, "no resamples were asked for")
    wilsons = found_in(right, ones, range(40), bootstrap=Bootstrap(0))[TOTAL]["share"]
    assert wilsons.interval == "wilson"


def test_a_share_must_be_a_ratio():
    with pytest.raises(TypeError, match="share: a share is a ratio of two columns"):
        found_in(np.ones((3, 1)), np.ones((3, 1)), range(3), replace(SHARE, formula=lambda sums: sums[..., 0]))


def test_metrics_say_whether_they_are_shares_and_which_direction_is_better():
    assert list(SHARES) == list(HEADLINES) == config_names()
    for name in config_names():
        metrics = find_config(name).metrics
        assert [metric.name for metric in metrics if metric.share is not None] == SHARES[name]
        for metric in metrics:
            expected = (
                "lower" if metric.name.startswith("Hall_sentence") else None if metric.name in NO_SCORE else "higher"
            )
            assert metric.direction == expected, metric.name


@pytest.fixture(scope="module")
def scored(minis):
    """Score a sample, each once."""
    done = {}

    def report(config):
        if config not in done:
            folder = SAMPLES / config
            rounds = {"choose": folder / "choose.jsonl"} if config == "cmhe_ce" else {}
            done[config] = score(config, folder / "predictions.jsonl", minis, rounds=rounds, bootstrap=60)
        return done[config]

    return report


@pytest.mark.parametrize("config", HEADLINES)
def test_the_headline_stands_in_the_report(config, scored):
    report = scored(config)
    full = report.as_dict()
    name, unit = HEADLINES[config]
    headline = full["headline"]
    assert find_config(config).headline == name
    name = {"care_mi": "TF-agree", "pemebench": "Recall_entity"}.get(config, name)  # people or judges give the first
    value = report.metrics[name]
    assert list(headline) == ["name", "value", "unit", "direction", *(["why"] if value.value is None else [])]
    assert headline["name"] == name
    assert headline["value"] == value.value
    assert (headline["unit"], headline["direction"]) == (unit, "higher")
    assert headline.get("why") == (value.why if value.value is None else None)
    assert value.value is not None
    assert list(full["metrics"][name]) == [
        *("value", "low", "high", "interval", "std", "ddof", "per_run", "n", "n_per_run", "unit", "direction"),
        *(["why"] if value.why is not None else []),
    ]


def test_accuracy_has_one_name():
    names = {metric.name for name in config_names() for metric in find_config(name).metrics}
    assert "accuracy" in names
    assert not {name for name in names if name.casefold() in {"accuracy", "acc"}} - {"accuracy"}


@pytest.mark.parametrize("config", HEADLINES)
def test_the_kind_of_each_interval_is_in_every_form(config, scored):
    report = scored(config)
    page = rendered(report, "markdown")
    for kind in ("wilson", "bootstrap"):
        named = [name for name, value in report.metrics.items() if value.interval == kind]
        assert (f"interval by {kind}: {', '.join(named)}\n" in page) == bool(named)
        assert kind == "bootstrap" or set(named) <= set(SHARES[config])
    assert report.signature["interval"] == "of shares wilson 95%, else bootstrap 60 percentile 95% PCG64 seed 0"


def test_the_command_takes_the_kind(tmp_path, sdak_build, sdak_sample):
    lows = {}
    for kind, signed in (
        ("auto", "of shares wilson 95%, else bootstrap 99 percentile 95% PCG64 seed 0"),
        ("bootstrap", "bootstrap 99 percentile 95% PCG64 seed 0"),
    ):
        out = tmp_path / f"{kind}.json"
        given = ["score", "sdak", str(sdak_sample / "predictions.jsonl"), "--data", str(sdak_build), "--to", "json"]
        given += ["--rule", "official"]
        assert main([*given, "--bootstrap", "99", "--interval", kind, "--out", str(out)]) == 0
        report = json.loads(out.read_bytes())
        assert report["signature"]["interval"] == signed
        assert report["arguments"]["interval"] == kind
        lows[kind] = report["metrics"]["FactAcc"]["low"]
    k, n = 41, 102
    z = scipy.stats.norm.ppf(0.975)
    by_formula = (k / n + z**2 / 2 / n - z * math.sqrt(k / n * (1 - k / n) / n + z**2 / 4 / n**2)) / (1 + z**2 / n)
    assert lows["auto"] == pytest.approx(100 * by_formula)
    assert lows["bootstrap"] != lows["auto"]
