"""Every overlap metric on answers written by hand, restated with rouge-chinese, sacrebleu, nltk and plain loops."""

from __future__ import annotations

import logging
from collections import Counter
from functools import cache
from importlib.metadata import version

import numpy as np
import pytest
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from rouge_chinese import Rouge
from sacrebleu.metrics import BLEU
from tables import case_tables, holds

from medzh_score.benchmark.answer_table import answer_table
from medzh_score.benchmark.answers import SHARED, Answer
from medzh_score.benchmark.answers import answered as answered_of
from medzh_score.benchmark.registry import find_config
from medzh_score.extraction import whole_text
from medzh_score.statistics.formulas import overlap
from medzh_score.statistics.formulas.overlap_counts import ANSWERED, CHARACTERS, EMPTY, ITEMS, WORDS
from medzh_score.text.tokens import words

CASES = case_tables("pemebench_cases")
CONFIG = find_config("pemebench")
HUATUO = find_config("pemebench_huatuo")
METRIC = {metric.name: metric for metric in overlap.METRICS}
# A prediction and its reference; what is not medically true is so on purpose, to be a wrong answer.
PAIRS = CASES["predictions_and_references"]


@cache
def cut(text, tokens):
    """Cut a text with jieba itself, or into its characters."""
    if tokens == "characters":
        return tuple(text)
    words("先载入")  # quietly
    import jieba

    logging.getLogger("jieba").setLevel(logging.CRITICAL)
    return tuple(jieba.lcut(text))


def plain(text, tokens):
    return " ".join(cut(text, tokens)).split()


def grams(tokens, n):
    return Counter(tuple(tokens[place : place + n]) for place in range(len(tokens) - n + 1))


def longest_common(one, other):
    row = [0] * (len(other) + 1)
    for left in one:
        before = 0
        for place, right in enumerate(other, start=1):
            row[place], before = (before + 1 if left == right else max(row[place], row[place - 1])), row[place]
    return row[-1]


@cache
def rouge_chinese(prediction, reference, tokens):
    if not prediction.strip():
        return dict.fromkeys("12L", dict.fromkeys("prf", 0.0))
    (found,) = Rouge().get_scores(" ".join(cut(prediction, tokens)), " ".join(cut(reference, tokens)))
    return {span: found[f"rouge-{span.lower()}"] for span in "12L"}


@cache
def strict(prediction, reference, tokens, span):
    """Give precision, recall and F of multisets, or None where the reference is too short."""
    said, held = plain(prediction, tokens), plain(reference, tokens)
    n = 1 if span == "L" else int(span)
    if len(held) < n:
        return None
    sizes = max(len(said) - n + 1, 0), len(held) - n + 1
    common = longest_common(said, held) if span == "L" else sum((grams(said, n) & grams(held, n)).values())
    precision, recall = (common / sizes[0] if sizes[0] else 0.0), common / sizes[1]
    return {"p": precision, "r": recall, "f": 2 * precision * recall / (precision + recall) if common else 0.0}


def bleu(pairs, tokens, order):
    reference = BLEU(tokenize="none", force=True, smooth_method="add-k", smooth_value=1, max_ngram_order=order)
    said = [" ".join(plain(prediction, tokens)) for prediction, _ in pairs]
    return reference.corpus_score(said, [[" ".join(plain(held, tokens)) for _, held in pairs]]).score


def mean(values):
    kept = [value for value in values if value is not None]
    return sum(kept) / len(kept)


