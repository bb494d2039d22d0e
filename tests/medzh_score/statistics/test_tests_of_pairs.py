"""The tests of two systems beside sacrebleu, statsmodels, scipy and plain loops, given the same draws."""

from __future__ import annotations

import logging
import math

import numpy as np
import pytest
import scipy.stats
import simple_systems
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU
from sacrebleu.significance import _compute_p_value, _paired_ar_test, _paired_bs_test
from simple_systems import of_consistency, of_f1, systems_of

from medzh_score.benchmark.columns import pick
from medzh_score.configs.cmhe_dd import statistics as cmhe_dd
from medzh_score.configs.sdak import statistics as sdak
from medzh_score.configs.tcmd import statistics as tcmd
from medzh_score.statistics import values as drawing
from medzh_score.statistics.comparison import tests_of_pairs
from medzh_score.statistics.comparison.compare import compare_systems
from medzh_score.statistics.comparison.corrections import enough_swaps, holm, holm_over_rows
from medzh_score.statistics.comparison.rows import rows_of
from medzh_score.statistics.comparison.tests_of_pairs import mid_p, randomisation_p, swap_masks
from medzh_score.statistics.formulas import overlap
from medzh_score.statistics.formulas.overlap_counts import CLIPPED, ITEMS, PREDICTED, REFERENCE_LENGTH, WIDTH
from medzh_score.statistics.formulas.ratio import ratio
from medzh_score.statistics.values import Bootstrap, values
from medzh_score.text.overlap.counting import overlap as counted
from medzh_score.text.segmentation import segmented

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
    made = np.zeros((2, len(REFERENCES), 1, WIDTH))
    made[..., ITEMS] = 1
    for system, counts in enumerate(sizes):
        made[system, :, 0, CLIPPED] = counts.clipped
        made[system, :, 0, PREDICTED] = counts.predicted
        made[system, :, 0, REFERENCE_LENGTH] = counts.reference_length
    spaced = [[" ".join(words) for words in segmented(its)] for its in (*texts, REFERENCES)]
    metric = BLEU(tokenize="none", smooth_method="add-k", smooth_value=1, references=[spaced[2]])
    stats = [metric._extract_corpus_statistics(its, None) for its in spaced[:2]]
    first = metric._aggregate_and_compute(stats[0])
    return systems_of(made), pick("metric", overlap.METRICS, "BLEU-4"), spaced, metric, (stats, first)


def test_randomisation_is_that_of_sacrebleu_given_its_draws(bleu, monkeypatch):
    """Source: sacrebleu, whose p counts draws strictly above the observed difference: there is no tie here."""
    systems, ours, spaced, metric, (stats, first) = bleu
    swaps, seed = 500, 12
    _, found = _paired_ar_test({"BLEU": (stats[0], first)}, "b", spaced[1], None, {"BLEU": metric}, swaps, -1, seed)
    bits = np.random.default_rng(seed).integers(2, size=(swaps, len(REFERENCES)), dtype=bool)
    monkeypatch.setattr(tests_of_pairs, "swap_masks", lambda *_: iter(np.array_split(bits.astype(float), 7)))
    sums = np.moveaxis(systems.statistics, 0, 1)
    p = randomisation_p(sums[:, :1], sums[:, 1:], ours.formula, swaps=swaps, seed=0)
    assert 0.002 < found["BLEU"].p_value < 0.9
    assert p.tolist() == [found["BLEU"].p_value]


def test_randomisation_is_near_that_of_sacrebleu_with_draws_of_its_own(bleu):
    systems, ours, spaced, metric, (stats, first) = bleu
    _, found = _paired_ar_test({"BLEU": (stats[0], first)}, "b", spaced[1], None, {"BLEU": metric}, 4000, -1, 5)
    sums = np.moveaxis(systems.statistics, 0, 1)
    p = randomisation_p(sums[:, :1], sums[:, 1:], ours.formula, swaps=10_000, seed=0)[0]
    theirs = found["BLEU"].p_value
    assert p == pytest.approx(theirs, abs=5 * math.sqrt(theirs * (1 - theirs) / 4000 + p * (1 - p) / 10_000))


