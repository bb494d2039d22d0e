"""A report for people: tables, then coverage, then the signature."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import config_names, difference_names, find_config
from medzh_score.io.tables import csv_text
from medzh_score.render.screen import (
    BOUNDS,
    bounds_line,
    counted_text,
    coverage_line,
    declared_screen,
    labeled,
    rule_name,
    screen,
    screen_markdown,
    title_of,
)
from medzh_score.render.tables import UNLIMITED, as_latex, as_markdown, as_text, in_lines
from medzh_score.results.numbers import cells_of
from medzh_score.results.report import COLUMNS, COUNTS_OF_RUNS, NUMBERS_OF_RUNS, tidy_rows
from medzh_score.scoring.explain import takes_whole_texts, tells_clear
from medzh_score.scoring.options import ROUND
from medzh_score.scoring.signature import written
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import _, joined, pgettext, translated
from medzh_score.ui.numbers import PAPER_DECIMALS, PERCENT_DECIMALS, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medzh_score.benchmark.answers import FormCount, WordingCount
    from medzh_score.io.open_input import Input
    from medzh_score.results.report import Report
    from medzh_score.stats.values import Value


RUN_HEAD = re.compile(r"run (\d+)")
FEW_WORDINGS = 2
SHOWN_WORDINGS = 12  # of those that give an answer, and of those that say none


def rendered(  # noqa: PLR0913 - how it is drawn
    report: Report,
    form: str,
    width: int = UNLIMITED,
    *,
    full: bool = False,
    closing: Sequence[tuple[str, str]] = (),
    colored: bool = False,
) -> str:
    """Show a report; text and Markdown are short unless ``full``, which has all tables, warnings and the signature."""
    if form == "json":
        return report.as_json().decode("utf-8")
    if form == "csv":
        return as_csv(report)
    if form == "text" and not full:
        return screen(report, width, closing, colored=colored)
    if form == "markdown" and not full:
        return screen_markdown(report)
    return _full(report, form, width)


def _full(report: Report, form: str, width: int) -> str:
    faces: dict[str, tuple[Callable[[Table, int], str], Callable[[str], str]]] = {
        "text": (partial(as_text, width=width), partial(in_lines, width=width)),
        "markdown": (as_markdown, lambda line: f"    {printable(line)}"),
        "latex": (as_latex, _latex_line),
    }
    draw, literal = faces[form]
    (metrics, decimals), *others = tables_of(report)
    values = {"system": title_of(report), "counted": counted_text(report, declared_screen(report.config))}
    metrics = replace(metrics, title=pgettext("titles", "{system}: metrics by rule ({counted})", **values))
    parts = [draw(table, decimals) for table, decimals in ((metrics, decimals), *others) if table.rows]
    lines = [*coverage_lines(report), *value_lines(report.metrics), *origin_lines(report)]
    lines += bounds_line(report)
    lines += [labeled(one, one.message) for one in report.warnings if one.code != BOUNDS]
    lines.append(_("Signature: {signature}", signature=written(report.signature)))
    return "\n".join([*parts, "\n".join(literal(translated(line)) for line in lines) + "\n"])


def _latex_line(line: str) -> str:
    from medzh_score.render.latex import latex_escaped

    return rf"\noindent\texttt{{{latex_escaped(line)}}}\par"


def without_zeros(table: Table) -> Table:
    """Omit rows that count nothing, and columns without any value."""
    rows = [row for row in table.rows if not _counts_nothing(table.columns, row)]
    kept = [place for place, _unused in enumerate(table.columns) if any(row[place] is not None for row in rows)]
    columns = tuple(table.columns[place] for place in kept)
    return Table(table.title, columns, tuple(tuple(row[place] for place in kept) for row in rows))


def _counts_nothing(columns: Sequence[str], row: Sequence[str | float | None]) -> bool:
    counts = [cell for head, cell in zip(columns, row, strict=True) if head != "run" and not isinstance(cell, str)]
    return bool(counts) and not any(counts)


def tables_of(report: Report) -> list[tuple[Table, int]]:
    """Put a report into tables: metrics by every rule, groups and the config's own tables by the chosen rule.

    Where the config says which metrics a page shows, groups and the rules beside the chosen one show no other metrics.
    Each table has its decimals: those of the config are in its unit, except for shares. What counts nothing is omitted.
    """
    own = PAPER_DECIMALS[report.metrics[report.primary_name].unit]
    tables = [(table, PERCENT_DECIMALS) for table in (metrics_table(report), *group_tables(report))]
    tables += [(table, own) for table in own_tables(report)]
    tables += [(table, PERCENT_DECIMALS) for table in reading_tables(report)]
    shares = find_config(report.config).reporting.shares if report.config in config_names() else frozenset[str]()
    return [(_in_percent(without_zeros(table), shares), decimals) for table, decimals in tables]


def _in_percent(table: Table, shares: frozenset[str]) -> Table:
    """Print the fractions of columns that are shares in percent."""
    rows = tuple(
        tuple(
            f"{percent(cell, 'fraction')}%" if head in shares and isinstance(cell, float) else cell
            for head, cell in zip(table.columns, row, strict=True)
        )
        for row in table.rows
    )
    return replace(table, rows=rows)


def group_tables(report: Report) -> list[Table]:
    """Show the metrics of the groups of each breakdown."""
    tables, points = [], difference_names(report.config)
    for breakdown, groups in report.groups.items():
        title = pgettext("titles", "By {breakdown}", breakdown=pgettext("heads", breakdown))
        # A metric without a value in any group, such as AccR before people have judged, would be a column of dashes.
        listed = report.summary_metrics or tuple(next(iter(groups.values()), {}))
        names = [name for name in listed if any(named[name].value is not None for named in groups.values())]
        rows = tuple(
            (group, name, one.value, one.interval, one.n)
            for name in names
            for group, named in groups.items()
            for one in [cells_of(named[name], points=name in points)]
        )
        tables.append(Table(_titled(report, title), (breakdown, "metric", "value", "95% CI", "n"), rows))
    return tables


def _titled(report: Report, title: str) -> str:
    """Add to the title of a table which config, rule, items and runs it is computed on."""
    values = {
        "config": report.config,
        "rule": report.rule,
        "counted": counted_text(report, declared_screen(report.config)),
    }
    return pgettext("titles", "{table_title} ({config}, rule {rule}, {counted})", table_title=title, **values)


def own_tables(report: Report) -> list[Table]:
    """Give the config's own tables, and those of an audit."""
    own = [
        Table(_titled(report, pgettext("titles", table.title)), *_runs_from_one(table))
        for table in report.tables.values()
    ]
    return own + (report.audit.tables() if report.audit else [])


