"""The exact interval of a share: scipy's beta quantiles, and what the definition says, are its sources."""

from __future__ import annotations

import math

import pytest
from scipy.stats import beta, binom

from medzh_score.statistics.formulas.binomial import exact_interval


@pytest.mark.parametrize("of", [1, 2, 7, 30, 200, 5000])
def test_it_is_that_of_the_beta_distribution(of):
    for count in sorted({0, 1, of // 3, of // 2, of - 1, of}):
        low, high = exact_interval(count, of)
        assert low == pytest.approx(0.0 if count == 0 else beta.ppf(0.025, count, of - count + 1), abs=1e-9)
        assert high == pytest.approx(1.0 if count == of else beta.ppf(0.975, count + 1, of - count), abs=1e-9)


def test_nothing_seen_bounds_by_the_rule_that_can_be_worked_out_by_hand():
    """With nothing seen in n draws, the upper end solves (1 - p)^n = 0.025."""
    for of in (1, 10, 59, 300):
        assert exact_interval(0, of)[1] == pytest.approx(1 - 0.025 ** (1 / of), abs=1e-12)
        assert exact_interval(of, of)[0] == pytest.approx(0.025 ** (1 / of), abs=1e-12)


@pytest.mark.parametrize("of", [5, 20])
def test_it_covers_any_share_at_least_as_often_as_it_says(of):
    ends = [exact_interval(count, of) for count in range(of + 1)]
    for step in range(1, 200):
        share = step / 200
        covered = math.fsum(
            binom.pmf(count, of, share) for count, (low, high) in enumerate(ends) if low <= share <= high
        )
        assert covered >= 0.95 - 1e-9


def test_another_level_is_another_interval():
    assert exact_interval(3, 50, 0.5)[1] < exact_interval(3, 50)[1] < exact_interval(3, 50, 0.99)[1]
