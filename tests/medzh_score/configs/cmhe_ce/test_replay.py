"""CMHE-CE: its paper's tables and errata, and Table 4 replayed from counts of right questions found by search."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from medzh_score.configs.cmhe_ce import config, metrics
from medzh_score.data.records import Origin, Records
from medzh_score.scoring.options import ScoringOptions
from medzh_score.scoring.paper import load_paper
from medzh_score.scoring.pipeline import score_with
from medzh_score.stats.values import Bootstrap

PAPER = load_paper("cmhe_ce")
CLASSES = ("medicine", "disease", "test")
SIZES = {name: (PAPER.tables[0].rows[0][name], PAPER.tables[0].rows[0][f"{name} questions"]) for name in CLASSES}
TABLE_4 = {row["model"]: row for row in PAPER.tables[1].rows}
CONCEPTS = sum(size for size, _ in SIZES.values())
QUESTIONS = sum(size * number for size, number in SIZES.values())


def printed(share):
    return str(Decimal(share).quantize(Decimal("0.1"), ROUND_HALF_UP))


def counts(model):
    """Find counts of right questions by class whose shares are printed as the model's row has them."""
    row = TABLE_4[model]
    fitting = []
    for name, (size, number) in SIZES.items():
        every = size * number
        right = [k for k in range(every + 1) if printed(Decimal(100) * k / every) == str(row[name])]
        fitting.append((right[0], right[len(right) // 2], right[-1]))
    for found in product(*fitting):
        shares = sum(Decimal(k) / SIZES[name][1] for k, name in zip(found, CLASSES, strict=True))
        if printed(100 * shares / CONCEPTS) == str(row["all"]):
            return dict(zip(CLASSES, found, strict=True))
    pytest.fail(f"no counts give the row of {model}")


@pytest.fixture(scope="module")
def full_size():
    rows = [
        {
            "id": f"ce-{name}-{concept}-{question}",
            "concept_id": f"{name}-{concept}",
            "concept": "甲概念",
            "concept_en": "",
            "aliases": [],
            "concept_class": name,
            "aspect": "procedure" if name == "test" else "cause",
            "options": ["甲概念", "乙概念", "丙概念", "丁概念"],
            "answer": "A",
            "distances": None,
        }
        for name, (size, number) in SIZES.items()
        for concept in range(size)
        for question in range(number)
    ]
    return Records("cmhe_ce", "test", rows, Origin("0.0.0", "mini", "0" * 64))


def choices(rows):
    """Choose as each model did, a run each: rightly in the first questions of each class, wrongly in the others."""
    for run, model in enumerate(TABLE_4):
        left = counts(model)
        for row in rows:
            left[row["concept_class"]] -= 1
            letter = "A" if left[row["concept_class"]] >= 0 else "B"
            yield {"id": row["id"], "run": run, "prediction": letter, "model": "m"}


@pytest.fixture(scope="module")
def report(full_size, tmp_path_factory, write_lines):
    """Score the models as runs; all explanations and all options are alike, so each reading is made once."""
    folder, lines = tmp_path_factory.mktemp("replay"), list(choices(full_size.rows))
    chosen = write_lines(folder / "chosen.jsonl", lines)
    explained = write_lines(folder / "explained.jsonl", [line | {"prediction": "甲概念的解释。"} for line in lines])
    options = ScoringOptions(bootstrap=Bootstrap(0), stages={"choose": [chosen]})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(config, "read_letter", cache(config.read_letter))
        patch.setattr(metrics, "explanation", cache(metrics.explanation))
        return score_with(config.CONFIG, [explained], full_size, options)


@pytest.mark.parametrize(("run", "model"), [*enumerate(TABLE_4)], ids=TABLE_4)
def test_table_4_is_printed_from_its_counts_by_concept_and_not_by_question(run, model, report):
    right, row = counts(model), TABLE_4[model]
    _, *cells = report.tables["table_4"].rows[run]
    assert [printed(Decimal(repr(cell))) for cell in cells] == [str(row[name]) for name in (*CLASSES, "all")]
    assert report.metrics["accuracy"].per_run[run] == cells[-1]
    by_question = report.metrics["accuracy-questions"]
    assert by_question.n_per_run[run] == QUESTIONS == 37_516
    assert by_question.per_run[run] == pytest.approx(100 * sum(right.values()) / QUESTIONS)
    assert float(row["all"]) - by_question.per_run[run] > 0.5  # C7: far beyond any rounding
    # The first concepts are right in every question, one may be in part, the rest in none.
    whole = sum(k // SIZES[name][1] for name, k in right.items())
    assert report.metrics["accuracy-strict"].per_run[run] == pytest.approx(100 * whole / CONCEPTS)


(CELLS,) = PAPER.tables[0].rows
OF_CLASS = [CELLS[name] for name in CLASSES]


def weighted(row, questions):
    """Give the mean of a row's classes, each weighted by its concepts times its questions on each."""
    weights = [size * number for size, number in zip(OF_CLASS, questions, strict=True)]
    cells = [Fraction(str(row[name])) for name in CLASSES]
    return sum(weight * cell for weight, cell in zip(weights, cells, strict=True)) / Fraction(sum(weights))
