from __future__ import annotations

import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest

from medzh_score.statistics import sums as of_sums
from medzh_score.statistics.sums import TOTAL, column_sums, unit_sums
from medzh_score.statistics.values import Bootstrap, replicates

ITEMS, RUNS, WIDTH = 300, 40, 7
DRAW = np.random.default_rng(20261123)
STATISTICS = DRAW.random((2, ITEMS, RUNS, WIDTH))
LAYOUT = SimpleNamespace(units=DRAW.integers(0, 90, ITEMS))
ROWS = np.flatnonzero(DRAW.random(ITEMS) < 0.8)


@pytest.mark.parametrize("copied", [1, 5_000, 10**9])
def test_sums_of_units_are_the_same_whatever_is_copied_at_once(monkeypatch, copied):
    monkeypatch.setattr(of_sums, "COPIED", copied)
    members, sums = unit_sums(LAYOUT, STATISTICS, ROWS)
    assert sorted(set(LAYOUT.units[ROWS])) == members.tolist()
    for place, unit in enumerate(members):
        chosen = ROWS[LAYOUT.units[ROWS] == unit]
        assert sums[place] == pytest.approx(STATISTICS[:, chosen].sum(axis=1), rel=1e-12)


@pytest.mark.parametrize("copied", [1, 20_000])
def test_resamples_are_the_same_whatever_is_copied_at_once(monkeypatch, copied):
    groups = {TOTAL: np.arange(ITEMS), ("kind", "some"): ROWS}
    whole = replicates(LAYOUT, STATISTICS, groups, lambda sums: sums, Bootstrap(70, seed=3))
    monkeypatch.setattr(of_sums, "COPIED", copied)
    parts = replicates(LAYOUT, STATISTICS, groups, lambda sums: sums, Bootstrap(70, seed=3))
    for key in groups:
        assert whole[key].shape == (70, 2, RUNS, WIDTH)
        assert parts[key] == pytest.approx(whole[key], rel=1e-12)


def test_sums_of_a_column_are_those_of_all():
    for column in range(WIDTH):
        assert np.array_equal(
            column_sums(LAYOUT, STATISTICS[0], ROWS, column), unit_sums(LAYOUT, STATISTICS, ROWS)[1][:, 0, :, column]
        )


def test_sums_of_units_take_little_more_memory_than_they_hold(monkeypatch):
    monkeypatch.setattr(of_sums, "COPIED", 1_000)
    tracemalloc.start()
    _, sums = unit_sums(LAYOUT, STATISTICS, ROWS)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * sums.nbytes
