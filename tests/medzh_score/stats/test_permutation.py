"""The tests of two systems beside sacrebleu, statsmodels, scipy and plain loops, given the same draws."""

from __future__ import annotations

import itertools
import logging
import math
from collections import Counter

import numpy as np
import pytest
import scipy.stats
import simple_systems
from amounts import one_in
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU
from sacrebleu.significance import _paired_ar_test
from simple_systems import chances_of_dealing, of_consistency, of_f1, systems_of

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.metrics import ratio
from medzh_score.configs.cmhe_dd import metrics as cmhe_dd
from medzh_score.configs.sdak import metrics as sdak
from medzh_score.configs.tcmd import metrics as tcmd
from medzh_score.stats import overlap_metrics, permutation
from medzh_score.stats.compare import compare_systems
from medzh_score.stats.overlap_metrics import OverlapColumns
from medzh_score.stats.permutation import (
    dealt_together,
    enough_permutations,
    holm,
    holm_over_rows,
    mid_p,
    null_max_differences,
    randomisation_p,
    swap_masks,
)
from medzh_score.text.overlap import overlap as counted
from medzh_score.text.tokens import segmented

logging.getLogger("sacrebleu").setLevel(logging.CRITICAL)

REFERENCES = [
    "发热和咳嗽的患儿应先退热，再查血常规。",
    "多饮水，退热，三天后复诊。",
    "麻黄汤主治风寒表实证。",
    "妊娠剧吐可致脱水和电解质紊乱，应及时补液。",
    "糖尿病患者应控制饮食，适量运动，定期监测血糖。",
    "高血压患者应低盐饮食，按时服药。",
] * 6


@pytest.fixture(scope="module")
def bleu():
    """Give two systems' answers, as sacrebleu takes them and as statistics."""
    draw = np.random.default_rng(4)

    def answers(kept):
        cut = [list(words) for words in segmented(REFERENCES)]
        return ["".join(word for word in words if draw.random() < kept) for words in cut]

    texts = answers(0.78), answers(0.84)
    sizes = [counted(its, REFERENCES) for its in texts]
    made = np.zeros((2, len(REFERENCES), 1, OverlapColumns.width))
    made[..., OverlapColumns.items] = 1
    for system, counts in enumerate(sizes):
        made[system, :, 0, OverlapColumns.clipped] = counts.clipped
        made[system, :, 0, OverlapColumns.predicted] = counts.predicted
        made[system, :, 0, OverlapColumns.reference_length] = counts.reference_length
    spaced = [[" ".join(words) for words in segmented(its)] for its in (*texts, REFERENCES)]
    metric = BLEU(tokenize="none", smooth_method="add-k", smooth_value=1, references=[spaced[2]])
    stats = [metric._extract_corpus_statistics(its, None) for its in spaced[:2]]
    first = metric._aggregate_and_compute(stats[0])
    return systems_of(made), pick("metric", overlap_metrics.METRICS, "BLEU-4"), spaced, metric, (stats, first)


def test_randomisation_is_that_of_sacrebleu_given_its_draws(bleu, monkeypatch):
    """Source: sacrebleu, whose p counts draws strictly above the observed difference: there is no tie here."""
    systems, ours, spaced, metric, (stats, first) = bleu
    permutations, seed = 500, 12
    _, found = _paired_ar_test(
        {"BLEU": (stats[0], first)}, "b", spaced[1], None, {"BLEU": metric}, permutations, -1, seed
    )
    bits = np.random.default_rng(seed).integers(2, size=(permutations, len(REFERENCES)), dtype=bool)
    monkeypatch.setattr(permutation, "swap_masks", lambda *_: iter(np.array_split(bits.astype(float), 7)))
    sums = np.moveaxis(systems.statistics, 0, 1)
    p = randomisation_p(sums[:, :1], sums[:, 1:], ours.formula, permutations=permutations, seed=0)
    assert 0.002 < found["BLEU"].p_value < 0.9
    assert p.tolist() == [found["BLEU"].p_value]


