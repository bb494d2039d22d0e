"""The data of figures of reports: values in percent, titles and footers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.config import Plot, Radar, Scatter
from medzh_score.comparison.comparability import MINI, OPEN, recipe_signed
from medzh_score.render.tables import GROUPS, translated_label
from medzh_score.results.result import LabeledResult, saved_report
from medzh_score.scoring.signature import differences_written, display_differences, value_differences
from medzh_score.stats.formulas import pearson
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _, joined, pgettext, translated
from medzh_score.ui.numbers import TOPS, rounded
from medzh_score.ui.privacy import Unredacted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.results.report import Report
    from medzh_score.stats.values import Value

    Labeled = LabeledResult[Report]

# What moves values and the reports of one figure may differ in: how the model was asked. Who judged is no such thing:
# half of a score may be the judge's.
MAY_DIFFER = frozenset({"prompt", "format", "system", "shots", "generation", "query_unit", "queried again"})
BY_GROUPS, HEATMAP = OF_ANY = ("groups", "heatmap")  # figures of any config
ALL = "All"
MOST_LINES = 4  # of a radar
FEWEST_AXES = 3  # of a radar: two are a line, not a figure
LEAST_POINTS = 3  # through two points there is always a line
RINGS = 5  # at most
STEPS = (1, 2, 5)  # by which rings are apart, times a power of ten


@dataclass(frozen=True)
class Series:
    """What is drawn of one report, in percent; None if there is no value."""

    label: str
    y: tuple[float | None, ...]
    x: tuple[float, ...] = ()  # of curves and points; radars have the names of the figure
    level: float | None = None  # of the dashed line of a curve
    ends: tuple[tuple[float, float] | None, ...] = ()  # intervals of groups


@dataclass(frozen=True)
class FigureData:
    """A figure of reports: one series per report."""

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    names: tuple[str, ...] = ()  # of groups
    remarks: tuple[str, ...] = ()
    footer: str = ""  # config, rule, n, runs and sample
    level: str = ""  # the metric of the dashed lines
    rings: tuple[float, ...] = ()  # of a radar; the last is the rim
    line: tuple[float, float] | None = None  # slope and intercept of least squares through points
    sizes: tuple[int, ...] = ()  # n of each group


def figure_data(
    config: Config, figure: object, paths: Sequence[Path], *, by: str | None = None, metric: str | None = None
) -> FigureData:
    """Return what a figure shows of reports by the config's primary rule.

    Without a figure of the config it is a metric (None: the primary metric) by a breakdown (None: the first). A metric
    of a curve is its dashed line.
    """
    reports = _reports(config, paths)
    if isinstance(figure, Radar):
        return _radar(config, figure, reports, metric)
    if isinstance(figure, Plot):
        return _curves(config, figure, reports, metric or figure.level)
    if isinstance(figure, Scatter):
        if metric is not None:
            problem = _("figure {figure_name} always shows the same two metrics", figure_name=figure.name)
            raise MedzhError(problem, field="--metric", found=metric, advice=_("omit --metric"))
        return _points(config, figure, reports)
    return _groups(config, reports, by, metric)


def footer_of(facts: Mapping[str, object], counts: Iterable[object], signature: Mapping[str, str]) -> str:
    """Write config, rule, n and runs below a figure, and whether the data are the mini sample or open."""
    runs = sorted(map(str, counts), key=lambda count: (len(count), count))
    of = {**facts, "runs": "–".join(dict.fromkeys((runs[0], runs[-1])))}
    if recipe_signed(signature) == MINI:
        return translated(_("{config} · rule {rule} · n = {n} · runs: {runs} · mini sample", **of))
    if recipe_signed(signature) == OPEN:
        return translated(_("{config} · rule {rule} · n = {n} · runs: {runs} · open data", **of))
    return translated(_("{config} · rule {rule} · n = {n} · runs: {runs}", **of))


def _footer(reports: Sequence[Labeled], metric: str) -> str:
    first = reports[0].result
    facts = {"config": first.config, "rule": first.rule, "n": f"{first.metrics[metric].n:,}"}
    runs = (one.result.signature.get("runs", len(one.result.metrics[metric].per_run)) for one in reports)
    return footer_of(facts, runs, first.signature)


def _scale(one: Labeled, metric: str) -> float:
    """Return the factor from the unit of a metric to percent."""
    return 100 / TOPS[one.result.metrics[metric].unit]


def _reports(config: Config, paths: Sequence[Path]) -> tuple[Labeled, ...]:
    resolved = [path.resolve() for path in paths]
    for path in paths:
        if resolved.count(path.resolve()) > 1:
            raise MedzhError(_("the report is specified twice"), file=path, expected=_("distinct values"))
    reports = []
    for path in paths:
        report = saved_report(path)
        if report.config != config.name:
            problem, other = _("the report belongs to another config"), Unredacted(report.config)
            raise MedzhError(problem, file=path, field="config", expected=config.name, found=other)
        reports.append(report.by_rule(config.primary_rule.name))
    for path, report in zip(paths[1:], reports[1:], strict=True):
        keys = value_differences(reports[0].signature, report.signature)
        if refused := [key for key in keys if key not in MAY_DIFFER]:
            found = differences_written(refused, reports[0].signature, report.signature)
            values = {"paths": paths[0], "refused": ", ".join(refused), "found": found}
            problem = _("not comparable with {paths}: the reports differ in {refused} ({found})", **values)
            raise MedzhError(
                problem, file=path, field="signature", advice=_("score both systems with the same settings")
            )
    return tuple(map(LabeledResult, _labels(paths, reports), paths, reports))


def _labels(paths: Sequence[Path], reports: Sequence[Report]) -> list[str]:
    if len(reports) == 1:
        return [printable(reports[0].model or translated(_("this report")))]
    names = [report.model or path.name for path, report in zip(paths, reports, strict=True)]
    often = Counter(names)
    return [
        printable(name if often[name] == 1 else f"{name} ({path})") for name, path in zip(names, paths, strict=True)
    ]


def _differing(reports: Sequence[Labeled]) -> tuple[str, ...]:
    signed = [one.result.signature for one in reports]
    keys = dict.fromkeys(
        key for its in signed for of in (value_differences, display_differences) for key in of(signed[0], its)
    )
    return (_("the reports differ in {keys}", keys=joined(keys)),) if keys else ()


def _value(one: Labeled, metric: str) -> float | None:
    metrics = one.result.metrics
    if metric not in metrics:
        known = ", ".join(metrics)
        raise MedzhError(
            _("the report has no such metric"), file=one.path, field="metrics", expected=metric, found=known
        )
    return metrics[metric].value


def _curves(config: Config, plot: Plot, reports: Sequence[Labeled], metric: str) -> FigureData:
    series = []
    for one in reports:
        level, points = _value(one, metric), _means(plot, one)
        scale = _scale(one, metric)
        y = tuple(scale * value for value in points.values())
        series.append(Series(one.label, y, tuple(points), None if level is None else scale * level))
    title = _figure_title(config, plot.summary)
    y_label = pgettext("titles", "{metric} (%)", metric=pgettext("heads", plot.y))
    footer = _footer(reports, metric)
    return FigureData(title, plot.x, y_label, tuple(series), remarks=_differing(reports), footer=footer, level=metric)


def _means(plot: Plot, one: Labeled) -> dict[float, float]:
    tables, field = one.result.tables, f"tables/{plot.table}"
    if plot.table not in tables:
        of_plot = {"table": plot.table, "plot_name": plot.name}
        problem = _("the report has no table {table} for the figure {plot_name}", **of_plot)
        advice = _(
            "score predictions with several option orders for each question, or choose another figure, such as "
            "--figure {figures}",
            figures=BY_GROUPS,
        )
        held = ", ".join(tables) or "no tables"
        raise MedzhError(problem, file=one.path, field="tables", found=held, advice=advice)
    table, found = tables[plot.table], dict[float, dict[float, float]]()
    for cells in table.rows:
        row = dict(zip(table.columns, cells, strict=False))
        run, x, y = (row.get(name, "") for name in (plot.run, plot.x, plot.y))
        if isinstance(run, str) or isinstance(x, str) or isinstance(y, str):
            expected = _("numbers in the columns {run}, {x} and {y}", run=plot.run, x=plot.x, y=plot.y)
            problem, columns = _("the figure cannot be drawn from this table"), ", ".join(table.columns)
            raise MedzhError(problem, file=one.path, field=field, expected=expected, found=columns)
        if run is not None and x is not None and y is not None:
            found.setdefault(x, {})[run] = y
    if not found:
        raise MedzhError(_("the table has no values to draw"), file=one.path, field=field)
    return {x: sum(runs.values()) / len(runs) for x, runs in sorted(found.items())}


def _points(config: Config, scatter: Scatter, reports: Sequence[Labeled]) -> FigureData:
    """Return two metrics of each report, and the line through them.

    There is no line if there are fewer than three points, or if all are equal in one metric.
    """
    x, y = (np.array([_defined(one, metric) for one in reports]) for metric in (scatter.x, scatter.y))
    correlation = pearson(x, y) if len(reports) >= LEAST_POINTS else None
    line = None
    if correlation is not None:
        slope = float((x - x.mean()) @ (y - y.mean()) / ((x - x.mean()) @ (x - x.mean())))
        line = slope, float(y.mean() - slope * x.mean())
    values: dict[str, object] = {"count": len(reports), "least": LEAST_POINTS, "x": scatter.x, "y": scatter.y}
    about = _(
        "R² is not available: it requires {least} reports that differ in both metrics; there are {count}.", **values
    )
    if correlation is not None:
        values["square"] = rounded(correlation**2, 3)
        about = _("R² = {square} over {count} reports (squared Pearson correlation of {x} and {y})", **values)
    points = zip(reports, x.tolist(), y.tolist(), strict=True)
    return FigureData(
        _figure_title(config, scatter.summary),
        pgettext("titles", "{metric} (%)", metric=scatter.x),
        pgettext("titles", "{metric} (%)", metric=scatter.y),
        tuple(Series(one.label, (its_y,), (its_x,)) for one, its_x, its_y in points),
        remarks=(about, *_differing(reports)),
        footer=_footer(reports, scatter.x),
        line=line,
    )


def _defined(one: Labeled, metric: str) -> float:
    value = _value(one, metric)
    if value is None:
        raise MedzhError(
            _("the metric has no value"),
            file=one.path,
            field=f"metrics/{metric}",
            advice=_("see the unavailable_reason of the metric"),
        )
    return _scale(one, metric) * value


def _radar(config: Config, radar: Radar, reports: Sequence[Labeled], metric: str | None) -> FigureData:
    name = radar.metric if metric is None else metric
    field = f"groups/{radar.breakdown}"
    if len(reports) > MOST_LINES:
        expected = _("at most {most} reports", most=MOST_LINES)
        advice = _("choose fewer reports, or --figure heatmap")
        raise MedzhError(
            _("too many lines for a radar chart"), field="REPORT", expected=expected, found=len(reports), advice=advice
        )
    groups = [_groups_of(radar, one) for one in reports]
    axes = list(groups[0])
    if len(axes) < FEWEST_AXES:
        expected, found = _("at least {fewest_axes} groups", fewest_axes=FEWEST_AXES), ", ".join(axes) or "none"
        problem = _("there are too few groups for a radar chart")
        raise MedzhError(problem, file=reports[0].path, field=field, expected=expected, found=found)
    for one, its in zip(reports[1:], groups[1:], strict=True):
        if its.keys() != groups[0].keys():
            problem = _("the groups differ from those of {reports_path}", reports_path=reports[0].path)
            _refuse(one, problem, field, ", ".join(axes), ", ".join(its))
    series = tuple(
        Series(one.label, _line(name, one, its, axes, field)) for one, its in zip(reports, groups, strict=True)
    )
    names = tuple(printable(translated_label(radar.breakdown, axis)) for axis in axes)
    gaps = [(one.label, [axis for axis, value in zip(names, one.y, strict=True) if value is None]) for one in series]
    remarks = []
    for label, at in gaps:
        of = {"label": label, "name": name, "groups": joined(at)}
        if at:
            remarks.append(_("{label}: {name} is not available in {groups}; the line has a gap.", **of))
    summary = radar.summary
    if name != radar.metric:
        by = pgettext("heads", radar.breakdown)
        summary = _("{name} by {breakdown}, one line per model", name=name, breakdown=by)
    largest = max(value for one in series for value in one.y if value is not None)
    return FigureData(
        _figure_title(config, summary),
        "",
        name,
        series,
        names,
        (*_differing(reports), *remarks),
        footer=_footer(reports, name),
        rings=rings(largest or 100.0),
    )


def _refuse(one: Labeled, problem: str, field: str, expected: str, found: str) -> None:
    raise MedzhError(problem, file=one.path, field=field, expected=expected, found=found)


def _groups_of(radar: Radar, one: Labeled) -> Mapping[str, Mapping[str, Value]]:
    groups = one.result.groups
    if radar.breakdown not in groups:
        of = {"breakdown": radar.breakdown, "radar_name": radar.name}
        problem = _("the report has no groups by {breakdown} for the figure {radar_name}", **of)
        raise MedzhError(problem, file=one.path, field="groups", found=", ".join(groups) or _("no groups"))
    return groups[radar.breakdown]


def _line(
    metric: str, one: Labeled, groups: Mapping[str, Mapping[str, Value]], axes: Iterable[str], field: str
) -> tuple[float | None, ...]:
    known = one.result.metrics
    if metric not in known:
        expected = ", ".join(known) or "none"
        problem = _("the report has no such metric")
        raise MedzhError(problem, file=one.path, field="--metric", expected=expected, found=metric)
    values = tuple(groups[axis][metric].value for axis in axes)
    if all(value is None for value in values):
        others = [name for name in known if any(group[name].value is not None for group in groups.values())]
        advice = _("set --metric to one of {others}", others=joined(others)) if others else None
        raise MedzhError(
            _("the metric {metric} has no value to draw", metric=metric), file=one.path, field=field, advice=advice
        )
    if any(value is not None and value < 0 for value in values):
        raise MedzhError(
            _("{metric} has values below 0, which a radar chart cannot show", metric=metric), file=one.path, field=field
        )
    return tuple(None if value is None else _scale(one, metric) * value for value in values)


def rings(largest: float) -> tuple[float, ...]:
    """Place the rings: at multiples of a round number, the last at or just above the largest value.

    The scale ends there and not at the unit's top, where scores of 30 to 45 percent would lie upon each other.
    """
    top = Decimal(repr(float(largest)))
    power = Decimal(10) ** (top.adjusted() - 1)
    step = next(step * scale * power for scale in (1, 10) for step in STEPS if top <= RINGS * step * scale * power)
    count = int((top / step).to_integral_value(ROUND_CEILING))
    return tuple(float(step * number) for number in range(1, count + 1))


def _groups(config: Config, reports: Sequence[Labeled], breakdown: str | None, metric: str | None) -> FigureData:
    name = metric or config.primary_metric(*(one.result.metrics for one in reports))
    first = reports[0]
    if breakdown not in {None, *first.result.groups}:
        known = ", ".join(first.result.groups) or _("no groups")
        raise MedzhError(
            _("the report has no such breakdown"), file=first.path, field="--by", expected=known, found=breakdown
        )
    by = breakdown or next(iter(first.result.groups), None)
    for one in reports:
        _refuse_without(one, first, by, name)
    rows = group_rows([one.result for one in reports], by, name)
    return FigureData(
        title_of(config.name, name, by),
        pgettext("titles", "{metric} (%)", metric=name),
        "",
        tuple(_series(one, [values[place] for _unused, values in rows]) for place, one in enumerate(reports)),
        tuple(name for name, _unused in rows),
        _differing(reports),
        footer=_footer(reports, name),
        sizes=tuple(min(value.n for value in values) for _unused, values in rows),
    )


def _series(one: Labeled, values: Sequence[Value]) -> Series:
    scale = 100 / TOPS[values[0].unit]
    ends = tuple(None if of.low is None or of.high is None else (scale * of.low, scale * of.high) for of in values)
    return Series(one.label, tuple(None if of.value is None else scale * of.value for of in values), ends=ends)


def title_of(config: str, metric: str, breakdown: str | None) -> str:
    """Name a metric by groups."""
    if breakdown is None:
        return pgettext("titles", "{config}: {metric}, 95% CI", config=config, metric=pgettext("titles", metric))
    names = {"config": config, "metric": metric, "breakdown": pgettext("heads", breakdown)}
    return pgettext("titles", "{config}: {metric} by {breakdown}, 95% CI", **names)


def group_rows(reports: Sequence[Report], breakdown: str | None, metric: str) -> list[tuple[str, tuple[Value, ...]]]:
    """Give the values of all items, then of each group, by its name: one a report, in the order of the first."""
    rows = [(translated(ALL, GROUPS), tuple(report.metrics[metric] for report in reports))]
    for group in () if breakdown is None else reports[0].groups[breakdown]:
        values = tuple(report.groups[str(breakdown)][group][metric] for report in reports)
        rows.append((printable(translated_label(str(breakdown), group)), values))
    return rows


def _refuse_without(one: Labeled, first: Labeled, breakdown: str | None, metric: str) -> None:
    report = one.result
    if _value(one, metric) is None:
        known = joined(name for name, value in report.metrics.items() if value.value is not None)
        advice = _("set --metric to one of {known}", known=known) if known else None
        raise MedzhError(
            _("the metric {metric} has no value to draw", metric=metric), file=one.path, field="--metric", advice=advice
        )
    if breakdown is not None:
        expected, found = (list(of.result.groups.get(breakdown, {})) for of in (first, one))
        if set(expected) != set(found):
            problem = _("the groups differ from those of {reports_path}", reports_path=first.path)
            there = ", ".join(found) or _("no groups")
            _refuse(one, problem, f"groups/{breakdown}", ", ".join(expected), there)


def _figure_title(config: Config, summary: str) -> str:
    return pgettext("titles", "{config}: {summary}", config=config.name, summary=pgettext("titles", summary))
