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

from medzh_score.messages.errors import MedzhError
from medzh_score.text.overlap import counting, letters, ngrams
from medzh_score.text.overlap.counting import Overlap, overlap
from medzh_score.text.segmentation import segmented

logging.getLogger("sacrebleu").setLevel(logging.CRITICAL)

TOKENS = ("jieba", "characters")
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


def cut(text, tokens):
    """Cut a text, white space included."""
    return segmented([text])[0] if tokens == "jieba" else list(text)


def longest_common(one, other):
    """Find the length of the longest common subsequence, row by row."""
    row = [0] * (len(other) + 1)
    for word in one:
        following = [0]
        for place, theirs in enumerate(other):
            following.append(row[place] + 1 if word == theirs else max(row[place + 1], following[place]))
        row = following
    return row[-1]


def restated(prediction, reference, tokens):
    """Count strictly, by the definitions alone."""
    one, other = ([token for token in cut(text, tokens) if token.strip()] for text in (prediction, reference))
    counts = {"clipped": [], "predicted": [], "referenced": []}
    for n in (1, 2, 3, 4):
        mine, theirs = (Counter(tuple(words[k : k + n]) for k in range(len(words) - n + 1)) for words in (one, other))
        counts["clipped"].append(sum(min(count, theirs[gram]) for gram, count in mine.items()))
        counts["predicted"].append(mine.total())
        counts["referenced"].append(theirs.total())
    return {**counts, "lcs": longest_common(one, other)}


def of_rouge_chinese(prediction, reference, tokens):
    """Let rouge-chinese count; nothing is common where it raises."""
    texts = [" ".join(cut(text, tokens)) for text in (prediction, reference)]
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


def check(pairs, tokens):
    """Compare the counts of pairs with the restatement and with both libraries."""
    counts = overlap([pair[0] for pair in pairs], [pair[1] for pair in pairs], tokens)
    bleu = BLEU(tokenize="none", smooth_method="none")
    for place, (prediction, reference) in enumerate(pairs):
        found = {field.name: getattr(counts, field.name)[place].tolist() for field in fields(Overlap)}
        theirs = of_rouge_chinese(prediction, reference, tokens)
        expected = restated(prediction, reference, tokens) | (theirs or {})
        assert {name: found[name] for name in expected} == expected
        if theirs is None:
            assert not any([*found["set_common"], found["chinese_lcs"], found["lcs"], *found["clipped"]])
        joined = [" ".join(cut(text, tokens)) for text in (prediction, reference)]
        score = bleu.corpus_score(joined[:1], [joined[1:]])
        assert (score.counts, score.totals) == (found["clipped"], found["predicted"])
        assert (score.sys_len, score.ref_len) == (found["predicted"][0], found["referenced"][0])


@pytest.mark.parametrize("tokens", TOKENS)
def test_counts_are_those_of_the_libraries_and_of_the_definitions(tokens):
    check(PAIRS, tokens)


@at_least(150)
@given(st.lists(PAIR, max_size=4), st.sampled_from(TOKENS))
def test_counts_of_any_texts(pairs, tokens):
    check(pairs, tokens)


def test_the_two_countings_differ_where_they_should():
    counts = overlap(["退热。\n退热，退热"], ["退热，退热"])
    assert counts.predicted[0].tolist() == [5, 4, 3, 2]
    assert counts.clipped[0].tolist() == [3, 2, 1, 0]  # 退热 ，退热; 退热， and ，退热
    assert counts.lcs.tolist() == [3]
    assert counts.set_predicted[0].tolist() == [4, 5]  # 退热 。 (an empty token) ，, and five pairs of them
    assert counts.set_common[0].tolist() == [2, 2]
    assert counts.chinese_predicted.tolist() == [6]
    assert counts.chinese_referenced.tolist() == [3]


@pytest.mark.parametrize("tokens", TOKENS)
def test_an_empty_text_has_zeros_and_leaves_the_other_its_own(tokens):
    counts = overlap(["", " \n"], ["发热。", ""], tokens)
    for name in ("clipped", "predicted", "lcs", "set_common", "set_predicted", "chinese_lcs", "chinese_predicted"):
        assert not getattr(counts, name).any()
    length = 2 if tokens == "jieba" else 3
    assert counts.referenced[:, 0].tolist() == counts.chinese_referenced.tolist() == [length, 0]


def test_no_pairs_have_no_counts():
    counts = overlap([], [])
    assert counts.clipped.shape == counts.referenced.shape == (0, 4)
    assert counts.set_common.shape == (0, 2)
    assert counts.lcs.shape == counts.chinese_predicted.shape == (0,)
    assert {getattr(counts, field.name).dtype for field in fields(Overlap)} == {np.dtype(np.int64)}


@pytest.mark.parametrize("bits", [1, 20, 30])
@pytest.mark.parametrize("chunk", [1, 30, 10_000])
def test_counts_do_not_depend_on_how_they_are_packed(monkeypatch, bits, chunk):
    """A pair of more kinds of tokens than four of them fit into a number is counted plainly; here most are."""
    texts = [pair[0] for pair in PAIRS], [pair[1] for pair in PAIRS]
    expected = overlap(*texts)
    monkeypatch.setattr(ngrams, "BITS", bits)
    monkeypatch.setattr(counting, "CHUNK", chunk)
    found = overlap(*texts)
    for field in fields(Overlap):
        assert getattr(found, field.name).tolist() == getattr(expected, field.name).tolist()


def test_a_text_of_many_kinds_of_tokens():
    text = "".join(map(chr, range(0x4E00, 0x9F00)))
    found = overlap([text], [text[::-1] + text[:100]], "characters")
    length = len(text)
    assert found.clipped.tolist() == [[length, 99, 98, 97]]
    assert found.lcs.tolist() == [100]
    assert found.set_common.tolist() == [[length, 99]]
    assert found.set_referenced.tolist() == [[length, length + 99]]


def test_a_long_common_subsequence():
    """Of more tokens than a machine word has bits."""
    one = "".join("热咳喘吐"[number * number % 11 % 4] for number in range(900))
    other = "".join("吐热喘咳"[number * number % 13 % 4] for number in range(700))
    counts = overlap([one], [other], "characters")
    assert counts.lcs.tolist() == counts.chinese_lcs.tolist() == [longest_common(one, other)]


def test_all_white_space_is_known():
    spaces = {chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()}
    assert {token for token in letters.MEANT if token.isspace()} == spaces | {"\r\n"}
    assert {token for token in letters.MEANT if not token.isspace()} == set("。！？?")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["发热"], []), "not a reference for each prediction; expected 1; found 0"),
        ((["发热"], ["发热"], "words"), "no such tokens; expected jieba or characters; found 'words'"),
        (
            (["热" * 1_000_001], ["发热"], "characters"),
            "a pair of texts is too long; expected at most 1,000,000 tokens",
        ),
    ],
)
def test_mistakes_are_named(arguments, message):
    with pytest.raises(MedzhError) as caught:
        overlap(*arguments)
    assert str(caught.value).startswith(message)
