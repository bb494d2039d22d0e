"""CARE-MI's printed numbers, replayed through the scorer."""

from __future__ import annotations

import json
import random
from unittest.mock import patch

import krippendorff
import numpy as np
import pytest
from amounts import one_in
from scipy.stats import pearsonr

from medzh_score.benchmark.registry import find_config
from medzh_score.data.records import Origin, Records
from medzh_score.io.tables import sheet_bytes
from medzh_score.scoring.options import ScoringOptions
from medzh_score.scoring.paper import load_paper
from medzh_score.scoring.pipeline import score_with
from medzh_score.stats.values import Bootstrap
from medzh_score.ui.numbers import rounded

PAPER = load_paper("care_mi")
TABLES = {table.number: table for table in PAPER.tables}
STATED = {statement.name: statement.value for statement in PAPER.stated}
SOURCES = {"bios": "BIOS", "cpubmed": "CPubMed", "mlec_qa": "MLEC-QA", "medqa": "MEDQA"}
ASPECTS = {4: "correctness", 5: "interpretability"}
MODELS = [row["model"] for row in TABLES[5].rows]  # seven: people answered for correctness alone
ROWS = {number: {row["model"]: row for row in TABLES[number].rows} for number in ASPECTS}
QUESTIONS = STATED["questions"]
REPLAYED = MODELS[:: one_in(3)]
HALF = 0.0005  # of the last printed digit


# Whole numbers of questions of which every All is a mixture, within the printed digits; of BIOS at least 20, for the
# mean 0.973 and the deviation 0.108 of GPT-3.5-turbo.
SIZES = {"bios": 20, "cpubmed": 146, "mlec_qa": 547, "medqa": 899}


def spread(mean, std, count):
    """Make scores from 0 to 1 of this mean and standard deviation (ddof 1): two values, so many of each."""
    if std == 0:
        return [mean] * count
    inside = std**2 * (count - 1) / count
    for low in range(1, count):
        lower = mean - np.sqrt(inside * (count - low) / low)
        upper = mean + np.sqrt(inside * low / (count - low))
        if lower >= 0 and upper <= 1:
            return [lower] * low + [upper] * (count - low)
    pytest.fail(f"no two values from 0 to 1 have mean {mean} and deviation {std} over {count}")


@pytest.fixture(scope="module")
def replayed(tmp_path_factory):
    """Score models as runs, by two raters whose mean is what the paper's cells ask for."""
    folder = tmp_path_factory.mktemp("replay")
    rows = [
        {
            "id": f"caremi-{place}{number:09x}",
            "question": f"问题{place}{number}吗？",
            "type": "tf",
            "asked": "true",
            "source": source,
            "context": "",
            "true_statement": f"甲{place}{number}是乙。",
            "false_statement": f"甲{place}{number}不是乙。",
            "evidence": [],
        }
        for place, (name, source) in enumerate(SOURCES.items())
        for number in range(SIZES[name])
    ]
    runs = range(len(REPLAYED))
    lines = [{"id": row["id"], "run": run, "prediction": "是的。"} for run in runs for row in rows]
    predictions = folder / "p.jsonl"
    predictions.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    stages = {}
    for number, aspect in ASPECTS.items():
        sheet = []
        for run, model in enumerate(REPLAYED):
            cells = ROWS[number][model]
            scores = [value for name in SOURCES for value in spread(cells[name], cells[f"{name}_std"], SIZES[name])]
            for row, value in zip(rows, scores, strict=True):
                apart = min(value, 1 - value, 0.1)
                sheet += [
                    {"id": row["id"], "run": run, aspect: f"{value + side * apart:.6f}", "rater": name}
                    for name, side in (("甲", 1), ("乙", -1))
                ]
        path = folder / f"{aspect}.csv"
        path.write_bytes(sheet_bytes(("id", "run", aspect, "rater"), sheet))
        stages[aspect] = [path]
    records = Records("care_mi", "test", rows, Origin("0.0.0", "mini", "0" * 64))
    options = ScoringOptions(bootstrap=Bootstrap(0), stages=stages)
    with patch.object(krippendorff, "alpha", return_value=0.0):  # of 11,284 answers dear, and looked at below
        return score_with(find_config("care_mi"), [predictions], records, options)


