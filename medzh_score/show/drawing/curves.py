"""A figure of curves as PNG, SVG or PDF, equal byte for byte for equal figures on equal machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.show.cells import worded_heads
from medzh_score.show.drawing.canvas import drawing, in_title_lines, line_style, sheet_size, shortened, write_texts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from medzh_score.show.curves import CurveFigure
    from medzh_score.show.drawing.canvas import Drawing, Form

SIZE = (6.4, 4.8)  # inches, without the legend


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
