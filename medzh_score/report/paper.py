"""The facts of a benchmark's paper, from the data file of the package that declares the config."""

from __future__ import annotations

import msgspec

from medzh_score.benchmark.registry import package_of
from medzh_score.benchmark.tables import Table
from medzh_score.files.package_files import package_file
from medzh_score.messages.errors import MedzhError
from medzh_score.report.numbers import cell
from medzh_score.report.paper_facts import Cells, Paper, ReportedColumn, ReportedTable

FACTS = "paper.json"


def load_paper(config: str) -> Paper:
    """Load the facts of a config's paper: the ``paper.json`` beside the module that declares the config.

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
    package = package_of(config)
    try:
        path = package_file(package, FACTS)
    except FileNotFoundError as error:
        raise MedzhError(
            f"{config} has no facts of a paper", field="CONFIG", expected=f"{FACTS} in the package {package}"
        ) from error
    try:
        return msgspec.json.decode(path.read_bytes(), type=Paper)
    except msgspec.MsgspecError as error:
        raise MedzhError(f"does not hold the facts of a paper: {error}", file=path) from error


def chosen_tables(paper: Paper, number: int | None = None, field: str = "--table") -> list[ReportedTable]:
    """Choose the tables to be shown, by the number that stands in an option."""
    chosen = [table for table in paper.tables if number in (None, table.number)]
    if not chosen:
        why = paper.left_out.get(str(number))
        known = ", ".join(str(table.number) for table in paper.tables)
        problem = "the paper has no such table" if why is None else f"the table is left out here: it has {why}"
        raise MedzhError(problem, field=field, expected=known or "none", found=number)
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
        What the paper prints in one cell is one text, such as a value with its standard deviation; other numbers are
        left to be printed with the paper's decimals. None is what the paper leaves out.

    Raises
    ------
    MedzhError
        If the paper has no such table, or it is one without numbers.

    Examples
    --------
    >>> reported_tables(load_paper("sdak"), 4)[0].rows[0][2:]
    ('GPT-4', '99.96±0.00', '65.42±0.60', 100)
    >>> reported_tables(load_paper("tcmd"), 4)[0].rows[0][1:4]
    ('0.593(0.016)', 0.56, 0.633)
    >>> reported_tables(load_paper("pemebench"), 4)[0].rows[1][5:]
    ('53.2', 47.99)
    """
    return [_laid_out(table, paper.decimals) for table in chosen_tables(paper, number)]


def _laid_out(table: ReportedTable, decimals: int) -> Table:
    rows = [tuple(_printed(row, column, column.suffix, decimals) for column in table.columns) for row in table.rows]
    rows += [
        tuple(_printed(row.cells, column, row.suffix, decimals) for column in table.columns) for row in table.footer
    ]
    heads = tuple(column.head for column in table.columns)
    return Table(f"Table {table.number}: {table.title}", heads, tuple(rows))


def _printed(row: Cells, column: ReportedColumn, suffix: str, decimals: int) -> str | int | float | None:
    value = row[column.name]
    beside = None if column.beside is None else row[column.beside]
    if value is None or (beside is None and isinstance(value, str)):
        return value
    if column.beside is not None and beside is None:
        suffix = ""
    if not (suffix or beside is not None or column.trimmed or column.decimals is not None):
        return value
    parts = [value] if beside is None else [value, beside]
    return column.between.join(_digits(part, column, decimals) for part in parts) + suffix


def _digits(value: str | float, column: ReportedColumn, decimals: int) -> str:
    text = cell(value, decimals if column.decimals is None else column.decimals)
    return text.rstrip("0").removesuffix(".") if column.trimmed and "." in text else text
