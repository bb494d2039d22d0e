"""The paper's Tables 4, 5 and 11 replayed: predictions made from counts, and the report must hold the table's values.

Independent sources: the printed figures (paper.json of sdak). Counts are found here by search: three runs k - d, k,
k + d of 14,048 pairs whose mean and sample standard deviation round, half up, to what is printed.
"""

from __future__ import annotations

import json
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import msgspec
import numpy as np
import pytest
from made_results import of_pairs, pairs
from sheet_files import save_sheet, sheet_rows

from medzh_score.configs.sdak.config import CONFIG
from medzh_score.data.records import Origin, Records
from medzh_score.io.paths import package_file
from medzh_score.io.sheets import as_csv_sheet
from medzh_score.readers.files import PredictionFiles
from medzh_score.render.report import rendered
from medzh_score.results.numbers import cells_of
from medzh_score.scoring.options import ScoringOptions
from medzh_score.scoring.pipeline import score_with
from medzh_score.stages.binding import FirstAnswerFiles
from medzh_score.stages.write_tasks import stage_tasks, task_sheet
from medzh_score.stats.sums import TOTAL
from medzh_score.stats.values import Bootstrap, values
from medzh_score.ui.numbers import rounded

PAIRS = 14_048
FACTS: dict[str, Any] = json.loads(package_file("medzh_score.configs.sdak", "paper.json").read_text(encoding="utf-8"))
TABLES = {table["number"]: table for table in FACTS["tables"]}
ENCODER = msgspec.json.Encoder()  # of a million lines
NO_INTERVAL = Bootstrap(0)
SCORED = ("GPT-4", "ChatGLM-Med")  # from predictions, of which there are 84,288; the others from statistics


def printed(value):
    return value.quantize(Decimal("0.01"), ROUND_HALF_UP)


def three_counts(mean, std):
    """Find counts of three runs whose printed mean and standard deviation are the paper's."""
    share = Decimal(100) / PAIRS
    middles = [k for k in range(PAIRS + 1) if printed(k * share) == Decimal(str(mean)).quantize(Decimal("0.01"))]
    steps = [d for d in range(PAIRS) if printed(d * share) == Decimal(str(std)).quantize(Decimal("0.01"))]
    assert middles, f"{mean} is no share of {PAIRS}"
    assert steps, f"{std} is no standard deviation of such shares"
    return [middles[0] - steps[0], middles[0], middles[0] + steps[0]]


def benchmark(sizes):
    rows = []
    for kind, size in sizes.items():
        for number in range(size):
            pair = f"sdak-{kind.replace(' ', '').lower()}-{number}"
            for side, claim in (("factual", "甲的常见症状包括乙"), ("counterfactual", "甲的常见症状不包括乙")):
                row = {"id": f"{pair}-{side[0]}", "pair_id": pair, "type": kind, "polarity": side, "claim": claim}
                rows.append({**row, "object": "乙"})
    return Records("sdak", "test", rows, Origin("0.0.0", "mini", "0" * 64))


def predict(path, records, runs):
    """Write runs of which the first ``right`` pairs are right and the first ``followed`` are answered."""
    lines = (
        {"id": record["id"], "prediction": answer if index // 2 < followed else "这要看具体情况。", "run": run}
        for run, (followed, right) in enumerate(runs)
        for index, record in enumerate(records.rows)
        for answer in ["正确。" if record["polarity"] == "factual" or index // 2 >= right else "错误。"]
    )
    path.write_bytes(ENCODER.encode_lines(lines))
    return path


@pytest.fixture(scope="module")
def full_size():
    sizes = {row["type"]: row["number"] for row in TABLES[11]["rows"]}
    return benchmark(sizes)


@pytest.mark.parametrize("row", TABLES[4]["rows"], ids=lambda row: row["model"])
def test_table_4(row, full_size, tmp_path):
    if row["ifr"] == 0:
        runs = [(0, 0)] * 3
    else:
        followed = three_counts(row["ifr"], row["ifr_std"])
        runs = list(zip(followed, three_counts(row["factacc"], row["factacc_std"]), strict=True))
    if row["model"] in SCORED:
        path = predict(tmp_path / "p.jsonl", full_size, runs)
        report = score_with(CONFIG, [path], full_size, ScoringOptions(bootstrap=NO_INTERVAL))
        found = report.metrics
        assert row["factacc"] is None or cells_of(report.metrics["FactAcc"]).value in rendered(report, "text")
    else:
        followed, right = (np.arange(PAIRS)[:, None] < np.array(counts) for counts in zip(*runs, strict=True))
        made = of_pairs(right, followed)[np.newaxis]
        found = values(pairs(PAIRS), made, CONFIG.metrics, bootstrap=NO_INTERVAL, unit=CONFIG.unit)[0][TOTAL]
    ifr, factacc = found["IFR"], found["FactAcc"]
    assert rounded(ifr.value, 2) == f"{row['ifr']:.2f}"
    if row["ifr"] == 0:
        assert factacc.value == 0  # where the paper prints a dash
        assert row["factacc"] is None
        return
    assert rounded(ifr.std, 2) == f"{row['ifr_std']:.2f}"
    assert rounded(factacc.value, 2) == f"{row['factacc']:.2f}"
    assert rounded(factacc.std, 2) == f"{row['factacc_std']:.2f}"


def filled(sheet, values, path):
    """Fill a sheet in as a person does, row by row."""
    rows = sheet_rows(as_csv_sheet(sheet, None).decode("utf-8"))
    assert len(rows) == len(values)
    return save_sheet(path, [{**row, **value, "annotator": "甲"} for row, value in zip(rows, values, strict=True)])


@pytest.fixture(scope="module")
def half_right():
    return benchmark({"Disease-Symptom": 300})


@pytest.mark.parametrize("row", TABLES[5]["rows"], ids=lambda row: row["model"])
def test_table_5(row, half_right, tmp_path):
    path = predict(tmp_path / "p.jsonl", half_right, [(250, 150)])
    later = CONFIG.stages[1]
    questions = stage_tasks(CONFIG, half_right, later, FirstAnswerFiles(PredictionFiles((path,))))
    assert len(questions.tasks) == 100
    names = ("not_follow", "sycophancy", "safety", "misinterpretation")
    values = [{"error_type": name} for name in names for _ in range(row[name])]
    filled(task_sheet(questions), values, tmp_path / "s.csv")
    options = ScoringOptions(bootstrap=NO_INTERVAL, stages={"error": [tmp_path / "s.csv"]})
    table = score_with(CONFIG, [path], half_right, options).tables["error_types"]
    assert {cells[0]: cells[1] for cells in table.rows} == {name: row[name] for name in names}
    assert [cells[-1] for cells in table.rows] == [float(row[name]) for name in names]
