"""Counts of overlap: restated by brute force, equal to what rouge-chinese and sacrebleu count, of any texts."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from dataclasses import fields

import numpy as np
import pytest
from amounts import at_least
from hypothesis import given
from hypothesis import strategies as st
from rouge_chinese import Rouge
from sacrebleu.metrics import BLEU

from medzh_score.text import overlap as counting
from medzh_score.text.overlap import (
    Overlap,
    brevity_penalty,
    corpus_bleu,
    overlap,
    rouge_chinese,
    share,
    unigram_precision,
)
from medzh_score.text.tokens import segmented
from medzh_score.ui.errors import MedzhError

logging.getLogger("sacrebleu").setLevel(logging.CRITICAL)

# Prediction, reference.
PAIRS = [
    ("患儿发热、咳嗽，应先退热。", "发热和咳嗽的患儿应先退热，再查血常规。"),
    ("1. 多饮水。\n2. 退热。\n\n3. 复诊！\n", "多饮水，退热。\r\n复诊。"),
    ("\n\n发热。\n \n咳嗽？\n", "\r\n发热。咳嗽"),
    ("发热\n\n\n咳嗽", "  \n发热"),
    ("......发热.......咳嗽......", "发热…………咳嗽........。...............肺炎"),
    ("......\n发热-......\n\n咳嗽。......", "......"),
    ("IL-6升高3.5倍，CRP 37.5%", "IL-6 升高，CRP升高37.5%。"),
    ("对乙酰氨基酚对乙酰氨基酚对乙酰氨基酚", "对乙酰氨基酚"),
    ("“发热。”他说。“咳嗽？”", "“发热。”“咳嗽？！”"),
    ("", "发热"),
    ("发热", ""),
    (" \n\u3000", "发热\n\n"),
    ("", ""),
    ("𠀀龘\x01\x02\x03\x05\x06。\x05", "\x05\x06\x01。\x04"),
]
TEXT = st.text("热咳。！？? \n\r\t.a1-”…\u3000\x85\5\6", max_size=24)
PAIR = st.one_of(st.tuples(TEXT, TEXT), st.tuples(st.text(max_size=20), st.text(max_size=20)))


def restated(prediction, reference):
    """Count strictly, by the definitions alone."""
    one, other = ([token for token in segmented([text])[0] if token.strip()] for text in (prediction, reference))
    counts = {"clipped": [], "predicted": [], "reference_length": len(other)}
    for n in (1, 2, 3, 4):
        mine, theirs = (Counter(tuple(words[k : k + n]) for k in range(len(words) - n + 1)) for words in (one, other))
        counts["clipped"].append(sum(min(count, theirs[gram]) for gram, count in mine.items()))
        counts["predicted"].append(mine.total())
    return counts


def of_rouge_chinese(prediction, reference):
    """Let rouge-chinese count; nothing is common where it raises."""
    texts = [" ".join(segmented([text])[0]) for text in (prediction, reference)]
    if not all(text.strip() for text in texts):
        return None
    first, second, longest = Rouge(raw_results=True).get_scores(*texts)[0].values()
    return {
        "set_common": [first["overlap"], second["overlap"]],
        "set_predicted": [first["hyp"], second["hyp"]],
        "set_referenced": [first["ref"], second["ref"]],
        "chinese_lcs": longest["overlap"],
        "chinese_predicted": longest["hyp"],
        "chinese_referenced": longest["ref"],
    }


def check(pairs):
    counts = overlap([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    bleu = BLEU(tokenize="none", smooth_method="none")
    for place, (prediction, reference) in enumerate(pairs):
        found = {field.name: getattr(counts, field.name)[place].tolist() for field in fields(Overlap)}
        theirs = of_rouge_chinese(prediction, reference)
        expected = restated(prediction, reference) | (theirs or {})
        assert {name: found[name] for name in expected} == expected
        if theirs is None:
            assert not any([*found["set_common"], found["chinese_lcs"], *found["clipped"]])
        joined = [" ".join(segmented([text])[0]) for text in (prediction, reference)]
        score = bleu.corpus_score(joined[:1], [joined[1:]])
        assert (score.counts, score.totals) == (found["clipped"], found["predicted"])
        assert (score.sys_len, score.ref_len) == (found["predicted"][0], found["reference_length"])


def test_counts_are_those_of_the_libraries_and_of_the_definitions():
    check(PAIRS)


@at_least(150)
@given(st.lists(PAIR, max_size=4))
def test_counts_of_any_texts(pairs):
    check(pairs)


def test_the_two_countings_differ_where_they_should():
    counts = overlap(["退热。\n退热，退热"], ["退热，退热"])
    assert counts.predicted[0].tolist() == [5, 4, 3, 2]
    assert counts.clipped[0].tolist() == [3, 2, 1, 0]  # 退热 ，退热; 退热， and ，退热
    assert counts.set_predicted[0].tolist() == [4, 5]  # 退热 。 (an empty token) ，, and five pairs of them
    assert counts.set_common[0].tolist() == [2, 2]
    assert counts.chinese_predicted.tolist() == [6]
    assert counts.chinese_referenced.tolist() == [3]


def test_an_empty_text_has_zeros_and_leaves_the_other_its_own():
    counts = overlap(["", " \n"], ["发热。", ""])
    for name in ("clipped", "predicted", "set_common", "set_predicted", "chinese_lcs", "chinese_predicted"):
        assert not getattr(counts, name).any()
    assert counts.reference_length.tolist() == counts.chinese_referenced.tolist() == [2, 0]


def test_no_pairs_have_no_counts():
    counts = overlap([], [])
    assert counts.clipped.shape == counts.predicted.shape == (0, 4)
    assert counts.set_common.shape == (0, 2)
    assert counts.reference_length.shape == counts.chinese_predicted.shape == (0,)
    assert {getattr(counts, field.name).dtype for field in fields(Overlap)} == {np.dtype(np.int64)}


@pytest.mark.parametrize("bits", [1, 20, 30])
@pytest.mark.parametrize("chunk", [1, 30, 10_000])
def test_counts_do_not_depend_on_how_they_are_packed(monkeypatch, bits, chunk):
    """A pair of more kinds of tokens than four of them fit into a number is counted plainly; here most are."""
    texts = [pair[0] for pair in PAIRS], [pair[1] for pair in PAIRS]
    expected = overlap(*texts)
    monkeypatch.setattr(counting, "BITS", bits)
    monkeypatch.setattr(counting, "CHUNK", chunk)
    found = overlap(*texts)
    for field in fields(Overlap):
        assert getattr(found, field.name).tolist() == getattr(expected, field.name).tolist()


def test_all_white_space_is_known():
    spaces = {chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()}
    assert {token for token in counting.MEANT if token.isspace()} == spaces | {"\r\n"}
    assert {token for token in counting.MEANT if not token.isspace()} == set("。！？?")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["发热"], []), "the number of references differs from the number of predictions: expected 1, found 0"),
        ((["热 " * 1_000_001], ["发热"]), "a pair of texts is too long: expected at most 1,000,000 tokens"),
    ],
)
def test_mistakes_are_named(arguments, message):
    with pytest.raises(MedzhError) as caught:
        overlap(*arguments)
    assert str(caught.value).startswith(message)


logging.getLogger("sacrebleu").setLevel(logging.CRITICAL)

SCORED = [
    ("患儿发热、咳嗽，应先退热。", "发热和咳嗽的患儿应先退热，再查血常规。"),
    ("1. 多饮水。\n2. 退热。\n\n3. 复诊！\n", "多饮水，退热。\r\n复诊。"),
    ("麻黄汤主治风寒表实证", "麻黄汤主治风寒表实证"),
    ("麻黄汤", "麻黄汤主治风寒表实证"),
    ("多休息", "麻黄汤主治风寒表实证"),
    ("轻", "重"),
]
WORDS = st.text("热咳病人。，？ \n.a1", min_size=1, max_size=30).filter(str.strip)
SCORED_PAIR = st.tuples(WORDS, WORDS)


def columns(pairs):
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def lengths(counts):
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
    check_rouge(SCORED)
    for order in (1, 2, 3, 4):
        check_sacrebleu(SCORED, order)
        check_sacrebleu(SCORED[-2:], order)  # nothing in common
        check_sacrebleu([*SCORED, ("", "发热"), (" \n", "咳嗽")], order)


@at_least(200)
@given(st.lists(SCORED_PAIR, min_size=1, max_size=5), st.sampled_from([1, 2, 3, 4]))
def test_any_texts_score_as_in_the_libraries(pairs, order):
    check_rouge(pairs)
    check_sacrebleu(pairs, order)


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
    counts = overlap(*columns(SCORED))
    stacked = [np.stack([count, count[::-1]]) for count in (counts.clipped, counts.predicted, *lengths(counts))]
    for order in (1, 2, 3, 4):
        rows = [
            [float(corpus_bleu(*(count[side, place] for count in stacked), order)) for place in range(6)]
            for side in (0, 1)
        ]
        assert corpus_bleu(*stacked, order).tolist() == rows
    assert share([[1, 2]], [[2, 2]]).tolist() == [[0.5, 1.0]]
