"""Equation (3) prints all ten S_total values of the paper's Table 3, in every profile, from the table's own columns."""

from __future__ import annotations

import numpy as np
import pytest
from places import CASE_FILES
from tool_runs import lines_of

from medzh_score.benchmark.layout import Layout
from medzh_score.configs.pemebench import statistics as metrics
from medzh_score.configs.pemebench.statistics import (
    FOUND,
    JUDGED,
    LISTED,
    METRICS,
    OPPOSED,
    SHARE,
    VERDICTS,
    WITH_ENTITIES,
)
from medzh_score.statistics.formulas.overlap import PROFILES
from medzh_score.statistics.formulas.overlap_counts import CLIPPED, ITEMS, PREDICTED_LENGTH, SPANS, rouge_column
from medzh_score.statistics.sums import TOTAL
from medzh_score.statistics.values import Bootstrap, values

# Model, BLEU, R-1, R-2, R-L, Hall_sentence, Recall_entity, S_total, and the answers of 240 that make the Hall column.
PRINTED = [row["cells"] for row in lines_of(CASE_FILES / "pemebench_printed.jsonl") if row["table"] == 3]
OPPOSED_OF_240 = (53, 50, 87, 75, 56, 55, 100, 41, 36, 68)
TABLE_3 = [
    (model, *(float(cell.rstrip("%")) for cell in cells), opposed)
    for (model, *cells), opposed in zip(PRINTED, OPPOSED_OF_240, strict=True)
]
ANSWERS = 240
HALF = 0.005  # half a unit of the last printed digit


def counted(row, profile):
    """Make the statistics of 240 answers whose sums are a row's percentages, where this profile reads them."""
    _, bleu, *rouge, hall, recall, _, _ = row
    counts = np.zeros((ANSWERS, 1, metrics.WIDTH))
    for column in (ITEMS, WITH_ENTITIES, JUDGED, VERDICTS):
        counts[..., column] = 1
    counts[..., OPPOSED] = hall / 100
    counts[..., SHARE] = recall / 100
    counts[..., LISTED], counts[..., FOUND] = 4, 1
    counts[..., PREDICTED_LENGTH] = 10_000
    counts[..., CLIPPED.start] = round(100 * bleu)
    for span, value in zip(SPANS, rouge, strict=True):
        counts[..., rouge_column(span, {"rouge-recall": "recall", "rouge-f": "F"}[profile])] = value / 100
    return counts


def scored(counts, resamples=0):
    layout = Layout(
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
    found = scored(counted(row, profile))
    _, bleu, *rouge, hall, recall, total, _ = row
    parts = next(one.parts for one in PROFILES if one.name == profile)
    assert [found[part].value for part in parts] == pytest.approx([bleu, *rouge])
    assert found["Hall_sentence"].value == pytest.approx(hall)
    assert found["Recall_entity"].value == pytest.approx(recall)
    assert abs(found[TOTALS[profile]].value - total) <= HALF + 1e-9
    assert found[TOTALS[profile]].n == ANSWERS


@pytest.mark.parametrize("row", TABLE_3, ids=lambda row: row[0])
def test_the_hall_column_is_that_many_answers_of_240_truncated(row):
    counts = counted(row, "rouge-f")
    counts[..., OPPOSED] = 0
    counts[: row[-1], :, OPPOSED] = 1
    found = scored(counts, resamples=200)
    hall, total = found["Hall_sentence"], found["S_total-paper"]
    assert row[5] <= hall.value < row[5] + 0.01
    assert abs(total.value - row[7]) < HALF + 0.01 / 3
    assert total.high - total.low == pytest.approx((hall.high - hall.low) / 3)
    assert 3 < (hall.high - hall.low) / 2 < 7  # so most neighbours in the table cannot be told apart


@pytest.mark.parametrize("row", TABLE_3, ids=lambda row: row[0])
def test_it_is_no_mean_of_six(row):
    """As the text above equation (3) can be read: 26.12 for the first row, where 40.55 is printed."""
    _, bleu, *rouge, hall, recall, total, _ = row
    assert abs((bleu + sum(rouge) + recall + 100 - hall) / 6 - total) > 8


def test_without_verdicts_or_entities_there_is_none_and_it_is_said_why():
    for lacking, expected in (((JUDGED, OPPOSED, VERDICTS), "round hallucination"), ((WITH_ENTITIES,), "entities")):
        counts = counted(TABLE_3[0], "rouge-f")[:1]
        counts[..., list(lacking)] = 0
        found = scored(counts)
        total = found["S_total-paper"]
        assert total.value is None
        assert expected in total.why
        assert found["R-1-F"].value is not None
