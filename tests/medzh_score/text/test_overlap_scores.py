"""Scores of overlap: those of rouge-chinese to the last bit, sacrebleu's, and what must hold of any texts."""

from __future__ import annotations

import logging
import sys

import numpy as np
import pytest
from amounts import at_least
from hypothesis import given
from hypothesis import strategies as st
from rouge_chinese import Rouge
from sacrebleu.metrics import BLEU

from medzh_score.text.overlap.counting import overlap
from medzh_score.text.overlap.scores import brevity_penalty, corpus_bleu, rouge_chinese, share, unigram_precision
from medzh_score.text.segmentation import segmented

logging.getLogger("sacrebleu").setLevel(logging.CRITICAL)

PAIRS = [
    ("患儿发热、咳嗽，应先退热。", "发热和咳嗽的患儿应先退热，再查血常规。"),
    ("1. 多饮水。\n2. 退热。\n\n3. 复诊！\n", "多饮水，退热。\r\n复诊。"),
    ("麻黄汤主治风寒表实证", "麻黄汤主治风寒表实证"),
    ("麻黄汤", "麻黄汤主治风寒表实证"),
    ("多休息", "麻黄汤主治风寒表实证"),
    ("轻", "重"),
]
TEXT = st.text("热咳病人。，？ \n.a1", min_size=1, max_size=30).filter(str.strip)
PAIR = st.tuples(TEXT, TEXT)


def columns(pairs):
    """Part predictions and references."""
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def lengths(counts):
    """Give the lengths of predictions and references."""
    return counts.predicted[:, 0], counts.reference_length


def check_rouge(pairs):
    """Compare precision, recall and F with rouge-chinese, bit by bit."""
    counts = overlap(*columns(pairs))
    sets = (counts.set_common, counts.set_predicted, counts.set_referenced)
    scores = [rouge_chinese(*(count[:, order] for count in sets)) for order in (0, 1)]
    scores.append(rouge_chinese(counts.chinese_lcs, counts.chinese_predicted, counts.chinese_referenced))
    for place, pair in enumerate(pairs):
        theirs = Rouge().get_scores(*(" ".join(words) for words in segmented(pair)))[0]
        found = [[float(part[place]) for part in score] for score in scores]
        assert found == [[theirs[name][part] for part in "prf"] for name in ("rouge-1", "rouge-2", "rouge-l")]


def check_sacrebleu(pairs, order):
    """Compare with sacrebleu: bit by bit, but for Python's own sum of floats from 3.12 on."""
    counts = overlap(*columns(pairs))
    summed = [count.sum(axis=0) for count in (counts.clipped, counts.predicted, *lengths(counts))]
    ours = float(corpus_bleu(*summed, order))
    bleu = BLEU(tokenize="none", smooth_method="add-k", smooth_value=1, max_ngram_order=order)
    predictions, references = ([" ".join(words) for words in segmented(texts)] for texts in columns(pairs))
    theirs = min(bleu.corpus_score(predictions, [references]).score / 100, 1.0)
    assert ours == (theirs if sys.version_info < (3, 12) else pytest.approx(theirs, rel=1e-14))


def test_hand_written_cases_score_as_in_the_libraries():
    check_rouge(PAIRS)
    for order in (1, 2, 3, 4):
        check_sacrebleu(PAIRS, order)
        check_sacrebleu(PAIRS[-2:], order)  # nothing in common
        check_sacrebleu([*PAIRS, ("", "发热"), (" \n", "咳嗽")], order)


@at_least(200)
@given(st.lists(PAIR, min_size=1, max_size=5), st.sampled_from([1, 2, 3, 4]))
def test_any_texts_score_as_in_the_libraries(pairs, order):
    check_rouge(pairs)
    check_sacrebleu(pairs, order)


def test_nothing_to_divide_by_scores_0():
    assert [part.tolist() for part in rouge_chinese([0, 0, 0], [0, 3, 0], [2, 0, 0])] == [[0.0] * 3] * 3


def test_an_empty_prediction_scores_0_everywhere():
    counts = overlap(["", " \n"], ["发热，咳嗽，多饮水", "发热"])
    summed = [count.sum(axis=0) for count in (counts.clipped, counts.predicted, *lengths(counts))]
    assert [float(corpus_bleu(*summed, order)) for order in (1, 2, 3, 4)] == [0.0] * 4
    assert float(unigram_precision(*summed[:2])) == 0.0


def test_the_f_of_rouge_chinese_is_a_little_low():
    precision, recall, f = rouge_chinese(3, 4, 6)
    assert (float(precision), float(recall)) == (0.75, 0.5)
    assert 0.6 - 1e-8 < float(f) < 0.6


def test_known_values():
    """Worked by hand: 3 of 4 tokens and 1 of 3 pairs are in a reference of 5."""
    penalty = np.exp(1 - 5 / 4)
    assert float(brevity_penalty(4, 5)) == pytest.approx(penalty, rel=1e-15)
    clipped, predicted = [3, 1, 0, 0], [4, 3, 2, 1]
    assert float(unigram_precision(clipped, predicted)) == 0.75
    assert float(corpus_bleu(clipped, predicted, 4, 5, 1)) == pytest.approx(penalty * 0.75, rel=1e-12)
    assert float(corpus_bleu(clipped, predicted, 4, 5, 2)) == pytest.approx(penalty * (3 / 4 * 2 / 4) ** 0.5, rel=1e-12)


def test_any_leading_axes():
    counts = overlap(*columns(PAIRS))
    stacked = [np.stack([count, count[::-1]]) for count in (counts.clipped, counts.predicted, *lengths(counts))]
    for order in (1, 2, 3, 4):
        rows = [
            [float(corpus_bleu(*(count[side, place] for count in stacked), order)) for place in range(6)]
            for side in (0, 1)
        ]
        assert corpus_bleu(*stacked, order).tolist() == rows
    assert share([[1, 2]], [[2, 2]]).tolist() == [[0.5, 1.0]]


@at_least(200)
@given(TEXT)
def test_identical_texts_of_four_tokens_score_1(text):
    counts = overlap([text], [text])
    if counts.predicted[0, 3] == 0:
        return
    for order in range(4):
        assert corpus_bleu(counts.clipped, counts.predicted, *lengths(counts), order + 1).tolist() == [1.0]
    assert unigram_precision(counts.clipped, counts.predicted).tolist() == [1.0]


@given(st.lists(PAIR, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_pairs_does_not_matter(pairs, chance):
    places = list(range(len(pairs)))
    chance.shuffle(places)
    counts, shuffled = overlap(*columns(pairs)), overlap(*columns([pairs[place] for place in places]))
    assert counts.clipped[places].tolist() == shuffled.clipped.tolist()
    assert counts.chinese_lcs[places].tolist() == shuffled.chinese_lcs.tolist()
    of_all = [
        corpus_bleu(*(count.sum(axis=0) for count in (found.clipped, found.predicted, *lengths(found))), 4)
        for found in (counts, shuffled)
    ]
    assert of_all[0] == of_all[1]
