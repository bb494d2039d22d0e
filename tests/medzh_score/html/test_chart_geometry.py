"""Where the chart of pages puts numbers: each mark is where the axis has its number."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np
import pytest
from markupsafe import Markup

from medzh_score.html.charts import interval_chart
from medzh_score.stats.values import Value

ROUNDED = 0.11  # pixels: places are written with one decimal, those of ticks as well


def shapes(markup, kind):
    return [one for one in ET.fromstring(markup).iter() if kind in one.get("class", "").split()]  # noqa: S314 - our own


def axis(chart):
    """Give from the ticks that are written a function from a number to its place."""
    texts = list(ET.fromstring(chart.axis).iter("text"))  # noqa: S314 - our own
    slope, offset = np.polyfit([float(one.text) for one in texts], [float(one.get("x")) for one in texts], 1)
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
def test_values_and_whiskers_are_at_their_numbers_in_percent(unit, numbers):
    labels = [f"row {place}" for place in range(len(numbers))]
    chart = interval_chart(Markup("t"), labels, [value(*one, unit=unit) for one in numbers])
    across, percent = axis(chart), {"percent": 1, "fraction": 100}[unit]
    for row, (middle, low, high) in zip(chart.rows, numbers, strict=True):
        dots = [float(one.get("cx")) for one in shapes(row.drawing, "dot")]
        lines = [(float(one.get("x1")), float(one.get("x2"))) for one in shapes(row.drawing, "whisker")]
        assert dots == ([] if middle is None else [near(across(percent * middle))])
        assert lines == ([] if low is None else [(near(across(percent * low)), near(across(percent * high)))])
