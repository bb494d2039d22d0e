"""A report for people: tables, then coverage, then the signature."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from medzh_score.benchmark.config import Table
from medzh_score.io.tables import csv_text
from medzh_score.render.latex import latex_escaped
from medzh_score.render.tables import UNLIMITED, as_latex, as_markdown, as_text, in_lines
from medzh_score.results.numbers import DECIMALS, cells_of
from medzh_score.results.report import COLUMNS, COUNTS_OF_RUNS, NUMBERS_OF_RUNS, tidy_rows
from medzh_score.scoring.explain import takes_whole_texts, tells_clear
from medzh_score.scoring.options import ROUND
from medzh_score.scoring.signature import written
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import _, joined, pgettext, translated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from medzh_score.benchmark.answers import FormCount, WordingCount
    from medzh_score.io.open_input import Input
    from medzh_score.results.report import Report
    from medzh_score.stats.values import Value


FEW_WORDINGS = 2
SHOWN_WORDINGS = 12  # of those that give an answer, and of those that say none


def rendered(report: Report, form: str, width: int = UNLIMITED) -> str:
    """Show a report; as text no wider than that."""
    if form == "json":
        return report.as_json().decode("utf-8")
    if form == "csv":
        return as_csv(report)
    faces: dict[str, tuple[Callable[[Table, int], str], Callable[[str], str]]] = {
        "text": (partial(as_text, width=width), partial(in_lines, width=width)),
        "markdown": (as_markdown, lambda line: f"    {printable(line)}"),
        "latex": (as_latex, lambda line: rf"\noindent\texttt{{{latex_escaped(line)}}}\par"),
    }
    draw, literal = faces[form]
    decimals = DECIMALS[next(iter(report.metrics.values())).unit]
    parts = [draw(table, decimals) for table in tables_of(report)]
    lines = [*coverage_lines(report), *value_lines(report.metrics), *origin_lines(report)]
    lines += [_("note: {note}", note=note) for note in report.notes]
    lines.append(_("signature: {written}", written=written(report.signature)))
    return "\n".join([*parts, "\n".join(literal(translated(line)) for line in lines) + "\n"])


def tables_of(report: Report) -> list[Table]:
    """Put a report into tables: metrics by every rule, groups and the config's own tables by the chosen rule.

    Where the config says which metrics a page shows, groups and the rules beside the chosen one show no other metrics.
    """
    return [metrics_table(report), *group_tables(report), *own_tables(report), *reading_tables(report)]


def group_tables(report: Report) -> list[Table]:
    """Show the metrics of the groups of each breakdown."""
    tables = []
    for breakdown, groups in report.groups.items():
        by = pgettext("heads", breakdown)
        title = pgettext("titles", "By {breakdown}, rule {rule}", breakdown=by, rule=report.rule)
        # A metric without a value in any group, such as AccR before people have judged, would be a column of dashes.
        listed = report.shown or tuple(next(iter(groups.values()), {}))
        names = [name for name in listed if any(named[name].value is not None for named in groups.values())]
        cells = [(group, name, cells_of(named[name])) for name in names for group, named in groups.items()]
        rows = tuple((group, name, one.value, one.interval, one.n) for group, name, one in cells)
        tables.append(Table(title, (breakdown, "metric", "value", "95% interval", "n"), rows))
    return tables


def own_tables(report: Report) -> list[Table]:
    """Give the config's own tables, and those of an audit."""
    own = []
    for table in report.tables.values():
        title = pgettext("titles", table.title)
        title = pgettext("titles", "{table_title}, rule {rule}", table_title=title, rule=report.rule)
        own.append(Table(title, table.columns, table.rows))
    return own + (report.audit.tables() if report.audit else [])


def reading_tables(report: Report) -> list[Table]:
    """Show how texts of each form were read, and what decided."""
    chosen = report.results[report.rule]
    return form_tables(report.rule, chosen.forms, chosen.fired) + _fired_tables(report.rule, chosen.fired)


def form_tables(rule: str, forms: Sequence[FormCount], fired: Sequence[WordingCount]) -> list[Table]:
    """Show what share of each form of text was read, clear and unread; nothing where the whole text is the answer."""
    if takes_whole_texts(fired):
        return []
    rows: list[tuple[str | float | None, ...]] = []
    for one in forms:
        read, clear, unread = (
            100 * part / one.predictions for part in (one.predictions - one.unread, one.clear, one.unread)
        )
        rows.append((one.form, one.predictions, read, clear if tells_clear(rule, fired) else None, unread))
    title = pgettext("titles", "Predictions read, by form of text, rule {rule}", rule=rule)
    return [Table(title, ("form", "predictions", "read %", "clear %", "unread %"), tuple(rows))]