def expected(name, pairs):
    """Restate a metric from its name alone."""
    tokens = "characters" if name.endswith(("-chars", "-sft")) else "jieba"
    head, *parts = name.removesuffix("-chars").split("-")
    if head == "R":
        span, measure = parts[0], {"F": "f", "recall": "r", "precision": "p"}[parts[1]]
        if "strict" in parts:
            found = [strict(*pair, tokens, span) for pair in pairs]
            return 100 * mean(None if one is None else one[measure] for one in found)
        return 100 * mean(rouge_chinese(*pair, tokens)[span][measure] for pair in pairs)
    if not parts:
        common = [grams(plain(said, tokens), 1) & grams(plain(held, tokens), 1) for said, held in pairs]
        return 100 * sum(sum(one.values()) for one in common) / sum(len(plain(said, tokens)) for said, _ in pairs)
    if parts[1:] == ["sft"]:
        smoothing = SmoothingFunction().method3
        return 100 * mean(
            sentence_bleu([plain(held, tokens)], plain(said, tokens), smoothing_function=smoothing)
            if said.strip()
            else 0.0
            for said, held in pairs
        )
    if parts[1:] == ["sentence"]:
        return mean(bleu([pair], tokens, int(parts[0])) for pair in pairs)
    return bleu(pairs, tokens, int(parts[0]))


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
    """Nothing where there is no 2-gram to find in strict counting; the pooled ones of an empty answer are 0."""
    counts = counted(PAIRS)
    restated = []
    for name in METRIC:
        for place, pair in enumerate(PAIRS):
            too_short = pair[1] == "青霉素" and "strict" in name and "R-2" in name and "chars" not in name
            value = np.nan if too_short else expected(name, [pair]) if pair[0].strip() else 0
            restated.append((name, place, pytest.approx(value, abs=1e-9, nan_ok=True)))
    holds(restated, lambda name, place: METRIC[name].formula(counts)[place, 0])


def test_names_are_those_of_the_specification_and_each_stands_once():
    names = [metric.name for metric in overlap.METRICS]
    assert names[:10] == [
        "BLEU",
        *(f"R-{span}-{measure}" for measure in ("F", "recall", "precision") for span in "12L"),
    ]
    assert len(set(names)) == len(names) == 2 * (1 + 18 + 8) + 1
    for profile in overlap.PROFILES:
        assert set(profile.parts) < set(names)
    for config in (CONFIG, HUATUO):
        every = {metric.name for metric in config.metrics}
        assert {config.headline, *config.shown} < every
        assert set(config.item_metrics) < every


def test_identical_texts_of_four_tokens_or_more_are_perfect_in_strict_and_what_the_reference_gives_elsewhere():
    pairs = [(held, held) for _, held in PAIRS if len(plain(held, "jieba")) >= 4]
    assert len(pairs) > 6
    sums = counted(pairs).sum(axis=(0, 1))
    for metric in overlap.METRICS:
        value = metric.formula(sums)
        if metric.name.startswith("R-") and "-F" in metric.name and "strict" not in metric.name:
            assert value == pytest.approx(expected(metric.name, pairs), abs=1e-12)
            assert 99.9999 < value < 100
        else:
            assert value == pytest.approx(100, abs=1e-12), metric.name
        if "strict" in metric.name or metric.name == "BLEU":
            assert value == 100, metric.name


def test_an_empty_answer_scores_nothing_is_counted_and_its_reference_stays():
    pairs = [("", PAIRS[0][1]), (" \n", PAIRS[1][1])]
    counts = counted(pairs)
    for metric in overlap.METRICS:
        assert metric.formula(counts.sum(axis=(0, 1))) == 0, metric.name
    assert counts[..., ITEMS].sum() == counts[..., EMPTY].sum() == 2
    assert counts[..., ANSWERED].sum() == 0
    for block, tokens in ((WORDS, "jieba"), (CHARACTERS, "characters")):
        assert counts[:, 0, block.referenced].tolist() == [len(plain(held, tokens)) for _, held in pairs]
        assert counts[:, 0, block.scored(1)].tolist() == [1, 1]


def test_what_is_missing_scores_as_what_is_empty_and_is_told_apart():
    layout = HUATUO.layout(records([PAIRS[0], PAIRS[1], PAIRS[1]]))
    counts = HUATUO.statistics(layout, answered([PAIRS[0][0], "", None]), {})
    assert [HUATUO.verdict(row) for row in counts[:, 0]] == ["answered", "empty", "missing"]
    assert np.flatnonzero(counts[1, 0] != counts[2, 0]).tolist() == [EMPTY]
    assert counts[2, 0, ITEMS] == 1
    assert HUATUO.verdict(np.zeros(counts.shape[2])) == "skipped"


