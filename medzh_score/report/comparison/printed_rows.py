"""Rows of a paper's tables beside a comparison: what they print of the metrics, and what of it is comparable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError
from medzh_score.report.comparison.agreement import DATA
from medzh_score.report.comparison.comparison import PrintedRow
from medzh_score.report.comparison.remarks import notes_on_data
from medzh_score.report.paper import chosen_tables, load_paper

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.benchmark.config import Config
    from medzh_score.report.comparison.choices import Choices
    from medzh_score.report.comparison.named_results import NamedResult
    from medzh_score.report.paper_facts import Cells, Paper, ReportedTable

OPTION = "--printed"


def printed_rows(
    config: Config, rule: str, results: Sequence[NamedResult], signature: Mapping[str, str], choices: Choices
) -> tuple[PrintedRow, ...]:
    """Find the rows that a user names as ``TABLE:ROW``."""
    if not choices.printed:
        return ()
    other = notes_on_data(results)
    if other and DATA not in choices.allow:
        raise MedzhError("the data are not the paper's", field=OPTION, found=other[0], advice="allow it: --allow data")
    paper = load_paper(config.name)
    beside = [_beside(config, rule, signature.get("decoding", "of their own"), paper), *other]
    return tuple(_row(paper, name, beside) for name in dict.fromkeys(choices.printed))


def _row(paper: Paper, name: str, beside: Sequence[str]) -> PrintedRow:
    number, _, row = name.partition(":")
    if not (number.isdecimal() and row):
        raise MedzhError("names no row of a table", field=OPTION, expected="TABLE:ROW, such as 4:GPT-4", found=name)
    table = chosen_tables(paper, int(number), OPTION)[0]
    rows = [cells for cells in table.rows if table.whole.items() <= cells.items()]
    if not any(column.metric for column in table.columns):
        known = ", ".join(str(one.number) for one in paper.tables if any(column.metric for column in one.columns))
        raise MedzhError(f"Table {number} prints no metric over all items", field=OPTION, expected=known or "none")
    fitting = [cells for cells in rows if row == row_name(table, cells) or row in _texts(table, cells)]
    names = list(dict.fromkeys(row_name(table, cells) for cells in fitting))
    if len(names) != 1:
        known = ", ".join(dict.fromkeys(row_name(table, cells) for cells in fitting or rows))
        problem = f"Table {number} has several such rows" if names else f"Table {number} has no such row"
        raise MedzhError(problem, field=OPTION, expected=known, found=row)
    values = {metric: value for cells in fitting for metric, value in _values(table, cells).items()}
    errata = ", ".join(erratum.id for erratum in paper.errata_of(table.number) if erratum.grade != "OK")
    seen = f"Beware of {errata}: medzh-score reported {paper.config} --table {number}." if errata else ""
    title = f"Table {number} of the {paper.benchmark} paper: {table.title}."
    return PrintedRow(f"Table {number}", names[0], values, (title, *beside, *filter(None, [seen])))


def row_name(table: ReportedTable, cells: Cells) -> str:
    """Name a row by its texts, in the order of the columns."""
    return "/".join(_texts(table, cells))


def _texts(table: ReportedTable, cells: Cells) -> list[str]:
    return [str(cells[column.name]) for column in table.columns if isinstance(cells[column.name], str)]


def _values(table: ReportedTable, cells: Cells) -> dict[str, float]:
    printed = {column.metric.format_map(cells): cells[column.name] for column in table.columns if column.metric}
    return {metric: float(value) for metric, value in printed.items() if isinstance(value, int | float)}


def _beside(config: Config, rule: str, decoding: str, paper: Paper) -> str:
    """Say in what the paper's answers are others than those that are compared."""
    first = config.rules[0].name
    read = f"another rule ({rule}; the default, nearest to the paper, is {first})" if rule != first else f"rule {rule}"
    settings = ", ".join(f"{name} {value}" for name, value in paper.decoding.items()) or "unstated"
    return (
        f"Another sample: the paper's own answers, its decoding {settings}; of the systems {decoding}, {read}. "
        "No test is made."
    )
