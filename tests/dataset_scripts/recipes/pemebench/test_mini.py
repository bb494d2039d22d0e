"""The hand-written sample: what it covers, and that its README says what stands in it."""

from __future__ import annotations

import pytest
from places import SAMPLES
from recipe_work import sample_predictions, sample_records

from dataset_scripts.recipes.pemebench.dataset import MINI_SOURCE, read_own

SAMPLE = SAMPLES / "pemebench"
README = (SAMPLE / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def records():
    return sample_records(SAMPLE / "PeMeBench.jsonl", MINI_SOURCE, read_own)


@pytest.fixture(scope="module")
def predictions():
    return sample_predictions(SAMPLE / "predictions.jsonl")


def test_the_manual_says_what_sacrebleu_makes_of_the_sample_by_its_tokenizers(records, predictions):
    from sacrebleu import corpus_bleu

    told, answers = list(predictions.values()), [records[name]["answer"] for name in predictions]
    shown = [f"{corpus_bleu(told, [answers], tokenize=tokenizer).score:.2f}" for tokenizer in ("13a", "zh", "char")]
    for language in ("en", "zh"):
        text = (SAMPLE.parents[2] / "docs" / language / "configs" / "pemebench.md").read_text(encoding="utf-8")
        assert all(value in text for value in shown)


# Records.


# Predictions.


# The judge's responses, and a person's corrections.
