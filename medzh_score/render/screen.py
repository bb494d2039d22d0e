"""A report on one screen: the metrics first, then coverage, one breakdown, warnings and the next command."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from medzh_score.benchmark.answers import WITHOUT
from medzh_score.benchmark.config import Screen
from medzh_score.benchmark.registry import config_names, difference_names, find_config
from medzh_score.render.lines import (
    BOLD,
    LINES,
    Line,
    bar,
    command_lines,
    cut,
    drawn,
    folded,
    padded,
    screen_width,
    with_arrow,
)
from medzh_score.render.tables import UNLIMITED, markdown_escaped, translated_label
from medzh_score.results.numbers import cells_of
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import _, _n, joined, pgettext, translated
from medzh_score.ui.numbers import MISSING, TOPS, interval_text, percent, share_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from medzh_score.results.report import Report
    from medzh_score.results.warnings import ReportWarning
    from medzh_score.stats.values import Value


MOST_METRICS, MOST_WARNINGS, MOST_LINES = 9, 5, 2
MOST_GROUPS, ENDS = 6, 2  # with more groups only the highest and the lowest are shown
BAR_WIDTH = 18
NAMED = 2  # metrics named in a line
OF_DATA = ("rows_edited", "unpinned_data", "not_official_data", "partly_published_data", "private")
BOUNDS = "bounds_of_open_answers"
FEWEST_COLUMNS = 2  # the name of the metric and its value
CAUTION = "yellow"


class MetricColumn(NamedTuple):
    """A column of the table of metrics; the one of the lowest rank is omitted first if the table is too wide."""

    head: str
    cells: tuple[str, ...]
    rank: int


def screen(
    report: Report, width: int = UNLIMITED, closing: Sequence[tuple[str, str]] = (), *, colored: bool = False
) -> str:
    """Draw a report in at most 25 lines; `closing` has the last lines with their labels, such as the next command."""
    width = screen_width(width)
    shown = declared_screen(report.config)
    head = _head(report, shown, width)
    table = [*_metrics(report, shown, width), *folded(unavailable_lines(report, shown), width)]
    covered = folded([coverage_line(report), *bounds_line(report)], width)
    own = folded(own_lines(report, shown), width)
    warned = [
        Line(f"! {translated(one.summary)}", CAUTION)
        if one.level == "warning"
        else Line(f" {translated(labeled(one, one.summary))}")
        for one in _warnings(report)
    ]
    last = _closing(closing, width)
    room = LINES - sum(len(part) + 1 for part in (head, table, covered, own, last) if part) + 1
    if len(warned) > MOST_WARNINGS or len(warned) + 1 > room:
        kept = max(1, min(MOST_WARNINGS, room - 1) - 1)
        more = Line(
            " " + translated(_n("{n} more warning: use --full", "{n} more warnings: use --full", len(warned) - kept))
        )
        warned = [*warned[:kept], more]
    room -= 1 + (len(warned) + 1 if warned else 0)
    if own and len(shown_groups(report, shown)[1]) == room <= MOST_GROUPS:  # all have room without a blank line
        groups, own = [*_groups(report, shown, room + 1, width), *own], []
    else:
        groups = _groups(report, shown, room, width)
    parts = [part for part in (head, table, covered, groups, own, warned, last) if part]
    lines = [line for part in parts for line in (Line(""), *part)][1:]
    fitted = [Line(cut(one.text, width), one.style) if one not in last else one for one in lines]
    return drawn(fitted, colored=colored)


def labeled(warning: ReportWarning, text: str) -> str:
    """Put the label in front of the text of a warning or note."""
    return _("Warning: {warning}", warning=text) if warning.level == "warning" else _("Note: {warning}", warning=text)


def declared_screen(config: str) -> Screen:
    """Find what a config declares; a saved report can be of a config that is not installed."""
    return find_config(config).reporting.screen if config in config_names() else Screen()


def _head(report: Report, shown: Screen, width: int) -> list[Line]:
    title = printable(translated(title_of(report)))
    question = translated(question_of(report, shown))
    gap = width - cell_len(title) - cell_len(question)
    lines = [Line(title + " " * gap + question, BOLD)] if gap > 1 else [Line(title, BOLD), Line(f" {question}")]
    data = [one for one in report.warnings if one.code in OF_DATA]
    return lines + folded([f"! {translated(one.summary)}" for one in data], width, CAUTION, indent="")


def title_of(report: Report) -> str:
    """Name the config and the model."""
    if not report.model:
        return report.config
    return pgettext("titles", "{config} of {model}", config=report.config, model=report.model)


def question_of(report: Report, shown: Screen) -> str:
    """State what the config measures."""
    return shown.question or (find_config(report.config).title if report.config in config_names() else "")


def counted_text(report: Report, shown: Screen) -> str:
    """Count the items and runs that the primary metric is computed on."""
    value = report.metrics[report.primary_name]
    if value.value is None:
        value = max(report.metrics.values(), key=lambda one: one.n)
    return joined([_n(*shown.counted, value.n), runs_text(value)])


def runs_text(value: Value) -> str:
    """Count the runs of a value."""
    return _n("{n} run", "{n} runs", value.runs)


def summary_names(report: Report) -> list[str]:
    """List the metrics that the short report shows: the primary one first."""
    listed = report.summary_metrics or tuple(report.metrics)
    return sorted(listed, key=lambda name: name != report.primary_name)


def metric_columns(report: Report, shown: Screen, *, markdown: bool = False) -> list[MetricColumn]:
    """Lay out the metrics that have a value: by the chosen rule, and by the next one."""
    names = [name for name in summary_names(report) if report.metrics[name].value is not None]
    values = [report.metrics[name] for name in names]
    named = tuple(with_arrow(name, value.direction) for name, value in zip(names, values, strict=True))
    columns = [MetricColumn(translated(counted_text(report, shown)), named, 9)]
    points = [name in difference_names(report.config) for name in names]
    columns += _value_columns(report.rule, values, points, markdown=markdown, rank=8)
    rule = second_rule(report)
    if rule is not None:
        found = [report.rules[rule].metrics[name] for name in names]
        columns += _value_columns(rule, found, points, markdown=markdown, rank=2)
    if any(value.std is not None for value in values):
        sd = tuple(percent(value.std, value.unit) for value in values)
        columns.append(MetricColumn(translated("SD", "heads"), sd, 3))
    if len({value.n for value in values}) > 1:
        columns.append(MetricColumn("n", tuple(f"{value.n:,}" for value in values), 1))
    return columns


def second_rule(report: Report) -> str | None:
    """Find the first rule beside the chosen one whose values differ."""
    for rule, result in report.rules.items():
        found = [(result.metrics[name].value, report.metrics[name].value) for name in summary_names(report)]
        if any(one is not None and one != other for one, other in found):
            return rule
    return None


def rule_name(rule: str) -> str:
    """Give the name of a rule, or of its answers without fallback extraction, as people read it."""
    plain = rule.removesuffix(f" {WITHOUT}")
    return rule if plain == rule else pgettext("column rule", "{rule} without fallback", rule=plain)


def _value_columns(
    rule: str, values: Sequence[Value], points: Sequence[bool], *, markdown: bool, rank: int
) -> list[MetricColumn]:
    if markdown:
        shown = tuple(markdown_value(value) for value in values)
        return [MetricColumn(translated(_("{rule} (95% CI)", rule=rule_name(rule))), shown, rank)]
    cells = [cells_of(value, points=in_points) for value, in_points in zip(values, points, strict=True)]
    return [
        MetricColumn(translated(rule_name(rule)), tuple(translated(one.value) for one in cells), rank + 2),
        MetricColumn(translated("95% CI", "heads"), tuple(one.interval for one in cells), rank),
    ]


def _percent(value: float | None, unit: str) -> str:
    return percent(value, unit) + ("%" if value is not None else "")


def markdown_value(value: Value) -> str:
    """Print a value with its interval as papers do: 42.2 (35.6–49.0)."""
    if value.low is None or value.high is None:
        return percent(value.value, value.unit)
    ends = (percent(end, value.unit) for end in (value.low, value.high))
    return f"{percent(value.value, value.unit)} ({'–'.join(ends)})"


def _metrics(report: Report, shown: Screen, width: int) -> list[Line]:
    columns = metric_columns(report, shown)
    if not columns[0].cells:
        return [Line(f" {columns[0].head}")]
    while len(columns) > FEWEST_COLUMNS and sum(map(_column_width, columns)) > width:
        columns.remove(min(columns, key=lambda one: one.rank))
    widths = [_column_width(one) - 2 for one in columns]
    rows = [[one.head for one in columns], *map(list, zip(*(one.cells for one in columns), strict=True))]
    texts = [
        " "
        + "  ".join(
            padded(cell, wide, right=place > 0) for place, (cell, wide) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    primary = int(report.metrics[report.primary_name].value is not None)
    lines = [Line(text, BOLD if place == primary and place else "") for place, text in enumerate(texts)]
    if len(lines) > MOST_METRICS + 1:
        more = _n("{n} more metric: see --full", "{n} more metrics: see --full", len(lines) - MOST_METRICS)
        lines = [*lines[:MOST_METRICS], Line(f" {translated(more)}")]
    return lines


def _column_width(column: MetricColumn) -> int:
    return 2 + max(map(cell_len, (column.head, *column.cells)))


def unavailable_lines(report: Report, shown: Screen) -> list[str]:
    """State in one line for each reason which metrics and rules have no value, and which stage provides it."""
    found: dict[tuple[str, str], list[str]] = {}
    for name in summary_names(report):
        value = report.metrics[name]
        if value.value is None:
            stage = shown.stages.get(name, "")
            given = stage in report.arguments.get("stages", {})
            reason = value.unavailable_reason or ""
            found.setdefault(("", reason) if given or not stage else (stage, ""), []).append(name)
    for rule, result in report.rules.items():
        if rule in shown.stages and all(value.value is None for value in result.metrics.values()):
            found.setdefault((shown.stages[rule], ""), []).append(translated(_("rule {rule}", rule=rule)))
    lines = []
    for (stage, reason), names in found.items():
        listed = joined(names) if len(names) <= NAMED else _("{names} etc.", names=names[0])
        values = {"names": listed, "config": report.config, "stage": stage}
        lines.append(
            _("To score {names}: medzh-score prompts {config} --stage {stage}", **values)
            if stage
            else _("{names}: not available: {reason}", names=listed, reason=pgettext(None, reason))
        )
    return list(map(translated, lines))


def coverage_line(report: Report) -> str:
    """Count the predictions that were parsed, unparsed and missing."""
    coverage = report.coverage
    unparsed = coverage.unparsed
    parsed = coverage.read - unparsed
    of = {"parsed": parsed, "expected": coverage.expected, "share": share_text(parsed, coverage.expected)}
    parsed_part = _("{parsed:,} of {expected:,} predictions parsed ({share}%)", **of)
    if "query_unit" in report.signature:  # a prediction may answer several questions
        parsed_part = _("{parsed:,} of {expected:,} answers parsed ({share}%)", **of)
    parts = [
        parsed_part,
        _("{n:,} unparsed (including {empty:,} empty)", n=unparsed, empty=coverage.empty)
        if coverage.empty
        else _("{n:,} unparsed", n=unparsed),
        *([_("{n:,} truncated", n=coverage.truncated)] if coverage.truncated else []),
        *([_("{n:,} too long", n=coverage.too_long)] if coverage.too_long else []),
        *([_("{n:,} by the fallback extractor", n=coverage.fallback)] if coverage.fallback else []),
        _("{n:,} missing", n=coverage.missing),
    ]
    return joined(parts)


def bounds_line(report: Report) -> list[str]:
    """State between which values the primary metric is, whatever the unparsed and missing answers are."""
    value = report.metrics[report.primary_name]
    ends = (value.most, value.least) if value.direction == "lower" else (value.least, value.most)
    worst, best = (_percent(end, value.unit) for end in ends)
    if MISSING in {worst, best} or worst == best:
        return []
    values = {"metric": report.primary_name, "worst": worst, "best": best}
    if not report.coverage.missing or report.signature.get("missing") != "wrong":
        return [_("{metric}: {worst} at worst and {best} at best, depending on unparsed answers", **values)]
    if not report.coverage.unparsed:
        return [_("{metric}: {worst} at worst and {best} at best, depending on missing answers", **values)]
    return [_("{metric}: {worst} at worst and {best} at best, depending on unparsed and missing answers", **values)]


def own_lines(report: Report, shown: Screen) -> Sequence[str]:
    """Summarize the tables of the config; a private report has none."""
    return shown.lines(report.tables)[:MOST_LINES] if report.tables else ()


def shown_groups(report: Report, shown: Screen) -> tuple[str, Mapping[str, Value]]:
    """Find the breakdown that the config declares, or the first one, and the groups that have a value."""
    breakdown = shown.breakdown or next(iter(report.groups), "")
    groups = {
        group: named[report.primary_name]
        for group, named in report.groups.get(breakdown, {}).items()
        if named[report.primary_name].value is not None
    }
    return breakdown, groups if len(groups) > 1 else {}


def _groups(report: Report, shown: Screen, room: int, width: int) -> list[Line]:
    breakdown, groups = shown_groups(report, shown)
    if not groups or room < 1 + ENDS:
        return []
    values = {"metric": report.primary_name, "breakdown": pgettext("heads", breakdown)}
    if len(groups) > min(MOST_GROUPS, room - 1):
        ranked = sorted(groups.items(), key=lambda one: -(one[1].value or 0))
        ends = min(ENDS, (room - 1) // 2)
        title = _("{metric} by {breakdown}: highest and lowest of {n} groups", **values, n=len(groups))
        groups = dict([*ranked[:ends], *ranked[-ends:]])
    else:
        title = _("{metric} by {breakdown}", **values)
    return [Line(f" {translated(title)}"), *map(Line, _bars(breakdown, groups, width))]


def _bars(breakdown: str, groups: Mapping[str, Value], width: int) -> Iterator[str]:
    labels = [printable(translated_label(breakdown, group)) for group in groups]
    numbers = [_percent(value.value, value.unit) for value in groups.values()]
    intervals = [interval_text(value.low, value.high, value.unit) for value in groups.values()]
    counts = [f"n = {value.n:,}" for value in groups.values()]
    widths = [max(map(len, cells)) for cells in (numbers, intervals, counts)]
    wide = min(max(map(cell_len, labels)), width - sum(widths) - BAR_WIDTH - 9)
    for label, number, interval, count, value in zip(labels, numbers, intervals, counts, groups.values(), strict=True):
        drawing = bar(value.value, value.low, value.high, TOPS[value.unit], BAR_WIDTH)
        yield (
            f" {padded(label, wide)}  {number.rjust(widths[0])}  {drawing}  {interval.rjust(widths[1])}"
            f"  {count.rjust(widths[2])}"
        )


def _warnings(report: Report) -> list[ReportWarning]:
    return sorted(
        (one for one in report.warnings if one.code not in {*OF_DATA, BOUNDS}), key=lambda one: one.level != "warning"
    )


def _closing(closing: Sequence[tuple[str, str]], width: int) -> list[Line]:
    labels = [translated(label) for label, _unused in closing]
    wide = max(map(cell_len, labels), default=0)
    lines = []
    for label, (_unused, text) in zip(labels, closing, strict=True):
        first, *others = command_lines(text, width - wide - 3)
        lines += [Line(f" {padded(label, wide)}  {first}"), *(Line(" " * (wide + 3) + one) for one in others)]
    return lines


def screen_markdown(report: Report) -> str:
    """Write the short report in Markdown: one table, then lists."""
    shown = declared_screen(report.config)
    data = [one.summary for one in report.warnings if one.code in OF_DATA]
    columns = metric_columns(report, shown, markdown=True)
    listed = [
        *unavailable_lines(report, shown),
        coverage_line(report),
        *bounds_line(report),
        *own_lines(report, shown),
        *(one.summary for one in _warnings(report)),
    ]
    title, question = (markdown_escaped(translated(one)) for one in (title_of(report), question_of(report, shown)))
    blocks = [
        f"**{title}**: {question}",
        *(f"> {markdown_escaped(translated(one))}" for one in data),
        _piped([one.head for one in columns], list(zip(*(one.cells for one in columns), strict=True))),
        _markdown_groups(report, shown),
        "\n".join(f"- {markdown_escaped(translated(one))}" for one in listed),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _markdown_groups(report: Report, shown: Screen) -> str:
    breakdown, groups = shown_groups(report, shown)
    head = _("{metric}, {rule} (95% CI)", metric=report.primary_name, rule=report.rule)
    rows = [
        (translated_label(breakdown, group), markdown_value(value), f"{value.n:,}") for group, value in groups.items()
    ]
    return _piped([translated(breakdown, "heads"), translated(head), "n"], rows) if rows else ""


def _piped(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    aligned = ("---", *("---:" for _unused in heads[1:]))
    lines = [list(map(markdown_escaped, heads)), aligned, *(map(markdown_escaped, row) for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
