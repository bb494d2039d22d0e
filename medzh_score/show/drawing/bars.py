"""A figure of bars: the data, and beside them a colour a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.messages.errors import MedzhError, printable
from medzh_score.show.cells import worded_heads, worded_word
from medzh_score.show.drawing.canvas import (
    ROW,
    drawing,
    in_title_lines,
    line_style,
    sheet_size,
    shortened,
    write_texts,
)
from medzh_score.show.groups import compared

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.figures import Bars
    from medzh_score.show.drawing.canvas import Drawing, Form
    from medzh_score.show.groups import Drawn, GroupFigure


HEIGHT = 4.8  # inches, without the legend
NARROWEST, A_NAME = 6.4, 0.5  # inches of the sheet, and of one name on it
FILLED = 0.8  # of the room of a name

OF_DATA = "the data"


@dataclass(frozen=True)
class Series:
    """The bars of one colour, one a name: those of a report, or the data."""

    label: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class BarFigure:
    """A figure of bars before anything is known of how it is drawn: the data first, then the reports."""

    title: str
    y: str
    names: tuple[str, ...]
    series: tuple[Series, ...]
    differing: tuple[str, ...] = ()


def bars_of(config: Config, bars: Bars, paths: Sequence[Path]) -> BarFigure:
    """Read reports and find their bars; names without any value but 0 are left out, as in the paper's figure."""
    found = compared(config, paths)
    tables = [_columns(bars, drawn) for drawn in found.reports]
    names, data = tables[0][0], tables[0][2]
    for drawn, table in zip(found.reports, tables, strict=True):
        if (table[0], table[2]) != (names, data):
            raise MedzhError("shows other data than the first report", file=drawn.path, field=f"tables/{bars.table}")
    series = [
        Series(OF_DATA, data),
        *(Series(one.label, table[1]) for one, table in zip(found.reports, tables, strict=True)),
    ]
    shown = [place for place in range(len(names)) if any(one.values[place] for one in series)]
    if not shown:
        raise MedzhError("holds no values to draw", file=paths[0], field=f"tables/{bars.table}")
    return BarFigure(
        f"{config.name}: {bars.summary}",
        bars.beside,
        tuple(printable(worded_word(bars.label, names[place])) for place in shown),
        tuple(Series(one.label, tuple(one.values[place] for place in shown)) for one in series),
        found.differing,
    )


Column = tuple["float | None", ...]


def _columns(bars: Bars, drawn: Drawn) -> tuple[tuple[str, ...], Column, Column]:
    """Take the three columns of a report's table: names, what is its own, and the data."""
    table = drawn.report.tables.get(bars.table)
    where = f"tables/{bars.table}"
    if table is None:
        raise MedzhError(f"has no table {bars.table}, from which the figure is drawn", file=drawn.path, field=where)
    rows = [dict(zip(table.columns, cells, strict=False)) for cells in table.rows]
    numbers: list[Column] = []
    for column in (bars.y, bars.beside):
        values = [row.get(column, "") for row in rows]
        if all(value is None for value in values):
            raise MedzhError("holds no values to draw", file=drawn.path, field=f"{where}/{column}")
        if any(isinstance(value, str) for value in values):
            expected = f"numbers in the columns {bars.y} and {bars.beside}"
            raise MedzhError("is not the table of the figure", file=drawn.path, field=where, expected=expected)
        numbers.append(tuple(None if value is None else float(value) for value in values))
    return tuple(str(row.get(bars.label, "")) for row in rows), numbers[0], numbers[1]


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


WIDTH, MARGIN = 6.4, 1.2  # inches
FILLED_ROW = 0.7  # of the room of a row


def draw_groups(figure: GroupFigure, form: Form) -> Drawing:
    """Draw a metric over all items and in each group."""
    labels, rows = list(map(shortened, figure.labels)), [shortened(row.label) for row in figure.rows]
    heading = in_title_lines(figure.title)
    lines = max(1.0, 0.6 * len(labels)) * len(rows)
    size = sheet_size(WIDTH, MARGIN + ROW * lines, len(labels))
    texts = "".join([heading, figure.axis, *labels, *rows])
    return drawing(form, size, texts, lambda sheet: _fill_groups(sheet.subplots(), figure, heading, labels, rows))


def _fill_groups(axes: Axes, figure: GroupFigure, heading: str, labels: list[str], rows: list[str]) -> None:
    drawn = []
    for index in range(len(labels)):
        style = {**line_style(index), "linestyle": "none", "markersize": 5}
        aside = FILLED_ROW * ((index + 0.5) / len(labels) - 0.5)
        values = [row.values[index] for row in figure.rows]
        points = [(one.value, place + aside) for place, one in enumerate(values) if one.value is not None]
        drawn += axes.plot([x for x, _ in points], [y for _, y in points], **style)
        for place, one in enumerate(values):
            if one.low is not None and one.high is not None:
                axes.plot([one.low, one.high], [place + aside] * 2, color=style["color"], linewidth=1.5)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), rows)
    write_texts(axes, drawn, labels, heading, figure.axis, "")
