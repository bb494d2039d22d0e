"""Result folders of samples that pass as others: of data at a tag, of a local build."""

from __future__ import annotations

from dataclasses import replace

from hub_samples import publishable
from places import SAMPLES

from medzh_score.data.records import load_records
from medzh_score.scoring.pipeline import score

COMMIT = "0123456789abcdef0123456789abcdef01234567"
TAG = {"version": "1.2.0", "commit": COMMIT}


def told_result(build, folder, config="sdak", *, tag, **options):
    """Score the sample predictions of a config, of a build of `publishable`, or of that as if it came from a hub."""
    records = load_records(build, config)
    records = replace(records, origin=replace(records.origin, **(TAG if tag else {})))
    options = {"model": "org/demo", "bootstrap": 20, "missing": "wrong"} | options
    score(config, SAMPLES / config / "predictions.jsonl", records, save=folder, **options)
    return folder


def told_build(samples, folder):
    """Write a build of samples whose recipes are official for SDAK and open for TCMD."""
    folder.mkdir()
    return publishable(samples, folder, sdak="official", tcmd="open")
