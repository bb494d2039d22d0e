"""Figures: what they show, what is refused, where it is drawn, and files that are equal byte for byte."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from math import cos, dist, pi, sin

import numpy as np
import pytest
from commands import called
from compared import all_pairs, three_systems, value
from hypothesis import given
from hypothesis import strategies as st
from made_results import made, of_pairs, pairs
from whole_reports import whole

from medzh_score.benchmark.registry import find_config
from medzh_score.configs.pemebench.prompts import DEPARTMENTS
from medzh_score.render import figures
from medzh_score.render.canvas import fonts_for
from medzh_score.render.display import DisplayOptions
from medzh_score.render.figure_data import FigureData, Series, figure_data, rings
from medzh_score.render.figures import trends_of
from medzh_score.scoring.paper import load_paper
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import language

NAME = "ward"
CONFIG = """\
from dataclasses import replace

from medzh_score.benchmark.config import Bars, Plot, Radar, Scatter
from medzh_score.configs.sdak.config import CONFIG as SDAK

PLOTS = (
    Plot("vote", "how often the vote of the ward is right", "votes", "threshold", "share", "run", "FactAcc"),
    Radar("department", "FactAcc of each department", "department", "FactAcc"),
    Bars("chapters", "what was said", "chapters", "chapter", "said", "percent"),
    Scatter("r2", "both metrics", "FactAcc", "IFR"),
)
CONFIG = replace(SDAK, name="ward", reporting=replace(SDAK.reporting, figures=PLOTS))
"""
COLUMNS = ["run", "sure", "threshold", "share"]
# By run and threshold: the share. The second run has no value at 1.
SHARES = {0: {0.2: 0.8, 0.6: 0.5, 1.0: 0.25}, 1: {1.0: None, 0.6: 0.75, 0.2: 0.9}}
X, MEANS = (0.2, 0.6, 1.0), ((0.8 + 0.9) / 2, (0.5 + 0.75) / 2, 0.25)
SIGNATURE = {"config": "ward", "split": "test", "data": "0.0.0/mini/01234567", "prompt": "p-1", "rule": "medzh-1"}
NAMES = tuple(department.name for department in DEPARTMENTS)
TOTALS = (40.55, 41.08, 34.44, 36.88, 39.94, 40.54, 32.65, 43.96, 45.26, 40.91, 22.5, 30.25)
BARS = [["I", 25.0, 50.0], ["II", 75.0, 0.0], ["III", 0.0, 50.0], ["IV", 0.0, 0.0]]


def number(of, unit="percent"):
    return {"value": of, "n": 5, "unit": unit, **({} if of is not None else {"why": "none"})}


def group(total):
    return {"FactAcc": number(total), "IFR": number(None if total is None else total / 5)}


def report(model="甲", totals=TOTALS, signature=None, **changes):
    rows = [[run, 1 - at, at, share] for run, shares in SHARES.items() for at, share in shares.items()]
    return {
        "config": "ward",
        "metrics": group(70.0),
        "groups": {"department": dict(zip(NAMES, map(group, totals), strict=True))},
        "tables": {
            "votes": {"title": "votes", "columns": COLUMNS, "rows": rows},
            "chapters": {"title": "t", "columns": ["chapter", "percent", "said"], "rows": BARS},
        },
        "signature": {**SIGNATURE, **(signature or {})},
        "model": model,
        **changes,
    }


def table(name, **changes):
    tables = report()["tables"]
    return {"tables": {**tables, name: {**tables[name], **changes}}}


def departments(**groups):
    return {"groups": {"department": {**report()["groups"]["department"], **groups}}}


@pytest.fixture
def data(own_config):
    def of(kind, *paths, **options):
        return figure_data(
            own_config, dict(zip(KINDS, own_config.reporting.figures, strict=True)).get(kind), paths, **options
        )

    return of


KINDS = ("curves", "radar", "bars", "points")

# What a figure shows


def test_curves_are_means_over_runs_and_their_metric(data, write):
    found = data("curves", write("a.json", report()), write("b.json", report("乙", metrics=group(None))))
    assert found.series == (Series("甲", MEANS, X, 70.0), Series("乙", MEANS, X, None))
    title = "ward: how often the vote of the ward is right"
    assert (found.title, found.x, found.y, found.level) == (title, "threshold", "share", "FactAcc")


def test_a_radar_has_the_groups_of_the_first_report_and_gaps(data, write):
    turned = report("乙", (None, *TOTALS[1:]), signature={"prompt": "p-2"})
    turned["groups"]["department"] = dict(reversed(turned["groups"]["department"].items()))
    found = data("radar", write("a.json", report()), write("b.json", turned))
    assert [(one.label, one.y) for one in found.series] == [("甲", TOTALS), ("乙", (None, *TOTALS[1:]))]
    assert (found.names, found.y, found.unit) == (NAMES, "FactAcc", "percent")
    assert found.rings == (10.0, 20.0, 30.0, 40.0, 50.0)
    gap = f"乙 has no value of FactAcc in {NAMES[0]}: the line has a gap there"
    assert found.remarks == ("the reports differ in prompt", gap)
    other = data("radar", write("a.json", report()), metric="IFR")
    assert (other.y, other.series[0].y[0], other.rings[-1]) == ("IFR", TOTALS[0] / 5, 10.0)
    assert data("radar", write("a.json", report(totals=[0.0] * 12))).rings[-1] == 100.0


def test_bars_have_the_data_first_and_no_rows_of_nothing(data, write):
    other = [[*row[:2], said] for row, said in zip(BARS, (10.0, 90.0, 0.0, 0.0), strict=True)]
    found = data("bars", write("a.json", report()), write("b.json", report("乙", **table("chapters", rows=other))))
    assert (found.names, found.y) == (("I", "II", "III"), "percent")
    assert [(one.label, one.y) for one in found.series] == [
        ("the data", (25.0, 75.0, 0.0)),
        ("甲", (50.0, 0.0, 50.0)),
        ("乙", (10.0, 90.0, 0.0)),
    ]


@pytest.mark.parametrize(("column", "r2"), [("all", "0.781"), ("medqa", "0.830")])
def test_tables_4_and_5_of_care_mi_give_these_r2(write, column, r2):
    """Source: numpy; the paper prints 0.834, whose points it does not state."""
    correct, explained = (
        {row["model"]: row[column] for row in one.rows} for one in load_paper("care_mi").tables if one.number in {4, 5}
    )
    x, y = [correct[model] for model in explained], [*explained.values()]
    paths = []
    for model, *point in zip(explained, x, y, strict=True):
        metrics = dict(zip(("correctness", "interpretability"), map(number, point), strict=True))
        content = {"config": "care_mi", "metrics": metrics, "groups": {}, "signature": {"rule": "raw"}, "model": model}
        paths.append(write(f"{model}.json", content))
    config = find_config("care_mi")
    found = figure_data(config, config.reporting.figures[0], paths)
    assert len(found.series) == 7  # the human baseline has no interpretability
    assert float(r2) == round(np.corrcoef(x, y)[0, 1] ** 2, 3)
    assert found.line == pytest.approx(np.polyfit(x, y, 1), abs=1e-9)
    note = f"R² = {r2} over 7 reports (squared Pearson correlation of correctness and interpretability)"
    assert found.remarks == (note,)


@pytest.mark.parametrize("points", [[10.0], [10.0, 30.0], [50.0] * 3])
def test_r2_is_undefined_of_few_points_and_of_equal_ones(data, write, points):
    found = data("points", *(write(f"{n}.json", report(metrics=group(x))) for n, x in enumerate(points)))
    assert found.line is None
    assert "is undefined: it needs 3" in found.remarks[0]
    assert figures.draw_points(found, "svg").content.startswith(b"<?xml")


def test_groups_are_all_items_and_each_group_with_intervals(tmp_path):
    right = [[1], [0], [1], [1], [0], [0], [1], [0]]  # the even pairs are of type A, three of four right; of B one
    layout, config = pairs(len(right), ("A", "B")), find_config("sdak")
    for groups, rows in ((layout.groups, [("All", 50.0, 8), ("A", 75.0, 4), ("B", 25.0, 4)]), ({}, [("All", 50.0, 8)])):
        file = tmp_path / "a.json"
        of = made(tmp_path, {"medzh-1": of_pairs(right)}, replace(layout, groups=groups))
        file.write_bytes(of.report.as_json())
        found = figure_data(config, None, [file])
        by = " by type" if groups else ""
        assert (found.title, found.x) == (f"sdak: FactAcc{by}, 95% intervals", "FactAcc (%)")
        (series,) = found.series
        assert [(name, one.value, one.n) for name, one in zip(found.names, series.values, strict=True)] == rows
    with pytest.raises(MedzhError, match="field --by: has no such groups; expected no groups; found 'type'"):
        figure_data(config, None, [file], by="type")


def test_a_report_is_named_by_its_model_else_its_file_else_both(data, write):
    def labels(*paths):
        return [one.label for one in data("curves", *paths).series]

    paths = [write("a.json", report()), write("b.json", report(None)), write("c.json", report("乙\n丙"))]
    assert labels(*paths) == ["甲", "b.json", "乙\\n丙"]
    twice = [paths[0], write("d.json", report(signature={"prompt": "p-2"}))]
    assert labels(*twice) == [f"甲 ({path})" for path in twice]
    assert labels(paths[1]) == ["this report"]
    with language("zh"):
        assert labels(paths[1]) == ["本报告"]


# What is refused


def written(**changes):
    return json.dumps(whole(report(**changes)))


VALUELESS = departments(**{name: {"FactAcc": number(None), "IFR": number(8.0)} for name in NAMES})
REFUSED = [
    ("curves", "{", "is not JSON"),
    ("curves", "[]", "expected a report as"),
    ("curves", written(config="sdak"), "is a report of another config; expected ward; found 'sdak'"),
    ("curves", written(tables={}), "has no table votes, .*figure vote.*found 'no tables'"),
    ("curves", written(**table("votes", columns=[*COLUMNS[:3], "x"])), "is not the table of the figure; expected numb"),
    ("curves", written(**table("votes", rows=[[0, 1]])), "votes: a row is not as long as the column heads"),
    ("curves", written(**table("votes", rows=[[0, 1, 0.2, "half"]])), "is not the table"),
    ("curves", written(**table("votes", rows=[[0, 1, 0.2, None]])), "holds no values to draw"),
    ("curves", written(metrics={}, groups={}), "has no such metric; expected FactAcc"),
    ("bars", written(tables={}), "has no table chapters"),
    ("bars", written(**table("chapters", rows=BARS[:2])), "shows other data than the first"),
    ("bars", written(**table("chapters", rows=[["I", "x", 1.0]])), "is not the table of the figure"),
    ("bars", written(**table("chapters", rows=[["I", 1.0, None]])), "chapters/said: holds no values to draw"),
    ("points", written(metrics=group(None)), "metrics/FactAcc: has no value to draw; see its why"),
    ("radar", written(groups={}), "has no groups by department.*found 'no groups'"),
    ("radar", written(**departments(神经内科=group(1.0))), "groups/department: has other groups than .*good.json"),
    ("radar", written(metrics={"IFR": number(4.0)}), "--metric: the report has no such metric; expected IFR; found"),
    ("radar", written(totals=[None] * 12), "groups/department: holds no value of FactAcc to draw$"),
    ("radar", written(**VALUELESS), "holds no value of FactAcc to draw; score what .* --metric of IFR$"),
    (
        "radar",
        written(metrics={name: {**one, "unit": "fraction"} for name, one in group(0.4).items()}),
        "has FactAcc in another unit than .*good.json; expected percent; found 'fraction'",
    ),
    ("radar", written(**departments(**{NAMES[0]: group(-0.1)})), "has values of FactAcc below 0"),
    ("groups", written(metrics=group(None)), "holds no value of FactAcc to draw$"),
    ("groups", written(groups={"department": {"x": group(1.0)}}), "groups/department: has other groups than"),
    *(
        (
            "curves",
            written(signature={key: "medzh-1+other", "prompt": "p-2"}),
            rf"differ in {key} \({key}: .* and medzh",
        )
        for key in ("data", "rule", "split", "items", "variants", "missing", "judges")
    ),
]


@pytest.mark.parametrize(("kind", "content", "message"), REFUSED)
def test_what_cannot_be_drawn_is_refused_by_its_name(kind, content, message, data, write, tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text(content, encoding="utf-8")
    with pytest.raises(MedzhError, match=message) as refused:
        data(kind, write("good.json", report()), bad)
    assert str(refused.value).startswith(str(bad))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("key", ["prompt", "form", "shots", "decoding", "asked", "runs", "interval", "medzh_score"])
def test_reports_may_differ_in_how_the_model_was_asked(key, data, write):
    paths = [write("a.json", report()), write("b.json", report("乙", signature={key: "other"}))]
    assert data("curves", *paths).remarks == (f"the reports differ in {key}",)


@given(st.floats(min_value=1e-9, max_value=100))
def test_two_to_five_rings_end_at_or_just_above_the_largest_value(largest):
    found = rings(largest)
    assert 2 <= len(found) <= 5
    assert found[-2] < largest <= found[-1]
    assert len({f"{found[0]:e}"[0], *"125"}) == 3  # apart by 1, 2 or 5 times a power of ten


# What is drawn


def curves(*series, title="t"):
    return FigureData(title, "x", "y", series, level="m")


def radar_of(*lines, axes=("a", "b", "c", "d"), largest=50.0):
    series = tuple(Series(f"m{place}", values) for place, values in enumerate(lines))
    return FigureData("t", "", "FactAcc", series, axes, unit="percent", rings=rings(largest))


def svg_of(draw, *arguments):
    return draw(*arguments, "svg").content.decode("utf-8")


def texts_of(svg):
    return [text.replace("&amp;", "&") for text in re.findall(r">([^<>\n]+)</text>", svg)]


def strokes(svg, colour):
    """Give the drawn lines of a colour: dashed or not, and the points of their pieces."""
    found = []
    for data, style in re.findall(r'<path d="([^"]*)"[^>]*style="([^"]*)"', svg):
        if f"stroke: {colour}" in style and "fill: none" in style:
            for piece in re.findall(r"M [^M]+", data):
                points = re.findall(r"[ML] ([\d.]+) ([\d.]+)", piece)
                found.append(("dasharray" in style, [tuple(map(float, point)) for point in points]))
    return found


def test_a_curve_stands_at_its_values_and_its_line_at_the_metric():
    made_up = curves(Series("甲", MEANS, X, 0.7), Series("乙", (0.4, 0.1), (0.2, 1.0), 0.3))
    svg = svg_of(figures.draw_curves, made_up)
    for colour, one in zip(("#1f77b4", "#ff7f0e"), made_up.series, strict=True):
        points = next(points for dashed, points in strokes(svg, colour) if not dashed and len(points) == len(one.x))
        ((start, end),) = [points for dashed, points in strokes(svg, colour) if dashed]
        assert start[1] == end[1]
        heights, places = [*one.y, one.level], [y for _, y in points] + [start[1]]
        scale = (places[1] - places[0]) / (heights[1] - heights[0])
        assert scale < 0  # y grows upwards
        assert places == pytest.approx([places[0] + scale * (height - heights[0]) for height in heights], abs=1e-3)


def test_bars_are_as_high_as_their_values():
    found: dict[str, list[float]] = {}
    series = (Series("the data", (20.0, 40.0)), Series("_m", (10.0, None)))
    svg = svg_of(figures.draw_bars, FigureData("中文 $标题$", "", "percent", series, ("a", "_b")))
    for data, colour in re.findall(r'<path d="([^"]*)"[^>]*style="fill: (#[0-9a-f]{6})"', svg):
        points = [tuple(map(float, point)) for point in re.findall(r"[ML] ([-\d.]+) ([-\d.]+)", data)]
        if len(points) == 4:
            found.setdefault(colour, []).append(abs(points[0][1] - points[2][1]))
    first, second = found["#1f77b4"][:2]
    assert second == pytest.approx(2 * first, rel=1e-4)
    assert found["#ff7f0e"][0] == pytest.approx(first / 2, rel=1e-4)
    assert {"a", "_b", "_m", "the data", "中文 $标题$"} <= set(texts_of(svg))


def test_a_radar_stands_clockwise_from_the_top_at_its_shares_of_the_radius():
    values = (10.0, 25.0, 40.0, 0.0)
    svg = svg_of(figures.draw_radar, radar_of((50.0,) * 4, values))
    (_, (top, right, _, left, closing)), *_ = strokes(svg, "#1f77b4")
    assert top == closing
    centre, radius = (top[0], left[1]), right[0] - top[0]
    (_, points), *_ = strokes(svg, "#ff7f0e")
    for place, (share, point) in enumerate(zip([*values, values[0]], points, strict=True)):
        angle, length = 2 * pi * place / 4, radius * share / 50
        assert point == pytest.approx((centre[0] + length * sin(angle), centre[1] - length * cos(angle)), abs=1e-3)
    assert dist(centre, top) == pytest.approx(radius, abs=1e-3)


@pytest.mark.parametrize(
    ("values", "pieces"),
    [
        ((30.0, 20.0, 30.0, 20.0, 30.0), ["abcdea"]),
        ((30.0, None, 30.0, 20.0, 30.0), ["cdea"]),
        ((None, 20.0, 30.0, 20.0, 30.0), ["bcde"]),
        ((30.0, 20.0, None, 20.0, None), ["ab"]),
    ],
)
def test_a_line_of_a_radar_is_open_where_it_has_no_value(values, pieces):
    svg = svg_of(figures.draw_radar, radar_of((30.0, 20.0, 30.0, 20.0, 30.0), values, axes=tuple("abcde")))
    names = dict(zip(strokes(svg, "#1f77b4")[0][1], "abcdea", strict=True))
    found = ["".join(names[point] for point in piece) for _, piece in strokes(svg, "#ff7f0e")[:-1]]
    assert [piece for piece in found if len(piece) > 1] == pieces
    assert ("a line is open where it has no value" in svg) == (None in values)


# Fonts


@pytest.fixture
def fonts(monkeypatch):
    """Let matplotlib know these fonts alone, by what is true of them."""
    from matplotlib import font_manager

    def only(*entries, keep=lambda entry: entry.name == "DejaVu Sans"):
        kept = [entry for entry in font_manager.fontManager.ttflist if keep(entry)]
        monkeypatch.setattr(font_manager.fontManager, "ttflist", [*entries, *kept])

    return only


def test_fonts_are_found_for_characters_that_the_first_lacks(fonts, tmp_path):
    from matplotlib import font_manager

    digit = "\U0001d7fb"  # DejaVu Sans has none; STIX, which matplotlib brings, has
    assert fonts_for("Qwen-14B 0.5 ä\n") == (["DejaVu Sans"], "")
    families, lacking = fonts_for("a" + digit)
    assert (len(families), lacking) == (2, "")
    stix = [entry for entry in font_manager.fontManager.ttflist if entry.name == "STIXGeneral"]
    (tmp_path / "bad.ttf").write_bytes(b"no font")
    damaged = [
        font_manager.FontEntry(fname=str(tmp_path / name), name="A", style="normal", weight=400)
        for name in ("bad.ttf", "gone.ttf")
    ]
    for name in ("Last Resort High-Efficiency", ".LastResort", "LastResort"):
        fonts(*(replace(entry, name=name) for entry in stix), *damaged)
        assert fonts_for(f"a{digit}") == (["DejaVu Sans"], digit)


def test_chinese_needs_no_font_of_the_machine(fonts, monkeypatch):
    fonts(keep=lambda entry: "mpl-data" in entry.fname)
    assert fonts_for("准确率（%）：中医证候、糖尿病、鼻鼽") == (["DejaVu Sans", "Noto Sans SC"], "")
    for form in ("png", "pdf"):
        made_of = {figures.draw_curves(curves(Series("A", MEANS, X), title=one), form).content for one in "糖尿病"}
        assert len(made_of) == 3  # no boxes
    # Noto Sans SC has PostScript outlines, which readers refuse in a font that says it is TrueType.
    pdf = made_of.pop()
    assert (b"NotoSansSC" in pdf, b"/Subtype /Type3" in pdf, b"/FontFile2" in pdf) == (True, True, False)
    assert b"/FontFile2" in figures.draw_curves(curves(Series("A", MEANS, X)), "pdf").content
    fonts()
    monkeypatch.setitem(sys.modules, "pylopdf_fonts_zh_cn", None)
    assert fonts_for("中") == (["DejaVu Sans"], "中")


# Forests, matrices and trends

STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
PLAIN = DisplayOptions()


def stepped(*labels, values=()):
    """Compare systems whose labels are given, of ever lower values."""
    made_up = all_pairs(len(labels))
    (found,) = made_up.found
    standings = [replace(one, label=label) for one, label in zip(found.standings, labels, strict=True)]
    standings = [replace(one, value=of) for one, of in zip(standings, values, strict=False)] or standings
    return replace(made_up, found=(replace(found, standings=tuple(standings)),))


def test_a_forest_has_each_difference_at_its_place_and_a_block_for_each_group():
    made_up = three_systems()
    svg = svg_of(figures.draw_forest, made_up, PLAIN)
    ends = [points for _, points in strokes(svg, "#1f77b4") if len(points) == 2]
    (low, high), (lowest, highest) = ([point[0] for point in line] for line in ends)
    scale = (low - lowest) / (-5.5 + 25.5)
    assert scale > 0
    assert (high - low, highest - lowest) == pytest.approx((scale * (0.505 + 5.5), scale * 6), abs=0.01)
    texts = texts_of(svg)
    title = "sdak: FactAcc ↑ (percent) minus qwen&co, 95% intervals"
    assert {"glm_4% †", "甲模型", "† depends on unread answers", title} <= set(texts)
    assert "qwen&co" not in texts
    groups = [replace(made_up.found[0], breakdown="type", group=name) for name in ("病因", "治疗")]
    texts = texts_of(svg_of(figures.draw_forest, replace(made_up, found=(*made_up.found, *groups)), PLAIN))
    named = [text for text in texts if text in {"病因", "治疗", "甲模型"}]
    assert named == ["甲模型", "病因", "甲模型", "治疗", "甲模型"]


def test_a_matrix_has_corrected_p_above_and_won_and_lost_beneath():
    made_up = all_pairs(3)
    first, *others = made_up.found[0].differences
    found = replace(made_up.found[0], differences=(replace(first, corrected=0.00001, won=7, lost=5), *others))
    texts = texts_of(svg_of(figures.draw_matrix, replace(made_up, found=(found,)), PLAIN))
    assert [text for text in texts if re.fullmatch(r"<?0\.\d{4}|&lt;.*|\d+/\d+", text)] == [
        "5/7",  # the rows of the second system: its wins are the first's losses
        *("20/30", "&lt;0.0001", "20/30", "0.0400", "0.5000"),
    ]
    assert {"1 m00", "2 m01", "3 m02"} <= set(texts)


@pytest.mark.parametrize(
    ("label", "name", "step"),
    [
        ("step=3000", "", 3000),
        ("glm-4 step=3000", "glm-4", 3000),
        ("qwen2.5_step_200", "qwen2.5", 200),
        ("500", "", 500),
        ("checkpoint-700", "checkpoint", 700),
        ("Steps 10 千问", "千问", 10),
    ],
)
def test_a_label_names_model_and_step(label, name, step):
    (found,) = stepped(label).found
    assert [(model, [*of]) for model, of in trends_of(found, PLAIN).items()] == [(name, [step])]


@pytest.mark.parametrize("label", ["glm", "glm-4 v2", "", "step=1 step=2"])
def test_a_label_without_one_number_is_refused(label):
    with pytest.raises(MedzhError, match=r"a trend needs the training step .* such as step=3000; found"):
        figures.draw_trend(stepped(label), PLAIN, "svg")


def test_a_trend_has_values_and_intervals_at_their_places():
    of = (value(50.0, 40.0, 70.0), value(60.0, None, None))
    svg = svg_of(figures.draw_trend, stepped("step=0", "step=100", values=of), PLAIN)
    lines = [line for _, line in strokes(svg, "#1f77b4") if len(line) == 2]
    (curve,) = [line for line in lines if line[0][0] != line[1][0] and line[0][1] != line[1][1]]
    (bar,) = [line for line in lines if line[0][0] == line[1][0]]
    scale = (curve[1][1] - curve[0][1]) / 10
    assert scale < 0
    assert (bar[0][0], bar[1][1] - bar[0][1]) == pytest.approx((curve[0][0], 30 * scale), abs=0.01)
    assert {"step", "FactAcc"} <= set(texts_of(svg))
    (found,) = stepped("glm step=20", "glm step=3", "千问 step=3").found
    named = {name: {step: one.value for step, one in of.items()} for name, of in trends_of(found, PLAIN).items()}
    assert named == {"glm": {3: 89.0, 20: 90.0}, "千问": {3: 88.0}}
    with pytest.raises(MedzhError, match="two systems are of one step"):
        trends_of(stepped("glm step=3", "glm step=3 ").found[0], PLAIN)


# medzh-score plot


@pytest.mark.usefixtures("own_config")
@pytest.mark.parametrize("figure", ["vote", "department", "chapters", "r2", "groups"])
@pytest.mark.parametrize("form", STARTS)
def test_equal_reports_give_equal_files(figure, form, write, tmp_path, capsys):
    paths = [write("a.json", report(signature={"prompt": "p-2"})), write("b.json", report("B"))]
    out = [tmp_path / name for name in (f"one.{form}", f"two.{form.upper()}")]
    assert [called("plot", "ward", *paths, "--figure", figure, "--out", path) for path in out] == [0, 0]
    assert out[0].read_bytes() == out[1].read_bytes()
    assert out[0].read_bytes().startswith(STARTS[form])
    told = capsys.readouterr()
    assert (told.out, told.err.count("note: the reports differ in prompt\n")) == ("", 2)


@pytest.mark.usefixtures("own_config")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--figure", "no"],
            "there is none of that name; expected vote, department, chapters, r2, groups, forest, mat",
        ),
        (
            ["--metric", "IFR"],
            "--metric: is for radar figures; vote shows curves; expected --figure with one of depart",
        ),
        (["--figure", "chapters", "--metric", "IFR"], "chapters shows bars"),
        (["--figure", "department", "--metric", ""], "the report has no such metric; expected FactAcc, IFR; found ''"),
        (["--figure", "department", "--by", "x"], "--by is for groups and forests; expected groups, forest"),
        (["--figure", "groups", "--by", "x"], "field --by: has no such groups; expected department; found 'x'"),
        (["--figure", "groups", "--metric", "no"], "has no such metric"),
        (["--figure", "trend", "--by", "x"], "--by and --baseline are for forests"),
        (["--figure", "forest"], "--baseline: is needed for a forest"),
        (["--baseline", "a"], "--baseline and --allow are for figures of result folders"),
        (["--figure", "trend"], "there are too few; expected two result folders"),
        *((["--out", out], r"--out: .*\.png, \.svg or \.pdf") for out in ("-", "figure", "figure.eps", "png", "")),
        (["--out", "a.svg"], "is one of the files that are read"),
    ],
)
def test_what_does_not_fit_is_refused(options, message, write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write("a.svg", report())
    with pytest.raises(MedzhError, match=message):
        called("plot", "ward", path, "--out", "f.svg", *options)
    assert [one.name for one in tmp_path.iterdir()] == ["a.svg"]


@pytest.mark.usefixtures("own_config")
def test_what_a_png_lacks_is_said_once_and_without_matplotlib_the_extra_is_named(
    write, tmp_path, capsys, monkeypatch, fonts
):
    fonts()
    monkeypatch.setitem(sys.modules, "pylopdf_fonts_zh_cn", None)
    path = write("a.json", report("神农"))
    called("plot", "ward", path, "--out", tmp_path / "f.png")
    (line,) = capsys.readouterr().err.splitlines()
    assert "no font here has 农神" in line
    called("plot", "ward", path, "--out", tmp_path / "f.svg")
    assert capsys.readouterr().err == ""
    assert "神农" in (tmp_path / "f.svg").read_text(encoding="utf-8")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MedzhError, match=r"drawing needs matplotlib.*pip install '\.\[plot\]'"):
        called("plot", "ward", path, "--out", tmp_path / "g.svg")


@pytest.mark.parametrize(
    ("chosen", "title"), [("en", "sdak: IFR by type, 95% intervals"), ("zh", "sdak：按类型分组的 IFR，95% 区间")]
)
def test_a_figure_is_in_the_language_of_results(tmp_path, chosen, title):
    layout, right = pairs(8, ("A", "B")), [[1], [0]] * 4
    (tmp_path / "a.json").write_bytes(made(tmp_path, {"medzh-1": of_pairs(right)}, layout).report.as_json())
    with language(chosen):
        called("plot", "sdak", tmp_path / "a.json", "--metric", "IFR", "-o", tmp_path / "f.svg")
    texts = texts_of((tmp_path / "f.svg").read_text(encoding="utf-8"))
    assert {title, "A", "B", "All" if chosen == "en" else "全部"} <= set(texts)


DRAWN_TWICE = """
import sys
from medzh_score.cli.main import main
from medzh_score.ui.process import as_process
*words, one, other = sys.argv[1:]
as_process(lambda: main([*words, one]) or main([*words, other]))
"""


def test_the_machine_of_the_user_does_not_show(packages, write, tmp_path):
    """Two figures a process, for it is long until matplotlib has found the fonts of a machine."""
    path = write("a.json", report())
    (tmp_path / "settings").write_text("lines.linewidth: 9\nno.such.key: 1\nsvg.fonttype: path\n", encoding="utf-8")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("MPL", "MATPLOTLIB", "XDG"))}
    others = {
        "settings": {"MATPLOTLIBRC": str(tmp_path / "settings"), "MPLBACKEND": "module://no.such.module"},
        "no home": {"HOME": os.devnull, "USERPROFILE": os.devnull, "TMPDIR": str(temporary)},
    }
    contents = set()
    for name, variables in others.items():
        out = [tmp_path / f"{name}.{form}" for form in ("png", "svg")]
        done = subprocess.run(
            [sys.executable, "-c", DRAWN_TWICE, "plot", "ward", path, "--out", *out],
            env={**kept, **variables, "PYTHONPATH": str(packages)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, "")
        assert [line for line in done.stderr.splitlines() if not line.startswith("note: no font here has 甲")] == []
        contents.add(tuple(one.read_bytes() for one in out))
    assert len(contents) == 1
    assert list(temporary.iterdir()) == []
