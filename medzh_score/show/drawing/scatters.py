"""A figure of points as PNG or SVG, equal byte for byte for equal figures on equal machines."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from medzh_score.show.drawing.canvas import ROW, TITLE_WIDTH, drawing, look, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from medzh_score.show.drawing.canvas import Drawing, Form
    from medzh_score.show.scatters import ScatterFigure

SIZE = (6.4, 4.8)  # inches, without the legend


def draw_scatter(figure: ScatterFigure, form: Form) -> Drawing:
    """Draw a figure of points."""
    labels = [shortened(point.label) for point in figure.points]
    heading = "\n".join(fill(text, TITLE_WIDTH) for text in (figure.title, figure.note))
    width, height = SIZE
    size = width, max(height, ROW * (len(labels) + 2))
    texts = "".join([heading, figure.x, figure.y, *labels])
    return drawing(form, size, texts, lambda sheet: _fill(sheet.subplots(), figure, heading, labels))


def _fill(axes: Axes, figure: ScatterFigure, heading: str, labels: list[str]) -> None:
    """Draw the points, with the legend beside them, where it hides none."""
    lines = []
    for index, point in enumerate(figure.points):
        lines += axes.plot([point.x], [point.y], **{**look(index), "linestyle": "none", "markersize": 7})
    if figure.line is not None:
        slope, intercept = figure.line
        ends = [min(point.x for point in figure.points), max(point.x for point in figure.points)]
        axes.plot(ends, [slope * x + intercept for x in ends], color="0.4", linestyle="--", linewidth=1)
    # The texts are set afterwards: matplotlib leaves out labels that begin with an underscore.
    legend = axes.legend(lines, ["-"] * len(lines), loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0)
    written = [axes.set_title(""), axes.set_xlabel(""), axes.set_ylabel(""), *legend.get_texts()]
    for text, content in zip(written, [heading, figure.x, figure.y, *labels], strict=True):
        text.set_text(content)
