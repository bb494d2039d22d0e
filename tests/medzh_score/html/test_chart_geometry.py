"""Where the chart of pages puts numbers: each mark stands where the axis that a reader sees has its number."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from markupsafe import Markup

from medzh_score.html.charts import interval_chart
from medzh_score.stats.values import Value

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
