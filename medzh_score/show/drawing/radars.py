"""A radar figure: a line a report, over the groups of a breakdown."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from math import cos, nan, pi, sin
from typing import TYPE_CHECKING, cast

from rich.cells import cell_len

from medzh_score.messages.errors import MedzhError, printable
from medzh_score.show.cells import worded_word
from medzh_score.show.drawing.canvas import ROW, drawing, in_title_lines, line_style, shortened
from medzh_score.show.groups import compared
from medzh_score.show.wrapping import wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure as Sheet
    from matplotlib.lines import Line2D
    from matplotlib.projections.polar import PolarAxes

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.figures import Radar
    from medzh_score.show.drawing.canvas import Drawing, Form
    from medzh_score.show.groups import Drawn
    from medzh_score.statistics.values import Value

SIZE = (7.2, 6.2)  # inches, without the legend
BEYOND = 1.05  # where the names of the axes stand, in radii
NEARLY = 0.3  # below this sine or cosine a name is centred on its axis
NAME_WIDTH = 16  # columns of a line of a name: eight Chinese characters
SMALL = 8  # points: the names of the rings and of the axes
LEGEND_WIDTH = 84  # characters of a line of the legend, in which several reports may stand
KEY = 8  # characters that the drawn line takes before each
UNITS = {"percent": "in percent", "fraction": "as a fraction"}

FEWEST = 3  # axes: two are a line, not a figure
RINGS = 5  # at most
STEPS = (1, 2, 5)  # by which rings are apart, times a power of ten
TOPS = {"percent": 100.0, "fraction": 1.0}


@dataclass(frozen=True)
class Line:
    """The line of one report: a value an axis, None where the metric has none and the line a gap, never a 0."""

    label: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class RadarFigure:
    """A radar figure before anything is known of how it is drawn.

    Axes go clockwise from the top; the last ring is the rim.
    """

    title: str
    metric: str
    unit: str
    axes: tuple[str, ...]
    lines: tuple[Line, ...]
    rings: tuple[float, ...]
    differing: tuple[str, ...] = ()

    @property
    def gaps(self) -> tuple[str, ...]:
        """Say of each report in which groups it has no value."""
        lacking = [(line.label, self._without(line)) for line in self.lines]
        return tuple(
            f"{label} has no value of {self.metric} in {', '.join(names)}: the line has a gap there"
            for label, names in lacking
            if names
        )

    def _without(self, line: Line) -> list[str]:
        return [axis for axis, value in zip(self.axes, line.values, strict=True) if value is None]


def radar_of(config: Config, radar: Radar, paths: Sequence[Path], metric: str | None = None) -> RadarFigure:
    """Read reports and find their lines."""
    found = compared(config, paths)
    name = radar.metric if metric is None else metric
    axes = _axes(radar, found.reports)
    lines = tuple(Line(drawn.label, _values(radar, name, axes, drawn)) for drawn in found.reports)
    unit = _unit(name, found.reports)
    largest = max(value for line in lines for value in line.values if value is not None)
    summary = radar.summary if name == radar.metric else f"{name} by {radar.breakdown}, a line a model"
    return RadarFigure(
        f"{config.name}: {summary}",
        name,
        unit,
        tuple(printable(worded_word(radar.breakdown, axis)) for axis in axes),
        lines,
        rings(largest or TOPS.get(unit, 1.0)),
        found.differing,
    )


def _unit(metric: str, reports: Sequence[Drawn]) -> str:
    """Give the unit of a metric, which all reports must have: lines of two units share no scale."""
    first = reports[0].report.metrics[metric].unit
    for drawn in reports[1:]:
        unit = drawn.report.metrics[metric].unit
        if unit != first:
            raise MedzhError(
                f"has {metric} in another unit than {reports[0].path}",
                file=drawn.path,
                field=f"metrics/{metric}/unit",
                expected=first,
                found=unit,
            )
    return first


def _axes(radar: Radar, reports: Sequence[Drawn]) -> list[str]:
    """Give the groups, which all reports must have."""
    place = f"groups/{radar.breakdown}"
    first = _groups(radar, reports[0])
    if len(first) < FEWEST:
        raise MedzhError(
            "has too few groups for a radar",
            file=reports[0].path,
            field=place,
            expected=f"at least {FEWEST}, an axis each",
            found=", ".join(first) or "none",
        )
    for drawn in reports[1:]:
        groups = _groups(radar, drawn)
        if groups.keys() != first.keys():
            raise MedzhError(
                f"has other groups than {reports[0].path}",
                file=drawn.path,
                field=place,
                expected=", ".join(first),
                found=", ".join(groups),
            )
    return list(first)


def _groups(radar: Radar, drawn: Drawn) -> Mapping[str, Mapping[str, Value]]:
    groups = drawn.report.groups
    if radar.breakdown not in groups:
        raise MedzhError(
            f"has no groups by {radar.breakdown}, from which the figure {radar.name} is drawn",
            file=drawn.path,
            field="groups",
            found=", ".join(groups) or "no groups",
        )
    return groups[radar.breakdown]


def _values(radar: Radar, metric: str, axes: Sequence[str], drawn: Drawn) -> tuple[float | None, ...]:
    groups = _groups(radar, drawn)
    known = drawn.report.metrics
    if metric not in known:
        raise MedzhError(
            "the report has no such metric",
            file=drawn.path,
            field="--metric",
            expected=", ".join(known) or "none",
            found=metric,
        )
    values = tuple(groups[axis][metric].value for axis in axes)
    place = f"groups/{radar.breakdown}"
    if all(value is None for value in values):
        others = [name for name in known if any(group[name].value is not None for group in groups.values())]
        advice = f"score what it needs, or choose with --metric of {', '.join(others)}" if others else None
        raise MedzhError(f"holds no value of {metric} to draw", file=drawn.path, field=place, advice=advice)
    if any(value is not None and value < 0 for value in values):
        raise MedzhError(f"has values of {metric} below 0, which a radar cannot show", file=drawn.path, field=place)
    return values


def rings(largest: float) -> tuple[float, ...]:
    """Place the rings: at multiples of a round number, the last at or just above the largest value.

    The scale ends there and not at the unit's top, where scores of 30 to 45 percent would lie upon each other.

    Examples
    --------
    >>> rings(45.26), rings(0.61), rings(100)
    ((10.0, 20.0, 30.0, 40.0, 50.0), (0.2, 0.4, 0.6, 0.8), (20.0, 40.0, 60.0, 80.0, 100.0))
    """
    top = Decimal(repr(float(largest)))
    power = Decimal(10) ** (top.adjusted() - 1)
    step = next(step * scale * power for scale in (1, 10) for step in STEPS if top <= RINGS * step * scale * power)
    count = int((top / step).to_integral_value(ROUND_CEILING))
    return tuple(float(step * number) for number in range(1, count + 1))


def draw_radar(figure: RadarFigure, form: Form) -> Drawing:
    """Draw a radar figure."""
    heading = "\n".join(in_title_lines(text) for text in (figure.title, *_scale(figure)))
    labels = [shortened(line.label) for line in figure.lines]
    beside = max(1, LEGEND_WIDTH // (KEY + max(map(cell_len, labels))))
    names = [wrapped(shortened(axis), NAME_WIDTH) for axis in figure.axes]

    def draw(sheet: Sheet) -> None:
        sheet.set_layout_engine("constrained")
        axes = cast("PolarAxes", sheet.add_subplot(projection="polar"))
        _web(axes, figure.rings, names)
        _legend(sheet, _lines(axes, figure), labels, beside)
        sheet.suptitle("").set_text(heading)

    width, height = SIZE
    size = width, height + ROW * -(-len(labels) // beside)
    return drawing(form, size, "".join([heading, *labels, *names]), draw)


def _scale(figure: RadarFigure) -> list[str]:
    unit = UNITS.get(figure.unit, figure.unit)
    scale = f"{figure.metric} {unit}: centre 0, rim {figure.rings[-1]:g}"
    return [scale, "a line is open where it has no value"] if figure.gaps else [scale]


def _angles(count: int) -> list[float]:
    return [2 * pi * index / count for index in range(count)]


def _web(axes: PolarAxes, rings: tuple[float, ...], names: list[str]) -> None:
    """Draw the axes, clockwise from the top, with their names around and the rings between the first two."""
    angles = _angles(len(names))
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    axes.set_ylim(0, rings[-1])
    axes.set_yticks(rings, [f"{ring:g}" for ring in rings], fontsize=SMALL, color="0.4")
    axes.set_rlabel_position(180 / len(names))
    axes.set_xticks(angles, [""] * len(angles))
    for angle, name in zip(angles, names, strict=True):
        across, up = sin(angle), cos(angle)
        side = "center" if abs(across) < NEARLY else "left" if across > 0 else "right"
        base = "center" if abs(up) < NEARLY else "bottom" if up > 0 else "top"
        axes.text(angle, BEYOND * rings[-1], name, ha=side, va=base, fontsize=SMALL)


def _lines(axes: PolarAxes, figure: RadarFigure) -> list[Line2D]:
    """Draw the lines, each closed unless a value is missing."""
    angles = _angles(len(figure.axes))
    drawn = []
    for index, line in enumerate(figure.lines):
        values = [nan if value is None else value for value in line.values]
        drawn += axes.plot(
            [*angles, angles[0]], [*values, values[0]], clip_on=False, linewidth=1.2, **line_style(index)
        )
    return drawn


def _legend(sheet: Sheet, lines: list[Line2D], labels: list[str], beside: int) -> None:
    """Write the legend beneath all else, where it hides nothing."""
    legend = sheet.legend(lines, ["-"] * len(lines), loc="outside lower center", ncols=beside)
    # The texts are set afterwards: matplotlib leaves out labels that begin with an underscore.
    for text, label in zip(legend.get_texts(), labels, strict=True):
        text.set_text(label)
