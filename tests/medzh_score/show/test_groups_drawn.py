"""A metric by groups with its intervals: the figure that every config has."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from commands import called
from made_results import made, of_pairs, pairs
from places import SAMPLES

from medzh_score.benchmark.registry import find_config
from medzh_score.commands import plot as command
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.languages import results_in
from medzh_score.report.scoring import score
from medzh_score.show.groups import groups_of

RIGHT = [[1], [0], [1], [1], [0], [0], [1], [0]]  # the even pairs are of type A, three of four right; of B one


@pytest.fixture
def file(tmp_path):
    layout = pairs(len(RIGHT), ("A", "B"))
    file = tmp_path / "a.json"
    file.write_bytes(made(tmp_path, {"medzh-1": of_pairs(RIGHT)}, layout).report.as_json())
    return file


def test_rows_are_all_items_and_each_group(file):
    figure = groups_of(find_config("sdak"), [file], None, None)
    assert (figure.title, figure.axis) == ("sdak: FactAcc by type, 95% intervals", "FactAcc (%)")
    assert [(row.label, row.values[0].value, row.values[0].n) for row in figure.rows] == [
        ("All", 50.0, 8),
        ("A", 75.0, 4),
        ("B", 25.0, 4),
    ]


def test_without_groups_all_items_are_drawn(tmp_path):
    layout = replace(pairs(len(RIGHT)), groups={})
    file = tmp_path / "a.json"
    file.write_bytes(made(tmp_path, {"medzh-1": of_pairs(RIGHT)}, layout).report.as_json())
    figure = groups_of(find_config("sdak"), [file], None, None)
    assert figure.title == "sdak: FactAcc, 95% intervals"
    assert [(row.label, row.values[0].value) for row in figure.rows] == [("All", 50.0)]
    with pytest.raises(MedzhError, match="field --by: has no such groups; expected no groups; found 'type'"):
        groups_of(find_config("sdak"), [file], "type", None)


def test_a_folder_that_was_changed_is_not_drawn(minis, tmp_path):
    score("sdak", SAMPLES / "sdak" / "predictions.jsonl", minis, bootstrap=0, save=tmp_path / "a")
    report = tmp_path / "a" / "report.json"
    value = json.dumps(json.loads(report.read_text(encoding="utf-8"))["headline"]["value"])
    report.write_text(report.read_text(encoding="utf-8").replace(value, "99.5"), encoding="utf-8")
    with pytest.raises(MedzhError, match="is not the file that was saved"):
        groups_of(find_config("sdak"), [tmp_path / "a"], None, None)


@pytest.mark.parametrize(
    ("language", "title"), [("en", "sdak: IFR by type, 95% intervals"), ("zh", "sdak：按类型分组的 IFR，95% 区间")]
)
def test_the_metric_that_was_chosen_stands_in_the_title(file, tmp_path, language, title):
    with results_in(language):
        called(command, "sdak", file, "--metric", "IFR", "-o", tmp_path / "f.svg")
    texts = re.findall("<text[^>]*>(.*?)</text>", (tmp_path / "f.svg").read_text(encoding="utf-8"))
    assert title in texts
    assert {"A", "B", "All" if language == "en" else "全部"} <= set(texts)


def test_equal_reports_give_equal_figures(file, tmp_path):
    for name in ("f.svg", "g.svg"):
        called(command, "sdak", file, "--figure", "groups", "-o", tmp_path / name)
    assert (tmp_path / "f.svg").read_bytes() == (tmp_path / "g.svg").read_bytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--by", "ward"], "field --by: has no such groups; expected type; found 'ward'"),
        (["--metric", "AccR"], "holds no value of AccR to draw; choose with --metric of IFR, FactAcc"),
        (["--metric", "no"], "has no such metric"),
        (["--figure", "no"], "there is none of that name; expected groups, forest, matrix, trend"),
        (["--allow", "data"], "--baseline and --allow are for figures of result folders"),
    ],
)
def test_what_cannot_be_drawn_is_refused(file, tmp_path, options, message):
    with pytest.raises(MedzhError, match=message):
        called(command, "sdak", file, *options, "-o", tmp_path / "f.svg")
    assert not (tmp_path / "f.svg").exists()
