"""The page of one result: what was found, how it came to be, and each prediction as it was read."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.benchmark.figures import Bars, Plot, Radar
from medzh_score.benchmark.registry import find_config
from medzh_score.messages.errors import MedzhError
from medzh_score.report.numbers import DECIMALS, cells_of, rounded
from medzh_score.show.bars import bars_of
from medzh_score.show.cells import TITLES
from medzh_score.show.curves import figure_of
from medzh_score.show.page import charts
from medzh_score.show.page.coverage import parts_of
from medzh_score.show.page.items import items_of, pair_of
from medzh_score.show.page.page import rendered_page
from medzh_score.show.page.tables import view_of
from medzh_score.show.page.words import in_both, said
from medzh_score.show.radars import radar_of
from medzh_score.show.reports import (
    coverage_lines,
    group_tables,
    metrics_table,
    origin_lines,
    own_tables,
    reading_tables,
    title_of,
    value_lines,
)
from medzh_score.show.scatters import scatter_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.figures import Scatter
    from medzh_score.report.report import Report
    from medzh_score.report.results.basis import Texts
    from medzh_score.report.results.result import Result
    from medzh_score.show.page.svg import Chart


@dataclass(frozen=True)
class NotDrawn:
    """A figure of the config that this report has no values for: its title and why."""

    title: Markup
    why: Markup


def result_page(result: Result, texts: Texts = "none") -> bytes:
    """Render the page of a result; equal results give equal bytes.

    Parameters
    ----------
    result : Result
        What was saved.
    texts : {"none", "spans", "full"}
        What of the predictions' texts the page holds; at most what the result holds. Nobody knows under which licence
        they stand, so they are there only where the user asks for them.

    Raises
    ------
    MedzhError
        Where the result does not hold so much of the texts, or Jinja2 is not installed.
    """
    report = result.report
    config, value = find_config(report.config), report.metrics[report.headline]
    decimals = DECIMALS[value.unit]
    items = items_of(result, texts)
    return rendered_page(
        "page/result.html.jinja",
        title=title_of(report),
        scripts=("page/items.js",),
        report=report,
        heading=said(title_of(report), TITLES),
        about=said(config.title, "column what"),
        headline=cells_of(value),
        value=value,
        parts=parts_of(report),
        rounded=rounded,
        charts=list(_charts(report, config)),
        figures=list(_figures(result, config)),
        metrics=view_of(metrics_table(report), decimals),
        groups=[view_of(one, decimals) for one in group_tables(report)],
        tables=[view_of(one, decimals) for one in own_tables(report)],
        readings=[view_of(one, decimals) for one in reading_tables(report)],
        coverage=list(map(said, coverage_lines(report))),
        values=list(map(said, value_lines(report.metrics))),
        origins=list(map(said, origin_lines(report))),
        notes=list(map(said, report.notes)),
        verify=shlex.join(["medzh-score", "verify", "DIR", *(file.name for file in report.inputs)]),
        items=items,
        anything=pair_of("any"),
    )


def _charts(report: Report, config: Config) -> Iterator[Chart]:
    """Draw the headline by group; where it has no value, the first metric of a page that has one."""
    drawn = _drawn(report, config)
    if drawn is not None:
        yield from (charts.group_chart(report, breakdown, drawn) for breakdown in report.groups or (None,))


def _drawn(report: Report, config: Config) -> str | None:
    names = [report.headline, *(report.shown or (metric.name for metric in config.metrics))]
    return next((name for name in names if report.metrics[name].value is not None), None)


def _figures(result: Result, config: Config) -> Iterator[Chart | NotDrawn]:
    """Draw the figures that the config declares, or say why one is not drawn."""
    for plot in config.plots:
        try:
            yield _figure(result, config, plot)
        except MedzhError as error:
            why = said(error.problem)
            yield NotDrawn(charts.titled(f"{config.name}: {plot.summary}"), why)


def _figure(result: Result, config: Config, plot: Plot | Radar | Bars | Scatter) -> Chart:
    paths = [result.folder]
    if isinstance(plot, Radar):
        lacks = result.report.metrics[plot.metric].value is None
        metric = _drawn(result.report, config) if lacks else plot.metric
        return charts.radar_chart(in_both(lambda: radar_of(config, plot, paths, metric)))
    if isinstance(plot, Bars):
        return charts.bar_chart(in_both(lambda: bars_of(config, plot, paths)))
    if isinstance(plot, Plot):
        return charts.curve_chart(figure_of(config, plot, paths))
    return charts.scatter_chart(scatter_of(config, plot, paths))
