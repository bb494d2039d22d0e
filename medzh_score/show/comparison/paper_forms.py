"""The table of a paper as text, Markdown and LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.tables import Table
from medzh_score.messages.catalogue import worded
from medzh_score.show import tables
from medzh_score.show.cells import TITLES, worded_heads
from medzh_score.show.comparison import latex
from medzh_score.show.comparison.cells import DAGGER
from medzh_score.show.comparison.latex import latex_escaped
from medzh_score.show.tables import markdown_escaped

if TYPE_CHECKING:
    from medzh_score.show.comparison.paper import PaperCell, PaperRow, PaperTable

ALIKE = "≈"


def as_text(table: PaperTable, width: int) -> str:
    """Draw the table for the terminal; the best stands between asterisks."""
    blocks = [table.rows, table.printed] if table.printed else [table.rows]
    drawn = []
    for rows in blocks:
        filled = tuple((row.name, *(_plain(cell) for cell in row.cells)) for row in rows)
        drawn.append(tables.as_text(Table(table.name, ("system", *table.heads), filled), width=width).strip("\n"))
    return "\n\n".join(drawn) + "\n"


def _plain(cell: PaperCell) -> str:
    value = f"**{cell.value}**" if cell.best else cell.value
    return " ".join(part for part in (value + _signs(cell), cell.interval) if part)


def _signs(cell: PaperCell) -> str:
    return ALIKE * cell.alike + DAGGER * cell.depends


def as_markdown(table: PaperTable) -> str:
    """Write the table in Markdown."""
    lines = [f"**{markdown_escaped(worded(table.name, TITLES))}**\n"] if table.name else []
    lines.append(_row(list(map(markdown_escaped, worded_heads(("system", *table.heads))))))
    lines.append(_row(["---"] + ["---:"] * len(table.heads)))
    lines += [_row([markdown_escaped(row.name), *map(_marked, row.cells)]) for row in table.rows]
    if table.printed:
        lines.append(_row(["*printed*", *[""] * len(table.heads)]))
        lines += [_row([markdown_escaped(row.name), *map(_marked, row.cells)]) for row in table.printed]
    return "\n".join(lines) + "\n"


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _marked(cell: PaperCell) -> str:
    value = f"**{cell.value}**" if cell.best else cell.value
    return " ".join(part for part in (value + _signs(cell), cell.interval and f"<sub>{cell.interval}</sub>") if part)


def as_latex(table: PaperTable, caption: str, label: str) -> str:
    """Write the table for LaTeX with booktabs."""
    heads = ["", *map(latex_escaped, worded_heads(table.heads))]
    blocks = [[_latex_row(row) for row in rows] for rows in (table.rows, table.printed)]
    return latex.environment(caption, label, heads, blocks)


def _latex_row(row: PaperRow) -> list[str]:
    return [latex_escaped(row.name), *map(_set, row.cells)]


def _set(cell: PaperCell) -> str:
    value = latex.numbers(cell.value)
    value = rf"\textbf{{{value}}}" if cell.best else value
    signs = rf"\textsuperscript{{{latex_escaped(_signs(cell))}}}" if _signs(cell) else ""
    interval = rf" {{\scriptsize {latex.numbers(cell.interval)}}}" if cell.interval else ""
    return value + signs + interval
