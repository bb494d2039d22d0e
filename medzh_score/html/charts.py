"""The interval chart of a page: a metric with its intervals, one row per group or system."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.html.page import both, in_both, said
from medzh_score.render.tables import GROUPS, TITLES, translated_label
from medzh_score.results.numbers import cells_of
from medzh_score.ui.i18n import pgettext, translated
from medzh_score.ui.numbers import TENS, TOPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from markupsafe import Markup

    from medzh_score.results.report import Report
    from medzh_score.stats.values import Value


WIDTH, HEIGHT, EDGE = 240.0, 16.0, 6.0  # of the drawing of a row in pixels, and the room at its sides
STEPS = (1, 2, 2.5, 5, 10)  # distances of ticks, times a power of ten
PARTS = 4  # of an axis, at most
ALL = pgettext(GROUPS, "all")


@dataclass(frozen=True)
class ChartRow:
    """A row of a chart: its label, its numbers as text, and the drawing."""

    label: Markup | str
    value: str
    interval: str
    n: int
    drawing: Markup


@dataclass(frozen=True)
class Chart:
    """A chart: its title, its axis, and its rows."""

    title: Markup
    axis: Markup
    rows: tuple[ChartRow, ...]


def group_chart(report: Report, breakdown: str | None, metric: str) -> Chart:
    """Draw a metric over all items and in each group of a breakdown."""
    groups = {} if breakdown is None else report.groups[breakdown]
    names = in_both(lambda: [translated_label(str(breakdown), group) for group in groups])
    labels = [both(*in_both(lambda: translated(ALL, GROUPS))), *(both(*pair) for pair in zip(*names, strict=True))]
    values = [report.metrics[metric], *(of[metric] for of in groups.values())]
    title = pgettext(TITLES, metric)
    if breakdown is not None:
        title = pgettext(TITLES, "{metric} by {breakdown}", metric=metric, breakdown=pgettext("heads", breakdown))
    return interval_chart(said(title, TITLES), labels, values)


def interval_chart(
    title: Markup, labels: Sequence[Markup | str], values: Sequence[Value], colors: Sequence[int] = ()
) -> Chart:
    """Draw values of one metric, in percent: a dot and its interval in each row."""
    scaled = [[_scaled(one, value.unit) for one in (value.value, value.low, value.high)] for value in values]
    at = axis_ticks(one for row in scaled for one in row if one is not None)
    rows = []
    for place, (label, value, (middle, low, high)) in enumerate(zip(labels, values, scaled, strict=True)):
        cells = cells_of(value)
        drawing = _drawing(at, middle, low, high, colors[place] if colors else 0)
        rows.append(ChartRow(label, cells.value, cells.interval, cells.n, drawing))
    return Chart(title, _axis(at), tuple(rows))


def _scaled(value: float | None, unit: str) -> float | None:
    return None if value is None else value * 10.0 ** TENS[unit]


def _at(ticks: Sequence[float], value: float) -> float:
    return EDGE + (WIDTH - 2 * EDGE) * (value - ticks[0]) / (ticks[-1] - ticks[0])


def _axis(ticks: Sequence[float]) -> Markup:
    from markupsafe import Markup

    text = Markup('<text class="{}" x="{:.1f}" y="12">{:g}</text>')
    places = {ticks[0]: "start", ticks[len(ticks) // 2]: "middle", ticks[-1]: "end"}
    return _svg(Markup("").join(text.format(anchor, _at(ticks, tick), tick) for tick, anchor in places.items()))


def _drawing(ticks: Sequence[float], value: float | None, low: float | None, high: float | None, color: int) -> Markup:
    from markupsafe import Markup

    line = Markup('<line class="{}" x1="{:.1f}" x2="{:.1f}" y1="{:.1f}" y2="{:.1f}"/>')
    middle = HEIGHT / 2
    shapes = [line.format("grid", _at(ticks, ticks[0]), _at(ticks, ticks[-1]), middle, middle)]
    shapes += [line.format("grid", _at(ticks, one), _at(ticks, one), middle - 3, middle + 3) for one in ticks]
    if low is not None and high is not None:
        shapes.append(line.format(f"whisker m{color}", _at(ticks, low), _at(ticks, high), middle, middle))
    if value is not None:
        dot = Markup('<circle class="dot m{}" cx="{:.1f}" cy="{:.1f}" r="4.5"/>')
        shapes.append(dot.format(color, _at(ticks, value), middle))
    return _svg(Markup("").join(shapes))


def _svg(content: Markup) -> Markup:
    from markupsafe import Markup

    element = Markup(
        '<svg class="drawn" aria-hidden="true" viewBox="0 0 {:g} {:g}" width="{:g}" height="{:g}">{}</svg>'
    )
    return element.format(WIDTH, HEIGHT, WIDTH, HEIGHT, content)


def ticks(low: float, high: float) -> tuple[float, ...]:
    """Place ticks at multiples of a round number, from at or below the lowest value to at or above the highest."""
    span = high - low or 1.0
    power = 10.0 ** math.floor(math.log10(span / PARTS))
    step = next(one * power for one in STEPS if span <= PARTS * one * power * (1 + 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil((low + span if high == low else high) / step - 1e-9)
    return tuple(round(number * step, 10) for number in range(first, last + 1))


def axis_ticks(values: Iterable[float]) -> tuple[float, ...]:
    """Place ticks for values in percent: from 0 to 100, unless values are outside."""
    found = list(values)
    return ticks(min(0.0, *found), max(TOPS["percent"], *found))
