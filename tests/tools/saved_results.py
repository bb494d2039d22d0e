"""Result folders of statistics that a test makes up, written as scoring writes them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from made_results import NOTHING, made, of_pairs, pairs

from medzh_score.benchmark.answers import answer, answer_table
from medzh_score.readers.files import PredictionFiles
from medzh_score.results.folder import save
from medzh_score.results.tables import RuleArtifacts, ScoringArtifacts

RULE = "medzh-1"


def saved(folder, label, right, **changes):
    """Save a result of SDAK in which pairs are right or not, shape (pairs,) or (pairs, runs)."""
    given = np.asarray(right, int).reshape(len(right), -1)
    count, runs = given.shape
    layout, counts = pairs(count), of_pairs(given)
    coverage = replace(NOTHING, expected=count * runs, read=count * runs)
    report = made(folder, {RULE: counts}, layout, model=label, coverage=coverage, **changes).report
    answers = answer_table(
        {(run, 0): [answer("made", "made")] * count for run in range(runs)}, np.ones((count, 1), bool), {}
    )
    alone = replace(layout, members=np.arange(count)[:, None])
    rules = {RULE: RuleArtifacts(None, answers, counts)}
    basis = ScoringArtifacts("sdak", alone, layout.items, rules, (), PredictionFiles(()))
    save(folder, report.as_json(), basis, overwrite=True, texts="none")
    return folder
