"""Every overlap metric on answers written by hand, restated with rouge-chinese, sacrebleu and plain loops."""

from __future__ import annotations

import logging
from collections import Counter
from functools import cache

import numpy as np
import pytest
from rouge_chinese import Rouge
from sacrebleu.metrics import BLEU
from tables import case_tables, holds

from medzh_score.benchmark.answers import answer_table
from medzh_score.benchmark.registry import find_config
from medzh_score.extraction import whole_text
from medzh_score.stats import overlap_metrics
from medzh_score.stats.overlap_metrics import OverlapColumns
from medzh_score.text.tokens import words

CASES = case_tables("pemebench_cases")
HUATUO = find_config("pemebench_huatuo")
METRIC = {metric.name: metric for metric in overlap_metrics.METRICS}
# A prediction and its reference; what is not medically true is so on purpose, to be a wrong answer.
PAIRS = CASES["predictions_and_references"]


@cache
def cut(text):
    """Cut a text with jieba itself."""
    words("先载入")  # quietly
    import jieba

    logging.getLogger("jieba").setLevel(logging.CRITICAL)
    return tuple(jieba.lcut(text))


def plain(text):
    return " ".join(cut(text)).split()


def grams(tokens, n):
    return Counter(tuple(tokens[place : place + n]) for place in range(len(tokens) - n + 1))


@cache
def rouge_chinese(prediction, reference):
    if not prediction.strip():
        return dict.fromkeys("12L", dict.fromkeys("prf", 0.0))
    (found,) = Rouge().get_scores(" ".join(cut(prediction)), " ".join(cut(reference)))
    return {span: found[f"rouge-{span.lower()}"] for span in "12L"}


def bleu(pairs, order):
    reference = BLEU(tokenize="none", force=True, smooth_method="add-k", smooth_value=1, max_ngram_order=order)
    said = [" ".join(plain(prediction)) for prediction, _ in pairs]
    return reference.corpus_score(said, [[" ".join(plain(held)) for _, held in pairs]]).score


def expected(name, pairs):
    """Restate a metric from its name alone."""
    head, *parts = name.split("-")
    if head == "R":
        span, measure = parts[0], {"F": "f", "recall": "r", "precision": "p"}[parts[1]]
        return 100 * sum(rouge_chinese(*pair)[span][measure] for pair in pairs) / len(pairs)
    if not parts:
        common = [grams(plain(said), 1) & grams(plain(held), 1) for said, held in pairs]
        return 100 * sum(sum(one.values()) for one in common) / sum(len(plain(said)) for said, _ in pairs)
    return bleu(pairs, int(parts[0]))


def records(pairs):
    return [{"id": f"pemebench-{place:010x}", "answer": held} for place, (_, held) in enumerate(pairs)]


def answered(*runs, read=whole_text.raw):
    """Make the answers of runs, each a list of predictions; None is one that is missing."""
    columns = {
        (run, 0): [None if text is None else read(text, None) for text in texts] for run, texts in enumerate(runs)
    }
    return answer_table(columns, np.ones((len(runs[0]), 1), bool), {})


def counted(pairs, *further):
    layout = HUATUO.layout(records(pairs))
    return HUATUO.statistics(layout, answered([said for said, _ in pairs], *further), {})


def test_a_metric_is_what_its_name_says():
    sums = counted(PAIRS).sum(axis=(0, 1))
    restated = [(name, pytest.approx(expected(name, PAIRS), abs=1e-9)) for name in METRIC]
    holds(restated, lambda name: METRIC[name].formula(sums))


def test_a_metric_of_one_item_is_that_of_the_pair_alone():
    """The pooled ones of an empty answer are 0."""
    counts = counted(PAIRS)
    restated = []
    for name in METRIC:
        for place, pair in enumerate(PAIRS):
            value = expected(name, [pair]) if pair[0].strip() else 0
            restated.append((name, place, pytest.approx(value, abs=1e-9)))
    holds(restated, lambda name, place: METRIC[name].formula(counts)[place, 0])


def test_what_is_missing_scores_as_what_is_empty_and_is_told_apart():
    layout = HUATUO.layout(records([PAIRS[0], PAIRS[1], PAIRS[1]]))
    counts = HUATUO.statistics(layout, answered([PAIRS[0][0], "", None]), {})
    assert [HUATUO.reporting.verdict(row) for row in counts[:, 0]] == ["answered", "empty", "missing"]
    assert np.flatnonzero(counts[1, 0] != counts[2, 0]).tolist() == [OverlapColumns.empty]
    assert counts[2, 0, OverlapColumns.items] == 1
    assert HUATUO.reporting.verdict(np.zeros(counts.shape[2])) == "skipped"
