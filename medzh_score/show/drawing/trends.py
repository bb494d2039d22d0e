"""A figure of a metric over training steps, with its intervals."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.show.cells import HEADS
from medzh_score.show.comparison.systems import titled
from medzh_score.show.comparison.trends import trends_of
from medzh_score.show.drawing.canvas import drawing, in_title_lines, line_style, sheet_size, shortened, write_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.show.comparison.showing import Showing
    from medzh_score.show.comparison.trends import Trend
    from medzh_score.show.drawing.canvas import Drawing, Form
    from medzh_score.statistics.comparison.found import MetricComparison

STEP = "step"
SIZE = (6.4, 4.8)  # inches, without the legend


def draw_trend(comparison: Comparison, found: MetricComparison, showing: Showing, form: Form) -> Drawing:
    """Draw a metric over training steps: a line a model, and the 95 % intervals."""
    trends = trends_of(found, showing)
    heading = in_title_lines(f"{comparison.config}: {titled(comparison, found)}, 95% intervals")
    labels = [shortened(trend.name or found.metric) for trend in trends]
    texts = "".join([heading, worded(STEP, HEADS), found.metric, *labels])
    size = sheet_size(*SIZE, len(labels))
    return drawing(form, size, texts, lambda sheet: _fill(sheet.subplots(), found, heading, trends, labels))


def _fill(axes: Axes, found: MetricComparison, heading: str, trends: Sequence[Trend], labels: list[str]) -> None:
    drawn = []
    for index, trend in enumerate(trends):
        style = line_style(index)
        drawn += axes.plot(trend.steps, [nan if one.value is None else one.value for one in trend.values], **style)
        for step, value in zip(trend.steps, trend.values, strict=True):
            if value.low is not None and value.high is not None:
                axes.plot([step, step], [value.low, value.high], color=style["color"], linewidth=1, alpha=0.6)
    write_texts(axes, drawn, labels, heading, worded(STEP, HEADS), found.metric)
