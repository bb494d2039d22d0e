"""Entities that were counted by hand, and S_total as Table 3 prints it."""

from __future__ import annotations

import numpy as np
import pytest
from places import CASE_FILES
from tables import case_tables, holds
from tool_runs import lines_of

from medzh_score.benchmark.answers import answer_table
from medzh_score.benchmark.items import ItemIndex
from medzh_score.benchmark.registry import find_config
from medzh_score.configs.pemebench import metrics
from medzh_score.configs.pemebench.metrics import METRICS, PemeColumns
from medzh_score.configs.pemebench.reading import entities_in, names, normalised
from medzh_score.extraction import whole_text
from medzh_score.stats.overlap_metrics import PREDICTED_LENGTH, PROFILES, SPANS, OverlapColumns, rouge_column
from medzh_score.stats.sums import TOTAL
from medzh_score.stats.values import Bootstrap, values

CONFIG = find_config("pemebench")
METRIC = {metric.name: metric for metric in METRICS}
# Reference, entities as written, answer, and by hand: how many entities count, are left out, are found.
CASES = [(*given, *counts) for *given, counts in case_tables("pemebench_cases")["answers_with_entities"]]


def counted(reference, written, answer):
    record = {"id": "pemebench-0000000000", "answer": reference, "entities": written}
    record |= {"department": "新生儿疾病", "task": "疾病知识", "kind": "reason"}
    table = answer_table({(0, 0): [whole_text.raw(answer, None)]}, np.ones((1, 1), bool), {})
    return CONFIG.statistics(CONFIG.layout([record]), table, {})


def test_entities_are_counted_by_hand():
    recall = [100 * found / kept if kept else np.nan for *_, kept, _, found in CASES]
    shares = [pytest.approx([share, share], nan_ok=True) for share in recall]
    holds([(*case[:3], (list(case[3:]), share)) for case, share in zip(CASES, shares, strict=True)], by_us)


def by_us(*case):
    reference, written, answer = case
    entities = entities_in(reference, written)
    found = sum(names(normalised(answer), entity) for entity in entities.kept)
    sums = counted(*case).sum(axis=0)
    shares = [METRIC[name].formula(sums).item() for name in ("Recall_entity", "Recall_entity-micro")]
    return [len(entities.kept), entities.left_out, found], shares


# Model, BLEU, R-1, R-2, R-L, Hall_sentence, Recall_entity, S_total, and the answers of 240 that make the Hall column.
PRINTED = [row["cells"] for row in lines_of(CASE_FILES / "pemebench_printed.jsonl") if row["table"] == 3]
OPPOSED_OF_240 = (53, 50, 87, 75, 56, 55, 100, 41, 36, 68)
TABLE_3 = [
    (model, *(float(cell.rstrip("%")) for cell in cells), opposed)
    for (model, *cells), opposed in zip(PRINTED, OPPOSED_OF_240, strict=True)
]
ANSWERS = 240
HALF = 0.005  # half a unit of the last printed digit


def from_cells(row, profile):
    """Make the statistics of 240 answers whose sums are a row's percentages, where this profile reads them."""
    _, bleu, *rouge, hall, recall, _, _ = row
    counts = np.zeros((ANSWERS, 1, metrics.PemeColumns.width))
    for column in (OverlapColumns.items, PemeColumns.with_entities, PemeColumns.judged, PemeColumns.verdicts):
        counts[..., column] = 1
    counts[..., PemeColumns.opposed] = hall / 100
    counts[..., PemeColumns.share] = recall / 100
    counts[..., PemeColumns.listed], counts[..., PemeColumns.found] = 4, 1
    counts[..., PREDICTED_LENGTH] = 10_000
    counts[..., OverlapColumns.clipped.start] = round(100 * bleu)
    for span, value in zip(SPANS, rouge, strict=True):
        counts[..., rouge_column(span, {"rouge-recall": "recall", "rouge-f": "F"}[profile])] = value / 100
    return counts


def scored(counts, resamples=0):
    layout = ItemIndex(
        tuple(map(str, range(len(counts)))), np.zeros((len(counts), 1), np.int64), np.arange(len(counts)), {}
    )
    (found,) = values(
        layout, counts[np.newaxis], METRICS, bootstrap=Bootstrap(resamples), unit="percent", interval="bootstrap"
    )
    return found[TOTAL]


TOTALS = {"rouge-f": "S_total-paper", "rouge-recall": "S_total-rouge-recall"}


@pytest.mark.parametrize("profile", [profile.name for profile in PROFILES])
@pytest.mark.parametrize("row", TABLE_3, ids=lambda row: row[0])
def test_s_total_is_the_printed_one(row, profile):
    found = scored(from_cells(row, profile))
    _, bleu, *rouge, hall, recall, total, _ = row
    parts = next(one.parts for one in PROFILES if one.name == profile)
    assert [found[part].value for part in parts] == pytest.approx([bleu, *rouge])
    assert found["Hall_sentence"].value == pytest.approx(hall)
    assert found["Recall_entity"].value == pytest.approx(recall)
    assert abs(found[TOTALS[profile]].value - total) <= HALF + 1e-9
    assert found[TOTALS[profile]].n == ANSWERS
