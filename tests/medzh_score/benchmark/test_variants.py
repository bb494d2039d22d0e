"""Variants are numbered by their lexicographic rank: against the order of itertools, and by hand."""

from __future__ import annotations

from itertools import permutations
from math import factorial

import pytest

from medzh_score.benchmark.variants import ONE, Variants, chosen_variants, number_of, order_numbered, order_of
from medzh_score.messages.errors import MedzhError


def _orders(size):
    """Source: itertools, which lists permutations in lexicographic order."""
    return tuple(permutations(range(size)))


@pytest.mark.parametrize("size", range(1, 7))
def test_the_number_of_a_permutation_is_its_place_among_all(size):
    numbers = range(factorial(size))
    assert [order_numbered(number, size) for number in numbers] == list(_orders(size))
    assert [order_of(number, size, size) for number in numbers] == list(_orders(size))
    assert [number_of(order) for order in _orders(size)] == list(numbers)


def test_numbers_that_were_counted_by_hand():
    assert order_numbered(119, 5) == (4, 3, 2, 1, 0)
    assert order_numbered(1, 5) == (0, 1, 2, 4, 3)
    assert order_numbered(6, 4) == (1, 0, 2, 3)  # the first that starts with the second option
    assert Variants(3).shifts == (0, 3, 4)  # 012, 120, 201 of 012 021 102 120 201 210
    assert Variants(2).shifts == (0, 1)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_cyclic_shifts_put_each_option_once_at_each_place(size):
    shifts = Variants(size).shifts
    assert len(shifts) == size
    assert list(shifts) == sorted(shifts)
    assert shifts[0] == 0
    shown = [_orders(size)[number] for number in shifts]
    assert all(sorted(place) == list(range(size)) for place in zip(*shown, strict=True))
    assert all((order[place] - order[0]) % size == place for order in shown for place in range(size))


@pytest.mark.parametrize(("size", "largest"), [(2, 3), (2, 5), (3, 4), (3, 5), (4, 5)])
def test_a_smaller_question_of_a_group_is_shifted_too(size, largest):
    for variant in Variants(largest, shifts_only=True).numbers:
        start = _orders(largest)[variant][0]
        expected = tuple(place % size for place in range(start, start + size))
        assert order_of(variant, size, largest) == expected
        assert sorted(expected) == list(range(size))


def test_which_numbers_there_are():
    assert list(Variants(5).numbers) == list(range(120))
    assert list(ONE.numbers) == [0]
    shifted = Variants(4, shifts_only=True)
    by_hand = [n for n, order in enumerate(permutations(range(4))) if "".join(map(str, order)) in "0123012"]
    assert list(shifted.numbers) == by_hand == [0, 9, 16, 18]
    assert 1 not in shifted.numbers
    assert (str(Variants(5)), str(shifted)) == ("120 permutations of 5 options", "4 cyclic shifts of 4 options")


@pytest.mark.parametrize("variants", [ONE, Variants(2), Variants(4), Variants(5), Variants(5, shifts_only=True)])
def test_what_is_chosen(variants):
    every = tuple(variants.numbers)
    assert chosen_variants(variants, "all", 7) == every
    assert chosen_variants(variants, "cyclic", 7) == variants.shifts
    assert chosen_variants(variants, "1", 7) == (0,)
    assert chosen_variants(variants, "1000", 7) == every
    for count in range(2, min(len(every), 9)):
        chosen = chosen_variants(variants, str(count), 7)
        assert len(chosen) == len(set(chosen)) == count
        assert list(chosen) == sorted(chosen)
        assert chosen[0] == 0
        assert set(chosen) <= set(every)
        # A larger set holds the smaller one, so that more can be asked later.
        assert set(chosen) <= set(chosen_variants(variants, str(count + 1), 7))


def test_a_draw_is_its_seeds():
    """Source: `printf 0:N | sha256sum` for N from 1 to 119, sorted, begins with 87, 46, 15."""
    assert chosen_variants(Variants(5), "4", 0) == (0, 15, 46, 87)
    assert len({chosen_variants(Variants(5), "4", seed) for seed in range(6)}) == 6


@pytest.mark.parametrize("which", ["", "0", "-1", "1.5", "some", "ALL", "１", "²", " 3"])
def test_other_sets_are_refused(which):
    with pytest.raises(MedzhError, match="is no set of variants"):
        chosen_variants(Variants(5), which, 0)


@pytest.mark.parametrize("which", ["all", "2", "1000"])
def test_permutations_of_many_options_are_never_listed(which):
    """Of 11 there are 40 million."""
    with pytest.raises(MedzhError, match=r"11 options have too many permutations.*expected cyclic"):
        chosen_variants(Variants(11), which, 0)
    assert len(chosen_variants(Variants(11), "cyclic", 0)) == 11
    assert len(chosen_variants(Variants(8), "all", 0)) == 40_320
