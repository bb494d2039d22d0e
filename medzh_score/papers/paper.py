"""The facts of a benchmark's paper, from the data file of the package that declares the config."""

from __future__ import annotations

from importlib.metadata import entry_points

import msgspec

from medzh_score.config import config_names
from medzh_score.errors import MedzhError
from medzh_score.package_files import package_file
from medzh_score.papers.facts import Cells, Paper, ReportedColumn, ReportedTable
from medzh_score.rendering.numbers import cell
from medzh_score.table import Table

DECIMALS = 2  # of numbers that are not whole; the papers print two


def load_paper(config: str) -> Paper:
    """Load the facts of a config's paper: ``papers/<config>.json`` of the package that declares the config.

    Parameters
    ----------
    config : str
        The config's name.

    Raises
    ------
    MedzhError
        If there is no such config, or its package has no such file or a damaged one.

    Examples
    --------
    >>> load_paper("sdak").tables[-1].number
    11
    """
    package = _package(config)
    relative = f"papers/{config}.json"
    try:
        path = package_file(package, relative)
    except FileNotFoundError as error:
        raise MedzhError(
            f"{config} has no facts of a paper", field="CONFIG", expected=f"{relative} in the package {package}"
        ) from error
    try:
        return msgspec.json.decode(path.read_bytes(), type=Paper)
    except msgspec.MsgspecError as error:
        raise MedzhError(f"does not hold the facts of a paper: {error}", file=path) from error


def _package(config: str) -> str:
    for point in entry_points(group="medzh_score.configs", name=config):
        return point.module.partition(".")[0]
    raise MedzhError("no such config", field="CONFIG", expected=", ".join(config_names()), found=config)


def chosen_tables(paper: Paper, number: int | None = None) -> list[ReportedTable]:
    """Choose the tables to be shown.

    Parameters
    ----------
    paper : Paper
        The paper.
    number : int, optional
        Of one table; all when not given.

    Raises
    ------
    MedzhError
        If the paper has no such table, or it is one without numbers.
    """
    chosen = [table for table in paper.tables if number in (None, table.number)]
    if not chosen:
        why = paper.left_out.get(str(number))
        known = ", ".join(str(table.number) for table in paper.tables)
        problem = "the paper has no such table" if why is None else f"the table is left out here: it has {why}"
        raise MedzhError(problem, field="--table", expected=known or "none", found=number)
    return chosen


def reported_tables(paper: Paper, number: int | None = None) -> list[Table]:
    """Lay the paper's tables out as it prints them.

    Parameters
    ----------
    paper : Paper
        The paper.
    number : int, optional
        Of one table; all when not given.

    Returns
    -------
    list of Table
        Standard deviations stand behind their values with a plus-minus sign; None is what the paper leaves out.

    Raises
    ------
    MedzhError
        If the paper has no such table, or it is one without numbers.

    Examples
    --------
    >>> reported_tables(load_paper("sdak"), 4)[0].rows[0][2:]
    ('GPT-4', '99.96±0.00', '65.42±0.60', 100)
    """
    return [_laid_out(table) for table in chosen_tables(paper, number)]


def _laid_out(table: ReportedTable) -> Table:
    rows = [tuple(_printed(row, column, column.suffix) for column in table.columns) for row in table.rows]
    rows += [tuple(_printed(row.cells, column, row.suffix) for column in table.columns) for row in table.footer]
    heads = tuple(column.head for column in table.columns)
    return Table(f"Table {table.number}: {table.title}", heads, tuple(rows))


def _printed(row: Cells, column: ReportedColumn, suffix: str) -> str | int | float | None:
    value = row[column.name]
    if value is None or isinstance(value, str):
        return value
    std = None if column.std is None else row[column.std]
    if std is not None:
        return f"{cell(value, DECIMALS)}±{cell(std, DECIMALS)}{suffix}"
    return cell(value, DECIMALS) + suffix if suffix else value
