"""BM25 against rank-bm25 itself, on drawn and on realistic documents, and against sums by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from medzh_score.text.bm25 import bm25_index, scores, top
from medzh_score.ui.errors import MedzhError

words = st.lists(st.sampled_from("麻黄桂枝杏仁甘草石膏知母粳米"), max_size=12)
corpora = st.lists(words, min_size=1, max_size=12).filter(any)


def reference_top(values, count, allowed=None):
    order = sorted(range(len(values)), key=lambda index: -values[index])
    return [index for index in order if allowed is None or allowed[index]][:count]


@given(corpora, st.lists(st.sampled_from("麻黄桂枝杏仁甘草石膏知母粳米汗"), max_size=15))
def test_scores_are_those_of_rank_bm25(documents, query):
    expected = BM25Okapi(documents).get_scores(query)
    index = bm25_index(documents)
    found = scores(index, query)
    assert found.dtype == np.float64
    assert found.tolist() == expected.tolist()
    for count in (0, 1, 3, len(documents), 20):
        assert top(index, query, count).tolist() == reference_top(expected, count)


@given(corpora, words, st.data())
def test_only_what_is_allowed_is_found(documents, query, data):
    allowed = data.draw(st.lists(st.booleans(), min_size=len(documents), max_size=len(documents)))
    expected = BM25Okapi(documents).get_scores(query)
    for count in (1, 3, 20):
        found = top(bm25_index(documents), query, count, np.array(allowed))
        assert found.tolist() == reference_top(expected, count, allowed)


def test_a_score_by_hand():
    """Source: section 3.2 of Trotman et al., whose formula rank-bm25 names; all documents have the average length."""
    index = bm25_index([["麻黄", "发汗"], ["石膏", "清热"], ["知母", "滋阴"]])
    once = math.log(2.5 / 1.5)  # idf; the other factor is 2.5 / (1 + 1.5)
    assert scores(index, ["麻黄"]).tolist() == pytest.approx([once, 0, 0])
    assert scores(index, ["麻黄", "清热", "麻黄"]).tolist() == pytest.approx([2 * once, once, 0])
    longer = bm25_index([["麻黄", "麻黄", "发汗"], ["石膏"], ["知母", "滋阴"]])
    # Twice in a document of 3 tokens, where the average is 2.
    assert scores(longer, ["麻黄"])[0] == pytest.approx(once * 2 * 2.5 / (2 + 1.5 * (0.25 + 0.75 * 1.5)))


def test_the_floor_of_frequent_tokens_by_hand():
    """A token of all three documents has the idf ln(0.5/3.5): a quarter of the average idf stands instead."""
    index = bm25_index([["汤", "麻黄"], ["汤", "桂枝"], ["汤", "石膏"]])
    average = (math.log(0.5 / 3.5) + 3 * math.log(2.5 / 1.5)) / 4
    assert scores(index, ["汤"]).tolist() == pytest.approx([average / 4] * 3)


def test_ties_are_settled_by_order():
    index = bm25_index([["石膏"], ["麻黄"], ["麻黄"], [], ["麻黄"], ["知母"], ["粳米"]])
    assert top(index, ["麻黄"], 2).tolist() == [1, 2]
    assert top(index, ["麻黄"], 5).tolist() == [1, 2, 4, 0, 3]
    assert top(index, ["大黄"], 3).tolist() == [0, 1, 2]


@pytest.mark.parametrize("documents", [[], [[]], [[], []]])
def test_nothing_to_search_in_is_refused(documents):
    """Where rank-bm25 divides by zero."""
    with pytest.raises(ZeroDivisionError):
        BM25Okapi(documents)
    with pytest.raises(MedzhError, match="the texts to search contain no tokens"):
        bm25_index(documents)