def test_resampled_differences_are_those_of_sacrebleu_given_its_draws(bleu, monkeypatch):
    """Source: sacrebleu's paired bootstrap, its p among it, restated from our differences."""
    systems, ours, spaced, metric, (stats, first) = bleu
    resamples, seed = 200, 9
    chosen = np.random.default_rng(seed).choice(len(REFERENCES), size=(resamples, len(REFERENCES)), replace=True)
    weights = np.stack([np.bincount(row, minlength=len(REFERENCES)) for row in chosen]).astype(float)
    monkeypatch.setattr(drawing, "_weights", lambda *_: iter([weights]))
    drawn = Bootstrap(resamples)
    found = values(systems.layout, systems.statistics, (ours,), bootstrap=drawn, unit="percent")
    (row,) = rows_of(systems, ours, found, drawn)
    scores = [
        [metric._compute_score_from_stats(np.array(its, float)[rows].sum(0)).score for rows in chosen] for its in stats
    ]
    theirs = np.array(scores[1]) - np.array(scores[0])
    assert np.abs(row.resampled[:, 1] - row.resampled[:, 0] - theirs).max() < 1e-12 * 100  # of percent
    _, their = _paired_bs_test({"BLEU": (stats[0], first)}, "b", spaced[1], None, {"BLEU": metric}, resamples, -1, seed)
    sizes = np.abs(row.resampled[:, 1] - row.resampled[:, 0])
    assert _compute_p_value(sizes - sizes.mean(), abs(np.diff(row.observed)[0])) == their["BLEU"].p_value
    difference = compare_systems(systems, (ours,), "percent", bootstrap=drawn, baseline="s0")[0].differences[0]
    assert (difference.low, difference.high) == pytest.approx(np.quantile(theirs, [0.025, 0.975]), abs=1e-9)


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
    p = randomisation_p(given_ones, np.stack(others, axis=1), metric.formula, swaps=80, seed=3)
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
    assert randomisation_p(one, other, ratio(0, 1), swaps=200, seed=0).tolist() == [1.0]
    masks = next(swap_masks(3, 200, 0, 200))
    one = np.concatenate([one, [[[[1.0, 1.0]]]]])
    other = np.concatenate([other, [[[[0.0, 1.0]]]]])
    p = randomisation_p(one, other, ratio(0, 1), swaps=200, seed=0)
    assert p.tolist() == [by_loops(one[:, 0], other[:, 0], ratio(0, 1), masks)]
    assert p[0] < 1


@pytest.mark.parametrize("split", [(0, 0), (0, 1), (3, 0), (2, 5), (5, 2), (4, 4), (17, 40), (300, 260), (900, 5000)])
def test_mid_p_is_that_of_scipy(split):
    """Source: scipy's exact binomial test, less the probability of the observed split; of an even split 1."""
    won, lost = split
    exact = scipy.stats.binomtest(won, won + lost).pvalue if won + lost else 1.0
    expected = 1.0 if won == lost else exact - scipy.stats.binom.pmf(won, won + lost, 0.5)
    assert mid_p(won, lost) == pytest.approx(expected, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("split", [(0, 1), (2, 5), (5, 2), (17, 40), (300, 260)])
def test_mid_p_is_that_of_statsmodels(split):
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    won, lost = split
    exact = tables.mcnemar([[10, won], [lost, 20]], exact=True).pvalue
    assert mid_p(won, lost) == pytest.approx(exact - scipy.stats.binom.pmf(won, won + lost, 0.5), rel=1e-9)


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


def test_holm_is_that_of_statsmodels():
    multiple = pytest.importorskip("statsmodels.stats.multitest")
    p = np.random.default_rng(1).random((4, 6)) ** 3
    expected = multiple.multipletests(p.ravel(), method="holm")[1]
    assert holm(p, p.size).ravel() == pytest.approx(expected)


def test_what_has_no_test_counts_in_the_family():
    p = np.array([[0.01, np.nan], [0.02, 0.5]])
    assert holm(p, 4) == pytest.approx(np.array([[0.04, np.nan], [0.06, 1.0]]), nan_ok=True)
    assert holm_over_rows(p, 2) == pytest.approx(np.array([[0.02, np.nan], [0.04, 1.0]]), nan_ok=True)


def test_a_row_is_done_when_all_its_pairs_are_significant():
    """Worked by hand: the second row's largest is 0.02 x 2; from then on the first is corrected for itself alone."""
    p = np.array([[0.03, 0.3], [0.01, 0.02]])
    assert holm_over_rows(p, 2) == pytest.approx(np.array([[0.04, 0.3], [0.02, 0.04]]))
    without = np.vstack([[np.nan, np.nan], p])  # a metric of which no system has a value
    assert holm_over_rows(without, 2)[1:] == pytest.approx(holm_over_rows(p, 2))


@pytest.mark.parametrize("family", [1, 19, 49, 50, 51, 199, 2189])
def test_swaps_are_enough_for_the_family(family):
    swaps = enough_swaps(10_000, family)
    assert family / (swaps + 1) <= 0.005
    assert swaps == 10_000 or family / swaps > 0.005


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
            compare_systems(other, (fact,), "percent", swaps=50, baseline="s0")[0].differences[0].test
            == "randomisation"
        )
