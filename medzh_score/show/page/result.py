"""The page of one result: what was found, how it came to be, and each prediction as it was read."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from medzh_score.benchmark.answer_table import SECOND_READING
from medzh_score.benchmark.registry import find_config
from medzh_score.report.numbers import DECIMALS, cells_of, rounded
from medzh_score.report.readiness import tells_clear
from medzh_score.show.cells import TITLES
from medzh_score.show.page.charts import group_chart
from medzh_score.show.page.items import items_of, pair_of
from medzh_score.show.page.page import rendered_page
from medzh_score.show.page.tables import view_of
from medzh_score.show.page.words import said
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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.benchmark.config import Config
    from medzh_score.report.report import Report
    from medzh_score.report.results.basis import Texts
    from medzh_score.report.results.result import Result
    from medzh_score.show.page.charts import Chart


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
        yield from (group_chart(report, breakdown, drawn) for breakdown in report.groups or (None,))


def _drawn(report: Report, config: Config) -> str | None:
    names = [report.headline, *(report.shown or (metric.name for metric in config.metrics))]
    return next((name for name in names if report.metrics[name].value is not None), None)


def parts_of(report: Report) -> dict[str, int]:
    """Part all that was expected; the counts sum to it, and only what a rule tells is called clear."""
    coverage, fired = report.coverage, report.results[report.rule].fired
    answered = coverage.read - coverage.unread
    second = sum(one.answers for one in fired if one.wording == SECOND_READING and one.answered)
    clear = coverage.clear if tells_clear(report.rule, fired) else 0
    parts = {
        "read clearly": clear,
        "read": answered - clear - second,
        "by a second reader": second,
        "unread": coverage.unread - coverage.empty,
        "empty": coverage.empty,
        "missing or failed": coverage.missing,
    }
    return {name: predictions for name, predictions in parts.items() if predictions}
