"""Radar figures from reports: what they show, where they have gaps, what is refused, and equal files."""

from __future__ import annotations

import re
import sys

import pytest
from commands import called
from hypothesis import given
from hypothesis import strategies as st

from medzh_score.commands import plot as command
from medzh_score.configs.pemebench.prompts import DEPARTMENTS, TASKS
from medzh_score.messages.errors import MedzhError
from medzh_score.show.drawing.radars import Line, radar_of, rings

NAME = "children"
CONFIG = """\
from dataclasses import replace

from medzh_score.benchmark.figures import Plot, Radar
from medzh_score.configs.sdak.config import CONFIG as SDAK

DEPARTMENT = Radar("department", "S_total of each department", "department", "S_total")
TASK = Radar("task", "S_total of each task", "task", "S_total")
VOTE = Plot("vote", "how often the vote is right", "votes", "threshold", "share", "run", "BLEU")
CONFIG = replace(SDAK, name="children", plots=(DEPARTMENT, TASK, VOTE))
"""
NAMES = tuple(department.name for department in DEPARTMENTS)
TOTALS = (40.55, 41.08, 34.44, 36.88, 39.94, 40.54, 32.65, 43.96, 45.26, 40.91, 22.5, 30.25)
SIGNATURE = {
    "config": "children",
    "data": "0.0.0/mini/01234567",
    "prompt": "p-1",
    "judges": "hallucination GLM-4",
    "rule": "medzh-1",
}


def value(number, unit="percent"):
    return {"value": number, "n": 20, "unit": unit, **({} if number is not None else {"why": "no verdict"})}


def group(total):
    return {"S_total": value(total), "BLEU": value(None if total is None else total / 5)}


def report(model="甲", totals=TOTALS, signature=None, **changes):
    return {
        "config": "children",
        "metrics": group(40.0),
        "groups": {
            "department": dict(zip(NAMES, map(group, totals), strict=True)),
            "task": {name: group(10.0 * place) for place, name in enumerate(TASKS)},
            "kind": {name: group(1.0) for name in ("reason", "solution")},
        },
        "tables": {},
        "signature": {**SIGNATURE, **(signature or {})},
        "model": model,
        **changes,
    }


def radar(own_config, *paths, name=0, metric=None):
    return radar_of(own_config, own_config.plots[name], paths, metric)


# What a figure shows


def test_a_line_has_the_value_of_each_group_in_the_order_of_the_report(own_config, write):
    found = radar(own_config, write("a.json", report()))
    assert found.axes == NAMES
    assert found.lines == (Line("甲", TOTALS),)
    assert (found.title, found.metric) == ("children: S_total of each department", "S_total")
    assert (found.unit, found.rings, found.gaps) == ("percent", (10.0, 20.0, 30.0, 40.0, 50.0), ())


def test_another_figure_has_the_groups_of_its_breakdown(own_config, write):
    found = radar(own_config, write("a.json", report()), name=1)
    assert (found.axes, found.lines[0].values) == (TASKS, (0.0, 10.0, 20.0, 30.0, 40.0))


def test_another_metric_is_drawn_on_its_own_scale(own_config, write):
    found = radar(own_config, write("a.json", report()), metric="BLEU")
    assert found.lines[0].values == tuple(total / 5 for total in TOTALS)
    assert (found.metric, found.rings) == ("BLEU", (2.0, 4.0, 6.0, 8.0, 10.0))


def test_several_reports_share_axes_and_scale_whatever_the_order_of_their_groups(own_config, write):
    turned = report("乙", signature={"prompt": "p-2"})
    turned["groups"]["department"] = dict(reversed(turned["groups"]["department"].items()))
    found = radar(own_config, write("a.json", report("甲", [total / 2 for total in TOTALS])), write("b.json", turned))
    assert [line.label for line in found.lines] == ["甲", "乙"]
    assert (found.axes, found.lines[1].values) == (NAMES, TOTALS)
    assert (found.rings[-1], found.differing) == (50.0, ("prompt",))


def test_a_group_without_a_value_is_a_gap_and_no_zero(own_config, write):
    totals = (None, *TOTALS[1:-1], None)
    found = radar(own_config, write("a.json", report("甲", totals)), write("b.json", report("乙")))
    assert found.lines[0].values == totals
    (gap,) = found.gaps
    assert gap == ("甲 has no value of S_total in 新生儿疾病, 儿科临床常用量表: the line has a gap there")


@pytest.mark.parametrize(
    ("largest", "rim", "step"),
    [(45.26, 50, 10), (33.84, 40, 10), (50, 50, 10), (50.01, 60, 20), (100, 100, 20), (12, 15, 5), (0.3, 0.3, 0.1)],
)
def test_the_rim_is_the_next_round_number(largest, rim, step):
    found = rings(largest)
    assert found[-1] == rim
    assert found == pytest.approx([step * number for number in range(1, len(found) + 1)])


@given(st.floats(min_value=1e-9, max_value=100))
def test_two_to_five_rings_end_at_or_just_above_the_largest_value(largest):
    found = rings(largest)
    assert 2 <= len(found) <= 5
    assert found[-2] < largest <= found[-1]
    assert len({f"{found[0]:e}"[0], *"125"}) == 3  # apart by 1, 2 or 5 times a power of ten


def test_where_all_is_zero_the_rim_is_the_top_of_the_unit(own_config, write):
    assert radar(own_config, write("a.json", report(totals=[0.0] * 12))).rings[-1] == 100.0


