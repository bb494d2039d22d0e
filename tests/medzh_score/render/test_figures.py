"""Figures: what they show, what is refused, where it is drawn, and files that are equal byte for byte."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape
from math import cos, dist, pi, sin

import numpy as np
import pytest
from commands import called
from compared import all_pairs, three_systems, value
from hypothesis import given
from hypothesis import strategies as st
from made_results import made, of_pairs, pairs
from matplotlib.colors import to_hex
from whole_reports import whole

from medzh_score.benchmark.registry import find_config
from medzh_score.configs.pemebench.prompts import DEPARTMENTS
from medzh_score.render import figures
from medzh_score.render.canvas import fonts_for, line_styles, model_color
from medzh_score.render.display import DisplayOptions
from medzh_score.render.figure_data import FigureData, Series, figure_data, rings
from medzh_score.render.figures import trends_of
from medzh_score.scoring.paper import load_paper
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import language

NAME = "ward"
CONFIG = """\
from dataclasses import replace
from html import unescape

from medzh_score.benchmark.config import Plot, Radar, Scatter
from medzh_score.configs.sdak.config import CONFIG as SDAK

PLOTS = (
    Plot("vote", "how often the vote of the ward is right", "votes", "threshold", "share", "run", "FactAcc"),
    Radar("department", "FactAcc of each department", "department", "FactAcc"),
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


def number(of, unit="percent"):
    return {"value": of, "n": 5, "unit": unit, **({} if of is not None else {"unavailable_reason": "none"})}


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


KINDS = ("curves", "radar", "points")

# What a figure shows


def test_curves_are_means_over_runs_and_their_metric(data, write):
    three = {"runs": "3"}
    paths = (
        write("a.json", report(signature=three)),
        write("b.json", report("乙", signature=three, metrics=group(None))),
    )
    found = data("curves", *paths)
    assert found.series == (Series("甲", MEANS, X, 70.0), Series("乙", MEANS, X, None))
    title = "ward: how often the vote of the ward is right"
    assert (found.title, found.x, found.y, found.level) == (title, "threshold", "share (%)", "FactAcc")
    assert found.footer == "ward · rule medzh-1 · n = 5 · runs: 3 · mini sample"
    assert data("curves", write("a.json", report()), metric="IFR").series[0].level == 14.0


def test_a_radar_has_the_groups_of_the_first_report_and_gaps(data, write):
    turned = report("乙", (None, *TOTALS[1:]), signature={"prompt": "p-2"})
    turned["groups"]["department"] = dict(reversed(turned["groups"]["department"].items()))
    found = data("radar", write("a.json", report()), write("b.json", turned))
    assert [(one.label, one.y) for one in found.series] == [("甲", TOTALS), ("乙", (None, *TOTALS[1:]))]
    assert (found.names, found.y) == (NAMES, "FactAcc")
    assert found.rings == (10.0, 20.0, 30.0, 40.0, 50.0)
    gap = f"乙: FactAcc is not available in {NAMES[0]}; the line has a gap."
    assert found.remarks == ("the reports differ in prompt", gap)
    other = data("radar", write("a.json", report()), metric="IFR")
    assert (other.y, other.series[0].y[0], other.rings[-1]) == ("IFR", TOTALS[0] / 5, 10.0)
    assert data("radar", write("a.json", report(totals=[0.0] * 12))).rings[-1] == 100.0


def test_fractions_are_drawn_in_percent(data, write):
    fractions = {name: {**one, "unit": "fraction"} for name, one in group(0.4).items()}
    assert data("groups", write("a.json", report(metrics=fractions, groups={}))).series[0].y == (40.0,)


def test_a_radar_has_at_most_four_lines(data, write):
    paths = [write(f"{number}.json", report(f"m{number}")) for number in range(5)]
    assert len(data("radar", *paths[:4]).series) == 4
    with pytest.raises(MedzhError, match=r"too many lines for a radar chart: expected at most 4 reports, found 5"):
        data("radar", *paths)


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
    slope, intercept = np.polyfit(x, y, 1)
    scale = found.series[0].x[0] / x[0]
    assert found.line == pytest.approx((slope, scale * intercept), abs=1e-9)
    note = f"R² = {r2} over 7 reports (squared Pearson correlation of correctness and interpretability)"
    assert found.remarks == (note,)


@pytest.mark.parametrize("points", [[10.0], [10.0, 30.0], [50.0] * 3])
def test_r2_is_undefined_of_few_points_and_of_equal_ones(data, write, points):
    found = data("points", *(write(f"{n}.json", report(metrics=group(x))) for n, x in enumerate(points)))
    assert found.line is None
    assert "is not available: it requires 3" in found.remarks[0]
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
        assert (found.title, found.x) == (f"sdak: FactAcc{by}, 95% CI", "FactAcc (%)")
        (series,) = found.series
        assert [*zip(found.names, series.y, found.sizes, strict=True)] == rows
        assert all(low < y < high for y, (low, high) in zip(series.y, series.ends, strict=True))
    with pytest.raises(
        MedzhError, match="option --by: the report has no such breakdown: expected no groups, found 'type'"
    ):
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
    ("curves", "{", "invalid JSON"),
    ("curves", "[]", "expected a report written by"),
    ("curves", written(config="sdak"), "the report belongs to another config: expected ward, found 'sdak'"),
    ("curves", written(tables={}), "the report has no table votes .*figure vote.*found 'no tables'"),
    (
        "curves",
        written(**table("votes", columns=[*COLUMNS[:3], "x"])),
        ("the figure cannot be drawn from this table: expected numb"),
    ),
    (
        "curves",
        written(**table("votes", rows=[[0, 1]])),
        'votes": a row does not have the same number of columns as the header',
    ),
    ("curves", written(**table("votes", rows=[[0, 1, 0.2, "half"]])), "the figure cannot be drawn from this table"),
    ("curves", written(**table("votes", rows=[[0, 1, 0.2, None]])), "the table has no values to draw"),
    ("curves", written(metrics={}, groups={}), "has no such metric: expected FactAcc"),
    ("points", written(metrics=group(None)), 'metrics/FactAcc": the metric has no value'),
    ("radar", written(groups={}), "the report has no groups by department.*found 'no groups'"),
    ("radar", written(**departments(神经内科=group(1.0))), 'groups/department": the groups differ from .*good.json'),
    ("radar", written(metrics={"IFR": number(4.0)}), "--metric: the report has no such metric: expected IFR, found"),
    ("radar", written(totals=[None] * 12), 'groups/department": the metric FactAcc has no value to draw$'),
    (
        "radar",
        written(**VALUELESS),
        "the metric FactAcc has no value to draw\n  Fix: set --metric to one of IFR.$",
    ),
    ("radar", written(**departments(**{NAMES[0]: group(-0.1)})), "FactAcc has values below 0"),
    ("groups", written(metrics=group(None)), "the metric FactAcc has no value to draw$"),
    ("groups", written(groups={"department": {"x": group(1.0)}}), 'groups/department": the groups differ from'),
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
    assert str(refused.value).count("\n") <= 1  # the fix


@pytest.mark.parametrize(
    "key", ["prompt", "format", "shots", "generation", "query_unit", "runs", "interval", "medzh_score"]
)
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
    return FigureData("t", "", "FactAcc", series, axes, rings=rings(largest))


def svg_of(draw, *arguments):
    return draw(*arguments, "svg").content.decode("utf-8")


def texts_of(svg):
    return [unescape(text) for text in re.findall(r">([^<>\n]+)</text>", svg)]


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
    for one in made_up.series:
        colour = colors_of("甲", "乙")[one.label]
        points = next(points for dashed, points in strokes(svg, colour) if not dashed and len(points) == len(one.x))
        ((start, end),) = [points for dashed, points in strokes(svg, colour) if dashed]
        assert start[1] == end[1]
        heights, places = [*one.y, one.level], [y for _, y in points] + [start[1]]
        scale = (places[1] - places[0]) / (heights[1] - heights[0])
        assert scale < 0  # y grows upwards
        assert places == pytest.approx([places[0] + scale * (height - heights[0]) for height in heights], abs=1e-3)


def colors_of(*labels):
    return {label: to_hex(style["color"]) for label, style in line_styles(labels).items()}


def test_a_model_keeps_its_color_unless_another_of_the_figure_has_it():
    names = [f"模型 {number}" for number in range(70)]
    assert {model_color(name) for name in names} == set(range(10))
    assert all(line_styles([name])[name]["color"] == f"C{model_color(name)}" for name in names)
    styles = line_styles(names)
    assert styles == line_styles(names[::-1])
    assert len({(style["color"], style["marker"]) for style in styles.values()}) == 70
    for some in (names[:2], names[3:10], names[20:30]):
        styles = line_styles(some)
        assert len({style["color"] for style in styles.values()}) == len(some)
        kept = [name for name in some if styles[name]["color"] == f"C{model_color(name)}"]
        assert len(kept) == len(set(map(model_color, some)))


def test_bars_of_groups_are_as_long_as_their_values():
    found: dict[str, list[float]] = {}
    series = (
        Series("b", (20.0, 40.0), ends=((10.0, 30.0), None)),
        Series("_a", (10.0, None), ends=(None, None)),
    )
    data = FigureData("中文 $标题$", "FactAcc (%)", "", series, ("All", "_g"), footer="the footer", sizes=(12, 3))
    svg = svg_of(figures.draw_groups, data)
    for path, color in re.findall(r'<path d="([^"]*)"[^>]*style="fill: (#[0-9a-f]{6})', svg):
        points = [tuple(map(float, point)) for point in re.findall(r"[ML] ([-\d.]+) ([-\d.]+)", path)]
        if len(points) == 4:
            found.setdefault(color, []).append(abs(points[0][0] - points[2][0]))
    colors = colors_of("b", "_a")
    first, second = found[colors["b"]][:2]
    assert second == pytest.approx(2 * first, rel=1e-4)
    assert found[colors["_a"]][0] == pytest.approx(first / 2, rel=1e-4)
    assert {"All (n = 12)", "_g (n = 3)", "_a", "b", "中文 $标题$", "the footer"} <= set(texts_of(svg))


def test_a_heat_map_has_values_n_and_hatches_of_small_groups():
    series = (Series("b", (20.0, None)), Series("_a", (70.25, 40.0)))
    svg = svg_of(figures.draw_heatmap, FigureData("t", "FactAcc (%)", "", series, ("All", "g"), sizes=(12, 9)))
    texts = texts_of(svg)
    assert {"All (n = 12)", "g (n = 9)", "b", "_a", "hatched: fewer than 10 items"} <= set(texts)
    assert [text for text in texts if re.fullmatch(r"\d+\.\d|–", text)] == ["20.0", "70.3", "–", "40.0"]
    assert svg.count("<pattern") == 1
    large = FigureData("t", "FactAcc (%)", "", series, ("All", "g"), sizes=(12, 10))
    assert "hatched" not in svg_of(figures.draw_heatmap, large)


def test_a_radar_stands_clockwise_from_the_top_at_its_shares_of_the_radius():
    values = (10.0, 25.0, 40.0, 0.0)
    svg = svg_of(figures.draw_radar, radar_of((50.0,) * 4, values))
    colors = colors_of("m0", "m1")
    (_, (top, right, _, left, closing)), *_ = strokes(svg, colors["m0"])
    assert top == closing
    centre, radius = (top[0], left[1]), right[0] - top[0]
    (_, points), *_ = strokes(svg, colors["m1"])
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
    colors = colors_of("m0", "m1")
    names = dict(zip(strokes(svg, colors["m0"])[0][1], "abcdea", strict=True))
    found = ["".join(names[point] for point in piece) for _, piece in strokes(svg, colors["m1"])[:-1]]
    assert [piece for piece in found if len(piece) > 1] == pieces
    assert ("If a group has no value, the line is not closed." in svg) == (None in values)


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
    colors = colors_of("glm_4%", "qwen&co", "甲模型")
    ends = [
        next(points for _, points in strokes(svg, colors[name]) if len(points) == 2) for name in ("glm_4%", "甲模型")
    ]
    (low, high), (lowest, highest) = ([point[0] for point in line] for line in ends)
    scale = (low - lowest) / (-5.5 + 25.5)
    assert scale > 0
    assert (high - low, highest - lowest) == pytest.approx((scale * (0.505 + 5.5), scale * 6), abs=0.01)
    texts = texts_of(svg)
    title = "sdak: FactAcc ↑, difference from qwen&co, 95% CI"
    assert {"glm_4% †", "甲模型", "† sensitive to unparsed answers", title} <= set(texts)
    assert "percentage points relative to qwen&co" in texts
    assert "filled marker: significant difference (adjusted p at most 0.05); hollow marker: not significant" in texts
    assert "sdak · rule medzh-1 · n = 200 · runs: 1" in texts
    assert "qwen&co" not in texts
    groups = [replace(made_up.found[0], breakdown="type", group=name) for name in ("病因", "治疗")]
    texts = texts_of(svg_of(figures.draw_forest, replace(made_up, found=(*made_up.found, *groups)), PLAIN))
    named = [text for text in texts if text in {"病因", "治疗", "甲模型"}]
    assert named == ["甲模型", "病因", "甲模型", "治疗", "甲模型"]


def test_a_marker_is_hollow_if_the_difference_is_not_significant():
    svg = svg_of(figures.draw_forest, three_systems(), PLAIN)
    faces = re.findall(r'style="fill: (#[0-9a-f]{6}); stroke: (#[0-9a-f]{6})', svg)
    colors = colors_of("glm_4%", "qwen&co", "甲模型")
    assert ("#ffffff", colors["glm_4%"]) in faces  # p 0.31
    assert (colors["甲模型"],) * 2 in faces  # p < 0.001


@pytest.mark.parametrize(
    ("label", "name", "step"),
    [
        ("step=3000", "", 3000),
        ("glm-4 step=3000", "glm-4", 3000),
        ("qwen2.5_step=200", "qwen2.5", 200),
        ("step=10 千问", "千问", 10),
    ],
)
def test_a_label_names_model_and_step(label, name, step):
    (found,) = stepped(label).found
    assert [(model, [*of]) for model, of in trends_of(found, PLAIN).items()] == [(name, [step])]


@pytest.mark.parametrize("label", ["glm", "500", "", "step=1 step=2", "glm_step_200", "checkpoint-700", "step=x"])
def test_a_label_without_one_step_is_refused(label):
    with pytest.raises(MedzhError, match=r"a trend figure requires the training step .*expected step=N, found"):
        figures.draw_trend(stepped(label), PLAIN, "svg")


def test_a_trend_has_values_and_intervals_at_their_places():
    of = (value(50.0, 40.0, 70.0), value(60.0, None, None))
    svg = svg_of(figures.draw_trend, stepped("step=0", "step=100", values=of), PLAIN)
    lines = [line for _, line in strokes(svg, colors_of("")[""]) if len(line) == 2]
    (curve,) = [line for line in lines if line[0][0] != line[1][0] and line[0][1] != line[1][1]]
    (bar,) = [line for line in lines if line[0][0] == line[1][0]]
    scale = (curve[1][1] - curve[0][1]) / 10
    assert scale < 0
    assert (bar[0][0], bar[1][1] - bar[0][1]) == pytest.approx((curve[0][0], 30 * scale), abs=0.01)
    assert {"step", "FactAcc", "FactAcc ↑ (%)"} <= set(texts_of(svg))
    (found,) = stepped("glm step=20", "glm step=3", "千问 step=3").found
    named = {name: {step: one.value for step, one in of.items()} for name, of in trends_of(found, PLAIN).items()}
    assert named == {"glm": {3: 89.0, 20: 90.0}, "千问": {3: 88.0}}
    with pytest.raises(MedzhError, match="two systems have the same step"):
        trends_of(stepped("glm step=3", "glm step=3 ").found[0], PLAIN)


# medzh-score plot


@pytest.mark.usefixtures("own_config")
@pytest.mark.parametrize("figure", ["vote", "department", "r2", "groups", "heatmap"])
@pytest.mark.parametrize("form", STARTS)
def test_equal_reports_give_equal_files(figure, form, write, tmp_path, capsys):
    paths = [write("a.json", report(signature={"prompt": "p-2"})), write("b.json", report("B"))]
    out = [tmp_path / name for name in (f"one.{form}", f"two.{form.upper()}")]
    assert [called("plot", "ward", *paths, "--figure", figure, "--output", path) for path in out] == [0, 0]
    assert out[0].read_bytes() == out[1].read_bytes()
    assert out[0].read_bytes().startswith(STARTS[form])
    told = capsys.readouterr()
    assert (told.out, told.err.count("Note: the reports differ in prompt\n")) == ("", 2)


@pytest.mark.usefixtures("own_config")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--figure", "no"],
            "unknown name: expected vote, department, r2, groups, heatmap, forest, trend",
        ),
        (["--figure", "r2", "--metric", "IFR"], "figure r2 always shows the same two metrics"),
        (
            ["--figure", "department", "--metric", ""],
            ("the report has no such metric: expected FactAcc, IFR, found ''"),
        ),
        (
            ["--figure", "department", "--by", "x"],
            ("--by applies only to figures that show groups: expected groups, heatmap, forest"),
        ),
        (
            ["--figure", "groups", "--by", "x"],
            "option --by: the report has no such breakdown: expected department, found 'x'",
        ),
        (["--figure", "groups", "--metric", "no"], "has no such metric"),
        (["--figure", "trend", "--by", "x"], "--by and --baseline require a forest plot"),
        (["--figure", "forest"], "--baseline: a baseline is required"),
        (["--baseline", "a"], "--baseline and --allow apply only to figures of result folders"),
        (["--figure", "trend"], "too few result folders: expected at least two result folders"),
        *(
            (["--output", out], r"--output: .*\.png, \.svg or \.pdf")
            for out in ("-", "figure", "figure.eps", "png", "")
        ),
        (["--output", "a.svg"], "the file is also an input file"),
    ],
)
def test_what_does_not_fit_is_refused(options, message, write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write("a.svg", report())
    with pytest.raises(MedzhError, match=message):
        called("plot", "ward", path, "--output", "f.svg", *options)
    assert [one.name for one in tmp_path.iterdir()] == ["a.svg"]


@pytest.mark.usefixtures("own_config")
def test_what_a_png_lacks_is_said_once_and_without_matplotlib_the_extra_is_named(
    write, tmp_path, capsys, monkeypatch, fonts
):
    fonts()
    monkeypatch.setitem(sys.modules, "pylopdf_fonts_zh_cn", None)
    path = write("a.json", report("神农"))
    called("plot", "ward", path, "--output", tmp_path / "f.png")
    (line,) = capsys.readouterr().err.splitlines()
    assert "No installed font contains 农神" in line
    called("plot", "ward", path, "--output", tmp_path / "f.svg")
    assert capsys.readouterr().err == ""
    assert "神农" in (tmp_path / "f.svg").read_text(encoding="utf-8")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MedzhError, match=r"(?s)figures require matplotlib.*pip install 'medzh-score\[plot\]'"):
        called("plot", "ward", path, "--output", tmp_path / "g.svg")


