"""The table of a paper: systems as rows, metrics as columns, the best in bold, what is uncertain marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.benchmark.config import Table
from medzh_score.render import latex, tables
from medzh_score.render.compare_tables import by_breakdown, titled
from medzh_score.render.display import ARROWS, DAGGER, number
from medzh_score.render.latex import latex_escaped
from medzh_score.render.tables import HEADS, TITLES, markdown_escaped, translated_heads, translated_label
from medzh_score.stats.permutation import LEVEL
from medzh_score.ui.i18n import translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.comparison.model import Comparison, PrintedRow
    from medzh_score.render.display import DisplayOptions
    from medzh_score.stats.pairwise import MetricComparison, SystemResult


ALL = 100.0  # percent


@dataclass(frozen=True)
class PaperCell:
    """A value with its interval, and how it is marked."""

    value: str
    interval: str = ""
    best: bool = False
    alike: bool = False
    depends: bool = False


@dataclass(frozen=True)
class PaperRow:
    """A system, or a row that a paper prints."""

    name: str
    cells: tuple[PaperCell, ...]


@dataclass(frozen=True)
class PaperTable:
    """A table before anything is known of its form."""

    name: str  # of what it shows beside the config, for a label; empty for the metrics of all items
    heads: tuple[str, ...]  # of the columns after the first
    rows: tuple[PaperRow, ...]
    printed: tuple[PaperRow, ...]  # rows of papers, in a block of their own

    @property
    def cells(self) -> tuple[PaperCell, ...]:
        """The cells of all systems."""
        return tuple(cell for row in self.rows for cell in row.cells)


def paper_tables(
    comparison: Comparison, options: DisplayOptions, order: Sequence[int]
) -> Iterator[tuple[tuple[MetricComparison, ...], PaperTable]]:
    """Make a table of the metrics on all items, and one of each metric by each breakdown, whose columns are groups.

    Each comes with what it is made of.
    """
    decimals = options.decimals(comparison.unit)
    total = tuple(found for found in comparison.found if not found.breakdown)
    if total:
        printed = tuple(_printed(row, total, decimals) for row in comparison.printed)
        named = [(f"{found.metric} {ARROWS[found.standings[0].value.direction]}".rstrip(), found) for found in total]
        heads = tuple(head for name, found in named for head in (name, *heads_beside(found)))
        yield total, PaperTable("", heads, _rows(total, options, order, decimals), printed)
    for alike in by_breakdown(comparison):
        if alike[0].breakdown:
            heads = tuple(
                head
                for found in alike
                for head in (translated_label(found.breakdown, found.group), *heads_beside(found))
            )
            name = titled(comparison, alike[0])
            yield alike, PaperTable(name, heads, _rows(alike, options, order, decimals), ())


def _rows(
    columns: Sequence[MetricComparison], options: DisplayOptions, order: Sequence[int], decimals: int
) -> tuple[PaperRow, ...]:
    return tuple(
        PaperRow(
            options.name(columns[0].standings[place].label),
            tuple(cell for found in columns for cell in _paper_cells(found, found.standings[place], decimals)),
        )
        for place in order
    )


def heads_beside(found: MetricComparison) -> tuple[str, ...]:
    """Head the columns of other rules, which stand beside a value."""
    name = translated_label(found.breakdown, found.group) if found.breakdown else found.metric
    return tuple(translated(f"{name} ({rule})", HEADS) for rule in found.beside)


def _paper_cells(found: MetricComparison, standing: SystemResult, decimals: int) -> tuple[PaperCell, ...]:
    cell, *beside = marked_cells(found, standing, decimals)
    nothing_read = standing.value.value == 0 and standing.unread >= ALL
    return PaperCell(number(None, decimals)) if nothing_read else cell, *beside


def marked_cells(found: MetricComparison, standing: SystemResult, decimals: int) -> tuple[PaperCell, ...]:
    """Write a value with its marks, and plain what stands beside it."""
    beside = (PaperCell(number(value, decimals)) for value in standing.by_rules.values())
    return _marked(found, standing, decimals), *beside


def _marked(found: MetricComparison, standing: SystemResult, decimals: int) -> PaperCell:
    value = standing.value
    best = standing.rank == 1 and len(found.standings) > 1
    ends = "" if value.low is None else f"[{number(value.low, decimals)}, {number(value.high, decimals)}]"
    return PaperCell(
        number(value.value, decimals),
        ends,
        best=best,
        alike=not best and standing.label in _alike_the_best(found),
        depends=depends(found, standing.label),
    )


def _alike_the_best(found: MetricComparison) -> tuple[str, ...]:
    best = {standing.label for standing in found.standings if standing.rank == 1}
    alike = [one for one in found.differences if one.corrected is not None and one.corrected > LEVEL]
    pairs = [(one.label, one.other) for one in alike] + [(one.other, one.label) for one in alike]
    return tuple(label for label, other in pairs if other in best)


def depends(found: MetricComparison, label: str) -> bool:
    """Say whether the sign of a system's difference to the baseline, else to the best, depends on unread answers."""
    best = {standing.label for standing in found.standings if standing.rank == 1}
    others = best if found.baseline is None else {found.baseline}
    return label not in others and any(
        one.depends_on_unread and {one.label, one.other} & others and label in {one.label, one.other}
        for one in found.differences
    )


def _printed(row: PrintedRow, columns: Sequence[MetricComparison], decimals: int) -> PaperRow:
    cells = (
        cell
        for found in columns
        for cell in (PaperCell(number(row.values.get(found.metric), decimals)), *[PaperCell("")] * len(found.beside))
    )
    return PaperRow(f"{row.row} ({translated(row.table, TITLES)})", tuple(cells))


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
    lines = [f"**{markdown_escaped(translated(table.name, TITLES))}**\n"] if table.name else []
    lines.append(_row(list(map(markdown_escaped, translated_heads(("system", *table.heads))))))
    lines.append(_row(["---"] + ["---:"] * len(table.heads)))
    lines += [_row([markdown_escaped(row.name), *map(_markdown_cell, row.cells)]) for row in table.rows]
    if table.printed:
        lines.append(_row(["*printed*", *[""] * len(table.heads)]))
        lines += [_row([markdown_escaped(row.name), *map(_markdown_cell, row.cells)]) for row in table.printed]
    return "\n".join(lines) + "\n"


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _markdown_cell(cell: PaperCell) -> str:
    value = f"**{cell.value}**" if cell.best else cell.value
    return " ".join(part for part in (value + _signs(cell), cell.interval and f"<sub>{cell.interval}</sub>") if part)


def as_latex(table: PaperTable, caption: str, label: str) -> str:
    """Write the table for LaTeX with booktabs."""
    heads = ["", *map(latex_escaped, translated_heads(table.heads))]
    blocks = [
        [[latex_escaped(row.name), *map(_set, row.cells)] for row in rows] for rows in (table.rows, table.printed)
    ]
    return latex.latex_table(caption, heads, blocks, label)


def _set(cell: PaperCell) -> str:
    value = latex.numbers(cell.value)
    value = rf"\textbf{{{value}}}" if cell.best else value
    signs = rf"\textsuperscript{{{latex_escaped(_signs(cell))}}}" if _signs(cell) else ""
    interval = rf" {{\scriptsize {latex.numbers(cell.interval)}}}" if cell.interval else ""
    return value + signs + interval
