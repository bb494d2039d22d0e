"""The page of one result: the number, its breakdown, the items, then all tables and inputs."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import difference_names, find_config
from medzh_score.html.charts import group_chart
from medzh_score.html.items import items_of, questions_of
from medzh_score.html.page import rendered_page, said, view_of
from medzh_score.render.report import (
    coverage_lines,
    origin_lines,
    remark_lines,
    tables_of,
    value_lines,
)
from medzh_score.render.screen import coverage_line, runs_text, title_of
from medzh_score.render.tables import TITLES
from medzh_score.results.numbers import cells_of
from medzh_score.ui.i18n import in_chinese

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.benchmark.config import Config
    from medzh_score.html.charts import Chart
    from medzh_score.results.report import Report
    from medzh_score.results.result import Result
    from medzh_score.results.tables import Texts
    from medzh_score.stats.values import Value


def result_page(result: Result, texts: Texts = "none", data: str | None = None) -> bytes:
    """Render the page of a result; equal results give equal bytes.

    With ``texts="full"`` it contains questions and gold answers as well, if the license of the data permits this.
    ``data`` is where they are; the open data and the mini sample are found without it.
    """
    report = result.report
    config, value = find_config(report.config), report.metrics[report.primary_name]
    points = difference_names(report.config)
    questions = questions_of(result, data) if texts == "full" else None
    return rendered_page(
        "result.html.jinja",
        title=title_of(report),
        scripts=("items.js",),
        report=report,
        heading=said(title_of(report), TITLES),
        about=said(config.title, "column what"),
        primary=cells_of(value),
        value=value,
        others=[(name, cells_of(one, points=name in points)) for name, one in _other_metrics(report, config)],
        runs=said(runs_text(value)),
        covered=said(coverage_line(report)),
        charts=list(_charts(report, config)),
        tables=[view_of(table, decimals) for table, decimals in tables_of(report) if table.rows],
        lines=[*map(said, [*coverage_lines(report), *value_lines(report.metrics)])],
        origins=list(map(said, origin_lines(report))),
        notes=list(map(said, remark_lines(report))),
        verify=shlex.join(["medzh-score", "verify", "DIR", *(file.name for file in report.inputs)]),
        items=items_of(result, texts, questions),
        texts=texts,
        anything=("any", in_chinese("any")),
    )


def _other_metrics(report: Report, config: Config) -> list[tuple[str, Value]]:
    names = report.summary_metrics or tuple(metric.name for metric in config.metrics)
    found = [(name, report.metrics[name]) for name in names if name != report.primary_name]
    return [(name, value) for name, value in found if value.value is not None]


def _charts(report: Report, config: Config) -> Iterator[Chart]:
    """Draw the primary metric by group; if it is not available, the first metric that is."""
    names = [report.primary_name, *(name for name, _value in _other_metrics(report, config))]
    drawn = next((name for name in names if report.metrics[name].value is not None), None)
    if drawn is not None:
        yield from (group_chart(report, breakdown, drawn) for breakdown in report.groups or (None,))
