"""Charts of one report: a metric by groups with its intervals, and the config's own figures."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from medzh_score.messages.catalogue import in_chinese
from medzh_score.report.numbers import cell, cells_of, rounded
from medzh_score.show.cells import HEADS, TITLES
from medzh_score.show.groups import group_rows, title_of
from medzh_score.show.page.scales import Scale, of_unit, ticks
from medzh_score.show.page.svg import Chart, box, dot, line, named, path, text
from medzh_score.show.page.words import both, in_both

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from medzh_score.report.report import Report
    from medzh_score.show.bars import BarFigure
    from medzh_score.show.curves import CurveFigure
    from medzh_score.show.page.svg import Pair
    from medzh_score.show.radars import RadarFigure
    from medzh_score.show.scatters import ScatterFigure
    from medzh_score.statistics.values import Value

WIDTH, ROW, AXIS = 760.0, 26.0, 30.0  # pixels: of a chart, of a row, of the room for an axis
COLUMN, NUMBERS, EDGE = 8.5, 190.0, 12.0  # of a column of text, of the numbers at the right, at the sides
LONGEST = 36  # columns of a label
SQUARE = 420.0  # the height of what is no chart of rows


def group_chart(report: Report, breakdown: str | None, metric: str) -> Chart:
    """Draw a metric over all items and in each group of a breakdown, a dot and its interval a row."""
    english, chinese = in_both(lambda: group_rows([report], breakdown, metric))
    labels = [(one.label, other.label) for one, other in zip(english, chinese, strict=True)]
    return interval_chart(
        titled(title_of(report.config, metric, breakdown)), labels, [row.values[0] for row in english]
    )


def interval_chart(title: Markup, labels: Sequence[Pair], values: Sequence[Value]) -> Chart:
    """Draw values of one metric, a dot and its interval a row."""
    bounds = [one for value in values for one in (value.value, value.low, value.high) if one is not None]
    left = _left(labels)
    scale = Scale(of_unit(values[0].unit, [0.0, *bounds]), left, WIDTH - left - NUMBERS)
    bottom = ROW * len(values) + EDGE
    shapes = _grid(scale, EDGE / 2, bottom)
    for place, (label, value) in enumerate(zip(labels, values, strict=True)):
        shapes += _interval(scale, EDGE + ROW * (place + 0.5), label, value)
    return Chart(title, (), WIDTH, bottom + AXIS, tuple(shapes))


def _interval(scale: Scale, y: float, label: Pair, value: Value) -> list[Markup]:
    cells = cells_of(value)
    shapes = [_label(scale.offset, y, label)]
    if value.value is not None:
        if value.low is not None and value.high is not None:
            shapes.append(line("whisker", (scale.at(value.low), y), (scale.at(value.high), y)))
        shapes.append(dot("dot", (scale.at(value.value), y)))
    interval = "" if value.low is None else f" ({cells.interval})"
    numbers = f"{cells.value}{interval}"
    return [*shapes, text("start small", (WIDTH - NUMBERS + EDGE, y + 4), (numbers, numbers.replace(" to ", " 至 ")))]


def bar_chart(figure: tuple[BarFigure, BarFigure]) -> Chart:
    """Draw bars of the data and of the report, a pair a row."""
    english, chinese = figure
    labels = list(zip(english.names, chinese.names, strict=True))
    left, step = _left(labels), ROW + 4
    values = [one.values for one in english.series]
    scale = Scale(ticks(0.0, max(value or 0.0 for of in values for value in of) or 1.0), left, WIDTH - left - NUMBERS)
    bottom = step * len(labels) + EDGE
    shapes = _grid(scale, EDGE / 2, bottom)
    for place, label in enumerate(labels):
        top = EDGE + step * place
        shapes.append(_label(left, top + step / 2 - 3, label))
        for number, series in enumerate(values):
            value = series[place]
            width = scale.at(value or 0.0) - left
            shapes.append(box(f"bar series-{number}", (left, top + 2 + 12 * number), width, 10))
            said = cell(value, 2)
            shapes.append(text("start tiny", (left + width + 4, top + 11 + 12 * number), (said, said)))
    for number, one in enumerate(english.series):
        y = EDGE + 18 * number
        shapes.append(box(f"bar series-{number}", (WIDTH - NUMBERS + EDGE, y), 12, 10))
        words = (one.label, in_chinese(one.label))
        shapes.append(text("start small", (WIDTH - NUMBERS + EDGE + 18, y + 10), words))
    return Chart(titled(english.title), (titled(english.y, HEADS),), WIDTH, bottom + AXIS, tuple(shapes))


def curve_chart(figure: CurveFigure) -> Chart:
    """Draw the curve of one report, and the level beside it as a dashed line."""
    [curve] = figure.curves
    xs, ys = zip(*curve.points, strict=True)
    level = [] if curve.level is None else [curve.level]
    left = 60.0
    across = Scale(ticks(min(xs), max(xs)), left, WIDTH - left - NUMBERS)
    up = Scale(ticks(0.0, max([*ys, *level]) or 1.0), SQUARE, EDGE - SQUARE)
    shapes = _grid(across, EDGE, SQUARE, label=figure.x)
    for tick in up.ticks:
        shapes += [line("grid", (left, up.at(tick)), (left + across.length, up.at(tick)))]
        shapes += [text("end small", (left - 6, up.at(tick) + 4), _number(tick))]
    points = [(across.at(x), up.at(y)) for x, y in curve.points]
    shapes.append(path("curve", points))
    shapes += [
        named(dot("dot", point), _pair(f"{x:g}: {y:g}")) for point, (x, y) in zip(points, curve.points, strict=True)
    ]
    notes = [titled(figure.y, HEADS)]
    for one in level:
        shapes.append(line("level", (left, up.at(one)), (left + across.length, up.at(one))))
        notes.append(titled(f"dashed: {figure.level} over all predictions"))
    return Chart(titled(figure.title), tuple(notes), WIDTH, SQUARE + AXIS + 18, tuple(shapes))


def radar_chart(figure: tuple[RadarFigure, RadarFigure]) -> Chart:
    """Draw the line of one report over the groups, clockwise from the top; it is open where it has no value."""
    english, chinese = figure
    [drawn] = english.lines
    radius, middle = SQUARE * 0.38, (WIDTH / 2, SQUARE / 2)
    scale = Scale((0.0, english.rings[-1]), 0.0, radius)
    angles = [2 * pi * place / len(english.axes) for place in range(len(english.axes))]

    def at(angle: float, distance: float) -> tuple[float, float]:
        return middle[0] + distance * sin(angle), middle[1] - distance * cos(angle)

    shapes = [path("ring", [at(angle, scale.at(ring)) for angle in angles], closed=True) for ring in english.rings]
    shapes += [line("grid", middle, at(angle, radius)) for angle in angles]
    shapes += [text("middle tiny", at(angles[1] / 2, scale.at(ring) + 2), _number(ring)) for ring in english.rings]
    for label, angle in zip(zip(english.axes, chinese.axes, strict=True), angles, strict=True):
        x, y = at(angle, radius + 10)
        side = "middle" if abs(sin(angle)) < 0.1 else "start" if sin(angle) > 0 else "end"  # noqa: PLR2004 - nearly upright
        shapes.append(text(f"{side} small", (x, y + 4 - 6 * cos(angle)), _short(label)))
    points = [
        None if value is None else at(angle, scale.at(value)) for angle, value in zip(angles, drawn.values, strict=True)
    ]
    ends = zip(points, [*points[1:], points[0]], strict=True)
    shapes += [line("curve", start, end) for start, end in ends if start is not None and end is not None]
    shapes += [
        named(dot("dot", point), _pair(f"{value:g}"))
        for point, value in zip(points, drawn.values, strict=True)
        if point is not None
    ]
    notes = [both(one, in_chinese(one)) for one in (f"drawn: {english.metric}", *english.gaps)]
    return Chart(titled(english.title), tuple(notes), WIDTH, SQUARE, tuple(shapes))


def scatter_chart(figure: ScatterFigure) -> Chart:
    """Draw the point of one report."""
    left = 60.0
    across = Scale(ticks(0.0, max(point.x for point in figure.points) or 1.0), left, WIDTH - left - NUMBERS)
    up = Scale(ticks(0.0, max(point.y for point in figure.points) or 1.0), SQUARE, EDGE - SQUARE)
    shapes = _grid(across, EDGE, SQUARE, label=figure.x)
    for tick in up.ticks:
        shapes.append(line("grid", (left, up.at(tick)), (left + across.length, up.at(tick))))
        shapes.append(text("end small", (left - 6, up.at(tick) + 4), _number(tick)))
    for point in figure.points:
        place = across.at(point.x), up.at(point.y)
        said = f"{rounded(point.x, 3)}, {rounded(point.y, 3)}"
        shapes += [
            named(dot("dot", place), _pair(said)),
            text("start small", (place[0] + 8, place[1] - 6), _pair(said)),
        ]
    return Chart(
        titled(figure.title), (titled(figure.y, HEADS), titled(figure.note)), WIDTH, SQUARE + AXIS + 18, tuple(shapes)
    )


def titled(words: str, section: str = TITLES) -> Markup:
    """Give the title of a chart, as `canvas.in_title_lines` does."""
    return both(words, in_chinese(in_chinese(words), section))


def _grid(scale: Scale, top: float, bottom: float, label: str | None = None) -> list[Markup]:
    """Draw an axis across, with its ticks and, where it has one, its name."""
    shapes = []
    for tick in scale.ticks:
        shapes.append(line("grid", (scale.at(tick), top), (scale.at(tick), bottom)))
        shapes.append(text("middle small", (scale.at(tick), bottom + 16), _number(tick)))
    if label is not None:
        words = (label, in_chinese(label, HEADS))
        shapes.append(text("middle small", (scale.offset + scale.length / 2, bottom + 36), words))
    return shapes


def _left(labels: Sequence[Pair]) -> float:
    return 2 * EDGE + COLUMN * max(cell_len(one) for label in labels for one in _short(label))


def _label(left: float, y: float, label: Pair) -> Markup:
    """Write a label; one that is cut is whole where a pointer rests on it."""
    short = _short(label)
    written = text("end", (left - EDGE, y + 4), short)
    return written if short == label else named(written, label)


def _short(label: Pair) -> Pair:
    """Cut labels that would leave no room for the chart; tables have them whole."""
    english, chinese = (
        one if cell_len(one) <= LONGEST else set_cell_size(one, LONGEST - 1).rstrip() + "…" for one in label
    )
    return english, chinese


def _number(value: float) -> Pair:
    return _pair(f"{value:g}")


def _pair(words: str) -> Pair:
    return words, words