@pytest.mark.parametrize("number", ASPECTS)
@pytest.mark.parametrize("run", range(len(REPLAYED)))
def test_the_scorer_prints_tables_4_and_5(replayed, number, run):
    cells, aspect = ROWS[number][REPLAYED[run]], ASPECTS[number]
    for name, source in SOURCES.items():
        metrics = replayed.groups["source"][source]
        assert rounded(metrics[aspect].per_run[run], 3) == f"{cells[name]:.3f}"
        assert rounded(metrics[f"{aspect}-std"].per_run[run], 3) == f"{cells[f'{name}_std']:.3f}"
    assert replayed.metrics[aspect].per_run[run] == pytest.approx(cells["all"], abs=2 * HALF)
    assert replayed.metrics[f"{aspect}-std"].per_run[run] == pytest.approx(cells["all_std"], abs=0.0015)
    assert replayed.metrics[aspect].n == QUESTIONS


def test_the_form_of_table_6_from_raters_and_judges_of_known_correlation(tmp_path):
    """Sources: scipy.stats.pearsonr, krippendorff, and the correlation that the scores were drawn with."""
    draw = np.random.default_rng(6)
    known = {"LLaMA-13B-T": 0.868, "GPT-3-6.7B": 0.803}  # Table 6, correctness
    size, runs = 400, 2
    people = draw.normal(size=(size, runs))
    made = {"甲": people, "乙": 0.9 * people + np.sqrt(1 - 0.81) * draw.normal(size=(size, runs))}
    made |= {name: r * people + np.sqrt(1 - r**2) * draw.normal(size=(size, runs)) for name, r in known.items()}
    scores = {name: np.round(np.clip(0.5 + 0.1 * values, 0, 1), 2) for name, values in made.items()}
    items = [f"caremi-{number:010x}" for number in range(size)]
    rows = [
        {"id": item, "question": item, "type": "open", "asked": None, "source": "MEDQA", "context": "", "evidence": []}
        | {"true_statement": f"{item}是甲。", "false_statement": f"{item}是乙。"}
        for item in items
    ]
    cells = [(item, place, run) for place, item in enumerate(items) for run in range(runs)]
    predictions = tmp_path / "p.jsonl"
    predictions.write_text(
        "\n".join(json.dumps({"id": item, "run": run, "prediction": "甲"}) for item, _, run in cells), encoding="utf-8"
    )
    sheet = tmp_path / "s.csv"
    sheet.write_bytes(
        sheet_bytes(
            ("id", "run", "correctness", "rater"),
            [
                {"id": item, "run": run, "correctness": f"{scores[name][place, run]:.2f}", "rater": name}
                for name in ("甲", "乙")
                for item, place, run in cells
            ],
        )
    )
    judged = tmp_path / "j.jsonl"
    said = [
        {"id": item, "run": run, "prediction": f"{scores[name][place, run]:.2f}", "model": name}
        for name in known
        for item, place, run in random.Random(0).sample(cells, len(cells))  # noqa: S311 - order is no matter
    ]
    judged.write_text("\n".join(map(json.dumps, said)), encoding="utf-8")
    records = Records("care_mi", "test", rows, Origin("0.0.0", "mini", "0" * 64))
    options = ScoringOptions(bootstrap=Bootstrap(0), stages={"correctness": [sheet, judged]})
    report = score_with(find_config("care_mi"), [predictions], records, options)
    mean = (scores["甲"] + scores["乙"]) / 2
    # One half of two raters is one half: compared as whole hundredths, not as floats.
    right = np.round(100 * (scores["甲"] + scores["乙"])) >= 100
    rows = {row[1:3]: row[3:] for row in report.tables["judges"].rows}
    for name, r in known.items():
        count, found, accuracy, _, _ = rows["all answers", name]
        assert count == size * runs
        assert found == pytest.approx(pearsonr(scores[name].ravel(), mean.ravel()).statistic, abs=1e-9)
        assert pearsonr(scores[name].ravel(), scores["甲"].ravel()).statistic == pytest.approx(r, abs=0.03)
        assert accuracy == pytest.approx(((scores[name] >= 0.5) == right).mean())
        for run in range(runs):
            count, found, _, _, _ = rows[f"run {run + 1} (unseen model if each run is a different model)", name]
            assert (count, found) == (size, pytest.approx(pearsonr(scores[name][:, run], mean[:, run]).statistic))
    agreed = {row[1]: row[2:] for row in report.tables["agreement"].rows}
    count, r, _, interval, _ = agreed["乙, 甲"]
    pair = [scores["乙"].ravel(), scores["甲"].ravel()]
    assert (count, r) == (size * runs, pytest.approx(pearsonr(*pair).statistic))
    assert r == pytest.approx(0.9, abs=0.03)
    assert interval == pytest.approx(krippendorff.alpha(pair, level_of_measurement="interval"))
