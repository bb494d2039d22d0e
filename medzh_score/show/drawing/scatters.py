"""A figure of points as PNG, SVG or PDF, equal byte for byte for equal figures on equal machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.show.drawing.canvas import drawing, in_title_lines, line_style, sheet_size, shortened, write_texts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from medzh_score.show.drawing.canvas import Drawing, Form
    from medzh_score.show.scatters import ScatterFigure

SIZE = (6.4, 4.8)  # inches, without the legend


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
