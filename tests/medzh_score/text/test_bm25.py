"""BM25 against rank-bm25 itself, on drawn and on realistic documents, and against sums by hand."""

from __future__ import annotations

import json
import math
import random
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import SAMPLES
from rank_bm25 import BM25Okapi

from medzh_score.messages.errors import MedzhError
from medzh_score.text.bm25 import bm25_index, highest, scores, top
from medzh_score.text.tokens import TOKENS

SAMPLE = SAMPLES / "tcmd" / "TCMD.jsonl"

words = st.lists(st.sampled_from("麻黄桂枝杏仁甘草石膏知母粳米"), max_size=12)
corpora = st.lists(words, min_size=1, max_size=12).filter(any)


def reference_top(values, count, allowed=None):
    """Sort stably by falling score: of equal scores the lower index comes first."""
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


@pytest.mark.parametrize("tokens", TOKENS, ids=str)
def test_on_realistic_texts(tokens):
    """Clauses of the sample, recombined: words that stand in most documents, ties, and texts that repeat."""
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    clauses = [clause for row in rows for clause in re.split(r"(?<=[，。、])", row["question"]) if clause]
    draw = random.Random(3)  # noqa: S311
    texts = ["".join(draw.choices(clauses, k=draw.randint(1, 6))) for _ in range(400)]
    documents = [tokens.cut(text) for text in texts[:340]]
    reference, index = BM25Okapi(documents), bm25_index(documents)
    for text in texts[340:]:
        query = tokens.cut(text)
        expected = reference.get_scores(query)
        assert scores(index, query).tolist() == expected.tolist()
        assert top(index, query, 3).tolist() == reference_top(expected, 3)


def test_thousands_of_documents_from_a_stream():
    """Documents that are made as they are asked for, and some words that stand in most of them, others in few."""
    draw = random.Random(5)  # noqa: S311
    documents = [[f"词{int(draw.paretovariate(0.6)) % 997}" for _ in range(draw.randint(0, 40))] for _ in range(6_000)]
    reference, index = BM25Okapi(documents), bm25_index(document for document in iter(documents))
    for query in (documents[7], documents[4_999], ["词1", "词1", "词996", "无此词"]):
        expected = reference.get_scores(query)
        assert scores(index, query).tolist() == expected.tolist()
        assert top(index, query, 3).tolist() == reference_top(expected, 3)


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 2.0]), max_size=12), st.integers(0, 14), st.data())
def test_the_highest_are_those_of_a_stable_sort(values, count, data):
    allowed = data.draw(st.none() | st.lists(st.booleans(), min_size=len(values), max_size=len(values)))
    mask = None if allowed is None else np.array(allowed, bool)
    assert highest(np.array(values), count, mask).tolist() == reference_top(values, count, allowed)


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
    with pytest.raises(MedzhError, match="no text to search in has a token"):
        bm25_index(documents)
