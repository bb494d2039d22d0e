"""Figures of any config, from result folders: a forest, a matrix, a trend."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError
from medzh_score.report.comparison.choices import Choices
from medzh_score.report.comparison.comparing import comparable, compared
from medzh_score.show.comparison.showing import Showing
from medzh_score.show.drawing.forests import draw_forest
from medzh_score.show.drawing.matrices import draw_matrix
from medzh_score.show.drawing.trends import draw_trend
from medzh_score.statistics.comparison.compare import SWAPS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.report.results.result import Result
    from medzh_score.show.drawing.canvas import Drawing, Form

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
