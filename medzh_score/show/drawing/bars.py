"""A figure of bars as PNG, SVG or PDF, equal byte for byte for equal figures on equal machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.show.bars import OF_DATA
from medzh_score.show.cells import worded_heads
from medzh_score.show.drawing.canvas import drawing, in_title_lines, line_style, sheet_size, shortened, write_texts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from medzh_score.show.bars import BarFigure
    from medzh_score.show.drawing.canvas import Drawing, Form

HEIGHT = 4.8  # inches, without the legend
NARROWEST, A_NAME = 6.4, 0.5  # inches of the sheet, and of one name on it
FILLED = 0.8  # of the room of a name


def draw_bars(figure: BarFigure, form: Form) -> Drawing:
    """Draw a figure of bars."""
    labels = [shortened(worded(OF_DATA) if one.label == OF_DATA else one.label) for one in figure.series]
    names = [shortened(name) for name in figure.names]
    size = sheet_size(max(NARROWEST, A_NAME * len(names)), HEIGHT, len(labels))
    heading, (y,) = in_title_lines(figure.title), worded_heads((figure.y,))
    texts = "".join([heading, y, *labels, *names])
    return drawing(form, size, texts, lambda sheet: _fill(sheet.subplots(), figure, [heading, "", y], labels, names))


def _fill(axes: Axes, figure: BarFigure, texts: list[str], labels: list[str], names: list[str]) -> None:
    width = FILLED / len(labels)
    drawn = []
    for index, one in enumerate(figure.series):
        places = [place + (index + 0.5) * width - FILLED / 2 for place in range(len(names))]
        drawn.append(axes.bar(places, [value or 0.0 for value in one.values], width, color=line_style(index)["color"]))
    axes.set_axisbelow(True)
    axes.set_xticks(range(len(names)), names, rotation=90)
    write_texts(axes, drawn, labels, *texts)
