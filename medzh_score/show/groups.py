"""A metric by the groups of a breakdown, with its intervals: the figure that any config has."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.messages.errors import MedzhError, printable
from medzh_score.messages.privacy import Name
from medzh_score.report.numbers import SIGN
from medzh_score.report.results.result import saved_report
from medzh_score.report.signature import differences_written, display_differences, value_differences
from medzh_score.show.cells import GROUPS, worded_word

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.report.report import Report
    from medzh_score.statistics.values import Value


# What moves values and the reports of one figure may differ in: how the model was asked. Who judged is no such thing:
# half of a score may be the judge's.
MAY_DIFFER = frozenset({"prompt", "form", "system", "shots", "decoding", "asked", "asked again"})
ALONE = "this report"  # which nothing names: a figure is the same wherever its report stands


@dataclass(frozen=True)
class Drawn:
    """A report that stands in a figure, under a label that is unique there."""

    path: Path
    label: str
    report: Report

    def value_of(self, metric: str) -> float | None:
        """Give a metric over all items."""
        metrics = self.report.metrics
        if metric not in metrics:
            known = ", ".join(metrics)
            raise MedzhError("has no such metric", file=self.path, field="metrics", expected=metric, found=known)
        return metrics[metric].value


@dataclass(frozen=True)
class Compared:
    """The reports of one figure, and in which keys their signatures differ, of those in which they may."""

    reports: tuple[Drawn, ...]
    differing: tuple[str, ...]


def compared(config: Config, paths: Sequence[Path]) -> Compared:
    """Read the reports of one figure, by the config's primary rule."""
    resolved = [path.resolve() for path in paths]
    for path in paths:
        if resolved.count(path.resolve()) > 1:
            raise MedzhError("the report is named twice", file=path, expected="each once")
    reports = [_report(config, path) for path in paths]
    differing: list[str] = []
    for path, report in zip(paths[1:], reports[1:], strict=True):
        differing += _allowed(paths[0], reports[0], path, report)
    drawn = tuple(map(Drawn, paths, _labels(paths, reports), reports))
    return Compared(drawn, tuple(dict.fromkeys(differing)))


def _report(config: Config, path: Path) -> Report:
    report = saved_report(path)
    if report.config != config.name:
        raise MedzhError(
            "is a report of another config", file=path, field="config", expected=config.name, found=Name(report.config)
        )
    return report.by_rule(config.primary_rule.name)


def _allowed(first_path: Path, first: Report, path: Path, report: Report) -> list[str]:
    """Name the keys in which two signatures differ, if they may."""
    keys = value_differences(first.signature, report.signature)
    refused = [key for key in keys if key not in MAY_DIFFER]
    if refused:
        found = differences_written(refused, first.signature, report.signature)
        raise MedzhError(
            f"cannot be compared with {first_path}: the reports differ in {', '.join(refused)} ({found})",
            file=path,
            field="signature",
            advice="score both alike",
        )
    return keys + display_differences(first.signature, report.signature)


def _labels(paths: Sequence[Path], reports: Sequence[Report]) -> list[str]:
    """Name each report by its model, else by its file; by both where models repeat. One alone needs no file."""
    if len(reports) == 1:
        return [printable(reports[0].model or worded(ALONE))]
    names = [report.model or path.name for path, report in zip(paths, reports, strict=True)]
    often = Counter(names)
    return [
        printable(name if often[name] == 1 else f"{name} ({path})") for name, path in zip(names, paths, strict=True)
    ]


BY_GROUPS = "groups"  # the name of the figure
ALL = "All"


@dataclass(frozen=True)
class GroupRow:
    """All items, or a group: a value a report, in the order of the reports."""

    label: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class GroupFigure:
    """A metric over all items and in each group, before anything is known of how it is drawn; the axis has its unit."""

    title: str
    axis: str
    labels: tuple[str, ...]
    rows: tuple[GroupRow, ...]
    differing: tuple[str, ...] = ()


def groups_of(config: Config, paths: Sequence[Path], breakdown: str | None, metric: str | None) -> GroupFigure:
    """Read reports and find a metric (None: the headline) by a breakdown (None: the first; without any, all items)."""
    found = compared(config, paths)
    name = metric or config.primary_metric(*(one.report.metrics for one in found.reports))
    by = _breakdown(found.reports[0], breakdown)
    for one in found.reports:
        _refuse(one, found.reports[0], by, name)
    rows = group_rows([one.report for one in found.reports], by, name)
    labels = tuple(one.label for one in found.reports)
    unit = SIGN[rows[0].values[0].unit]
    axis = f"{name} ({unit})" if unit else name
    return GroupFigure(title_of(config.name, name, by), axis, labels, rows, found.differing)


def title_of(config: str, metric: str, breakdown: str | None) -> str:
    """Name what is drawn."""
    return (
        f"{config}: {metric}, 95% intervals"
        if breakdown is None
        else f"{config}: {metric} by {breakdown}, 95% intervals"
    )


def group_rows(reports: Sequence[Report], breakdown: str | None, metric: str) -> tuple[GroupRow, ...]:
    """Give all items, then each group of a breakdown, which all reports have, in the order of the first."""
    total = GroupRow(worded(ALL, GROUPS), tuple(report.metrics[metric] for report in reports))
    if breakdown is None:
        return (total,)
    return (
        total,
        *(
            GroupRow(
                printable(worded_word(breakdown, group)),
                tuple(report.groups[breakdown][group][metric] for report in reports),
            )
            for group in reports[0].groups[breakdown]
        ),
    )


def _breakdown(drawn: Drawn, name: str | None) -> str | None:
    groups = drawn.report.groups
    if name not in {None, *groups}:
        known = ", ".join(groups) or "no groups"
        raise MedzhError("has no such groups", file=drawn.path, field="--by", expected=known, found=name)
    return name or next(iter(groups), None)


def _refuse(drawn: Drawn, first: Drawn, breakdown: str | None, metric: str) -> None:
    """Refuse a report without the metric, or with other groups than the first."""
    report = drawn.report
    if drawn.value_of(metric) is None:
        known = ", ".join(name for name, value in report.metrics.items() if value.value is not None)
        advice = f"choose with --metric of {known}" if known else None
        raise MedzhError(f"holds no value of {metric} to draw", file=drawn.path, field="--metric", advice=advice)
    if breakdown is None:
        return
    expected, found = (list(one.report.groups.get(breakdown, {})) for one in (first, drawn))
    if set(expected) != set(found):
        problem = f"has other groups than {first.path}"
        raise MedzhError(
            problem,
            file=drawn.path,
            field=f"groups/{breakdown}",
            expected=", ".join(expected),
            found=", ".join(found) or "no groups",
        )
