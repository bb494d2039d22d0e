"""Overlap of real texts: answers of two models and PediaBench's references, scored as by the reference libraries."""

from __future__ import annotations

import json
import logging
import sys
from contextlib import closing

import openpyxl
import pytest
from amounts import one_in
from rouge_chinese import Rouge
from sacrebleu.metrics import BLEU

from medzh_score.text import segmentation
from medzh_score.text.overlap.counting import overlap
from medzh_score.text.overlap.scores import corpus_bleu, rouge_chinese

logging.getLogger("sacrebleu").setLevel(logging.CRITICAL)

PEDIABENCH = "ACMISLab/PediaBench/a8ac50aeab30f7fd898b696a35a2cd336b83c602/data/EssayShort Answer.xlsx"
ANSWERS = "FreedomIntelligence/HuatuoGPT-II/88ddf9abc77651e108a2f5abbe38789c8e33efa7/evaluation/data/huatuo100_inst"


@pytest.fixture(scope="module")
def pairs(upstream_root):
    """Pair each of 200 answers with a reference that has nothing to do with it, and 100 references with another."""
    answers = [
        line["model_output"]
        for name in ("HuatuoGPT2-7B.json", "GPT4.json")
        for line in json.loads((upstream_root / ANSWERS / name).read_text(encoding="utf-8"))
    ]
    with closing(openpyxl.load_workbook(upstream_root / PEDIABENCH, read_only=True)) as book:
        rows = list(book.worksheets[0].iter_rows(min_row=2, values_only=True))
    references = [row[2] for row in rows if isinstance(row[2], str)]
    made = [(answer, references[7 * place]) for place, answer in enumerate(answers)]
    made += [(references[place][: 40 * place], references[place]) for place in range(50)]
    made += [(references[place + 1], references[place]) for place in range(50)]
    assert len(answers) == 200
    assert sum("\n" in prediction for prediction, _ in made) > 100
    return [(prediction, reference) for prediction, reference in made if prediction.strip()]


@pytest.fixture(scope="module")
def words(pairs):
    """Cut the texts by jieba itself, and put spaces between."""
    jieba = segmentation._jieba()
    return [[" ".join(jieba.lcut(text)) for text in pair] for pair in pairs]


@pytest.fixture(scope="module")
def counts(pairs):
    """Count over words."""
    return overlap(*([pair[side] for pair in pairs] for side in (0, 1)))


def test_rouge_chinese_to_the_last_bit(words, counts):
    """A sixth of the pairs, for rouge-chinese takes long, unless many examples are asked for."""
    every = slice(None, None, one_in(6))
    sets = (counts.set_common, counts.set_predicted, counts.set_referenced)
    scores = [rouge_chinese(*(count[:, order] for count in sets)) for order in (0, 1)]
    scores.append(rouge_chinese(counts.chinese_lcs, counts.chinese_predicted, counts.chinese_referenced))
    found = [[[float(part[place]) for part in score] for score in scores] for place in range(len(words))[every]]
    theirs = Rouge().get_scores(*(list(side) for side in zip(*words[every], strict=True)))
    names = ("rouge-1", "rouge-2", "rouge-l")
    assert found == [[[score[name][part] for part in "prf"] for name in names] for score in theirs]


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_sacrebleu_counts_and_score(words, counts, order):
    predictions, references = (list(side) for side in zip(*words, strict=True))
    plain = BLEU(tokenize="none", smooth_method="none", max_ngram_order=order)
    theirs = plain.corpus_score(predictions, [references])
    summed = [count.sum(axis=0) for count in (counts.clipped, counts.predicted)]
    lengths = [counts.predicted[:, 0].sum(), counts.reference_length.sum()]
    assert [count[:order].tolist() for count in summed] == [theirs.counts, theirs.totals]
    assert lengths == [theirs.sys_len, theirs.ref_len]
    smoothed = BLEU(tokenize="none", smooth_method="add-k", smooth_value=1, max_ngram_order=order)
    score = smoothed.corpus_score(predictions, [references]).score / 100
    expected = score if sys.version_info < (3, 12) else pytest.approx(score, rel=1e-14)
    assert float(corpus_bleu(*summed, *lengths, order)) == expected