def test_runs_stand_beside_each_other():
    other = [held for _, held in PAIRS]
    counts = counted(PAIRS, other)
    assert np.array_equal(counts[:, :1], counted(PAIRS))
    assert np.array_equal(counts[:, 1:], counted([(held, held) for held in other]))


def test_counts_are_not_shared_between_calls():
    """The same pairs are counted once; what a caller does to its array is its own affair."""
    first = counted(PAIRS)
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(counted(PAIRS), kept)


def test_references_too_short_for_a_span_are_left_out_of_strict_counting_alone():
    pairs = [("青霉素", "青霉素"), ("多饮水，多休息。", "多饮水。")]
    sums = counted(pairs).sum(axis=(0, 1))
    assert [len(plain(held, "jieba")) for _, held in pairs] == [1, 2]
    assert sums[WORDS.scored(0)] == 2
    assert sums[WORDS.scored(1)] == 1
    assert sums[CHARACTERS.scored(1)] == 2
    (alone,) = [strict(*pairs[1], "jieba", "2")]
    assert METRIC["R-2-recall-strict"].formula(sums) == pytest.approx(100 * alone["r"])
    assert METRIC["R-2-recall"].formula(sums) == pytest.approx(50 * rouge_chinese(*pairs[1], "jieba")["2"]["r"])


def test_lengths_are_told():
    layout = HUATUO.layout(records(PAIRS))
    table = answered([said for said, _ in PAIRS])
    counts = HUATUO.statistics(layout, table, {})
    (row,) = HUATUO.tables(layout, table, counts, {})["lengths"].rows
    lengths = [len("".join(said.split())) for said, _ in PAIRS if said.strip()]
    held = [len("".join(held.split())) for _, held in PAIRS]
    one = sum(len(plain(text, "jieba")) == 1 for _, text in PAIRS)
    assert row[:4] == (0, len(PAIRS), len(lengths), 2)
    assert row[4:] == pytest.approx((sum(lengths) / len(lengths), sum(held) / len(held), one, 0))


def test_profiles_stand_as_in_the_paper():
    layout = HUATUO.layout(records(PAIRS))
    table = answered([said for said, _ in PAIRS])
    counts = HUATUO.statistics(layout, table, {})
    found = HUATUO.tables(layout, table, counts, {})["profiles"]
    assert found.columns == ("profile", "BLEU", "R-1", "R-2", "R-L")
    for name, *shown in found.rows:
        parts = next(profile.parts for profile in overlap.PROFILES if profile.name == name)
        assert shown == pytest.approx([expected(part, PAIRS) for part in parts])
    assert [row[0] for row in found.rows] == ["rouge-f", "rouge-recall", "zh-sft", "strict"]


def test_the_tokenizers_are_signed_with_their_versions():
    assert CONFIG.signed() == HUATUO.signed() == {"tokenizer": f"jieba {version('jieba')}, characters"}


def test_what_the_rules_take_for_the_answer():
    rows = [
        (text, (value, why, value or "", text if text.strip() else None))
        for text, (value, why) in CASES["answers_of_the_rules"]
    ]
    holds(rows, taken)


def taken(text):
    """Give what our rule takes, from where, and what the raw one takes."""
    raw, own = whole_text.raw(text, None), whole_text.own(text, None)
    assert raw.why == ("whole text" if text.strip() else "empty")
    assert own.why != "whole text" or own.value is raw.value is text
    return own.value, own.why, "".join(text[start:end] for start, end in own.spans), raw.value


def test_texts_are_not_remembered_by_the_rules():
    text = "多饮水。" * SHARED
    first, second = (answered_of(whole_text.raw(text, None)) for _ in range(2))
    assert isinstance(first, Answer)
    assert first is not second
