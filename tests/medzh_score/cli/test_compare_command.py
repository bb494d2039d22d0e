"""The whole way: answers scored, saved, compared and shown, with the numbers of loops written out by hand."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from places import SAMPLES
from random_models import Bench
from simulated import write_lines

import medzh_score
from medzh_score.cli.main import main
from medzh_score.configs.cmhe_dd import metrics as diagnosis
from medzh_score.results.result import Result
from medzh_score.stats.permutation import swap_masks
from medzh_score.ui.errors import MedzhError

RESAMPLES, PERMUTATIONS, SEED = 60, 300, 5
# Of each config a metric, and the columns that its own formula below takes.
COUNTED = {
    "sdak": ("FactAcc", (2, 0)),
    "tcmd": ("accuracy", (1, 0)),
    "cmhe_dd": ("F1-level-2", tuple(diagnosis.FIRST + 3 * 2 + part for part in range(3))),
    "pemebench": ("Hall_sentence", (30, 29)),
    "care_mi": ("TF-agree", (6, 5)),
}


@dataclass
class Pair:
    """Two systems that were scored and saved, and what was found of them."""

    folders: list[str]
    found: dict[str, Any]
    text: str
    items: list[dict[str, Any]]


@pytest.fixture(scope="module")
def saved(minis, tmp_path_factory):
    """Score and save two made-up systems of a config, once."""
    made = {}

    def of(name):
        if name not in made:
            out = tmp_path_factory.mktemp(name)
            for seed in (1, 2):
                (out / str(seed)).mkdir()
                bench = Bench(name, minis, out / str(seed), write_lines)
                report = bench.score(bench.model(seed), model=f"M{seed}").report
                report.save(out / f"result{seed}", include_text="full")
            made[name] = [str(out / f"result{seed}") for seed in (1, 2)]
        return made[name]

    return of


def words(folders, *more):
    drawn = ["--bootstrap", RESAMPLES, "--permutations", PERMUTATIONS, "--seed", SEED]
    return ["compare", *folders, *map(str, (*drawn, *more))]


@pytest.fixture(params=COUNTED)
def pair(request, saved, tmp_path):
    folders, out = saved(request.param), tmp_path / "out"
    more = [
        "--metric",
        COUNTED[request.param][0],
        "--baseline",
        folders[0],
        "--output",
        out,
        "--items",
        tmp_path / "items",
    ]
    shown = {}
    for form in ("json", "text"):
        assert main(words(folders, *more, "--to", form)) == 0
        shown[form] = out.read_text(encoding="utf-8")
    items = [json.loads(line) for line in (tmp_path / "items").read_text(encoding="utf-8").splitlines()]
    return Pair(folders, json.loads(shown["json"]), shown["text"], items)


# The same numbers, by loops


def by_hand(config, sums):
    """Compute the metric from summed columns; None where there is nothing to divide by."""
    if config == "cmhe_dd":
        hits, said, right = sums
        return 200 * hits / (said + right) if right else None
    numerator, denominator = sums
    scale = 1 if config in {"tcmd", "care_mi"} else 100
    return scale * numerator / denominator if denominator else None


def rows_of(folder, config, rule):
    """Add up what counts of each unit, by unit and run."""
    result, units = Result.load(folder), {}
    for item, unit in enumerate(result.layout.clusters.tolist()):
        for run in range(len(result.runs)):
            row = [result.statistics[rule][item, run, column] for column in COUNTED[config][1]]
            here = units.setdefault(unit, {}).setdefault(run, [0.0] * len(row))
            units[unit][run] = [one + other for one, other in zip(here, row, strict=True)]
    return [[units[unit][run] for run in sorted(units[unit])] for unit in sorted(units)]


def value_of(config, units):
    """Average the metric over the runs that have one."""
    runs = [by_hand(config, [sum(column) for column in zip(*run, strict=True)]) for run in zip(*units, strict=True)]
    defined = [one for one in runs if one is not None]
    return fmean(defined) if defined else None


def test_values_tests_and_intervals_are_those_of_loops(pair):
    found, config = pair.found, pair.found["config"]
    first, second = (rows_of(folder, config, found["rule"]) for folder in pair.folders)
    (one,) = found["found"]
    (difference,) = one["differences"]
    assert (difference["label"], difference["other"], one["baseline"]) == ("M2", "M1", "M1")
    ours, theirs = value_of(config, first), value_of(config, second)
    assert [standing["value"]["value"] for standing in one["standings"]] == pytest.approx([ours, theirs], abs=1e-12)
    assert difference["value"] == pytest.approx(theirs - ours, abs=1e-12)

    generator, drawn = np.random.Generator(np.random.PCG64(SEED)), []
    for _ in range(RESAMPLES):
        chosen = generator.integers(0, len(first), len(first))
        values = [value_of(config, [units[unit] for unit in chosen]) for units in (second, first)]
        drawn.append(values[0] - values[1])
    assert [difference["low"], difference["high"]] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=1e-9)
    assert difference["detectable"] == pytest.approx((1.959963984540054 + 0.84) * np.std(drawn, ddof=1))

    masks = np.concatenate(list(swap_masks(len(first), one["permutations"], SEED, 64)))
    extreme = 0
    for mask in masks:
        swapped = [
            value_of(
                config,
                [
                    pair[side if bit else 1 - side]
                    for pair, bit in zip(zip(first, second, strict=True), mask, strict=True)
                ],
            )
            for side in (0, 1)
        ]
        extreme += None in swapped or abs(swapped[0] - swapped[1]) >= abs(theirs - ours) - 1e-9
    assert difference["test"] == "randomisation"
    assert difference["p"] == pytest.approx((extreme + 1) / (len(masks) + 1), abs=1e-12)
    assert difference["corrected"] == difference["p"]

    alone = [[value_of(config, [unit]) for unit in units] for units in (first, second)]
    both = [(one, other) for one, other in zip(*alone, strict=True) if None not in {one, other}]
    equal = sum(math.isclose(one, other, abs_tol=1e-9) for one, other in both)
    better = sum(
        (other < one) if config == "pemebench" else (other > one)
        for one, other in both
        if not math.isclose(one, other, abs_tol=1e-9)
    )
    assert [difference["won"], difference["lost"], difference["tied"]] == [better, len(both) - better - equal, equal]
    assert found["units"] == len(first)


def test_items_are_the_units_in_which_systems_differ(pair):
    found, config = pair.found, pair.found["config"]
    results = [Result.load(folder) for folder in pair.folders]
    rows = [rows_of(folder, config, found["rule"]) for folder in pair.folders]
    names = {}
    for item, unit in zip(results[0].layout.items, results[0].layout.clusters.tolist(), strict=True):
        names.setdefault(unit, []).append(item)
    differing = []
    for unit, (one, other) in enumerate(zip(*rows, strict=True)):
        values = [[by_hand(config, run) for run in side] for side in (one, other)]
        # What a share divides by, too; F1 counts the same cases whatever is said.
        below = [[len(run) == 2 and run[1] for run in side] for side in (one, other)]
        if values[0] != pytest.approx(values[1]) or below[0] != below[1]:
            differing.append(min(names[unit]))
    assert [line["unit"] for line in pair.items] == sorted(differing)
    assert differing
    tables = [result.items().to_pylist() for result in results]
    for line in pair.items[:5]:
        assert line["unit"] == min(line["items"])
        for label, table in zip(("M1", "M2"), tables, strict=True):
            wanted = [row for row in table if row["item"] in line["items"] and row["rule"] == found["rule"]]
            answers = line["systems"][label]["answers"]
            assert len(answers) == len(wanted)
            assert sorted(str(row["answer"]) for row in answers) == sorted(str(row["answer"]) for row in wanted)
            assert {row["text"] for row in answers} == {row["text"] for row in wanted}
            assert {row["found_by"] for row in answers} == {row["found_by"] for row in wanted}


def test_python_refuses_reports_without_statistics_and_numbers_that_are_too_large(saved):
    folders = saved("sdak")
    read = Result.load(folders[0]).report
    for given, choices, said in (
        ([read, read], {}, 'field "results": the report was read from a file'),
        (folders, {"bootstrap": 1_000_001}, "option --bootstrap: the number is too large: expected at most 1000000"),
        (
            folders,
            {"permutations": 1_000_001},
            "option --permutations: the number is too large: expected at most 1000000",
        ),
    ):
        with pytest.raises(MedzhError, match=re.escape(said)):
            medzh_score.compare(given, **choices)


def test_python_compares_reports_results_and_folders(minis, tmp_path):
    predictions = SAMPLES / "sdak" / "predictions.jsonl"
    reports = [
        medzh_score.score("sdak", predictions, minis, bootstrap=0, model=name, rule=rule)
        for name, rule in (("A", "medzh-1"), ("B", "official"))
    ]
    for place, report in enumerate(reports):
        report.save(tmp_path / str(place))
    few = {"bootstrap": 0, "permutations": 10, "labels": ["a", "b"]}
    folders = [tmp_path / "0", Result.load(tmp_path / "1")]
    both = [medzh_score.compare(given, **few).as_dict() for given in (reports, folders, [reports[0], folders[1]])]
    for found in both:
        assert [system.pop("folder") for system in found["systems"]]
    assert both[0] == both[1] == both[2]


def test_public_objects_are_shown_in_a_line(saved, minis):
    folders, predictions = saved("sdak"), SAMPLES / "sdak" / "predictions.jsonl"
    result = Result.load(folders[0])
    for one in (
        *(result, result.report, medzh_score.compare(folders, bootstrap=0, permutations=10)),
        *(medzh_score.find_config("sdak"), medzh_score.load_paper("sdak"), medzh_score.load_records(minis, "sdak")),
        *(medzh_score.check("sdak", [predictions], minis), medzh_score.PromptSettings("paper")),
    ):
        assert "\n" not in repr(one)
        assert len(repr(one)) < 250, repr(one)


@pytest.mark.parametrize(
    ("given", "choices", "field"),
    [
        (lambda folders: str(folders[0]), {}, "results"),
        (lambda folders: [folders[0], 5], {}, "results"),
        (lambda _: 5, {}, "results"),
        (list, {"by": "type"}, "by"),
        (list, {"metrics": "FactAcc"}, "metrics"),
        (list, {"labels": "ab"}, "labels"),
    ],
)
def test_python_refuses_what_is_no_list(saved, given, choices, field):
    with pytest.raises(medzh_score.MedzhError, match=f"{field}.: the value is not a list"):
        medzh_score.compare(given(saved("sdak")), **choices)


# The command


def test_every_form_is_written(saved, capsys, tmp_path):
    folders = saved("sdak")
    for form in ("markdown", "latex", "csv", "text", "json"):
        for table in ("screen", "full", "paper"):
            assert main(words(folders, "--to", form, "--layout", table, "--by", "type", "--methods")) == 0
            assert "M1" in capsys.readouterr().out
    assert main(words(folders, "--to", "csv")) == 0
    printed = capsys.readouterr().out
    assert main(words(folders, "--to", "csv", "--output", str(tmp_path / "a.csv"))) == 0
    assert (tmp_path / "a.csv").read_bytes() == f"\ufeff{printed}".encode()  # a mark for spreadsheets, in files alone
    rows = list(csv.DictReader(io.StringIO(printed)))
    frame = medzh_score.compare(folders, bootstrap=RESAMPLES, permutations=PERMUTATIONS, seed=SEED).to_pandas()
    assert len(frame) == len(rows)
    assert [row["value"] for row in rows] == ["" if math.isnan(one) else repr(one) for one in frame["value"]]
    assert [row["p"] for row in rows] == ["" if math.isnan(p) else repr(p) for p in frame["p"]]


def test_python_gives_what_the_command_gives(saved, capsys):
    folders = saved("tcmd")
    choices = {
        "by": ["type"],
        "labels": ["一", None],
        "bootstrap": RESAMPLES,
        "permutations": PERMUTATIONS,
        "seed": SEED,
    }
    found = medzh_score.compare(folders, **choices)
    assert isinstance(found, medzh_score.Comparison)
    labelled = [f"{folders[0]}=一", folders[1]]
    for more, content in (
        (["--to", "json"], found.as_json().decode()),
        ([], found.to_text()),
        (["--full"], found.to_text(full=True)),
        (["--to", "markdown"], found.to_markdown()),
    ):
        assert main(words(labelled, "--by", "type", *more)) == 0
        assert capsys.readouterr().out == content
    assert main(words(labelled, "--by", "type", "--to", "latex", "--layout", "paper")) == 0
    assert capsys.readouterr().out == found.to_latex()
    again = medzh_score.compare([Result.load(folder) for folder in folders], **choices)
    assert again.as_json() == found.as_json()
    unparsed = {standing.label: standing.unparsed for standing in found.found[0].standings}
    for label, folder in zip(("一", "M2"), folders, strict=True):
        answers = Result.load(folder).items().to_pylist()
        by_variant = {}
        for row in answers:
            key = row["item"], row["run"], row["variant"]
            by_variant[key] = by_variant.get(key, False) or row["answer"] is None
        assert unparsed[label] == pytest.approx(100 * sum(by_variant.values()) / len(by_variant))


@pytest.mark.parametrize(
    ("gate", "more", "status"),
    [
        ("FactAcc:1", [], 4),
        ("FactAcc:1", ["--inconclusive", "pass"], 0),
        ("FactAcc:1", ["--inconclusive", "fail"], 1),
        ("FactAcc:90", [], 0),
        ("FactAcc", [], 0),
    ],
)
def test_the_gate_gives_the_status(saved, capsys, gate, more, status):
    folders = saved("sdak")
    assert main(words(folders, "--baseline", "M1", "--fail-on-regression", gate, *more)) == status
    assert "Regression check" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--inconclusive", "pass"], "--inconclusive: this option requires --fail-on-regression"),
        (["--metric", "Accuracy"], "--metric: unknown name"),
        (["--paper-row", "4:GPT-4"], "the data differ from the data of the paper"),
        (["--allow", "nothing"], "--allow: differences in this key cannot be allowed"),
        (["--baseline", "M3"], "--baseline: unknown name"),
        (["--rule", "other"], "the report has no results of rule other"),
        (["--same-prompts"], "it is unknown whether the prompts are the same"),
    ],
)
def test_bad_input_has_status_2_and_writes_nothing(saved, capsys, tmp_path, more, message):
    out = tmp_path / "out"
    assert main(words(saved("sdak"), "--output", out, *more)) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_nothing_is_written_into_a_result(saved, capsys):
    folders = saved("sdak")
    for option in ("--output", "--items"):
        assert main(words(folders, option, f"{folders[0]}/more")) == 2
        assert "the path is inside an input result folder" in capsys.readouterr().err
    assert main(words(folders, "--output", "one", "--items", "one")) == 2


# What is no result
