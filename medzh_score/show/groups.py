"""A metric by the groups of a breakdown, with its intervals: the figure that any config has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.messages.errors import MedzhError, printable
from medzh_score.report.numbers import SIGN
from medzh_score.show.cells import GROUPS, worded_word
from medzh_score.show.compared_reports import compared

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.report.report import Report
    from medzh_score.show.compared_reports import Drawn
    from medzh_score.statistics.values import Value

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
    name = metric or config.headline
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
