"""The samples scored as the README does it, later rounds included."""

from __future__ import annotations

from functools import cache

from places import SAMPLES

from medzh_score.scoring.pipeline import score

LATER = {
    "care_mi": {
        "correctness": ("ratings-correctness.csv", "judge-correctness.jsonl", "judge-correctness-again.jsonl"),
        "interpretability": ("ratings-interpretability.csv", "judge-interpretability.jsonl"),
    },
    "cmhe_ce": {"choose": ("choose.jsonl",)},
    "cmhe_dd": {"codes": ("judge-codes.jsonl", "judge-codes-again.jsonl")},
    "pemebench": {
        "entities": ("judge-entities.jsonl", "corrections.csv"),
        "hallucination": ("judge-hallucination.jsonl", "judge-hallucination-again.jsonl"),
    },
}


@cache
def scored_mini(config, minis):
    """Score a sample, once."""
    folder = SAMPLES / config
    stages = {name: [folder / file for file in files] for name, files in LATER.get(config, {}).items()}
    return score(config, folder / "predictions.jsonl", minis, stages=stages, bootstrap=40)
