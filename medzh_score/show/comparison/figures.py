"""Figures of any config, from result folders: a forest, a matrix, a trend."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from math import nan
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import Name
from medzh_score.report.comparison.choices import Choices
from medzh_score.report.comparison.comparing import comparable, compared
from medzh_score.show.cells import HEADS
from medzh_score.show.comparison.showing import Showing
from medzh_score.show.comparison.systems import titled
from medzh_score.show.drawing.canvas import drawing, in_title_lines, line_style, sheet_size, shortened, write_texts
from medzh_score.show.drawing.matrices import draw_forest, draw_matrix
from medzh_score.statistics.comparison.compare import SWAPS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from medzh_score.benchmark.config import Config
    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.report.results.result import Result
    from medzh_score.show.drawing.canvas import Drawing, Form
    from medzh_score.statistics.comparison.found import MetricComparison
    from medzh_score.statistics.values import Value


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
    if wanted.figure == FOREST and wanted.baseline is None:
        raise MedzhError("is needed for a forest", field="--baseline", expected="a label or a folder")
    choices = Choices(
        labels=tuple(labels),
        metrics=(wanted.metric,) if wanted.metric else (),
        primary_alone=True,
        rule=config.primary_rule.name,
        by=() if wanted.by is None else (wanted.by,),
        baseline=wanted.baseline,
        allow=wanted.allow,
        swaps=1 if wanted.figure == TREND else SWAPS,  # a trend shows values, and no test
    )
    systems = comparable(given, choices)
    if systems.config.name != config.name:
        raise MedzhError(
            "is of another config",
            file=systems.results[0].result.folder,
            expected=config.name,
            found=Name(systems.config.name),
        )
    comparison = compared(systems, choices)
    total = comparison.found[0]
    showing = Showing(order=total.metric)
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


STEPS = re.compile(r"step[s\s=_-]*([0-9]+)", re.IGNORECASE)
NUMBER = re.compile(r"[0-9]+")
EDGES = " =_-,;:/"


@dataclass(frozen=True)
class Trend:
    """A model's values by ascending step; the name is empty where labels hold nothing but steps."""

    name: str
    steps: tuple[int, ...]
    values: tuple[Value, ...]


def trends_of(found: MetricComparison, showing: Showing) -> list[Trend]:
    """Put systems into lines by what their names hold beside the step."""
    lines: dict[str, dict[int, Value]] = {}
    for standing in found.standings:
        label = showing.name(standing.label)
        name, step = split_step(label)
        if step in lines.setdefault(name, {}):
            raise MedzhError("two systems are of one step", field="DIR=LABEL", expected="each step once", found=label)
        lines[name][step] = standing.value
    return [Trend(name, tuple(sorted(of)), tuple(of[step] for step in sorted(of))) for name, of in lines.items()]


def split_step(label: str) -> tuple[str, int]:
    """Part a label into the name of a model and a training step: the number after "step", else the only number.

    Examples
    --------
    >>> split_step("glm-4 step=3000"), split_step("500")
    (('glm-4', 3000), ('', 500))
    """
    found = STEPS.findall(label) or NUMBER.findall(label)
    if len(found) != 1:
        raise MedzhError(
            "a trend needs the training step of each system",
            field="DIR=LABEL",
            expected="labels with one number, such as step=3000",
            found=label,
        )
    rest = (STEPS if STEPS.search(label) else NUMBER).sub("", label)
    return rest.strip(EDGES), int(found[0])
