"""Radar figures as they are drawn: lines at their values, open where there is none, and names that can be read."""

from __future__ import annotations

import re
from itertools import combinations
from math import cos, dist, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from medzh_score.configs.pemebench.prompts import DEPARTMENTS
from medzh_score.show.drawing.radars import Line, RadarFigure, draw_radar, rings
from medzh_score.show.wrapping import wrapped

NAMES = tuple(department.name for department in DEPARTMENTS)
TOTALS = (40.55, 41.08, 34.44, 36.88, 39.94, 40.54, 32.65, 43.96, 45.26, 40.91, 22.5, 30.25)
TEXT = re.compile(r"<text style=\"([^\"]*)\"(?: x=\"([\d.]+)\" y=\"([\d.]+)\")? transform=\"(.*?)\">([^<>]+)</text>")


def polygon(svg, colour):
    """Give the pieces of the line of a colour, each a list of points."""
    found = [
        [tuple(map(float, point)) for point in re.findall(r"[ML] ([\d.]+) ([\d.]+)", piece)]
        for data, style in re.findall(r'<path d="([^"]*)"[^>]*style="([^"]*)"', svg)
        if f"stroke: {colour}" in style and "fill: none" in style
        for piece in re.findall(r"M [^M]+", data)
    ]
    return found[:-1]  # the last is the one of the legend


def drawn(figure, form="svg"):
    content = draw_radar(figure, form).content
    return content.decode("utf-8") if form == "svg" else content


def figure(*lines, axes=("a", "b", "c", "d"), largest=50.0):
    drawn_lines = tuple(Line(f"m{place}", values) for place, values in enumerate(lines))
    return RadarFigure("t", "S_total", "percent", axes, drawn_lines, rings(largest))


def test_values_stand_clockwise_from_the_top_at_their_share_of_the_radius():
    values = (10.0, 25.0, 40.0, 0.0)
    svg = drawn(figure((50.0,) * 4, values))
    ((top, right, bottom, left, closing),) = polygon(svg, "#1f77b4")
    assert top == closing
    centre = (top[0], left[1])
    radius = dist(centre, top)
    assert [dist(centre, point) for point in (right, bottom, left)] == pytest.approx([radius] * 3, abs=1e-3)
    assert right[0] > left[0]
    assert top[1] < bottom[1]
    (points,) = polygon(svg, "#ff7f0e")
    for number, (value_, point) in enumerate(zip([*values, values[0]], points, strict=True)):
        angle, length = 2 * pi * number / 4, radius * value_ / 50
        assert point == pytest.approx((centre[0] + length * sin(angle), centre[1] - length * cos(angle)), abs=1e-3)


@pytest.mark.parametrize(
    ("values", "pieces"),
    [
        ((30.0, 20.0, 30.0, 20.0, 30.0), ["abcdea"]),
        ((30.0, None, 30.0, 20.0, 30.0), ["cdea"]),
        ((None, 20.0, 30.0, 20.0, 30.0), ["bcde"]),
        ((30.0, 20.0, None, 20.0, None), ["ab"]),
        ((None, 20.0, None, 20.0, None), []),
    ],
)
def test_a_line_is_open_where_it_has_no_value(values, pieces):
    full = (30.0, 20.0, 30.0, 20.0, 30.0)
    svg = drawn(figure(full, values, axes=tuple("abcde")))
    (points,) = polygon(svg, "#1f77b4")
    names = dict(zip(points, "abcdea", strict=True))
    found = ["".join(names[point] for point in piece) for piece in polygon(svg, "#ff7f0e")]
    assert [piece for piece in found if len(piece) > 1] == pieces
    markers = len(re.findall(r'<use [^>]*style="fill: #ff7f0e; stroke: #ff7f0e', svg))
    present = sum(value is not None for value in values)
    assert markers == present + (values[0] is not None) + 1  # the first stands at both ends, and one in the legend
    assert ("a line is open where it has no value" in svg) == (None in values)


def test_svg_keeps_the_names_and_says_the_scale():
    svg = drawn(figure(TOTALS, axes=NAMES))
    texts = re.findall(r">([^<>\n]+)</text>", svg)
    for line in [part for name in NAMES for part in wrapped(name, 16).split("\n")]:
        assert line in texts
    assert {"t", "S_total in percent: centre 0, rim 50", "m0"} <= set(texts)
    assert [text for text in texts if text.isdigit()] == ["10", "20", "30", "40", "50"]


@pytest.mark.parametrize("label", ["a$b$c", "$", "_hidden", "<b>&", "甲" * 100, "🩺", "%s{}\\alpha", "a b " * 30, " "])
@pytest.mark.parametrize("form", ["png", "svg"])
def test_any_name_of_a_model_or_a_group_is_drawn_without_a_warning(label, form):
    made = RadarFigure(label, label, label, ("a", label, "c"), (Line(label, (0.1, None, 0.3)),), rings(0.3))
    assert len(drawn(made, form)) > 1000


def boxes(svg, names, size=8):
    """Give about where each of these texts stands: left, top, right and bottom."""
    for style, x, y, moved, text in TEXT.findall(svg):
        if text in names:
            left, bottom = (float(x), float(y)) if x else map(float, re.findall(r"[\d.]+", moved))
            wide = size / 2 * cell_len(text)
            left -= wide if "anchor: end" in style else wide / 2 if "anchor: middle" in style else 0
            yield left, bottom - size, left + wide, bottom


def test_names_do_not_lie_upon_each_other_and_are_not_cut():
    svg = drawn(figure(TOTALS, axes=NAMES))
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    names = {part for name in NAMES for part in wrapped(name, 16).split("\n")}
    heading = {"t", "S_total in percent: centre 0, rim 50"}
    found = [*boxes(svg, names), *boxes(svg, heading, 12), *boxes(svg, {"m0"}, 10)]
    assert len(found) == sum(wrapped(name, 16).count("\n") + 1 for name in NAMES) + 3
    for left, top, right, bottom in found:
        assert min(left, top) >= -1
        assert right <= width + 1
        assert bottom <= height + 1
    for one, other in combinations(found, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


# Names of several lines


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("新生儿疾病", ["新生儿疾病"]),
        ("儿科内分泌与代谢性疾病", ["儿科内分泌与", "代谢性疾病"]),
        ("Internal Medicine of TCM", ["Internal", "Medicine of TCM"]),
        ("Epidemiology-of-infections A", ["Epidemiology-of-infections", "A"]),
        ("IgA 肾病与紫癜性肾炎 (I)", ["IgA 肾病与紫", "癜性肾炎 (I)"]),
        ("", [""]),
    ],
)
def test_a_long_name_is_broken_into_lines_of_about_equal_length(name, lines):
    assert wrapped(name, 16).split("\n") == lines


@given(st.text(alphabet="儿科疾病与abc -(，"), st.integers(2, 20))
def test_breaking_loses_nothing_and_keeps_the_width(name, width):
    lines = wrapped(name, width).split("\n")
    assert "".join("".join(lines).split()) == "".join(name.split())
    for line in lines:
        assert cell_len(line) <= width or not re.search(r"[\s儿科疾病与，]", line[1:])
