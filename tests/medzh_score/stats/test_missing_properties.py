"""What missing predictions may do to the numbers of any config, whatever the answers were."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, example, given, settings
from hypothesis import strategies as st
from random_models import Bench, Line

from medzh_score.benchmark.registry import config_names
from medzh_score.ui.errors import MedzhError

POOLED = [f"BLEU{order}" for order in ("", "-1", "-2", "-3", "-4")]
TOP = {"percent": 100, "fraction": 1}
OF_ANSWERS = {
    "care_mi": [],
    "cmhe_ce": ["Refusal rate", "Unnamed rate", "Leakage"],
    "cmhe_dd": [*(f"{part}-level-{level}" for level in range(3) for part in ("P", "F1", "gap"))],
    "cmhe_hd": ["F1 on Yes"],
    "pemebench": [*(f"S_total{end}" for end in ("", "-paper", "-rouge-recall", "-rouge-recall-strict-empty")), *POOLED],
    "pemebench_cmexam": [],
    "pemebench_huatuo": [*POOLED],
    "pemebench_medqa": [],
    "sdak": ["AccR"],
    "tcmd": ["consistency-valid"],
}
SEEDS = st.integers(0, 10**6)
# A smaller seed is no simpler model: there is nothing to shrink.
few = settings(max_examples=4, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate])


@pytest.fixture(scope="module", params=config_names())
def bench(request, minis, tmp_path_factory, write_lines):
    return Bench(request.param, minis, tmp_path_factory.mktemp(request.param), write_lines)


def test_a_metric_says_whether_its_denominator_comes_from_the_answers(bench):
    declared = {metric.name for metric in bench.config.metrics if metric.of_answers}
    assert declared == {*OF_ANSWERS[bench.config.name]}


def pairs_of(before, after):
    for rule, result in before.results.items():
        other = after.results[rule]
        yield from ((name, value, other.metrics[name]) for name, value in result.metrics.items())
        for breakdown, groups in result.groups.items():
            for group, named in groups.items():
                yield from ((name, value, other.groups[breakdown][group][name]) for name, value in named.items())


def better(before, after):
    if before.value is None or after.value is None or before.direction is None:
        return False
    gain = after.value - before.value
    return (gain if before.direction == "higher" else -gain) > 1e-9 * TOP[before.unit]


def rule_in(bench, seed):
    return bench.config.rules[seed % len(bench.config.rules)].name


@few
@given(SEEDS, st.floats(0.02, 0.9))
def test_a_missing_answer_stays_in_each_denominator_and_makes_nothing_better(bench, seed, share):
    """But where a metric declares that its denominator comes from the answers."""
    lines, rule = bench.model(seed), rule_in(bench, seed)
    before = bench.score(lines, rule=rule)
    after = bench.score(bench.without(lines, seed, share), rule=rule, missing="wrong")
    assert after.report.coverage.expected == before.report.coverage.expected
    declared = {metric.name for metric in before.metrics if metric.of_answers}
    below = before.denominators(), after.denominators()
    assert {name for name in below[0] if below[0][name] != below[1][name]} <= declared
    assert {name for name, one, two in pairs_of(before.report, after.report) if better(one, two)} <= declared
    assert all(
        one.n_per_run == two.n_per_run
        for name, one, two in pairs_of(before.report, after.report)
        if name not in declared
    )


def wholly_right(bench, scored):
    unit = bench.config.unit
    right = np.ones(scored.chosen.shape[:2], bool)
    known = np.zeros(right.shape, bool)
    for metric in scored.metrics:
        if metric.direction is not None:
            values = metric.formula(scored.chosen)
            best = values > TOP[unit] * (1 - 1e-6) if metric.direction == "higher" else values < 1e-9
            right &= best | np.isnan(values)
            known |= ~np.isnan(values)
    return right & known


@few
@given(SEEDS, st.floats(0.1, 1))
def test_leaving_out_wholly_right_answers_makes_nothing_better(bench, seed, share):
    """Not even a metric whose denominator comes from the answers; an item is one in all its variants."""
    lines, rule = bench.model(seed), rule_in(bench, seed)
    before = bench.score(lines, rule=rule)
    right = wholly_right(bench, before)
    of_member = {member: item for item, members in enumerate(bench.layout.members.tolist()) for member in members}
    wrong = [
        line
        for line in lines
        if not all(right[of_member[member], line.said["run"]] for member in bench.asked[line.said["id"]].members)
    ]
    assume(right.any())
    left = bench.without(lines, seed, share, kept=wrong)
    after = bench.score(left, rule=rule, missing="wrong")
    by_rule = [one.report.with_changes(results={rule: one.report.results[rule]}) for one in (before, after)]
    assert [name for name, one, two in pairs_of(*by_rule) if better(one, two)] == []


@few
@given(SEEDS, st.sampled_from(["error", "wrong", "skip"]))
def test_a_copy_of_a_run_changes_no_value_and_makes_no_interval_narrower(bench, seed, missing):
    lines = bench.model(seed, runs=1)
    lines = lines if missing == "error" else bench.without(lines, seed, 0.1)
    copied = lines + [Line(line.stage, {**line.said, "run": 1}) for line in lines]
    options = {"missing": missing, "bootstrap": 60, "rule": rule_in(bench, seed)}
    once, twice = (bench.score(said, **options).report for said in (lines, copied))
    for name, one, two in pairs_of(once, twice):
        assert two.value == (None if one.value is None else pytest.approx(one.value, abs=1e-9)), name
        if one.low is None or one.interval == "bootstrap":
            assert (two.low, two.high) == pytest.approx((one.low, one.high), abs=1e-9), name
        else:  # units of one answer hold two now: Student's quantile takes the place of the normal one
            assert two.low <= one.low + 1e-9, name
            assert two.high >= one.high - 1e-9, name
        assert (two.interval, two.n, two.unavailable_reason) == (one.interval, one.n, one.unavailable_reason), name
        assert one.std is None
        if None not in two.per_run:  # a round that asks about the first run alone has no value in the copy
            assert two.std == pytest.approx(0, abs=1e-9), name
            assert two.per_run == pytest.approx(one.per_run * 2), name
            assert two.n_per_run == one.n_per_run * 2
    assert twice.signature["missing"] == once.signature["missing"]


@few
@given(SEEDS, st.floats(0, 0.15))
@example(6726, 0.08325113659778499)  # of a later round lacks what no first answer is there for, too
def test_a_fragment_is_never_a_run(bench, seed, share):
    """A run that lacks more than a twentieth is refused, by name, unless it is asked for; any other counts."""
    lines = bench.model(seed)
    first = [line for line in lines if not line.said["run"]]
    second = bench.without([line for line in lines if line.said["run"]], seed, share)
    sizes = {
        name: [
            sum(len(bench.asked[line.said["id"]].members) for line in run if line.stage == name)
            for run in (first, second)
        ]
        for name in ("", *bench.again)
    }
    options = {"missing": "skip"}
    if any(20 * came < 19 * full for full, came in sizes.values()):
        with pytest.raises(MedzhError, match="run 2 is a partial run"):
            bench.score(first + second, **options)
        options["allow_partial_runs"] = True
    report = bench.score(first + second, **options).report
    for metric in bench.config.metrics:
        assert metric.of_answers or len({*report.metrics[metric.name].n_per_run}) == 1, metric.name
