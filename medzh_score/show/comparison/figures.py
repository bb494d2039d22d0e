"""Figures of any config, from result folders: a forest, a matrix, a trend."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import nan
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.messages.errors import MedzhError
from medzh_score.report.comparison.choices import Choices
from medzh_score.report.comparison.comparing import comparable, compared
from medzh_score.show.cells import HEADS
from medzh_score.show.comparison.showing import Showing
from medzh_score.show.comparison.systems import titled
from medzh_score.show.comparison.trends import trends_of
from medzh_score.show.drawing.canvas import drawing, in_title_lines, line_style, sheet_size, shortened, write_texts
from medzh_score.show.drawing.forests import draw_forest
from medzh_score.show.drawing.matrices import draw_matrix
from medzh_score.statistics.comparison.compare import SWAPS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from medzh_score.benchmark.config import Config
    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.report.results.result import Result
    from medzh_score.show.comparison.trends import Trend
    from medzh_score.show.drawing.canvas import Drawing, Form
    from medzh_score.statistics.comparison.found import MetricComparison

FOREST, MATRIX, TREND = FIGURES = ("forest", "matrix", "trend")


@dataclass(frozen=True)
class Wanted:
    """Which figure, of which metric (None: the headline), groups and baseline, and the keys that may differ."""

    figure: str
    metric: str | None
    by: str | None
    baseline: str | None
    allow: tuple[str, ...]


def figure_of_results(
    config: Config, given: Sequence[Result | str | Path], labels: Sequence[str | None], wanted: Wanted
) -> tuple[Comparison, Callable[[Form], Drawing]]:
    """Compare systems by one metric; give the comparison and how it is drawn, the best system first."""
    metric = wanted.metric or config.headline
    choices = Choices(
        labels=tuple(labels),
        metrics=(metric,),
        by=() if wanted.by is None else (wanted.by,),
        baseline=wanted.baseline,
        all_pairs=wanted.figure == MATRIX,
        allow=wanted.allow,
        swaps=1 if wanted.figure == TREND else SWAPS,  # a trend shows values, and no test
    )
    systems = comparable(given, choices)
    if systems.config.name != config.name:
        raise MedzhError(
            "is of another config",
            file=systems.results[0].result.folder,
            expected=config.name,
            found=systems.config.name,
        )
    comparison = compared(systems, choices)
    showing = Showing(order=metric)
    total = comparison.found[0]
    draws = {
        FOREST: partial(draw_forest, comparison, comparison.found, showing),
        MATRIX: partial(draw_matrix, comparison, total, showing),
        TREND: partial(draw_trend, comparison, total, showing),
    }
    return comparison, draws[wanted.figure]


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
