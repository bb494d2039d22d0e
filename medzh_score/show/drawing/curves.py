"""A figure of curves: one a report, from a table that the config names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.messages.catalogue import worded
from medzh_score.messages.errors import MedzhError
from medzh_score.show.cells import worded_heads
from medzh_score.show.drawing.canvas import drawing, in_title_lines, line_style, sheet_size, shortened, write_texts
from medzh_score.show.groups import compared
from medzh_score.statistics.formulas.ratio import pearson

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.figures import Plot, Scatter
    from medzh_score.benchmark.tables import Table
    from medzh_score.show.drawing.canvas import Drawing, Form
    from medzh_score.show.groups import Drawn


SIZE = (6.4, 4.8)  # inches, without the legend


@dataclass(frozen=True)
class Curve:
    """What is drawn of one report: points by ascending x, and the level of its dashed line, None where undefined."""

    label: str
    points: tuple[tuple[float, float], ...]
    level: float | None


@dataclass(frozen=True)
class CurveFigure:
    """A figure of curves before anything is known of how it is drawn."""

    title: str
    x: str
    y: str
    level: str
    curves: tuple[Curve, ...]
    differing: tuple[str, ...] = ()


def figure_of(config: Config, plot: Plot, paths: Sequence[Path]) -> CurveFigure:
    """Read reports and find their curves."""
    found = compared(config, paths)
    curves = tuple(Curve(drawn.label, _points(plot, drawn), drawn.value_of(plot.level)) for drawn in found.reports)
    return CurveFigure(f"{config.name}: {plot.summary}", plot.x, plot.y, plot.level, curves, found.differing)


def _points(plot: Plot, drawn: Drawn) -> tuple[tuple[float, float], ...]:
    """Take the mean over runs at each x; runs in which y has no value are left out."""
    tables = drawn.report.tables
    if plot.table not in tables:
        raise MedzhError(
            f"has no table {plot.table}, from which the figure {plot.name} is drawn",
            file=drawn.path,
            field="tables",
            found=", ".join(tables) or "no tables",
            advice="score predictions that give it, such as those of several variants of each question",
        )
    found: dict[float, dict[float, float]] = {}
    for run, x, y in _numbers(plot, drawn.path, tables[plot.table]):
        if run is not None and x is not None and y is not None:
            found.setdefault(x, {})[run] = y
    if not found:
        raise MedzhError("holds no values to draw", file=drawn.path, field=f"tables/{plot.table}")
    return tuple((x, sum(runs.values()) / len(runs)) for x, runs in sorted(found.items()))


def _numbers(plot: Plot, path: Path, table: Table) -> Iterator[tuple[float | None, float | None, float | None]]:
    for cells in table.rows:
        row = dict(zip(table.columns, cells, strict=False))
        run, x, y = (row.get(name, "") for name in (plot.run, plot.x, plot.y))
        if isinstance(run, str) or isinstance(x, str) or isinstance(y, str):
            raise MedzhError(
                "is not the table of the figure",
                file=path,
                field=f"tables/{plot.table}",
                expected=f"numbers in the columns {plot.run}, {plot.x} and {plot.y}",
                found=", ".join(table.columns),
            )
        yield run, x, y


def draw(figure: CurveFigure, form: Form) -> Drawing:
    """Draw a figure of curves."""
    labels = [shortened(curve.label) for curve in figure.curves]
    heading, dashed = in_title_lines(figure.title), worded(f"dashed: {figure.level} over all predictions")
    x, y = worded_heads((figure.x, figure.y))
    texts = "".join([heading, x, y, dashed, *labels])
    return drawing(
        form,
        sheet_size(*SIZE, len(labels)),
        texts,
        lambda sheet: _fill(sheet.subplots(), figure, [heading, x, y], labels, dashed),
    )


def _fill(axes: Axes, figure: CurveFigure, texts: list[str], labels: list[str], dashed: str) -> None:
    lines = []
    for index, curve in enumerate(figure.curves):
        style = line_style(index)
        lines += axes.plot(*zip(*curve.points, strict=True), **style)
        if curve.level is not None:
            axes.axhline(curve.level, color=style["color"], linestyle="--", linewidth=1)
    axes.set_ylim(bottom=0)
    if any(curve.level is not None for curve in figure.curves):
        lines += axes.plot([], [], color="0.4", linestyle="--", linewidth=1)
        labels = [*labels, dashed]
    write_texts(axes, lines, labels, *texts)


PLANE = (6.4, 4.8)  # inches, without the legend

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
        form,
        sheet_size(*PLANE, len(labels)),
        texts,
        lambda sheet: _fill_scatter(sheet.subplots(), figure, heading, labels),
    )


def _fill_scatter(axes: Axes, figure: ScatterFigure, heading: str, labels: list[str]) -> None:
    lines = []
    for index, point in enumerate(figure.points):
        lines += axes.plot([point.x], [point.y], **{**line_style(index), "linestyle": "none", "markersize": 7})
    if figure.line is not None:
        slope, intercept = figure.line
        ends = [min(point.x for point in figure.points), max(point.x for point in figure.points)]
        axes.plot(ends, [slope * x + intercept for x in ends], color="0.4", linestyle="--", linewidth=1)
    write_texts(axes, lines, labels, heading, figure.x, figure.y)
