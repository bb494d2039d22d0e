"""What a config declares of a figure that is drawn from its reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """What all figures have.

    Attributes
    ----------
    name : str
        As in ``--figure NAME``.
    summary : str
        One sentence: what it shows, and which figure of the paper it is.
    """

    name: str
    summary: str


@dataclass(frozen=True)
class Plot(Figure):
    """A figure that is drawn from a table of one report or several, a line a report.

    Attributes
    ----------
    table : str
        The report's table that it is drawn from.
    x, y : str
        Columns of that table.
    run : str
        The column that numbers the runs; a line is the mean over runs.
    level : str
        The metric whose value is drawn as a dashed line beside each curve.
    """

    table: str
    x: str
    y: str
    run: str
    level: str


@dataclass(frozen=True)
class Radar(Figure):
    """A figure that is drawn from the groups of one report or several, a line a report.

    Attributes
    ----------
    breakdown : str
        Whose groups are the axes, in the report's order.
    metric : str
        What is drawn on them where ``--metric`` is not given.
    """

    breakdown: str
    metric: str


@dataclass(frozen=True)
class Bars(Figure):
    """A figure of bars that is drawn from a table of one report or several, a colour a report.

    Attributes
    ----------
    table : str
        The reports' table that it is drawn from, with the same rows in each.
    label : str
        The column that names the bars.
    y : str
        The column that is drawn of each report.
    beside : str
        The column that is drawn once, of the data: it must be equal in all reports.
    """

    table: str
    label: str
    y: str
    beside: str


@dataclass(frozen=True)
class Scatter(Figure):
    """A figure of two metrics against each other, a point a report, with the R² of a straight line through them.

    Attributes
    ----------
    x, y : str
        The metrics.
    """

    x: str
    y: str
