"""The interval chart of a page: a metric with its intervals, a row a group or a system.

Classes of the style sheet colour the shapes: style attributes do not act on a page.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from medzh_score.html.page import both, in_both
from medzh_score.render.figure_data import group_rows, title_of
from medzh_score.render.tables import TITLES
from medzh_score.results.numbers import TOPS, cells_of
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import in_chinese

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from markupsafe import Markup

    from medzh_score.results.report import Report
    from medzh_score.stats.values import Value

    Pair = tuple[str, str]
    Point = tuple[float, float]


WIDTH, ROW, AXIS = 760.0, 26.0, 30.0  # pixels: of a chart, of a row, of the room for an axis
COLUMN, NUMBERS, EDGE = 8.5, 190.0, 12.0  # of a column of text, of the numbers at the right, at the sides
LONGEST = 36  # columns of a label
STEPS = (1, 2, 2.5, 5, 10)  # by which ticks are apart, times a power of ten
PARTS = 5  # of an axis, at most


@dataclass(frozen=True)
class Chart:
    """A chart: its title, its size in pixels, and what is drawn."""

    title: Markup
    width: float
    height: float
    shapes: tuple[Markup, ...]


@dataclass(frozen=True)
class Scale:
    """A horizontal axis from its first tick to its last, over so many pixels from an offset on."""

    ticks: tuple[float, ...]
    offset: float
    length: float

    def at(self, value: float) -> float:
        """Give the place of a value."""
        low, high = self.ticks[0], self.ticks[-1]
        return self.offset + self.length * (value - low) / (high - low)


def group_chart(report: Report, breakdown: str | None, metric: str) -> Chart:
    """Draw a metric over all items and in each group of a breakdown, a dot and its interval a row."""
    english, chinese = in_both(lambda: group_rows([report], breakdown, metric))
    labels = [(one, other) for (one, _), (other, _) in zip(english, chinese, strict=True)]
    title = title_of(report.config, metric, breakdown)
    return interval_chart(
        both(title, in_chinese(in_chinese(title), TITLES)), labels, [values[0] for _, values in english]
    )


def interval_chart(title: Markup, labels: Sequence[Pair], values: Sequence[Value]) -> Chart:
    """Draw values of one metric, a dot and its interval a row."""
    bounds = [one for value in values for one in (value.value, value.low, value.high) if one is not None]
    left = 2 * EDGE + COLUMN * max(cell_len(one) for label in labels for one in _short(label))
    scale = Scale(of_unit(values[0].unit, [0.0, *bounds]), left, WIDTH - left - NUMBERS)
    bottom = ROW * len(values) + EDGE
    shapes = []
    for tick in scale.ticks:
        shapes.append(_line("grid", (scale.at(tick), EDGE / 2), (scale.at(tick), bottom)))
        shapes.append(_text("middle small", (scale.at(tick), bottom + 16), (f"{tick:g}", f"{tick:g}")))
    for place, (label, value) in enumerate(zip(labels, values, strict=True)):
        shapes += _row(scale, EDGE + ROW * (place + 0.5), label, value)
    return Chart(title, WIDTH, bottom + AXIS, tuple(shapes))


def _row(scale: Scale, y: float, label: Pair, value: Value) -> list[Markup]:
    from markupsafe import Markup

    cells = cells_of(value)
    shapes = [_label(scale.offset, y, label)]
    if value.value is not None:
        if value.low is not None and value.high is not None:
            shapes.append(_line("whisker", (scale.at(value.low), y), (scale.at(value.high), y)))
        shapes.append(Markup('<circle class="dot" cx="{:.1f}" cy="{:.1f}" r="4"/>').format(scale.at(value.value), y))
    interval = "" if value.low is None else f" ({cells.interval})"
    numbers = f"{cells.value}{interval}"
    return [*shapes, _text("start small", (WIDTH - NUMBERS + EDGE, y + 4), (numbers, numbers.replace(" to ", " 至 ")))]


def _label(left: float, y: float, label: Pair) -> Markup:
    """Write a label; one that is cut is whole where a pointer rests on it."""
    from markupsafe import Markup

    short = _short(label)
    written = _text("end", (left - EDGE, y + 4), short)
    if short == label:
        return written
    return Markup("<g><title>{}</title>{}</g>").format(" / ".join(dict.fromkeys(map(printable, label))), written)


def _short(label: Pair) -> Pair:
    """Cut labels that would leave no room for the chart; tables have them whole."""
    english, chinese = (
        one if cell_len(one) <= LONGEST else set_cell_size(one, LONGEST - 1).rstrip() + "…" for one in label
    )
    return english, chinese


def _line(kind: str, start: Point, end: Point) -> Markup:
    from markupsafe import Markup

    element = Markup('<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>')
    return element.format(kind, *start, *end)


def _text(kind: str, place: Point, words: Pair) -> Markup:
    """Write words of both languages; the class says where they are anchored."""
    from markupsafe import Markup

    english, chinese = map(printable, words)
    texts = (
        [(english, "")] if english == chinese else [(english, Markup(" lang='en'")), (chinese, Markup(" lang='zh'"))]
    )
    element = Markup("<text class='{}' x='{:.1f}' y='{:.1f}'{}>{}</text>")
    return Markup("").join(element.format(kind, *place, language, said) for said, language in texts)


def ticks(low: float, high: float) -> tuple[float, ...]:
    """Place ticks at multiples of a round number, from at or below the lowest value to at or above the highest."""
    span = high - low or 1.0
    power = 10.0 ** math.floor(math.log10(span / PARTS))
    step = next(one * power for one in STEPS if span <= PARTS * one * power * (1 + 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil((low + span if high == low else high) / step - 1e-9)
    return tuple(round(number * step, 10) for number in range(first, last + 1))


def of_unit(unit: str, values: Iterable[float]) -> tuple[float, ...]:
    """Place ticks for values of a unit: from 0 to its top, unless values lie beyond."""
    found = list(values)
    return ticks(min(0.0, *found), max(TOPS.get(unit, 0.0), *found))