def by_loops(one, other, formula, masks):
    """Restate approximate randomisation: swap, add up, compare, unit by unit and draw by draw."""

    def value(rows):
        per_run = [float(formula(np.sum([row[run] for row in rows], axis=0))) for run in range(one.shape[1])]
        defined = [each for each in per_run if not math.isnan(each)]
        return sum(defined) / len(defined) if defined else math.nan

    observed = abs(value(one) - value(other))
    count = 0
    for mask in masks:
        first = [b if swapped else a for a, b, swapped in zip(one, other, mask, strict=True)]
        second = [a if swapped else b for a, b, swapped in zip(one, other, mask, strict=True)]
        drawn = abs(value(first) - value(second))
        count += math.isnan(drawn) or drawn >= observed - 1e-9
    return (count + 1) / (len(masks) + 1)


KINDS = (
    (pick("metric", cmhe_dd.METRICS, "F1-level-2"), of_f1),
    (pick("metric", tcmd.METRICS, "consistency-valid"), of_consistency),
)


@pytest.mark.parametrize(("metric", "draw_of"), KINDS, ids=["F1", "consistency"])
@pytest.mark.parametrize("runs", [1, 3])
@pytest.mark.parametrize("units", [3, 30])
def test_randomisation_is_that_of_loops(metric, draw_of, runs, units):
    draw = np.random.default_rng(units + runs)
    one, *others = (draw_of(draw, units, runs) for _ in range(4))
    masks = next(swap_masks(units, 80, 3, 80))
    given_ones = np.repeat(one[:, None], 3, axis=1)
    p = randomisation_p(given_ones, np.stack(others, axis=1), metric.formula, permutations=80, seed=3)
    assert p.tolist() == [by_loops(one, other, metric.formula, masks) for other in others]


def test_masks_do_not_depend_on_how_many_are_drawn_at_once():
    whole = next(swap_masks(130, 50, 7, 50))
    parts = list(swap_masks(130, 50, 7, 8))
    assert (np.concatenate(parts) == whole).all()
    assert 0.45 < whole.mean() < 0.55
    assert set(np.unique(whole)) == {0.0, 1.0}
    assert not (whole == next(swap_masks(130, 50, 8, 50))).all()


def test_a_swap_without_a_value_is_extreme():
    """Only the first system's first unit and the second's second unit count: of four swaps two leave a system nothing.

    The two others give the observed difference, 1, and so all draws are extreme. With a third unit that counts for both
    nothing is undefined, and loops count.
    """
    one = np.array([[1.0, 1.0], [0.0, 0.0]])[:, None, None]
    other = np.array([[0.0, 0.0], [0.0, 1.0]])[:, None, None]
    assert randomisation_p(one, other, ratio(0, 1), permutations=200, seed=0).tolist() == [1.0]
    masks = next(swap_masks(3, 200, 0, 200))
    one = np.concatenate([one, [[[[1.0, 1.0]]]]])
    other = np.concatenate([other, [[[[0.0, 1.0]]]]])
    p = randomisation_p(one, other, ratio(0, 1), permutations=200, seed=0)
    assert p.tolist() == [by_loops(one[:, 0], other[:, 0], ratio(0, 1), masks)]
    assert p[0] < 1


@pytest.mark.parametrize("split", [(0, 0), (0, 1), (3, 0), (2, 5), (5, 2), (4, 4), (17, 40), (300, 260), (900, 5000)])
def test_mid_p_is_that_of_scipy(split):
    """Source: scipy's exact binomial test, less the probability of the observed split; of an even split 1."""
    won, lost = split
    exact = scipy.stats.binomtest(won, won + lost).pvalue if won + lost else 1.0
    expected = 1.0 if won == lost else exact - scipy.stats.binom.pmf(won, won + lost, 0.5)
    assert mid_p(won, lost) == pytest.approx(expected, rel=1e-9, abs=1e-300)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_its_definition(p):
    """Source: Holm 1979, by loops: the j-th smallest times those that are left, never below the one before."""
    expected, before = {}, 0.0
    for step, place in enumerate(sorted(range(len(p)), key=lambda place: p[place])):
        before = max(before, min(1.0, p[place] * (len(p) - step)))
        expected[place] = before
    assert holm(np.array(p), len(p)).tolist() == pytest.approx([expected[place] for place in range(len(p))])
    assert holm_over_rows(np.array(p)[:, None], len(p))[:, 0].tolist() == pytest.approx(
        [expected[place] for place in range(len(p))]
    )