def _runs_from_one(table: Table) -> tuple[tuple[str, ...], tuple[tuple[str | float | None, ...], ...]]:
    """Count runs from 1, as people do: in a report, cells count them from 0, headings from 1."""
    numbers = [RUN_HEAD.fullmatch(head) for head in table.columns]
    columns = tuple(
        pgettext("heads", "run {run}", run=int(number[1])) if number else head
        for head, number in zip(table.columns, numbers, strict=True)
    )
    rows = tuple(
        tuple(
            cell + 1 if head == "run" and isinstance(cell, int) else cell
            for head, cell in zip(table.columns, row, strict=True)
        )
        for row in table.rows
    )
    return columns, rows


def reading_tables(report: Report) -> list[Table]:
    """Count the predictions of each response format, and the matches of each pattern."""
    chosen = report.results[report.rule]
    tables = form_tables(report.rule, chosen.forms, chosen.matches) + _matches_tables(chosen.matches)
    return [replace(table, title=_titled(report, table.title)) for table in tables]


def form_tables(rule: str, forms: Sequence[FormCount], matches: Sequence[WordingCount]) -> list[Table]:
    """Count the predictions of each response format that were parsed; none if the answer is the complete text."""
    if takes_whole_texts(matches):
        return []
    rows: list[tuple[str | float | None, ...]] = []
    for one in forms:
        read, unambiguous, unparsed = (
            100 * part / one.predictions for part in (one.predictions - one.unparsed, one.unambiguous, one.unparsed)
        )
        rows.append((one.form, one.predictions, read, unambiguous if tells_clear(rule, matches) else None, unparsed))
    title = pgettext("titles", "Predictions by response format")
    return [Table(title, ("format", "predictions", "parsed %", "unambiguous %", "unparsed %"), tuple(rows))]


