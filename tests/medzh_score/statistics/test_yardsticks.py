"""The randomised Tukey test beside plain loops: the same draws, the same distribution, whatever way they are made."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
import scipy.stats
from amounts import one_in
from simple_systems import chances_of_dealing, of_consistency, of_f1

from medzh_score.benchmark.columns import pick
from medzh_score.configs.cmhe_dd import statistics as cmhe_dd
from medzh_score.configs.tcmd import statistics as tcmd
from medzh_score.statistics.comparison import permuting
from medzh_score.statistics.comparison.permuting import dealt_together, in_random_order, permuted, yardsticks
from medzh_score.statistics.formulas.ratio import ratio

SHARE = ratio(0, 1)
F1, CONSISTENCY = pick("metric", cmhe_dd.METRICS, "F1-level-2"), pick("metric", tcmd.METRICS, "consistency-valid")


@pytest.fixture(params=["dealt together", "one by one"])
def way(request, monkeypatch):
    """Permute all units of two rows together, or all one by one."""
    monkeypatch.setattr(permuting, "MANY", 0 if request.param == "dealt together" else math.inf)
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
    """Count what the largest difference is in each of all orders of all units."""
    orders = tuple(itertools.permutations(range(sums.shape[1])))
    found = [spread_of(formula, sums, each) for each in itertools.product(orders, repeat=len(sums))]
    return Counter(np.round(found, 9).tolist())


def of_shares(right, runs=1):
    """Make sums of units of right answers, shape (units, systems) or (units, systems, runs)."""
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
    drawn = Counter(np.round(yardsticks(sums, SHARE, draws=draws, seed=11), 9).tolist())
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


def test_what_is_dealt_together_spreads_like_what_is_permuted_one_by_one(monkeypatch):
    """Source: the plain way, permutations of NumPy for each unit; 12 systems on 300 units of two rows and of three."""
    draw = np.random.default_rng(5)
    right = (draw.random((300, 12)) < draw.beta(1, 1, (300, 1))).astype(float)
    right[:30] *= draw.integers(1, 3, (30, 12)) / 2
    sums = of_shares(right)
    assert permuted(sums.reshape(300, 12, -1)).together
    drawn = yardsticks(sums, SHARE, draws=3000, seed=1)
    plain = [draw.permuted(right, axis=1).mean(axis=0) for _ in range(1500)]
    assert scipy.stats.ks_2samp(drawn, np.ptp(plain, axis=1)).pvalue > 1e-2
    monkeypatch.setattr(permuting, "MANY", math.inf)
    assert scipy.stats.ks_2samp(drawn, yardsticks(sums, SHARE, draws=1500, seed=2)).pvalue > 1e-2


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

    monkeypatch.setattr(permuting, "in_random_order", in_given_order)
    monkeypatch.setattr(permuting.os, "cpu_count", lambda: 1)
    found = yardsticks(sums, metric.formula, draws=draws, seed=0)
    assert len(taken) == draws
    assert found.tolist() == pytest.approx([spread_of(metric.formula, sums, orders) for orders in taken], abs=1e-12)


def test_orders_are_equally_likely():
    """Source: counting; each of the 24 orders of four different rows, and each place of one of three equal rows."""
    codes = np.tile(np.arange(4, dtype=np.uint32), (24_000, 1))
    drawn = in_random_order(codes, np.random.default_rng(2))
    assert (np.sort(drawn, axis=1) == codes).all()
    counts = np.unique(drawn, axis=0, return_counts=True)[1]
    assert scipy.stats.chisquare(counts).pvalue > 1e-4
    assert len(counts) == 24
    wide = np.tile(np.array([0, 0, 300], np.uint64), (9000, 1))
    counts = np.unique(in_random_order(wide, np.random.default_rng(3)), axis=0, return_counts=True)[1]
    assert scipy.stats.chisquare(counts).pvalue > 1e-4


def test_rows_with_equal_keys_are_drawn_again():
    """With codes of 29 bits three bits are left of each key, and most rows have a tie: orders stay equally likely."""
    codes = np.tile(np.array([0, 1, 2**29 - 1], np.uint32), (30_000, 1))
    counts = np.unique(in_random_order(codes, np.random.default_rng(4)), axis=0, return_counts=True)[1]
    assert len(counts) == 6
    assert scipy.stats.chisquare(counts).pvalue > 1e-3


@pytest.mark.usefixtures("way")
def test_the_number_of_threads_changes_nothing(monkeypatch):
    draw = np.random.default_rng(8)
    sums = of_shares((draw.random((40, 4)) < 0.5) + (draw.random((40, 4)) < 0.1))
    found = []
    for threads in (1, 2, 3):
        monkeypatch.setattr(permuting.os, "cpu_count", lambda threads=threads: threads)
        found.append(yardsticks(sums, SHARE, draws=300, seed=5).tolist())
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("short", [0, math.inf], ids=["keys of 64 bits", "keys of 32 bits"])
def test_many_systems_of_few_rows_get_all_rows(monkeypatch, short):
    """Source: addition; what 300 systems get together is what there is, however units are permuted."""
    monkeypatch.setattr(permuting, "SHORT", short)
    right = np.random.default_rng(5).integers(0, 2, (7, 300))
    rows = permuted(of_shares(right).reshape(7, 300, -1))
    drawn = rows.drawn(5, np.random.default_rng(6))
    assert drawn.shape == (5, 300, 2)
    assert (drawn.sum(axis=1) == [right.sum(), right.size]).all()
    assert (drawn[0] != drawn[1]).any()