@pytest.mark.parametrize(
    ("chosen", "title"), [("en", "sdak: IFR by type, 95% CI"), ("zh", "sdak：按类型分组的 IFR，95% CI")]
)
def test_a_figure_is_in_the_language_of_results(tmp_path, chosen, title):
    layout, right = pairs(8, ("A", "B")), [[1], [0]] * 4
    (tmp_path / "a.json").write_bytes(made(tmp_path, {"medzh-1": of_pairs(right)}, layout).report.as_json())
    with language(chosen):
        called("plot", "sdak", tmp_path / "a.json", "--metric", "IFR", "-o", tmp_path / "f.svg")
    texts = texts_of((tmp_path / "f.svg").read_text(encoding="utf-8"))
    assert {title, "A (n = 4)", "B (n = 4)", f"{'All' if chosen == 'en' else '全部'} (n = 8)"} <= set(texts)


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
            [sys.executable, "-c", DRAWN_TWICE, "plot", "ward", path, "--output", *out],
            env={**kept, **variables, "PYTHONPATH": str(packages)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, "")
        assert [
            line for line in done.stderr.splitlines() if not line.startswith("Note: No installed font contains 甲")
        ] == []
        contents.add(tuple(one.read_bytes() for one in out))
    assert len(contents) == 1
    assert list(temporary.iterdir()) == []
