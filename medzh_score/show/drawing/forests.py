"""A figure of the differences to a baseline, with their intervals: a row a system, and a block a group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.messages.errors import MedzhError
from medzh_score.show.cells import worded_word
from medzh_score.show.comparison.cells import DAGGER, EXPLAINED
from medzh_score.show.comparison.showing import ordered
from medzh_score.show.comparison.systems import titled
from medzh_score.show.drawing.canvas import ROW, drawing, in_title_lines, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.show.comparison.showing import Showing
    from medzh_score.show.drawing.canvas import Drawing, Form
    from medzh_score.statistics.comparison.found import Difference, MetricComparison

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
    return drawing(form, size, texts, lambda sheet: _fill(sheet.subplots(), heading, rows))


def _rows(comparison: Comparison, found: MetricComparison, showing: Showing) -> list[Row]:
    by_label = {one.label: one for one in found.differences}
    labels = [found.standings[place].label for place in ordered(comparison, showing)]
    rows = [Row(_named(by_label[label], showing), by_label[label]) for label in labels if label in by_label]
    return [Row(worded_word(found.breakdown, found.group), None), *rows] if found.breakdown else rows


def _named(one: Difference, showing: Showing) -> str:
    return shortened(showing.name(one.label)) + (f" {DAGGER}" if one.depends_on_unread else "")


def _fill(axes: Axes, heading: str, rows: Sequence[Row]) -> None:
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
