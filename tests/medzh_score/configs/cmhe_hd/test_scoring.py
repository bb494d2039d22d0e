"""CMHE-HD: the facts of its paper, Table 2 from counts, and metrics against loops."""

from __future__ import annotations

import json
from decimal import ROUND_HALF_UP, Decimal
from itertools import product

import numpy as np
import pytest

from dataset_scripts.recipes.cmhe_hd.dataset import record_of
from medzh_score.configs.cmhe_hd import metrics
from medzh_score.configs.cmhe_hd.config import CONFIG
from medzh_score.configs.cmhe_hd.prompts import MEDZH_ZH_1, PAPER_1
from medzh_score.data.records import Origin, Records
from medzh_score.render.report import rendered
from medzh_score.scoring.options import ScoringOptions
from medzh_score.scoring.paper import load_paper
from medzh_score.scoring.pipeline import score_with
from medzh_score.stats.values import Bootstrap

PAPER = load_paper("cmhe_hd")
SIZES = {name: PAPER.tables[0].rows[0][name] for name in ("generated", "tampered", "correct")}
TABLE_2 = {row["model"]: row for row in PAPER.tables[1].rows}
# Right answers by partition: whole numbers that round to the printed cells; of C6 the nearest that fit the total.
COUNTS = {
    "ChatGPT": {"generated": 113, "tampered": 304, "correct": 598},
    "Baichuan": {"generated": 31, "tampered": 262, "correct": 807},
    "Qwen": {"generated": 8, "tampered": 155, "correct": 974},
}
CORRECTED = {("ChatGPT", "tampered"): "49.6", ("Qwen", "generated"): "2.1"}  # C6


def printed(share):
    return str(Decimal(share).quantize(Decimal("0.1"), ROUND_HALF_UP))


def dialogue(question, response, partition):
    return {"question": question, "response": response, "partition": partition}


def records(sizes):
    rows = [
        record_of(dialogue(f"问题{number}", f"{name}的回答", name), source="made", recipe="mini")
        for name, size in sizes.items()
        for number in range(size)
    ]
    return Records("cmhe_hd", "test", rows, Origin("0.0.0", "mini", "0" * 64))


def scored(path, data, lines, **options):
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return score_with(CONFIG, [path], data, ScoringOptions(**{"bootstrap": Bootstrap(0), **options}))


def from_counts(data, right, run=0):
    """Predict: the first of each partition rightly, the others not."""
    seen = dict.fromkeys(SIZES, 0)
    for row in data.rows:
        name = row["partition"]
        said = row["answer"] if seen[name] < right[name] else {"Yes": "No", "No": "Yes"}[row["answer"]]
        seen[name] += 1
        yield {"id": row["id"], "prediction": said, "run": run}


@pytest.fixture(scope="module")
def full_size():
    return records(SIZES)


def test_the_counts_are_those_of_table_2_but_for_the_two_cells_of_c6():
    for model, right in COUNTS.items():
        for name, count in right.items():
            share = printed(Decimal(100) * count / SIZES[name])
            expected = CORRECTED.get((model, name), str(TABLE_2[model][name]))
            assert share == expected
        assert printed(Decimal(sum(right.values())) / 20) == str(TABLE_2[model]["all"])


@pytest.mark.parametrize("model", COUNTS)
def test_table_2_is_printed_from_its_counts(model, full_size, tmp_path):
    report = scored(tmp_path / "p.jsonl", full_size, from_counts(full_size, COUNTS[model]))
    table = report.tables["table_2"]
    assert table.columns == ("run", "Generated", "Tampered", "Correct", "All")
    expected = [CORRECTED.get((model, name), str(TABLE_2[model][name])) for name in (*SIZES, "all")]
    assert [printed(Decimal(repr(value))) for value in table.rows[0][1:]] == expected
    groups = report.groups["partition"]
    assert list(groups) == list(SIZES)
    assert [groups[name]["accuracy"].value for name in SIZES] == list(table.rows[0][1:4])
    assert report.metrics["accuracy"].value == table.rows[0][4]
    assert "in the layout of Table 2 of the paper" in rendered(report, "text", full=True)


def restated(pairs):
    """Count with loops: accuracy, balanced accuracy, F1 by precision and recall, Yes-rate; None where undefined."""
    yes = [said for gold, said in pairs if gold == "Yes"]
    no = [said for gold, said in pairs if gold == "No"]
    accuracy = 100 * (yes.count("Yes") + no.count("No")) / len(pairs)
    balanced = 50 * (yes.count("Yes") / len(yes) + no.count("No") / len(no)) if yes and no else None
    predicted = yes.count("Yes") + no.count("Yes")
    precision = yes.count("Yes") / predicted if predicted else 0
    recall = yes.count("Yes") / len(yes) if yes else None
    f1 = None if recall is None else 200 * precision * recall / (precision + recall) if precision + recall else 0
    return [accuracy, balanced, f1, 100 * predicted / len(pairs)]


