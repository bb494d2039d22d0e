"""Where the charts of pages put numbers: each mark stands where the axis that a reader sees has its number.

Places are computed here, by NumPy, from the ticks that are written beside the axes, and of radars from the outer ring.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from markupsafe import Markup

from medzh_score.show.bars import BarFigure, Series
from medzh_score.show.curves import Curve, CurveFigure
from medzh_score.show.page.charts import bar_chart, curve_chart, interval_chart, radar_chart, scatter_chart
from medzh_score.show.radars import Line, RadarFigure
from medzh_score.show.scatters import Point, ScatterFigure
from medzh_score.statistics.values import Value

ROUNDED = 0.11  # pixels: places are written with one decimal, those of ticks, too
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-\d+)?")


class Drawn:
    """The shapes of a chart by their classes."""

    def __init__(self, chart):
        self.chart = chart
        self.shapes = list(ET.fromstring(f"<svg>{''.join(chart.shapes)}</svg>").iter())  # noqa: S314 - our own

    def of(self, kind):
        return [one for one in self.shapes if kind in one.get("class", "").split()]

    def numbers(self, kind, *names):
        return [tuple(float(one.get(name)) for name in names) for one in self.of(kind)]

    def points(self, kind):
        pairs = [[one.split(",") for one in shape.get("points").split()] for shape in self.of(kind)]
        return [np.array(one, float) for one in pairs]

    def axis(self, anchor, along):
        """Give from the ticks that are written a function from a number to its place."""
        texts = [one for one in self.shapes if one.get("class") == f"{anchor} small" and NUMBER.fullmatch(one.text)]
        numbers = [float(one.text) for one in texts]
        places = [float(one.get(along)) - (4 if along == "y" else 0) for one in texts]  # a line of text is 4 lower
        assert len(numbers) > 2
        assert numbers == sorted(numbers)
        slope, offset = np.polyfit(numbers, places, 1)
        assert slope * numbers[0] + offset == pytest.approx(places[0], abs=ROUNDED)
        return lambda value: slope * value + offset


def near(value):
    return pytest.approx(value, abs=ROUNDED)


def value(number, low=None, high=None, unit="percent"):
    return Value(number, low, high, None, None, 1, (number,), 9, (9,), unit, "higher")


@pytest.mark.parametrize(
    ("unit", "numbers"),
    [
        (
            "percent",
            [(45.3, 40.1, 50.9), (0.0, None, None), (100.0, 91.2, 100.0), (None, None, None), (7.0, 1.5, 12.5)],
        ),
        ("fraction", [(0.31, 0.1, 0.4), (-0.07, -0.2, 0.1), (0.9, None, None)]),
        ("fraction", [(1.25, 0.9, 1.7)]),
    ],
)
def test_values_and_whiskers_stand_at_their_numbers(unit, numbers):
    labels = [(f"row {place}", f"行 {place}") for place in range(len(numbers))]
    drawn = Drawn(interval_chart(Markup("t"), labels, [value(*one, unit=unit) for one in numbers]))
    across = drawn.axis("middle", "x")
    rows = [float(one.get("y")) - 4 for one in drawn.of("end") if one.get("lang") == "en"]
    assert len(rows) == 1 or np.ptp(np.diff(rows)) < ROUNDED
    there = [(y, one) for y, one in zip(rows, numbers, strict=True) if one[0] is not None]
    assert drawn.numbers("dot", "cx", "cy") == [(near(across(one[0])), near(y)) for y, one in there]
    assert drawn.numbers("whisker", "x1", "y1", "x2", "y2") == [
        (near(across(low)), near(y), near(across(high)), near(y)) for y, (_, low, high) in there if low is not None
    ]
    assert all(0 <= place <= drawn.chart.width for (place,) in drawn.numbers("dot", "cx"))
    assert all(0 <= place <= drawn.chart.height for place in rows)


@pytest.mark.parametrize("largest", [3.0, 40.0, 75.5, 0.004])
def test_bars_end_at_their_numbers(largest):
    data, report = (largest, 0.0, largest / 3), (largest / 7, None, largest / 2)
    figure = BarFigure("t", "percent", ("I", "II", "III"), (Series("the data", data), Series("m", report)))
    drawn = Drawn(bar_chart((figure, figure)))
    across = drawn.axis("middle", "x")
    for number, values in enumerate((data, report)):
        *bars, _legend = drawn.numbers(f"series-{number}", "x", "y", "width", "height")
        assert [bar[0] for bar in bars] == near([across(0.0)] * 3)
        assert [bar[0] + bar[2] for bar in bars] == near([across(one or 0.0) for one in values])
        rows = [float(one.get("y")) for one in drawn.of("end")]
        assert [bar[1] - row for bar, row in zip(bars, rows, strict=True)] == near([bars[0][1] - rows[0]] * 3)
    first, second = (drawn.numbers(f"series-{number}", "y", "height")[:3] for number in range(2))
    assert all(y + height <= other for (y, height), (other, _) in zip(first, second, strict=True))


def test_a_curve_goes_through_its_points():
    points = ((0.2, 0.61), (0.4, 0.7), (0.6, 0.55), (1.0, 0.0))
    drawn = Drawn(curve_chart(CurveFigure("t", "threshold", "accuracy", "accuracy", (Curve("m", points, 0.64),))))
    across, up = drawn.axis("middle", "x"), drawn.axis("end", "y")
    assert up(1) < up(0)  # upwards on the screen
    expected = [(near(across(x)), near(up(y))) for x, y in points]
    (curve,) = drawn.points("curve")
    assert curve.tolist() == [list(one) for one in expected]
    assert drawn.numbers("dot", "cx", "cy") == expected
    assert drawn.numbers("level", "y1", "y2") == [(near(up(0.64)), near(up(0.64)))]


def test_points_stand_at_their_two_numbers():
    figure = ScatterFigure("t", "AccR", "F1", (Point("m", 61.3, 24.9),), None, None)
    drawn = Drawn(scatter_chart(figure))
    across, up = drawn.axis("middle", "x"), drawn.axis("end", "y")
    assert drawn.numbers("dot", "cx", "cy") == [(near(across(61.3)), near(up(24.9)))]


@pytest.mark.parametrize("values", [(12.0, 55.5, 80.0, 31.0, 0.0), (40.0, None, 71.0)])
def test_a_radar_goes_clockwise_from_the_top_by_its_rings(values):
    axes = tuple(f"axis {place}" for place in range(len(values)))
    figure = RadarFigure("t", "F1", "percent", axes, (Line("m", values),), (20.0, 40.0, 60.0, 80.0))
    drawn = Drawn(radar_chart((figure, figure)))
    rings = drawn.points("ring")
    middle = rings[-1].mean(axis=0)
    turn = np.array(
        [
            [np.cos(2 * np.pi / len(values)), -np.sin(2 * np.pi / len(values))],
            [np.sin(2 * np.pi / len(values)), np.cos(2 * np.pi / len(values))],
        ]
    )  # clockwise: y goes down
    top = rings[-1][0] - middle
    assert (top[0], top[1] < 0) == (near(0.0), True)
    spokes = [top]
    for _ in values[1:]:
        spokes.append(turn @ spokes[-1])
    for ring, number in zip(rings, figure.rings, strict=True):
        assert np.abs(ring - [middle + spoke * number / 80 for spoke in spokes]).max() < 2 * ROUNDED
    there = [middle + spoke * one / 80 for spoke, one in zip(spokes, values, strict=True) if one is not None]
    assert np.abs(np.array(drawn.numbers("dot", "cx", "cy")) - there).max() < 2 * ROUNDED
    ends = [(start, end) for start, end in zip(values, [*values[1:], values[0]], strict=True)]
    assert len(drawn.of("curve")) == sum(None not in pair for pair in ends)
    written = [one for one in drawn.of("tiny") if "middle" in one.get("class")]
    assert [float(one.text) for one in written] == list(figure.rings)
    away = [np.hypot(float(one.get("x")) - middle[0], float(one.get("y")) - middle[1]) for one in written]
    assert away == sorted(away)
