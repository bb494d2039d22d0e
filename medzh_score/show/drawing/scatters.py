"""A figure of points: two metrics of each report, and how far one explains the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.messages.errors import MedzhError
from medzh_score.show.compared_reports import compared
from medzh_score.show.drawing.canvas import drawing, in_title_lines, line_style, sheet_size, shortened, write_texts
from medzh_score.statistics.formulas.ratio import pearson

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.figures import Scatter
    from medzh_score.show.compared_reports import Drawn
    from medzh_score.show.drawing.canvas import Drawing, Form

SIZE = (6.4, 4.8)  # inches, without the legend

LEAST = 3  # through two points there is always a line


@dataclass(frozen=True)
class Point:
    """Two metrics of one report, over all items."""

    label: str
    x: float
    y: float


@dataclass(frozen=True)
class ScatterFigure:
    """A figure of points before anything is known of how it is drawn.

    R², and the slope and intercept of the line of least squares, are None of fewer than three points, or where all are
    equal in one metric.
    """

    title: str
    x: str
    y: str
    points: tuple[Point, ...]
    r2: float | None
    line: tuple[float, float] | None
    differing: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """Say what R² is, and over how many reports."""
        reports = f"{len(self.points)} report{'s' if len(self.points) > 1 else ''}"
        if self.r2 is None:
            return f"R² of {reports} is undefined: it needs {LEAST}, which differ in both metrics"
        return f"R² = {self.r2:.3f} over {reports} (squared Pearson correlation of {self.x} and {self.y})"


def scatter_of(config: Config, scatter: Scatter, paths: Sequence[Path]) -> ScatterFigure:
    """Read reports and find their points."""
    found = compared(config, paths)
    points = tuple(Point(one.label, _value(one, scatter.x), _value(one, scatter.y)) for one in found.reports)
    x, y = np.array([(point.x, point.y) for point in points]).T
    correlation = pearson(x, y) if len(points) >= LEAST else None
    line = None
    if correlation is not None:
        slope = float((x - x.mean()) @ (y - y.mean()) / ((x - x.mean()) @ (x - x.mean())))
        line = slope, float(y.mean() - slope * x.mean())
    r2 = None if correlation is None else correlation**2
    title = f"{config.name}: {scatter.summary}"
    return ScatterFigure(title, scatter.x, scatter.y, points, r2, line, found.differing)


def _value(drawn: Drawn, metric: str) -> float:
    value = drawn.value_of(metric)
    if value is None:
        raise MedzhError("has no value to draw", file=drawn.path, field=f"metrics/{metric}", advice="see its why")
    return value


def draw_scatter(figure: ScatterFigure, form: Form) -> Drawing:
    """Draw a figure of points."""
    labels = [shortened(point.label) for point in figure.points]
    heading = "\n".join(in_title_lines(text) for text in (figure.title, figure.note))
    texts = "".join([heading, figure.x, figure.y, *labels])
    return drawing(
        form, sheet_size(*SIZE, len(labels)), texts, lambda sheet: _fill(sheet.subplots(), figure, heading, labels)
    )


def _fill(axes: Axes, figure: ScatterFigure, heading: str, labels: list[str]) -> None:
    lines = []
    for index, point in enumerate(figure.points):
        lines += axes.plot([point.x], [point.y], **{**line_style(index), "linestyle": "none", "markersize": 7})
    if figure.line is not None:
        slope, intercept = figure.line
        ends = [min(point.x for point in figure.points), max(point.x for point in figure.points)]
        axes.plot(ends, [slope * x + intercept for x in ends], color="0.4", linestyle="--", linewidth=1)
    write_texts(axes, lines, labels, heading, figure.x, figure.y)