@pytest.mark.parametrize("partitions", ["tc", "gt", "cc", "gcc"])
def test_metrics_are_those_of_loops_for_every_small_case(partitions, tmp_path):
    data = records({name: partitions.count(name[0]) for name in SIZES})
    rows = data.rows
    for said in product(("Yes", "No", ""), repeat=len(rows)):
        lines = [{"id": row["id"], "prediction": text} for row, text in zip(rows, said, strict=True)]
        found = scored(tmp_path / "p.jsonl", data, lines).metrics
        expected = restated([(row["answer"], text) for row, text in zip(rows, said, strict=True)])
        assert [value.value for value in found.values()] == pytest.approx(expected)
        undefined = {metric.name: metric.undefined_reason for metric in metrics.METRICS}
        assert all(
            (value.unavailable_reason == undefined[name]) == (value.value is None) for name, value in found.items()
        )
        assert all((value.unavailable_reason is None) == (value.low is not None) for value in found.values())


def test_what_has_no_value_says_why(tmp_path):
    data = records({"generated": 0, "tampered": 0, "correct": 3})
    report = scored(tmp_path / "p.jsonl", data, [{"id": row["id"], "prediction": "No"} for row in data.rows])
    reasons = {name: report.metrics[name].unavailable_reason for name in ("Balanced accuracy", "F1 on Yes")}
    assert reasons == {
        "Balanced accuracy": "requires both hallucinated and correct dialogues",
        "F1 on Yes": "no dialogue is hallucinated",
    }
    assert report.tables["table_2"].rows == ((0, None, None, 100.0, 100.0),)


def test_runs_stand_side_by_side(tmp_path):
    data = records({"generated": 2, "tampered": 2, "correct": 4})
    lines = [
        *from_counts(data, {"generated": 2, "tampered": 1, "correct": 4}),
        *from_counts(data, {"generated": 0, "tampered": 1, "correct": 2}, run=1),
    ]
    report = scored(tmp_path / "p.jsonl", data, lines)
    assert report.tables["table_2"].rows == ((0, 100.0, 50.0, 100.0, 87.5), (1, 0.0, 50.0, 50.0, 37.5))
    assert report.metrics["accuracy"].per_run == (87.5, 37.5)
    assert report.tables["answers"].rows == (
        *(("generated", 0, 2, 0, 0), ("generated", 1, 0, 2, 0)),
        *(("tampered", 0, 1, 1, 0), ("tampered", 1, 1, 1, 0)),
        *(("correct", 0, 0, 4, 0), ("correct", 1, 2, 2, 0)),
    )


def test_verdicts_of_items():
    def row(**columns):
        made = np.zeros(metrics.DialogueColumns.width)
        for name, value in {"ITEMS": 1, **columns}.items():
            made[getattr(metrics.DialogueColumns, name.lower())] = value
        return metrics.verdict(made)

    assert row(ITEMS=0) == "skipped"
    assert row(RIGHT=1, YES_SAID=1, YES_GOLD=1) == "right"
    assert row(NO_SAID=1, YES_GOLD=1) == "missed"
    assert row(YES_SAID=1, NO_GOLD=1) == "false alarm"
    assert row(NO_GOLD=1) == "no answer"


def test_the_first_prompt_is_the_papers_with_the_dialogue_where_the_paper_has_it():
    row = record_of(dialogue("感冒{x}怎么办？", "多休息。", "correct"), source="made", recipe="mini")
    lines = row["prompt"].split("\n")
    assert lines == [
        (
            "You are a medical AI assistant. Read the following dialog to determine whether the doctor's answers "
            "contain untrue or misleading information."
        ),
        "患者：感冒{x}怎么办？",
        "医生：多休息。",
        "Answer: [Yes/No]",
    ]
    assert (CONFIG.prompting.templates[0], PAPER_1.name, MEDZH_ZH_1.name) == (PAPER_1, "paper-1", "medzh-zh-1")


(CELLS,) = PAPER.tables[0].rows


def share(count, size, rounding=ROUND_HALF_UP):
    return str((Decimal(100) * count / size).quantize(Decimal("0.1"), rounding))


def counts(cell, size, rounding=ROUND_HALF_UP):
    return [count for count in range(size + 1) if share(count, size, rounding) == str(cell)]
