"""A radar figure as PNG, SVG or PDF, equal byte for byte for equal figures on equal machines."""

from __future__ import annotations

from math import cos, nan, pi, sin
from typing import TYPE_CHECKING, cast

from rich.cells import cell_len

from medzh_score.show.drawing.canvas import ROW, drawing, in_title_lines, line_style, shortened
from medzh_score.show.wrapping import wrapped

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Sheet
    from matplotlib.lines import Line2D
    from matplotlib.projections.polar import PolarAxes

    from medzh_score.show.drawing.canvas import Drawing, Form
    from medzh_score.show.radars import RadarFigure

SIZE = (7.2, 6.2)  # inches, without the legend
BEYOND = 1.05  # where the names of the axes stand, in radii
NEARLY = 0.3  # below this sine or cosine a name is centred on its axis
NAME_WIDTH = 16  # columns of a line of a name: eight Chinese characters
SMALL = 8  # points: the names of the rings and of the axes
LEGEND_WIDTH = 84  # characters of a line of the legend, in which several reports may stand
KEY = 8  # characters that the drawn line takes before each
UNITS = {"percent": "in percent", "fraction": "as a fraction"}


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
