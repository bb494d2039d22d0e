"""PeMeBench's choice sets from records to a report: accuracy is counted again here, question by question."""

from __future__ import annotations

import numpy as np
import pytest
from places import SAMPLES
from tables import holds
from tool_runs import lines_of

from medzh_score.benchmark.answers import answer, answer_table
from medzh_score.benchmark.prompts import PromptSettings
from medzh_score.benchmark.registry import find_config
from medzh_score.cli.main import main
from medzh_score.configs.pemebench import choice as metrics
from medzh_score.configs.pemebench.choice import MEDZH_ZH_1, asker
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
@pytest.mark.parametrize("rule", ["medzh-1", "bare"])
def test_accuracy_is_right_of_all_in_percent(config, rule, minis):
    """Counted from the rule's answers and the records alone."""
    rows = load_records(minis, config).rows
    found = find_config(config)
    read = next(one.read for one in found.rules if one.name == rule)
    sides = {one.id: one.side for one in found.asked(rows, found.layout(rows))}
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
    holds([(gold, said, (word, {metrics.ITEMS, metrics.CLASSES[word]})) for gold, said, word in rows], counted)


def counted(gold, said):
    """Give the verdict on an answer, and the columns that count it."""
    layout = CMEXAM.layout([record(1, gold)])
    counts = metrics.statistics(layout, table([[answer(said, "x")]]), {})
    assert counts.shape == (1, 1, metrics.WIDTH)
    assert set(counts.flat) == {0, 1}
    return metrics.verdict(counts[0, 0]), set(counts[0, 0].nonzero()[0])


def table(runs):
    columns = {(run, 0): answers for run, answers in enumerate(runs)}
    return answer_table(columns, np.ones((len(runs[0]), 1), bool), {})


def test_a_missing_prediction_is_no_answer_and_a_dropped_one_is_skipped():
    layout = CMEXAM.layout([record(1, "A"), record(2, "BC")])
    counts = metrics.statistics(layout, table([[None, answer("BC", "x")]]), {})
    assert [metrics.verdict(row) for row in counts[:, 0]] == ["no answer", "right"]
    assert metrics.verdict(np.zeros(metrics.WIDTH)) == "skipped"


def test_the_table_of_answers_counts_every_question_in_each_run():
    layout = CMEXAM.layout([record(number, "AB") for number in range(5)])
    said = [[answer(value, "x") for value in ("AB", "A", "ABC", "CD", None)], [answer("AB", "x")] * 5]
    counts = metrics.statistics(layout, table(said), {})
    made = metrics.tables(layout, table(said), counts, {})["answers"]
    assert made.columns == ("run", "right", "too few", "too many", "wrong", "no answer")
    assert made.rows == ((0, 1, 1, 1, 1, 1), (1, 5, 0, 0, 0, 0))


@pytest.mark.parametrize("wrong", ["", "F", "AE"])
def test_an_answer_that_is_no_option_is_refused(wrong):
    with pytest.raises(MedzhError, match="none of its options"):
        CMEXAM.layout([record(1, wrong, options=4)])


def test_several_are_spoken_of_only_where_the_set_has_such_questions():
    single, several = [record(1, "A"), record(2, "B")], [record(1, "A"), record(2, "BC")]
    for records, spoken in ((single, False), (several, True)):
        asked = asker(records, PromptSettings(MEDZH_ZH_1))
        turns = [asked.ask(row["id"], 0).turns for row in records]
        assert all(("多个" in turn) is spoken for (turn,) in turns)
        assert all("A. 选项0\nB. 选项1" in turn for (turn,) in turns)
    assert asked.ask(records[0]["id"], 0).text == f"{turns[0][0]}\n\n答案："


def test_examples_are_refused():
    with pytest.raises(MedzhError, match="no examples"):
        asker([record(1, "A")], PromptSettings(MEDZH_ZH_1, 1))


@pytest.mark.parametrize("config", CONFIGS)
def test_prompts_that_were_sent_enter_the_signature(config, minis, tmp_path):
    path = tmp_path / "prompts.jsonl"
    assert main(["prompts", config, "--data", str(minis), "--out", str(path)]) == 0
    prompts = lines_of(path)
    rows = {row["id"]: row for row in load_records(minis, config).rows}
    assert {one["id"]: one["messages"][0]["content"] for one in prompts} == {
        name: row["prompt"] for name, row in rows.items()
    }
    report = score(config, SAMPLES / config / "predictions.jsonl", minis, prompts=path, bootstrap=0)
    assert report.signature["prompt"] == "medzh-zh-1"


def test_what_a_base_model_goes_on_with_is_no_answer(minis):
    """Its completion of our plain text is read, and not the next prompt that it invents."""
    config = MEDQA
    rows = load_records(minis, "pemebench_medqa").rows
    text = config.asker(rows, PromptSettings(MEDZH_ZH_1)).ask(rows[0]["id"], 0).text
    side = config.asked(rows, config.layout(rows))[0].side
    said = f"B\n\n{text}A"
    assert {rule.name: rule.read(said, side, 0)[0].value for rule in config.rules} == {"medzh-1": "B", "bare": None}