def _fired_tables(rule: str, fired: Sequence[WordingCount]) -> list[Table]:
    if len(fired) <= FEW_WORDINGS:
        return []
    rows: list[tuple[str, str, int]] = []
    for answered, says in ((True, "an answer"), (False, "none")):
        alike = [one for one in fired if one.answered is answered]
        rows += [(says, printable(one.wording), one.answers) for one in alike[:SHOWN_WORDINGS]]
        if more := alike[SHOWN_WORDINGS:]:
            others = pgettext("column wording", "{n_more} others", n_more=len(more))
            rows.append((says, others, sum(one.answers for one in more)))
    title = pgettext("titles", "How often each wording decided, rule {rule}", rule=rule)
    return [Table(title, ("says", "wording", "answers"), tuple(rows))]


def metrics_table(report: Report) -> Table:
    """List the metrics of each rule, those with a value first; why others have none is said below the tables."""
    rows = []
    for rule, result in report.results.items():
        head = rule if rule == report.rule else pgettext("column rule", "{rule} (beside it)", rule=rule)
        for name, value in sorted(result.metrics.items(), key=lambda named: named[1].value is None):
            if rule == report.rule or not report.shown or name in report.shown:
                rows.append((head, name, *cells_of(value)))
    return Table(title_of(report), ("rule", "metric", "value", "95% interval", "std", "n"), tuple(rows))


def title_of(report: Report) -> str:
    """Say what was scored."""
    if not report.model:
        return report.config
    return pgettext("titles", "{config} of {model}", config=report.config, model=report.model)


def coverage_lines(report: Report) -> list[str]:
    """Say how the predictions cover what was asked, and what each rule left unread."""
    coverage = report.coverage
    parsed = coverage.read - coverage.unread
    of_answers = [
        _("{parsed} read ({clear} clear)", parsed=parsed, clear=coverage.clear)
        if tells_clear(report.rule, report.results[report.rule].fired)
        else _("{parsed} read", parsed=parsed),
        _("{unread} unread", unread=coverage.unread),
    ]
    if coverage.second_reading:
        of_answers.append(_("{count} by a second reader", count=coverage.second_reading))
    came = [
        _("{read} of {expected} predictions came", read=coverage.read, expected=coverage.expected),
        _("{missing} missing", missing=coverage.missing),
        _("{empty} empty", empty=coverage.empty),
        _("{truncated} truncated", truncated=coverage.truncated),
        _("{refused} refused", refused=coverage.refused),
    ]
    if coverage.too_long:
        came.append(_("{count} too long", count=coverage.too_long))
    return [
        _("coverage: {parts}", parts=joined([joined(came), joined(of_answers)], "; ")),
        *(_("unread by {name}: {unread}", name=name, unread=result.unread) for name, result in report.results.items()),
    ]


def origin_lines(report: Report) -> list[str]:
    """Say as what the model was served, and which files were read."""
    served = (
        [_("model: {model}, served as {served_as}", model=report.model, served_as=report.served_as)]
        if report.served_as
        else []
    )
    return served + [_input_line(file) for file in report.inputs]


def _input_line(file: Input) -> str:
    values = {"file_name": file.name, "sha256": file.sha256}
    stage = file.reader.removeprefix(ROUND)
    if stage == file.reader:
        return _("read: {file_name} as {reader}, sha256 {sha256}", **values, reader=file.reader)
    return _("read: {file_name} as round {stage}, sha256 {sha256}", **values, stage=stage)


def value_lines(metrics: Mapping[str, Value]) -> list[str]:
    """Say of which kind the intervals are, and why values or intervals lack."""
    kinds: dict[str, list[str]] = {}
    lacking: dict[tuple[bool, str], list[str]] = {}
    for name, value in metrics.items():
        if value.interval is not None:
            kinds.setdefault(value.interval, []).append(name)
        if value.why is not None:
            lacking.setdefault((value.value is None, value.why), []).append(name)
    said = [_("interval by {kind}: {names}", kind=kind, names=joined(names)) for kind, names in kinds.items()]
    for (undefined, why), names in lacking.items():
        values = {"names": joined(names), "reason": pgettext(None, why)}
        said.append(
            _("undefined: {names}: {reason}", **values) if undefined else _("no interval: {names}: {reason}", **values)
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
