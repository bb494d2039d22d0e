"""A figure of all pairs: corrected p above the diagonal, units won and lost beneath, the difference as colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.messages.errors import MedzhError
from medzh_score.show.cells import worded_word
from medzh_score.show.comparison.cells import DAGGER, EXPLAINED, p_value
from medzh_score.show.comparison.showing import ordered
from medzh_score.show.comparison.systems import titled
from medzh_score.show.drawing.canvas import ROW, drawing, in_title_lines, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure as Sheet

    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.show.comparison.showing import Showing
    from medzh_score.show.drawing.canvas import Drawing, Form
    from medzh_score.statistics.comparison.found import Difference, MetricComparison

    Pairs = Mapping[frozenset[str], Difference]
    from matplotlib.axes import Axes


WIDTH, MARGIN = 6.4, 1.2  # inches


@dataclass(frozen=True)
class Row:
    """A line of the figure: a difference, or the name of a group above its systems."""

    label: str
    difference: Difference | None


def draw_forest(comparison: Comparison, columns: Sequence[MetricComparison], showing: Showing, form: Form) -> Drawing:
    """Draw the differences of a metric to the baseline, on all items and in each group that is given."""
    baseline = columns[0].baseline
    if baseline is None:
        raise MedzhError("a forest is of differences to a baseline", field="--figure", found="all pairs")
    rows = [row for found in columns for row in _rows(comparison, found, showing)]
    marked = any(row.difference is not None and row.difference.depends_on_unread for row in rows)
    what = f"{comparison.config}: {titled(comparison, columns[0])} minus {showing.name(baseline)}, 95% intervals"
    heading = "\n".join([in_title_lines(what), *([worded(EXPLAINED)] if marked else [])])
    texts = "".join([heading, *(row.label for row in rows)])
    size = (WIDTH, MARGIN + ROW * len(rows))
    return drawing(form, size, texts, lambda sheet: _fill_forest(sheet.subplots(), heading, rows))


def _rows(comparison: Comparison, found: MetricComparison, showing: Showing) -> list[Row]:
    by_label = {one.label: one for one in found.differences}
    labels = [found.standings[place].label for place in ordered(comparison, showing)]
    rows = [Row(_named(by_label[label], showing), by_label[label]) for label in labels if label in by_label]
    return [Row(worded_word(found.breakdown, found.group), None), *rows] if found.breakdown else rows


def _named(one: Difference, showing: Showing) -> str:
    return shortened(showing.name(one.label)) + (f" {DAGGER}" if one.depends_on_unread else "")


def _fill_forest(axes: Axes, heading: str, rows: Sequence[Row]) -> None:
    for place, row in enumerate(rows):
        one = row.difference
        if one is None or one.value is None:
            continue
        if one.low is not None and one.high is not None:
            axes.plot([one.low, one.high], [place, place], color="C0", linewidth=1.5)
        axes.plot([one.value], [place], color="C0", marker="s", markersize=5)
    axes.axvline(0, color="0.4", linewidth=1)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), [row.label for row in rows])
    for text, row in zip(axes.get_yticklabels(), rows, strict=True):
        text.set_fontweight("bold" if row.difference is None else "normal")
    axes.set_title("").set_text(heading)


FIRST = 30  # systems of a figure
AROUND, CELL = 2.4, 0.55  # inches
SMALL = 6  # points
DARK = 0.6  # of the deepest colour: black is hard to read there


def draw_matrix(comparison: Comparison, found: MetricComparison, showing: Showing, form: Form) -> Drawing:
    """Draw the pairs of the first systems by a metric; colours are the row's value minus the column's."""
    if found.baseline is not None:
        raise MedzhError("a matrix is of all pairs", field="--figure", found=f"a baseline, {found.baseline}")
    labels = [found.standings[place].label for place in ordered(comparison, showing)]
    shown = labels[:FIRST]
    names = [f"{number} {shortened(showing.name(label))}" for number, label in enumerate(shown, 1)]
    what = f"{comparison.config}: {titled(comparison, found)}; above: corrected p; beneath: units won/lost"
    lines = [in_title_lines(what), worded("colour: the row's value minus the column's")]
    if any(one.depends_on_unread for one in found.differences):
        lines.append(worded(EXPLAINED))
    if len(labels) > FIRST:
        lines.append(worded(f"the first {FIRST} of {len(labels)} systems"))
    heading = "\n".join(lines)
    side = AROUND + CELL * len(shown)
    pairs = {frozenset((one.label, one.other)): one for one in found.differences}
    return drawing(
        form, (side, side), heading + "".join(names), lambda sheet: _fill(sheet, heading, shown, names, pairs)
    )


def _fill(sheet: Sheet, heading: str, labels: Sequence[str], names: list[str], pairs: Pairs) -> None:
    axes = sheet.subplots()
    values = [[_value(pairs.get(frozenset((row, column))), row) for column in labels] for row in labels]
    widest = max((abs(value) for line in values for value in line), default=0) or 1
    image = axes.imshow(values, cmap="RdBu", vmin=-widest, vmax=widest)
    sheet.colorbar(image, ax=axes, shrink=0.7)
    axes.grid(visible=False)
    for across, column in enumerate(labels):
        for down, row in enumerate(labels):
            if (one := pairs.get(frozenset((row, column)))) is not None:
                colour = "white" if abs(values[down][across]) > DARK * widest else "black"
                text = _p(one) if across > down else _outcomes(one, row)
                axes.text(across, down, text, ha="center", va="center", fontsize=SMALL, color=colour)
    axes.set_xticks(range(len(labels)), [str(number) for number in range(1, len(labels) + 1)])
    axes.set_yticks(range(len(labels)), names)
    axes.set_title("").set_text(heading)


def _value(one: Difference | None, row: str) -> float:
    if one is None or one.value is None:
        return 0.0
    return one.value if one.label == row else -one.value


def _p(one: Difference) -> str:
    return p_value(one.corrected) + (DAGGER if one.depends_on_unread else "")


def _outcomes(one: Difference, row: str) -> str:
    won, lost = (one.won, one.lost) if one.label == row else (one.lost, one.won)
    return "-" if won is None else f"{won}/{lost}"