# What is refused


def changed(breakdown="department", **groups):
    return {"groups": {breakdown: {**report()["groups"][breakdown], **groups}}}


REFUSED = {
    "another config": ({"config": "sdak"}, "is a report of another config; expected children"),
    "no breakdown": ({"groups": {"kind": {}}}, "has no groups by department, .*figure department.*found 'kind'"),
    "no groups": ({"groups": {}}, "has no groups by department.*found 'no groups'"),
    "other groups": (changed(神经内科=group(1.0)), "groups/department: has other groups than .*good.json"),
    "no metric": ({"metrics": {"BLEU": value(4.0)}}, "--metric: the report has no such metric; expected BLEU; found"),
    "a group without it": (
        changed(**{NAMES[0]: {"BLEU": value(4.0)}}),
        "新生儿疾病: metrics are missing; expected S_total",
    ),
    "no values": (report(totals=[None] * 12), "groups/department: holds no value of S_total to draw$"),
    "no verdicts": (
        changed(**{name: {"S_total": value(None), "BLEU": value(8.0)} for name in NAMES}),
        "holds no value of S_total to draw; score what it needs, or choose with --metric of BLEU$",
    ),
    "other unit": (
        {"metrics": {name: one | {"unit": "fraction"} for name, one in group(0.4).items()}},
        "has S_total in another unit than .*good.json; expected percent; found 'fraction'",
    ),
    "below zero": (changed(**{NAMES[0]: group(-0.1)}), "has values of S_total below 0"),
    "other judges": ({"signature": {**SIGNATURE, "judges": "hallucination 医生"}}, "the reports differ in judges"),
    "other items": ({"signature": {**SIGNATURE, "items": "7"}}, r"differ in items \(items: none and 7\)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_drawn_is_refused_by_its_name(name, own_config, write):
    changes, message = REFUSED[name]
    paths = [write("good.json", report("乙")), write("bad.json", report() | changes)]
    with pytest.raises(MedzhError, match=message) as refused:
        radar(own_config, *paths)
    assert str(refused.value).startswith(f"{paths[1]}: ")
    assert "\n" not in str(refused.value)


def test_two_groups_are_no_radar(own_config, write):
    two = report(groups={"department": dict.fromkeys(NAMES[:2], group(1.0))})
    with pytest.raises(
        MedzhError, match="too few groups for a radar; expected at least 3, an axis each; found '新生儿"
    ):
        radar(own_config, write("a.json", two))


# medzh-score plot


@pytest.mark.usefixtures("own_config")
@pytest.mark.parametrize(("name", "start"), [("f.png", b"\x89PNG"), ("F.SVG", b"<?xml")])
def test_equal_reports_give_equal_files_and_notes(name, start, write, tmp_path, capsys):
    gaps = report("甲", (None, *TOTALS[1:]), signature={"prompt": "p-2"})
    paths = [write("a.json", gaps), write("b.json", report("B"))]
    contents = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        assert called(command, "children", *paths, "--figure", "department", "--out", tmp_path / folder / name) == 0
        contents.append((tmp_path / folder / name).read_bytes())
    assert contents[0] == contents[1]
    assert contents[0].startswith(start)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("note: the reports differ in prompt\n") == 2
    assert told.err.count("note: 甲 has no value of S_total in 新生儿疾病: the line has a gap there\n") == 2


@pytest.mark.usefixtures("own_config")
def test_what_a_png_lacks_is_said_once(write, tmp_path, capsys, monkeypatch):
    from matplotlib import font_manager

    base = [entry for entry in font_manager.fontManager.ttflist if entry.name == "DejaVu Sans"]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", base)
    monkeypatch.setitem(sys.modules, "pylopdf_fonts_zh_cn", None)
    path = write("a.json", report("B"))
    called(command, "children", path, "--figure", "task", "--out", tmp_path / "f.png")
    (line,) = capsys.readouterr().err.splitlines()
    assert set("疾病知识治疗方案") <= set(re.search("no font here has (.*);", line).group(1))
    called(command, "children", path, "--figure", "task", "--out", tmp_path / "f.svg")
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("own_config")
def test_the_metric_is_chosen_by_name(write, tmp_path):
    path = write("a.json", report())
    called(command, "children", path, "--metric", "BLEU", "--out", tmp_path / "f.svg")
    assert ">BLEU in percent: centre 0, rim 10</text>" in (tmp_path / "f.svg").read_text(encoding="utf-8")
    message = "field --metric: the report has no such metric; expected S_total, BLEU; found 'bleu'"
    for name in ("bleu", ""):
        with pytest.raises(MedzhError, match=message.replace("'bleu'", repr(name))):
            called(command, "children", path, "--metric", name, "--out", tmp_path / "g.svg")
    assert not (tmp_path / "g.svg").exists()


@pytest.mark.usefixtures("own_config")
def test_a_figure_of_curves_has_no_metric_to_choose(write, tmp_path):
    path = write("a.json", report())
    message = "--metric: is for radar figures; vote shows curves; expected --figure with one of department, task"
    with pytest.raises(MedzhError, match=message):
        called(command, "children", path, "--figure", "vote", "--metric", "BLEU", "--out", tmp_path / "f.svg")
    with pytest.raises(MedzhError, match="ensemble shows curves; expected none"):
        called(command, "tcmd", path, "--metric", "accuracy", "--out", tmp_path / "f.svg")
