"""What a figure shows: a curve a report, from a table that the config names."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.errors import MedzhError, printable
from medzh_score.readers.report import read_report
from medzh_score.signature import differences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medzh_score.config import Config
    from medzh_score.plot import Plot
    from medzh_score.readers.report import ReadReport
    from medzh_score.table import Table

# What the reports of one figure may differ in: how the model was asked, how often, and what no curve shows.
MAY_DIFFER = frozenset({"prompt", "shots", "decoding", "asked", "runs", "ddof", "interval", "medzh_score"})


@dataclass(frozen=True)
class Curve:
    """What is drawn of one report.

    Attributes
    ----------
    label : str
        The model, else the file; unique in its figure.
    points : tuple of (float, float)
        By ascending x; y is the mean over runs.
    level : float or None
        Where the dashed line is drawn; None where the metric is undefined.
    """

    label: str
    points: tuple[tuple[float, float], ...]
    level: float | None


@dataclass(frozen=True)
class Figure:
    """A figure before anything is known of how it is drawn.

    Attributes
    ----------
    title : str
        What it shows.
    x, y : str
        The names of the axes.
    level : str
        What the dashed lines are.
    curves : tuple of Curve
        In the order of the reports.
    differing : tuple of str
        In which keys the signatures differ, of those in which they may.
    """

    title: str
    x: str
    y: str
    level: str
    curves: tuple[Curve, ...]
    differing: tuple[str, ...] = ()


def figure_of(config: Config, plot: Plot, paths: Sequence[Path]) -> Figure:
    """Read reports and find their curves.

    Parameters
    ----------
    config : Config
        Whose reports they are.
    plot : Plot
        One of its figures.
    paths : sequence of Path
        Reports as JSON, at least one.

    Returns
    -------
    Figure
        A curve a report.

    Raises
    ------
    MedzhError
        If a file is no report of this config, is named twice, or lacks the table; or if the reports differ in more
        than `MAY_DIFFER`: one figure compares.
    """
    resolved = [path.resolve() for path in paths]
    for path in paths:
        if resolved.count(path.resolve()) > 1:
            raise MedzhError("the report is named twice", file=path, expected="each once")
    reports = [_report(config, path) for path in paths]
    differing: list[str] = []
    for path, report in zip(paths[1:], reports[1:], strict=True):
        differing += _allowed(paths[0], reports[0], path, report)
    curves = tuple(
        Curve(label, _points(plot, path, report), _level(plot, path, report))
        for label, path, report in zip(_labels(paths, reports), paths, reports, strict=True)
    )
    title = f"{config.name}: {plot.summary}"
    return Figure(title, plot.x, plot.y, plot.level, curves, tuple(dict.fromkeys(differing)))


def _report(config: Config, path: Path) -> ReadReport:
    report = read_report(path)
    if report.config != config.name:
        raise MedzhError(
            "is a report of another config", file=path, field="config", expected=config.name, found=report.config
        )
    return report


def _allowed(first_path: Path, first: ReadReport, path: Path, report: ReadReport) -> list[str]:
    """Name the keys in which two signatures differ, if they may."""
    keys = differences(first.signature, report.signature)
    refused = [key for key in keys if key not in MAY_DIFFER]
    if refused:
        found = "; ".join(
            f"{key}: {first.signature.get(key, 'none')} and {report.signature.get(key, 'none')}" for key in refused
        )
        raise MedzhError(
            f"cannot be compared with {first_path}: the reports differ in {', '.join(refused)} ({found})",
            file=path,
            field="signature",
            advice="score both alike",
        )
    return keys


def _points(plot: Plot, path: Path, report: ReadReport) -> tuple[tuple[float, float], ...]:
    """Take the mean over runs at each x; runs in which y has no value are left out."""
    table = report.tables.get(plot.table)
    if table is None:
        raise MedzhError(
            f"has no table {plot.table}, from which the figure {plot.name} is drawn",
            file=path,
            field="tables",
            found=", ".join(report.tables) or "no tables",
            advice="score predictions that give it, such as those of several variants of each question",
        )
    found: dict[float, dict[float, float]] = {}
    for run, x, y in _numbers(plot, path, table):
        if run is not None and x is not None and y is not None:
            found.setdefault(x, {})[run] = y
    if not found:
        raise MedzhError("holds no values to draw", file=path, field=f"tables/{plot.table}")
    return tuple((x, sum(runs.values()) / len(runs)) for x, runs in sorted(found.items()))


def _numbers(plot: Plot, path: Path, table: Table) -> Iterator[tuple[float | None, float | None, float | None]]:
    """Give run, x and y of each row."""
    for cells in table.rows:
        row = dict(zip(table.columns, cells, strict=False))
        run, x, y = (row.get(name, "") for name in (plot.run, plot.x, plot.y))
        if isinstance(run, str) or isinstance(x, str) or isinstance(y, str):
            raise MedzhError(
                "is not the table of the figure",
                file=path,
                field=f"tables/{plot.table}",
                expected=f"numbers in the columns {plot.run}, {plot.x} and {plot.y}",
                found=", ".join(table.columns),
            )
        yield run, x, y


def _level(plot: Plot, path: Path, report: ReadReport) -> float | None:
    if plot.level not in report.metrics:
        raise MedzhError(
            "has no such metric", file=path, field="metrics", expected=plot.level, found=", ".join(report.metrics)
        )
    return report.metrics[plot.level].value


def _labels(paths: Sequence[Path], reports: Sequence[ReadReport]) -> list[str]:
    """Name each report by its model, else by its file; by both where models repeat."""
    names = [report.model or path.name for path, report in zip(paths, reports, strict=True)]
    often = Counter(names)
    return [
        printable(name if often[name] == 1 else f"{name} ({path})") for name, path in zip(names, paths, strict=True)
    ]
