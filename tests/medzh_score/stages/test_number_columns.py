"""Numbers that people write into a sheet: read in plain decimal notation and in their range, or refused."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.benchmark.stages import Between
from medzh_score.stages.label_files import filled
from medzh_score.ui.errors import MedzhError

SCORE = Between(0, 1)


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("0", "0"),
        ("1", "1"),
        ("0.0", "0"),
        ("1.00", "1"),
        ("0.75", "0.75"),
        (".75", "0.75"),
        ("0.750", "0.75"),
        ("０．７５", "0.75"),
        ("１", "1"),
        ("0.05", "0.05"),
        ("0.000000000000000001", "0.000000000000000001"),
    ],
)
def test_numbers(written, number):
    assert SCORE.read(written) == number


@pytest.mark.parametrize(
    "written",
    [
        *("75%", "1%", "1.01", "2", "-0.5", "+0.5", "-0", "0,75", "1e-1", "1.", "0.", ".", "00.5", "01", "nan", "inf"),
        *("½", "①", "〇.五", "三分", "0.7-0.8", "0.8分", "约0.8", "0.8/1", "0。8", "0..8"),
    ],
)
def test_what_is_no_number_of_the_range(written):
    assert SCORE.read(written) is None


@given(st.integers(0, 10**6), st.integers(0, 6))
def test_a_number_keeps_its_value_and_equal_ones_are_equal_texts(thousandths, zeros):
    text = f"{thousandths // 10**6}.{thousandths % 10**6:06d}{'0' * zeros}"
    read = SCORE.read(text)
    assert Fraction(read) == Fraction(thousandths, 10**6)
    assert SCORE.read(read) == read


def test_other_ranges():
    assert Between(0, 100).read("75.5") == "75.5"
    assert Between(1, 5).read("0.5") is None
    assert Between(0, 100).read("100") == "100"


def test_a_sheet_with_a_number_names_what_it_expected():
    assert filled({"score": "．5"}, {"score": SCORE}, "s.csv", 2) == {"score": "0.5"}
    assert filled({"score": ""}, {"score": SCORE}, "s.csv", 2) == {}
    with pytest.raises(
        MedzhError,
        match=r"s\.csv:2: field \"score\": invalid value for this column: expected a number from 0 to 1.*found '75%'",
    ):
        filled({"score": "75%"}, {"score": SCORE}, "s.csv", 2)
    with pytest.raises(
        MedzhError, match=r"the cell is blank, but other cells of the row are filled in: expected a number from 0 to 1"
    ):
        filled({"score": "", "reason": "x"}, {"score": SCORE, "reason": ()}, "s.csv", 2)
