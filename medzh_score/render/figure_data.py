"""What the figures of reports show, before anything is known of how they are drawn."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING

import numpy as np

from medzh_score.benchmark.config import Bars, Plot, Radar, Scatter
from medzh_score.render.tables import GROUPS, translated_label
from medzh_score.results.numbers import SIGN, TOPS
from medzh_score.results.result import LabeledResult, saved_report
from medzh_score.scoring.signature import differences_written, display_differences, value_differences
from medzh_score.stats.formulas import pearson
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _, joined, pgettext, translated
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
MAY_DIFFER = frozenset({"prompt", "form", "system", "shots", "decoding", "asked", "asked again"})
BY_GROUPS = "groups"  # the name of the figure that any config has
ALL, OF_DATA = "All", _("the data")
FEWEST_AXES = 3  # of a radar: two are a line, not a figure
LEAST_POINTS = 3  # through two points there is always a line
RINGS = 5  # at most
STEPS = (1, 2, 5)  # by which rings are apart, times a power of ten


@dataclass(frozen=True)
class Series:
    """What is drawn of one report, or of the data; None where there is no value."""

    label: str
    y: tuple[float | None, ...]
    x: tuple[float, ...] = ()  # of curves and points; bars and radars have the names of the figure
    level: float | None = None  # of the dashed line beside a curve
    values: tuple[Value, ...] = ()  # of groups, with their intervals


@dataclass(frozen=True)
class FigureData:
    """A figure of reports: a series each."""

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    names: tuple[str, ...] = ()  # of bars, of a radar's axes, of groups
    remarks: tuple[str, ...] = ()  # what its reader should know
    level: str = ""  # the metric of the dashed lines
    unit: str = ""
    rings: tuple[float, ...] = ()  # of a radar; the last is the rim
    line: tuple[float, float] | None = None  # slope and intercept of least squares through points


def figure_data(
    config: Config, figure: object, paths: Sequence[Path], *, by: str | None = None, metric: str | None = None
) -> FigureData:
    """Read reports, by the config's primary rule, and find what a figure shows of them.

    Without a figure of the config's own it is a metric (None: the headline) by a breakdown (None: the first).
    """
    reports = _reports(config, paths)
    if isinstance(figure, Radar):
        return _radar(config, figure, reports, metric)
    if not isinstance(figure, Plot | Bars | Scatter):
        return _groups(config, reports, by, metric)
    if metric is not None:
        radars = ", ".join(other.name for other in config.reporting.figures if isinstance(other, Radar))
        shows = {Bars: "bars", Scatter: "points"}.get(type(figure), "curves")
        problem = _("is for radar figures; {figure_name} shows {shows}", figure_name=figure.name, shows=shows)
        raise MedzhError(
            problem, field="--metric", expected=_("--figure with one of {radars}", radars=radars) if radars else "none"
        )
    if isinstance(figure, Bars):
        return _bars(config, figure, reports)
    return _points(config, figure, reports) if isinstance(figure, Scatter) else _curves(config, figure, reports)


def _reports(config: Config, paths: Sequence[Path]) -> tuple[Labeled, ...]:
    resolved = [path.resolve() for path in paths]
    for path in paths:
        if resolved.count(path.resolve()) > 1:
            raise MedzhError(_("the report is named twice"), file=path, expected=_("each once"))
    reports = []
    for path in paths:
        report = saved_report(path)
        if report.config != config.name:
            problem, other = _("is a report of another config"), Unredacted(report.config)
            raise MedzhError(problem, file=path, field="config", expected=config.name, found=other)
        reports.append(report.by_rule(config.primary_rule.name))
    for path, report in zip(paths[1:], reports[1:], strict=True):
        keys = value_differences(reports[0].signature, report.signature)
        if refused := [key for key in keys if key not in MAY_DIFFER]:
            found = differences_written(refused, reports[0].signature, report.signature)
            values = {"paths": paths[0], "refused": ", ".join(refused), "found": found}
            problem = _("cannot be compared with {paths}: the reports differ in {refused} ({found})", **values)
            raise MedzhError(problem, file=path, field="signature", advice=_("score both alike"))
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
        raise MedzhError(_("has no such metric"), file=one.path, field="metrics", expected=metric, found=known)
    return metrics[metric].value


def _curves(config: Config, plot: Plot, reports: Sequence[Labeled]) -> FigureData:
    series = []
    for one in reports:
        points = _means(plot, one)
        level = _value(one, plot.level)
        series.append(Series(one.label, tuple(points.values()), tuple(points), level))
    title = _figure_title(config, plot.summary)
    return FigureData(title, plot.x, plot.y, tuple(series), remarks=_differing(reports), level=plot.level)


def _means(plot: Plot, one: Labeled) -> dict[float, float]:
    tables, field = one.result.tables, f"tables/{plot.table}"
    if plot.table not in tables:
        of_plot = {"table": plot.table, "plot_name": plot.name}
        problem = _("has no table {table}, from which the figure {plot_name} is drawn", **of_plot)
        advice = _("score predictions that give it, such as those of several variants of each question")
        held = ", ".join(tables) or "no tables"
        raise MedzhError(problem, file=one.path, field="tables", found=held, advice=advice)
    table, found = tables[plot.table], dict[float, dict[float, float]]()
    for cells in table.rows:
        row = dict(zip(table.columns, cells, strict=False))
        run, x, y = (row.get(name, "") for name in (plot.run, plot.x, plot.y))
        if isinstance(run, str) or isinstance(x, str) or isinstance(y, str):
            expected = _("numbers in the columns {run}, {x} and {y}", run=plot.run, x=plot.x, y=plot.y)
            problem, columns = _("is not the table of the figure"), ", ".join(table.columns)
            raise MedzhError(problem, file=one.path, field=field, expected=expected, found=columns)
        if run is not None and x is not None and y is not None:
            found.setdefault(x, {})[run] = y
    if not found:
        raise MedzhError(_("holds no values to draw"), file=one.path, field=field)
    return {x: sum(runs.values()) / len(runs) for x, runs in sorted(found.items())}


def _bars(config: Config, bars: Bars, reports: Sequence[Labeled]) -> FigureData:
    tables, field = [_columns(bars, one) for one in reports], f"tables/{bars.table}"
    names, _unused, data = tables[0]
    for one, table in zip(reports, tables, strict=True):
        if (table[0], table[2]) != (names, data):
            raise MedzhError(_("shows other data than the first report"), file=one.path, field=field)
    series = [(OF_DATA, data), *((one.label, table[1]) for one, table in zip(reports, tables, strict=True))]
    shown = [place for place in range(len(names)) if any(values[place] for _unused, values in series)]
    if not shown:
        raise MedzhError(_("holds no values to draw"), file=reports[0].path, field=field)
    return FigureData(
        _figure_title(config, bars.summary),
        "",
        bars.beside,
        tuple(Series(label, tuple(values[place] for place in shown)) for label, values in series),
        tuple(printable(translated_label(bars.label, names[place])) for place in shown),
        _differing(reports),
    )


Column = tuple["float | None", ...]


def _columns(bars: Bars, one: Labeled) -> tuple[tuple[str, ...], Column, Column]:
    table, field = one.result.tables.get(bars.table), f"tables/{bars.table}"
    if table is None:
        raise MedzhError(
            _("has no table {table}, from which the figure is drawn", table=bars.table), file=one.path, field=field
        )
    rows = [dict(zip(table.columns, cells, strict=False)) for cells in table.rows]
    numbers: list[Column] = []
    for column in (bars.y, bars.beside):
        values = [row.get(column, "") for row in rows]
        if all(value is None for value in values):
            raise MedzhError(_("holds no values to draw"), file=one.path, field=f"{field}/{column}")
        if any(isinstance(value, str) for value in values):
            expected = _("numbers in the columns {y} and {beside}", y=bars.y, beside=bars.beside)
            raise MedzhError(_("is not the table of the figure"), file=one.path, field=field, expected=expected)
        numbers.append(tuple(None if value is None else float(value) for value in values))
    return tuple(str(row.get(bars.label, "")) for row in rows), numbers[0], numbers[1]


def _points(config: Config, scatter: Scatter, reports: Sequence[Labeled]) -> FigureData:
    """Take two metrics of each report, and the line through them.

    R² and the line are None of fewer than three points, or where all are equal in one metric.
    """
    x, y = (np.array([_defined(one, metric) for one in reports]) for metric in (scatter.x, scatter.y))
    correlation = pearson(x, y) if len(reports) >= LEAST_POINTS else None
    line = None
    if correlation is not None:
        slope = float((x - x.mean()) @ (y - y.mean()) / ((x - x.mean()) @ (x - x.mean())))
        line = slope, float(y.mean() - slope * x.mean())
    values: dict[str, object] = {"count": len(reports), "least": LEAST_POINTS, "x": scatter.x, "y": scatter.y}
    about = _(
        "R² is undefined: it needs {least} reports or more that differ in both metrics; there are {count}", **values
    )
    if correlation is not None:
        values["square"] = correlation**2
        about = _("R² = {square:.3f} over {count} reports (squared Pearson correlation of {x} and {y})", **values)
    points = zip(reports, x.tolist(), y.tolist(), strict=True)
    return FigureData(
        _figure_title(config, scatter.summary),
        scatter.x,
        scatter.y,
        tuple(Series(one.label, (its_y,), (its_x,)) for one, its_x, its_y in points),
        remarks=(about, *_differing(reports)),
        line=line,
    )


def _defined(one: Labeled, metric: str) -> float:
    value = _value(one, metric)
    if value is None:
        raise MedzhError(_("has no value to draw"), file=one.path, field=f"metrics/{metric}", advice=_("see its why"))
    return value


def _radar(config: Config, radar: Radar, reports: Sequence[Labeled], metric: str | None) -> FigureData:
    name = radar.metric if metric is None else metric
    field = f"groups/{radar.breakdown}"
    groups = [_groups_of(radar, one) for one in reports]
    axes = list(groups[0])
    if len(axes) < FEWEST_AXES:
        expected, found = _("at least {fewest_axes}, an axis each", fewest_axes=FEWEST_AXES), ", ".join(axes) or "none"
        problem = _("has too few groups for a radar")
        raise MedzhError(problem, file=reports[0].path, field=field, expected=expected, found=found)
    for one, its in zip(reports[1:], groups[1:], strict=True):
        if its.keys() != groups[0].keys():
            problem = _("has other groups than {reports_path}", reports_path=reports[0].path)
            _refuse(one, problem, field, ", ".join(axes), ", ".join(its))
    series = tuple(
        Series(one.label, _line(name, one, its, axes, field)) for one, its in zip(reports, groups, strict=True)
    )
    unit = reports[0].result.metrics[name].unit
    for one in reports[1:]:  # lines of two units share no scale
        if (its_unit := one.result.metrics[name].unit) != unit:
            problem = _("has {name} in another unit than {reports_path}", name=name, reports_path=reports[0].path)
            _refuse(one, problem, f"metrics/{name}/unit", unit, its_unit)
    names = tuple(printable(translated_label(radar.breakdown, axis)) for axis in axes)
    gaps = [(one.label, [axis for axis, value in zip(names, one.y, strict=True) if value is None]) for one in series]
    remarks = []
    for label, at in gaps:
        of = {"label": label, "name": name, "groups": joined(at)}
        if at:
            remarks.append(_("{label} has no value of {name} in {groups}: the line has a gap there", **of))
    summary = radar.summary
    if name != radar.metric:
        by = pgettext("heads", radar.breakdown)
        summary = _("{name} by {breakdown}, a line a model", name=name, breakdown=by)
    largest = max(value for one in series for value in one.y if value is not None)
    return FigureData(
        _figure_title(config, summary),
        "",
        name,
        series,
        names,
        (*_differing(reports), *remarks),
        unit=unit,
        rings=rings(largest or TOPS.get(unit, 1.0)),
    )


def _refuse(one: Labeled, problem: str, field: str, expected: str, found: str) -> None:
    raise MedzhError(problem, file=one.path, field=field, expected=expected, found=found)


def _groups_of(radar: Radar, one: Labeled) -> Mapping[str, Mapping[str, Value]]:
    groups = one.result.groups
    if radar.breakdown not in groups:
        of = {"breakdown": radar.breakdown, "radar_name": radar.name}
        problem = _("has no groups by {breakdown}, from which the figure {radar_name} is drawn", **of)
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
        advice = (
            _("score what it needs, or choose with --metric of {others}", others=", ".join(others)) if others else None
        )
        raise MedzhError(
            _("holds no value of {metric} to draw", metric=metric), file=one.path, field=field, advice=advice
        )
    if any(value is not None and value < 0 for value in values):
        raise MedzhError(
            _("has values of {metric} below 0, which a radar cannot show", metric=metric), file=one.path, field=field
        )
    return values


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
        raise MedzhError(_("has no such groups"), file=first.path, field="--by", expected=known, found=breakdown)
    by = breakdown or next(iter(first.result.groups), None)
    for one in reports:
        _refuse_without(one, first, by, name)
    rows = group_rows([one.result for one in reports], by, name)
    unit = SIGN[first.result.metrics[name].unit]
    return FigureData(
        title_of(config.name, name, by),
        f"{name} ({unit})" if unit else name,
        "",
        tuple(
            Series(one.label, (), values=tuple(values[place] for _unused, values in rows))
            for place, one in enumerate(reports)
        ),
        tuple(name for name, _unused in rows),
        _differing(reports),
    )


def title_of(config: str, metric: str, breakdown: str | None) -> str:
    """Name a metric by groups."""
    if breakdown is None:
        return pgettext("titles", "{config}: {metric}, 95% intervals", config=config, metric=pgettext("titles", metric))
    names = {"config": config, "metric": metric, "breakdown": pgettext("heads", breakdown)}
    return pgettext("titles", "{config}: {metric} by {breakdown}, 95% intervals", **names)


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
        known = ", ".join(name for name, value in report.metrics.items() if value.value is not None)
        advice = _("choose with --metric of {known}", known=known) if known else None
        raise MedzhError(
            _("holds no value of {metric} to draw", metric=metric), file=one.path, field="--metric", advice=advice
        )
    if breakdown is not None:
        expected, found = (list(of.result.groups.get(breakdown, {})) for of in (first, one))
        if set(expected) != set(found):
            problem = _("has other groups than {reports_path}", reports_path=first.path)
            there = ", ".join(found) or _("no groups")
            _refuse(one, problem, f"groups/{breakdown}", ", ".join(expected), there)


def _figure_title(config: Config, summary: str) -> str:
    return pgettext("titles", "{config}: {summary}", config=config.name, summary=pgettext("titles", summary))
