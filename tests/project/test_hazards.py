"""Ways to a wrong number, each with an input and what happens now."""

from __future__ import annotations

import json

import numpy as np
import pytest
from made_results import made, of_pairs, pairs
from places import SAMPLES

from medzh_score.cli.main import main
from medzh_score.comparison.load import Choices, gate_of
from medzh_score.comparison.run import comparable, compared
from medzh_score.scoring.pipeline import score
from medzh_score.stats.intervals import paired_interval
from medzh_score.stats.values import Bootstrap

FACTS = SAMPLES / "sdak" / "predictions.jsonl"


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def accuracy(minis, change, config="pemebench_medqa", **options):
    """Score the sample's golds, changed line by line, and give the headline."""
    golds = {row["id"]: row["answer"] for row in lines_of_records(minis, config)}
    rows = [change({"id": name, "prediction": answer}) for name, answer in golds.items()]
    report = score(config, rows, minis, bootstrap=0, **options)
    return report.metrics[report.primary_name].value


def lines_of_records(minis, config):
    from medzh_score.data.records import load_records

    return load_records(minis, config).rows


def with_text(form):
    return lambda line: {**line, "prediction": form.format(line["prediction"])}


# What stands around a right letter → accuracy in percent.
AROUND = [
    ("inline thinking", "<think>可能是A，也可能是B。</think>{}", 100),
    ("thinking of Cohere", "<|START_THINKING|>先看A。<|END_THINKING|><|START_RESPONSE|>{}<|END_RESPONSE|>", 100),
    ("thinking of LongCat", "<longcat_think>先看A。</longcat_think>{}", 100),
    (
        "harmony",
        "<|channel|>analysis<|message|>A？<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>",
        100,
    ),
    ("harmony with a constraint", "<|channel|>final <|constrain|>text<|message|>{}<|return|>", 100),
    ("DeepSeek's end token", "{}<｜end▁of▁sentence｜>", 100),
    ("a box of GLM", "<|begin_of_box|>{}<|end_of_box|>", 100),
    ("a marker of turns", "[/INST] {}", 100),
    ("marks of direction", "\u202a{}\u202c", 100),
    ("thinking alone", "<think>答案是{}。", 0),
    ("an unknown pair of tags alone", "<|MY_THOUGHTS_START|>{}<|MY_THOUGHTS_END|>", 0),
]


@pytest.mark.parametrize(("hazard", "form", "expected"), AROUND, ids=[row[0] for row in AROUND])
def test_what_stands_around_an_answer(hazard, form, expected, minis):
    assert accuracy(minis, with_text(form)) == expected, hazard


# How answers are taken away → what becomes of a system that was all right.
SILENT = [
    ("all refused", lambda line: {**line, "prediction": "对不起，我无法回答。"}, {}, 0),
    ("all empty", lambda line: {**line, "prediction": ""}, {}, 0),
    ("all null", lambda line: {**line, "prediction": None}, {}, 0),
    ("all failed, counted as wrong", lambda line: {**line, "error": "timeout"}, {"missing": "wrong"}, 0),
]


@pytest.mark.parametrize(("hazard", "change", "options", "expected"), SILENT, ids=[row[0] for row in SILENT])
@pytest.mark.parametrize("config", ["pemebench_medqa", "tcmd"])
def test_silence_is_zero_and_never_undefined(hazard, change, options, expected, config, minis):
    assert accuracy(minis, change, config, **options) == expected, hazard


# Right and wrong of a baseline and a candidate → what a gate says.
GATES = [
    ("all right against all wrong", np.ones(39), np.zeros(39), "FactAcc", "fail"),
    ("the same with a margin", np.ones(39), np.zeros(39), "FactAcc:5", "fail"),
    ("equal in every one of many", np.ones(460), np.ones(460), "FactAcc:2", "pass"),
    ("equal in every one of few", np.ones(20), np.ones(20), "FactAcc:2", "undecided"),
]


@pytest.mark.parametrize(("hazard", "base", "other", "gate", "outcome"), GATES, ids=[row[0] for row in GATES])
def test_a_gate_is_not_undecided_on_what_is_sure(hazard, base, other, gate, outcome):
    both = [
        made(f"r/{name}", {"medzh-1": of_pairs(right.reshape(-1, 1))}, pairs(len(right)), model=name)
        for name, right in (("a", base), ("b", other))
    ]
    wanted = Choices(baseline="a", gate=gate_of(gate), bootstrap=Bootstrap(50), permutations=200, metrics=("FactAcc",))
    assert [one.outcome for one in compared(comparable(both, wanted), wanted).judged] == [outcome], hazard


def test_few_units_that_differ_leave_an_exact_interval():
    low, high = paired_interval(0, 3, 200)
    assert low < -0.04
    assert high < 0.03


# What is given to the command → its status and what it says.
COMMANDS = [
    ("a folder of a result as a board", ["leaderboard", "{saved}", "-o", "{saved}"], 2, "result"),
    ("a gate without a baseline", ["compare", "{saved}", "{other}", "--fail-on-regression", "FactAcc"], 2, "baseline"),
    (
        "the file is a Git LFS pointer, not the file itself",
        ["score", "sdak", "{pointer}", "--data", "mini"],
        2,
        "Git LFS",
    ),
    ("a page of HTML", ["score", "sdak", "{page}", "--data", "mini"], 2, "HTML"),
    (
        "a number of runs that never ends",
        ["compare", "{saved}", "{other}", "--permutations", "99999999999"],
        2,
        "permutations",
    ),
]


@pytest.fixture
def given(minis, tmp_path):
    score("sdak", FACTS, minis, bootstrap=0, save=tmp_path / "saved", model="a")
    lines = [{**line, "prediction": "正确。"} for line in lines_of(FACTS)]
    score("sdak", lines, minis, bootstrap=0, save=tmp_path / "other", model="b")
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12\n"
    (tmp_path / "pointer.jsonl").write_text(pointer, encoding="utf-8")
    (tmp_path / "page.jsonl").write_text("<!DOCTYPE html>\n<html><body>404</body></html>\n", encoding="utf-8")
    names = {"saved": "saved", "other": "other", "pointer": "pointer.jsonl", "page": "page.jsonl"}
    return {name: str(tmp_path / file) for name, file in names.items()}


@pytest.mark.parametrize(("hazard", "words", "status", "said"), COMMANDS, ids=[row[0] for row in COMMANDS])
def test_a_command_says_what_is_wrong(hazard, words, status, said, given, capsys):
    try:
        found = main([word.format_map(given) for word in words])
    except SystemExit as ended:
        found = ended.code
    assert found == status, hazard
    assert said in capsys.readouterr().err
