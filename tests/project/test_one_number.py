"""One system, one number: the primary metric is the same wherever it stands, and silence never raises it."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest
from places import SAMPLES
from random_models import Bench

from medzh_score.benchmark.registry import config_names, find_config
from medzh_score.cli.main import main
from medzh_score.comparison.across_configs import summary_of
from medzh_score.comparison.load import Choices
from medzh_score.render.comparing import compare
from medzh_score.render.figure_data import figure_data
from medzh_score.results.numbers import cells_of
from medzh_score.results.result import Result
from medzh_score.scoring.pipeline import score
from medzh_score.scoring.signature import value_differences
from medzh_score.ui.numbers import TOPS

CONFIGS = config_names()
STAND_INS = {"care_mi": "TF-agree", "pemebench": "Recall_entity"}  # without people or judges


@pytest.fixture(params=CONFIGS)
def results(request, minis, tmp_path):
    """Save a sample by each rule, and a worse system beside it."""
    config = find_config(request.param)
    text = (SAMPLES / config.name / "predictions.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    again = [later.name for later in config.stages if later.of_same_model]
    stages = {name: SAMPLES / config.name / f"{name}.jsonl" for name in again}
    folders = []
    for rule in (config.primary_rule.name, config.paper_rule.name):
        folder = tmp_path / f"by-{rule}"
        options = {"bootstrap": 50, "model": "甲", "stages": stages, "rule": rule}
        score(config.name, SAMPLES / config.name / "predictions.jsonl", minis, save=folder, overwrite=True, **options)
        folders.append(folder)
    if not again:
        worse = [{**line, "prediction": line["prediction"] if place % 3 else ""} for place, line in enumerate(lines)]
        score(config.name, worse, minis, save=tmp_path / "worse", bootstrap=50, model="乙")
    return config, folders, [] if again else [tmp_path / "worse"]


def test_the_primary_metric_is_the_same_number_under_the_same_name_everywhere(results, tmp_path, capsys):
    config, folders, others = results
    name, told = STAND_INS.get(config.name, config.reporting.primary_metrics[0]), Result.load(folders[0]).report.metrics
    number = told[name].value
    assert number is not None
    shown = cells_of(told[name]).value
    for folder in dict.fromkeys(folders):
        report = Result.load(folder).report
        assert report.primary_name == name
        assert report.by_rule(config.primary_rule.name).metrics == told
        column = summary_of([folder], Choices()).columns[0].found[0]
        assert (column.metric, column.standings[0].value.value) == (name, number)
        assert figure_data(config, None, [folder]).series[0].y[0] == pytest.approx(100 * number / TOPS[config.unit])
        for words in (["summary", str(folder)], ["leaderboard", str(folder), "-o", str(tmp_path / "site")]):
            assert main([*words, "--bootstrap", "20"] if words[0] == "leaderboard" else words) == 0
        printed = capsys.readouterr().out
        assert name in printed
        assert shown.rstrip("%") in printed
        page = (tmp_path / "site" / "configs" / f"{config.name}.html").read_text(encoding="utf-8")
        assert shown.rstrip("%") in re.sub(r"<[^>]+>", " ", page)
        if others:
            found = compare([folder, *others], bootstrap=20, permutations=50).found[0]
            assert (found.metric, found.standings[0].value.value) == (name, number)


def test_results_by_other_rules_have_equal_value_keys(results):
    config, folders, _ = results
    by_rule = [Result.load(folder).report.by_rule(config.primary_rule.name).signature for folder in folders]
    assert value_differences(*by_rule) == []


def _emptied(line):
    return {**line, "prediction": ""}


def _refused(line):
    return {**line, "prediction": "对不起，我无法回答这个问题。"}


def _cut(line):
    return {**line, "prediction": line["prediction"][: len(line["prediction"]) // 8], "finish_reason": "length"}


SILENT = {"emptied": _emptied, "refused": _refused, "cut off": _cut, "left out": lambda _: None}


@pytest.mark.parametrize("how", SILENT)
@pytest.mark.parametrize("config", CONFIGS)
def test_silence_never_raises_what_is_shown_first(config, how, minis, tmp_path, write_lines):
    bench = Bench(config, minis, tmp_path, write_lines)
    lines, draw = bench.model(3), random.Random(how)  # noqa: S311
    before = bench.score(lines, missing="wrong").report.metrics
    # The paper's F1 divides by what is said: who says less that is wrong has a better one, and that is what it is for.
    names = [name for name in bench.config.reporting.primary_metrics if not name.startswith("F1")]
    asked = [line for line in lines if not line.stage]
    worst = {line.said["id"] for line in asked if draw.random() < 0.3}
    changed = [
        line if line.stage or line.said["id"] not in worst else replace(line, said=SILENT[how](line.said) or {})
        for line in lines
    ]
    left = [line for line in changed if line.said]
    kept = {(line.said["id"], line.said["run"]) for line in left if not line.stage}
    left = [line for line in left if not line.stage or (line.said["id"], line.said["run"]) in kept]
    after = bench.score(left, missing="wrong").report.metrics
    for name in names:
        one, other = before[name], after[name]
        if one.value is None or one.direction is None:
            continue
        if (
            name == bench.config.reporting.primary_metrics[0]
            and bench.config.reporting.primary_metrics[1:]
            and how in {"refused", "cut off"}
        ):
            continue  # what people or a judge, here made up, think of such a text is theirs
        assert other.value is not None
        # Pooled BLEU has no brevity penalty, as the paper has it, and a weight of 1/12.
        bleu = max(0.0, after["BLEU"].value - before["BLEU"].value) / 12 if name == "S_total" else 0.0
        worse = one.value - other.value if one.direction == "higher" else other.value - one.value
        assert worse >= -bleu - 1e-9, (name, one.value, other.value)
