"""Scores of any text: on the scale that was asked for, where they stand, and in a time that grows with its length."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.extraction.score import read_score

PIECES = ("评分", "：", "8", "分", "\n", "，", "。", "0.5", "/10", "给", "不", "总分", "准确性", "-", "(")


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_a_score_stays_on_its_scale_and_is_shown_where_it_stands(text):
    reading = read_score(text, 1, 10)
    assert reading.value is None or 1 <= reading.value <= 10
    assert all(0 <= span.start < span.end <= len(text) for span in reading.spans)


@pytest.mark.parametrize("piece", ["评分：7\n", "给7分", "准确性：7，", "(1", "1=", "最终评分（", "如果给8分", "十"])
def test_time_grows_with_the_length_of_a_text(piece):
    """Of three tries one must keep the bound: a busy machine may have let the others wait."""
    assert any(seconds(piece, 50_000) < 30 * seconds(piece, 5_000) + 0.125 for _ in range(3))


def seconds(piece, size):
    begin = time.process_time()
    read_score(piece * (size // len(piece)), 1, 10)
    return time.process_time() - begin