def test_a_row_is_done_when_all_its_pairs_are_significant():
    """Worked by hand: the second row's largest is 0.02 x 2; from then on the first is corrected for itself alone."""
    p = np.array([[0.03, 0.3], [0.01, 0.02]])
    assert holm_over_rows(p, 2) == pytest.approx(np.array([[0.04, 0.3], [0.02, 0.04]]))
    without = np.vstack([[np.nan, np.nan], p])  # a metric of which no system has a value
    assert holm_over_rows(without, 2)[1:] == pytest.approx(holm_over_rows(p, 2))


@pytest.mark.parametrize("family", [1, 19, 49, 50, 51, 199, 2189])
def test_swaps_are_enough_for_the_family(family):
    permutations = enough_permutations(10_000, family)
    assert family / (permutations + 1) <= 0.005
    assert permutations == 10_000 or family / permutations > 0.005


def test_the_share_of_one_answer_a_unit_is_tested_by_mcnemar_and_all_else_by_swaps():
    draw = np.random.default_rng(1)
    fact = pick("metric", sdak.METRICS, "FactAcc")
    right = draw.random((2, 60, 1)) < np.array([0.5, 0.7])[:, None, None]
    one = simple_systems.sdak_systems(right)
    (found,) = compare_systems(one, (fact,), "percent", baseline="s0")
    won, lost = (int((right[1] & ~right[0]).sum()), int((right[0] & ~right[1]).sum()))
    (difference,) = found.differences
    assert (difference.test, difference.won, difference.lost) == ("mcnemar mid-p", won, lost)
    assert difference.p == pytest.approx(
        scipy.stats.binomtest(won, won + lost).pvalue - scipy.stats.binom.pmf(won, won + lost, 0.5)
    )
    copied = simple_systems.sdak_systems(np.repeat(right, 2, axis=2))  # a copy of a run changes no p
    assert compare_systems(copied, (fact,), "percent", baseline="s0")[0].differences[0].p == difference.p
    for other in (
        simple_systems.sdak_systems(np.concatenate([right, right[:, ::-1]], axis=2)),  # two runs
        simple_systems.sdak_systems(right, units=np.repeat(np.arange(30), 2)),  # two items a unit
        simple_systems.sdak_systems(right / 2),  # a mean of two runs
    ):
        assert (
            compare_systems(other, (fact,), "percent", permutations=50, baseline="s0")[0].differences[0].test
            == "randomisation"
        )


SHARE = ratio(0, 1)
F1, CONSISTENCY = pick("metric", cmhe_dd.METRICS, "F1-level-2"), pick("metric", tcmd.METRICS, "consistency-valid")


@pytest.fixture(params=["dealt together", "one by one"])
def way(request, monkeypatch):
    monkeypatch.setattr(permutation, "MANY", 0 if request.param == "dealt together" else math.inf)
    return request.param


def spread_of(formula, sums, orders):
    """Restate a draw: give each system its row of each unit, add up, and take the largest difference of two."""
    units, systems, runs = sums.shape[:3]
    values_of = []
    for system in range(systems):
        rows = [sums[unit, orders[unit][system]] for unit in range(units)]
        per_run = [float(formula(np.sum([row[run] for row in rows], axis=0))) for run in range(runs)]
        values_of.append(sum(per_run) / runs)
    return max(abs(a - b) for a, b in itertools.combinations(values_of, 2))


