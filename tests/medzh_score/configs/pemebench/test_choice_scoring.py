"""PeMeBench's choice sets from records to a report: accuracy is counted again here, question by question."""

from __future__ import annotations

import numpy as np
import pytest
from places import SAMPLES
from tables import holds
from tool_runs import lines_of

from medzh_score.benchmark.answers import answer, answer_table
from medzh_score.benchmark.registry import find_config
from medzh_score.configs.pemebench import choice as metrics
from medzh_score.data.records import load_records
from medzh_score.scoring.pipeline import score
from medzh_score.ui.errors import MedzhError

CONFIGS = ("pemebench_cmexam", "pemebench_medqa")
CMEXAM, MEDQA = map(find_config, CONFIGS)


def record(number, answer, options=5):
    return {
        "id": f"pmcmexam-{number:010x}",
        "question": f"小儿疾病第{number}问",
        "options": [f"选项{place}" for place in range(options)],
        "answer": answer,
    }


def predicted(config):
    return {one["id"]: one["prediction"] for one in lines_of(SAMPLES / config / "predictions.jsonl")}


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("rule", ["medzh-1", "letters-only"])
def test_accuracy_is_right_of_all_in_percent(config, rule, minis):
    """Counted from the rule's answers and the records alone."""
    rows = load_records(minis, config).rows
    found = find_config(config)
    read = next(one.read for one in found.rules if one.name == rule)
    sides = {one.id: one.context for one in found.queries(rows, found.layout(rows))}
    texts = predicted(config)
    right = {row["id"]: read(texts[row["id"]], sides[row["id"]], 0)[0].value == row["answer"] for row in rows}
    report = score(config, SAMPLES / config / "predictions.jsonl", minis, rule=rule, bootstrap=0)
    assert report.metrics["accuracy"].value == pytest.approx(100 * sum(right.values()) / len(rows))
    for label, named in report.groups["right options"].items():
        of_label = [row for row in rows if (len(row["answer"]) > 1) == (label == "several")]
        assert named["accuracy"].n == len(of_label)
        assert named["accuracy"].value == pytest.approx(100 * sum(right[row["id"]] for row in of_label) / len(of_label))


def test_a_part_of_the_letters_is_wrong():
    rows = [
        ("B", "B", "right"),
        ("B", "A", "wrong"),
        ("B", None, "no answer"),
        ("B", "AB", "too many"),
        ("ACD", "ACD", "right"),
        ("ACD", "AC", "too few"),
        ("ACD", "D", "too few"),
        ("ACD", "ABCD", "too many"),
        ("ACD", "ABC", "wrong"),
        ("ACD", "BE", "wrong"),
        ("ABCDE", "ABCD", "too few"),
        ("ABCDE", "ABCDE", "right"),
    ]
    holds(
        [(gold, said, (word, {metrics.ChoiceColumns.items, metrics.CLASSES[word]})) for gold, said, word in rows],
        counted,
    )


def counted(gold, said):
    """Give the verdict on an answer, and the columns that count it."""
    layout = CMEXAM.layout([record(1, gold)])
    counts = metrics.statistics(layout, table([[answer(said, "x")]]), {})
    assert counts.shape == (1, 1, metrics.ChoiceColumns.width)
    assert set(counts.flat) == {0, 1}
    return metrics.verdict(counts[0, 0]), set(counts[0, 0].nonzero()[0])


def table(runs):
    columns = {(run, 0): answers for run, answers in enumerate(runs)}
    return answer_table(columns, np.ones((len(runs[0]), 1), bool), {})


def test_a_missing_prediction_is_no_answer_and_a_dropped_one_is_skipped():
    layout = CMEXAM.layout([record(1, "A"), record(2, "BC")])
    counts = metrics.statistics(layout, table([[None, answer("BC", "x")]]), {})
    assert [metrics.verdict(row) for row in counts[:, 0]] == ["no answer", "right"]
    assert metrics.verdict(np.zeros(metrics.ChoiceColumns.width)) == "skipped"


def test_the_table_of_answers_counts_every_question_in_each_run():
    layout = CMEXAM.layout([record(number, "AB") for number in range(5)])
    said = [[answer(value, "x") for value in ("AB", "A", "ABC", "CD", None)], [answer("AB", "x")] * 5]
    counts = metrics.statistics(layout, table(said), {})
    made = metrics.tables(layout, table(said), counts, {})["answers"]
    assert made.columns == ("run", "right", "too few", "too many", "wrong", "no answer")
    assert made.rows == ((0, 1, 1, 1, 1, 1), (1, 5, 0, 0, 0, 0))


@pytest.mark.parametrize("wrong", ["", "F", "AE"])
def test_an_answer_that_is_no_option_is_refused(wrong):
    with pytest.raises(MedzhError, match="is not one of its options"):
        CMEXAM.layout([record(1, wrong, options=4)])