def _matches_tables(matches: Sequence[WordingCount]) -> list[Table]:
    if len(matches) <= FEW_WORDINGS:
        return []
    rows: list[tuple[str, str, int]] = []
    for answered, says in ((True, "parsed"), (False, "unparsed")):
        alike = [one for one in matches if one.answered is answered]
        rows += [(says, printable(one.wording), one.answers) for one in alike[:SHOWN_WORDINGS]]
        if more := alike[SHOWN_WORDINGS:]:
            others = pgettext("column pattern", "{n_more} others", n_more=len(more))
            rows.append((says, others, sum(one.answers for one in more)))
    title = pgettext("titles", "Pattern matches")
    return [Table(title, ("result", "pattern", "matches"), tuple(rows))]


def metrics_table(report: Report) -> Table:
    """List the metrics of each rule, those with a value first; why others have none is said below the tables."""
    rows, points = [], difference_names(report.config)
    for rule, result in report.results.items():
        for name, value in sorted(result.metrics.items(), key=lambda named: named[1].value is None):
            if rule == report.rule or not report.summary_metrics or name in report.summary_metrics:
                rows.append((rule_name(rule), name, *cells_of(value, points=name in points)))
    return Table(title_of(report), ("rule", "metric", "value", "95% CI", "SD", "n"), tuple(rows))


def coverage_lines(report: Report) -> list[str]:
    """Count the predictions that were parsed, unparsed and missing, and what each rule did not parse."""
    unparsed = [joined([rule_name(name), f" {result.unparsed:,}"], "") for name, result in report.results.items()]
    return [
        _("Coverage: {coverage}", coverage=coverage_line(report)),
        *([_("Unparsed per rule: {rules}", rules=joined(unparsed))] if len(unparsed) > 1 else []),
    ]


def remark_lines(report: Report) -> list[str]:
    """Give the warnings in full, and between which values the primary metric is."""
    return [*(one.message for one in report.warnings if one.code != BOUNDS), *bounds_line(report)]


def origin_lines(report: Report) -> list[str]:
    """Name the model as it was served, and the input files."""
    served = (
        [_("Model: {model}, served as {served_as}", model=report.model, served_as=report.served_as)]
        if report.served_as
        else []
    )
    return served + [_input_line(file) for file in report.inputs]


def _input_line(file: Input) -> str:
    values = {"file_name": file.name, "sha256": file.sha256}
    stage = file.reader.removeprefix(ROUND)
    if stage == file.reader:
        return _("Input: {file_name}, format {reader}, sha256 {sha256}", **values, reader=file.reader)
    return _("Input: {file_name}, stage {stage}, sha256 {sha256}", **values, stage=stage)


def value_lines(metrics: Mapping[str, Value]) -> list[str]:
    """Name the kinds of the intervals, and the reasons for missing values and intervals."""
    kinds: dict[str, list[str]] = {}
    lacking: dict[tuple[bool, str], list[str]] = {}
    for name, value in metrics.items():
        if value.interval is not None:
            kinds.setdefault(value.interval, []).append(name)
        if value.unavailable_reason is not None:
            lacking.setdefault((value.value is None, value.unavailable_reason), []).append(name)
    said = [
        _("Wilson interval: {names}", names=joined(names))
        if kind == "wilson"
        else _("bootstrap interval: {names}", names=joined(names))
        for kind, names in kinds.items()
    ]
    for (undefined, unavailable_reason), names in lacking.items():
        values = {"names": joined(names), "reason": pgettext(None, unavailable_reason)}
        said.append(
            _("{names}: not available: {reason}", **values)
            if undefined
            else _("{names}: no interval: {reason}", **values)
        )
    return said


def as_csv(report: Report) -> str:
    """Write rows for programs.

    What has no value is an empty cell. The values of the runs are lists as in JSON.
    """
    rows = (
        row | {name: json.dumps(row[name]) for name in (NUMBERS_OF_RUNS, COUNTS_OF_RUNS)} for row in tidy_rows(report)
    )
    return csv_text(COLUMNS, rows)
