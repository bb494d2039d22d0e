"""A figure of a metric by groups with intervals, a colour a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.show.drawing.canvas import (
    ROW,
    drawing,
    in_title_lines,
    line_style,
    sheet_size,
    shortened,
    write_texts,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from medzh_score.show.drawing.canvas import Drawing, Form
    from medzh_score.show.groups import GroupFigure

WIDTH, MARGIN = 6.4, 1.2  # inches
FILLED = 0.7  # of the room of a row


def draw_groups(figure: GroupFigure, form: Form) -> Drawing:
    """Draw a metric over all items and in each group."""
    labels, rows = list(map(shortened, figure.labels)), [shortened(row.label) for row in figure.rows]
    heading = in_title_lines(figure.title)
    lines = max(1.0, 0.6 * len(labels)) * len(rows)
    size = sheet_size(WIDTH, MARGIN + ROW * lines, len(labels))
    texts = "".join([heading, figure.axis, *labels, *rows])
    return drawing(form, size, texts, lambda sheet: _fill(sheet.subplots(), figure, heading, labels, rows))


def _fill(axes: Axes, figure: GroupFigure, heading: str, labels: list[str], rows: list[str]) -> None:
    drawn = []
    for index in range(len(labels)):
        style = {**line_style(index), "linestyle": "none", "markersize": 5}
        aside = FILLED * ((index + 0.5) / len(labels) - 0.5)
        values = [row.values[index] for row in figure.rows]
        points = [(one.value, place + aside) for place, one in enumerate(values) if one.value is not None]
        drawn += axes.plot([x for x, _ in points], [y for _, y in points], **style)
        for place, one in enumerate(values):
            if one.low is not None and one.high is not None:
                axes.plot([one.low, one.high], [place + aside] * 2, color=style["color"], linewidth=1.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), rows)
    write_texts(axes, drawn, labels, heading, figure.axis, "")
