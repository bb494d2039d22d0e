"""Intervals of a share, exact, and of the difference of two paired ones: scipy and definitions are their sources."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import beta, binom, multinomial, norm

from medzh_score.statistics.comparison.paired import exact_difference, paired_interval
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


def by_beta(count, of):
    """Restate the interval of Clopper and Pearson at 97.5 %."""
    low = 0.0 if count == 0 else beta.ppf(0.0125, count, of - count + 1)
    return low, 1.0 if count == of else beta.ppf(0.9875, count + 1, of - count)


@pytest.mark.parametrize("units", [1, 4, 9, 39, 460])
def test_an_exact_difference_holds_all_that_fit_both_how_many_differ_and_how_they_split(units):
    for won in range(min(units, 9) + 1):
        for lost in range(min(units, 9) - won + 1):
            differing = np.linspace(*by_beta(won + lost, units), 101)
            split = np.linspace(*(by_beta(won, won + lost) if won + lost else (0.0, 1.0)), 101)
            tried = np.outer(differing, 2 * split - 1)
            expected = tried.min(), tried.max()
            assert exact_difference(won, lost, units) == pytest.approx(expected, abs=1e-9)
            if won + lost < 10:
                assert paired_interval(won, lost, units) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("units", [3, 9])
def test_an_exact_difference_covers_any_two_shares_at_least_as_often_as_it_says(units):
    seen = [(won, lost) for won in range(units + 1) for lost in range(units + 1 - won)]
    ends = [exact_difference(won, lost, units) for won, lost in seen]
    for first in np.linspace(0, 1, 21):
        for second in np.linspace(0, 1 - first, 11):
            chances = [max(0.0, chance) for chance in (first, second, 1 - first - second)]
            covered = math.fsum(
                multinomial.pmf((won, lost, units - won - lost), units, chances)
                for (won, lost), (low, high) in zip(seen, ends, strict=True)
                if low - 1e-12 <= first - second <= high + 1e-12
            )
            assert covered >= 0.95 - 1e-9


@pytest.mark.parametrize(("won", "lost", "units"), [(12, 2, 50), (10, 0, 10), (10, 0, 40), (6, 6, 13), (30, 25, 300)])
def test_where_more_units_differ_it_is_the_score_interval(won, lost, units):
    """By Tango's definition: the share that only the second has is the likeliest of those with the difference."""

    def errors(difference):
        def unlikely(second):
            chances = second + difference, second, 1 - difference - 2 * second
            counts = won, lost, units - won - lost
            return -sum(count * math.log(max(chance, 1e-300)) for count, chance in zip(counts, chances, strict=True))

        room = max(0.0, -difference), (1 - difference) / 2
        second = minimize_scalar(unlikely, bounds=room, method="bounded", options={"xatol": 1e-13}).x
        return (won - lost - units * difference) / math.sqrt(units * (2 * second + difference * (1 - difference)))

    found, far = (won - lost) / units, norm.ppf(0.975)
    low = brentq(lambda difference: errors(difference) - far, -1 + 1e-9, found - 1e-9)
    high = 1.0 if found == 1 else brentq(lambda difference: errors(difference) + far, found + 1e-9, 1 - 1e-9)
    assert paired_interval(won, lost, units) == pytest.approx((low, high), abs=1e-5)