def of_all_orders(formula, sums):
    orders = tuple(itertools.permutations(range(sums.shape[1])))
    found = [spread_of(formula, sums, each) for each in itertools.product(orders, repeat=len(sums))]
    return Counter(np.round(found, 9).tolist())


def of_shares(right, runs=1):
    right = np.asarray(right, float).reshape(*np.shape(right)[:2], runs)
    return np.stack([right, np.ones(right.shape)], axis=-1)


ENUMERATED = {
    "one odd row": of_shares([[1, 0, 0], [0, 1, 0], [1, 0, 0]]),
    "one or two odd rows": of_shares([[1, 0, 0], [1, 1, 0], [0, 1, 1]]),
    "a unit whose rows are equal": of_shares([[1, 0, 1], [1, 1, 1], [0, 1, 0]]),
    "three rows": of_shares([[0, 0.5, 1], [0.5, 0.5, 1], [0, 1, 0]]),
    "two runs": of_shares([[[0, 1], [1, 1], [1, 1]], [[0, 1], [1, 0], [0, 0]], [[1, 1], [0, 1], [0, 1]]], runs=2),
    "four systems": of_shares([[1, 0, 0, 0], [1, 1, 0, 0]]),
}


@pytest.mark.parametrize("sums", ENUMERATED.values(), ids=ENUMERATED)
@pytest.mark.usefixtures("way")
def test_yardsticks_are_as_likely_as_in_all_orders(sums):
    """Source: all orders of all units (216, of four systems 576), counted by loops."""
    counts, draws = of_all_orders(SHARE, sums), 30_000 // one_in(5)
    drawn = Counter(np.round(null_max_differences(sums, SHARE, draws=draws, seed=11), 9).tolist())
    assert set(drawn) == set(counts)
    expected = np.array([counts[spread] for spread in counts]) * draws / counts.total()
    assert scipy.stats.chisquare([drawn[spread] for spread in counts], expected).pvalue > 1e-3


@pytest.mark.parametrize("held", [(0, 3, 0, 0), (0, 1, 2, 0), (1, 1, 1, 1), (0, 1, 1, 0, 0), (0, 0, 2, 0, 0)])
def test_dealing_together_is_permuting_one_by_one(held):
    """Source: all orders of all units, as against all that binomials can give, with their probabilities: no chance."""
    systems = len(held) - 1
    units = [(1,) * having + (0,) * (systems - having) for having, count in enumerate(held) for _ in range(count)]
    every = [list(itertools.permutations(unit)) for unit in units]
    counts = Counter(tuple(np.sum(orders, axis=0).tolist()) for orders in itertools.product(*every))
    expected = {dealt: count / counts.total() for dealt, count in counts.items()}
    found = chances_of_dealing(lambda generator: dealt_together(np.array(held), 1, generator))
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("systems", [2, 5])
@pytest.mark.parametrize("runs", [1, 2])
@pytest.mark.parametrize(("metric", "draw_of"), [(F1, of_f1), (CONSISTENCY, of_consistency)])
def test_the_yardstick_is_that_of_loops(monkeypatch, metric, draw_of, systems, runs):
    """Source: Carterette 2012, by loops over draws, units and systems, given the same permutations."""
    draw = np.random.default_rng(systems)
    sums = np.stack([draw_of(draw, 12, runs) for _ in range(systems)], axis=1)
    draws = 70  # more than one block
    permutations = iter([np.stack([draw.permutation(systems) for _ in range(12)]) for _ in range(draws)])
    differing = (sums != sums[:, :1]).any(axis=(1, 2, 3))
    taken = []

    def in_given_order(codes, _generator):
        taken.append(next(permutations))
        return np.take_along_axis(codes, taken[-1][differing], axis=1)

    monkeypatch.setattr(permutation, "in_random_order", in_given_order)
    monkeypatch.setattr(permutation.os, "cpu_count", lambda: 1)
    found = null_max_differences(sums, metric.formula, draws=draws, seed=0)
    assert len(taken) == draws
    assert found.tolist() == pytest.approx([spread_of(metric.formula, sums, orders) for orders in taken], abs=1e-12)
