"""The table of a paper: systems as rows, metrics as columns, the best in bold, uncertain differences marked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.config import Table
from medzh_score.benchmark.registry import difference_names
from medzh_score.render import latex, tables
from medzh_score.render.compare_tables import by_breakdown, metric_name, titled
from medzh_score.render.display import DAGGER, NONE, number
from medzh_score.render.latex import latex_escaped
from medzh_score.render.tables import HEADS, TITLES, markdown_escaped, translated_heads, translated_label
from medzh_score.stats.permutation import SIGNIFICANCE
from medzh_score.ui.i18n import pgettext, translated
from medzh_score.ui.numbers import TENS, rounded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.comparison.model import Comparison, PrintedRow
    from medzh_score.render.display import DisplayOptions
    from medzh_score.stats.pairwise import MetricComparison, SystemResult


ALL = 100.0  # percent
NARROW = 6  # columns of a table with the other rules of every metric; a wider one has those of the first metric
SIDE_BY_SIDE = 3  # columns of a LaTeX table with the intervals next to the values; in a wider one they are below


@dataclass(frozen=True)
class PaperCell:
    """A value with the ends of its interval, and its marks."""

    value: str
    low: str = ""
    high: str = ""
    best: bool = False
    alike: bool = False
    depends: bool = False

    @property
    def interval(self) -> str:
        """The interval, or nothing."""
        return f"[{self.low}, {self.high}]" if self.low else ""

    @property
    def signs(self) -> str:
        """The marks after the value."""
        return ALIKE * self.alike + DAGGER * self.depends


@dataclass(frozen=True)
class PaperRow:
    """A system, or a row that a paper prints."""

    name: str
    cells: tuple[PaperCell, ...]


@dataclass(frozen=True)
class PaperTable:
    """A table in no particular format."""

    name: str  # the metric and breakdown; empty for the metrics on all items
    heads: tuple[str, ...]  # of the columns after the first, in the language of the command
    rows: tuple[PaperRow, ...]
    printed: tuple[PaperRow, ...]  # rows of papers, in a block of their own

    @property
    def cells(self) -> tuple[PaperCell, ...]:
        """The cells of all systems."""
        return tuple(cell for row in self.rows for cell in row.cells)

    def without_empty_columns(self) -> PaperTable:
        """Return the table without the columns in which no system has a value."""
        columns = range(len(self.heads))
        kept = [place for place in columns if any(row.cells[place].value not in {NONE, ""} for row in self.rows)] or [
            *columns
        ]

        return self.with_columns(kept)

    def with_columns(self, places: Sequence[int]) -> PaperTable:
        """Return the table with some of its columns."""

        def of(rows: tuple[PaperRow, ...]) -> tuple[PaperRow, ...]:
            return tuple(PaperRow(row.name, tuple(row.cells[place] for place in places)) for row in rows)

        return PaperTable(self.name, tuple(self.heads[place] for place in places), of(self.rows), of(self.printed))

    def transposed(self) -> PaperTable:
        """Return the table with systems as columns."""
        columns = zip(*(row.cells for row in self.rows), strict=True)
        rows = tuple(PaperRow(head, cells) for head, cells in zip(self.heads, columns, strict=True))
        return PaperTable(self.name, tuple(row.name for row in self.rows), rows, ())


def paper_tables(
    comparison: Comparison, options: DisplayOptions, order: Sequence[int]
) -> Iterator[tuple[tuple[MetricComparison, ...], PaperTable]]:
    """Make a table of the metrics on all items, and one of each metric by each breakdown, whose columns are groups.

    Yield each with its comparisons.
    """
    decimals = options.decimals(comparison.unit)
    total = tuple(found for found in comparison.found if not found.breakdown)
    if total:
        printed = tuple(_printed(row, total, decimals) for row in comparison.printed)
        points = difference_names(comparison.config) if comparison.unit == "percent" else ()
        heads = tuple(
            head
            for found in total
            for head in (metric_name(found) + " (pp)" * (found.metric in points), *heads_beside(found))
        )
        table = PaperTable("", heads, _rows(total, options, order, decimals), printed)
        if len(heads) > NARROW:
            table = table.with_columns(_of_first(total))
        yield total, table.without_empty_columns()
    for alike in by_breakdown(comparison):
        if alike[0].breakdown:
            heads = tuple(translated_label(found.breakdown, found.group) for found in alike)
            rows = _rows([_alone(found) for found in alike], options, order, decimals)
            table = PaperTable(_titled(comparison, alike[0]), heads, rows, ())
            yield alike, table.without_empty_columns() if len(heads) <= len(rows) else table.transposed()


def _titled(comparison: Comparison, found: MetricComparison) -> str:
    """Name a metric with the unit of the table, and the breakdown."""
    if comparison.unit == "percent":
        return titled(comparison, found)
    by = pgettext("heads", found.breakdown)
    return pgettext("titles", "{metric} (fraction) by {breakdown}", metric=metric_name(found), breakdown=by)


def _of_first(total: Sequence[MetricComparison]) -> list[int]:
    """Return the columns without the other rules of all metrics after the first."""
    width = 1 + len(total[0].beside)
    return [*range(width), *range(width, width * len(total), width)]


def _alone(found: MetricComparison) -> MetricComparison:
    return replace(found, standings=tuple(replace(one, by_rules={}) for one in found.standings))


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
    """Return the headings of the columns of other rules."""
    return tuple(translated(f"{found.metric} ({rule})", HEADS) for rule in found.beside)


def _paper_cells(found: MetricComparison, standing: SystemResult, decimals: int) -> tuple[PaperCell, ...]:
    cell, *beside = marked_cells(found, standing, standing.value.unit, decimals)
    all_unparsed = standing.value.value == 0 and standing.unparsed >= ALL
    return PaperCell(NONE) if all_unparsed else cell, *beside


def marked_cells(found: MetricComparison, standing: SystemResult, unit: str, decimals: int) -> tuple[PaperCell, ...]:
    """Return the cell of a value with its marks, and those of other rules, in percent or in the unit of the config."""
    tens = TENS[standing.value.unit] - TENS[unit]
    beside = (
        PaperCell(NONE if value is None else rounded(value, decimals, tens)) for value in standing.by_rules.values()
    )
    return _marked(found, standing, decimals, tens), *beside


def _marked(found: MetricComparison, standing: SystemResult, decimals: int, tens: int) -> PaperCell:
    value = standing.value
    best = standing.rank == 1 and len(found.standings) > 1
    low, high = ("" if end is None else rounded(end, decimals, tens) for end in (value.low, value.high))
    return PaperCell(
        NONE if value.value is None else rounded(value.value, decimals, tens),
        low,
        high,
        best=best,
        alike=not best and standing.label in _alike_the_best(found),
        depends=depends(found, standing.label),
    )


def _alike_the_best(found: MetricComparison) -> tuple[str, ...]:
    best = {standing.label for standing in found.standings if standing.rank == 1}
    alike = [one for one in found.differences if one.corrected is not None and one.corrected > SIGNIFICANCE]
    pairs = [(one.label, one.other) for one in alike] + [(one.other, one.label) for one in alike]
    return tuple(label for label, other in pairs if other in best)


def depends(found: MetricComparison, label: str) -> bool:
    """Return whether the difference to the baseline, else to the best, is sensitive to unparsed answers."""
    best = {standing.label for standing in found.standings if standing.rank == 1}
    others = best if found.baseline is None else {found.baseline}
    return label not in others and any(
        one.depends_on_unparsed and {one.label, one.other} & others and label in {one.label, one.other}
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
        shown = Table(table.name, ("system", *table.heads), filled)
        drawn.append(tables.as_text(shown, width=width, heads=_heads(table)).strip("\n"))
    return "\n\n".join(drawn) + "\n"


def _heads(table: PaperTable) -> tuple[str, ...]:
    """Return the headings: of the columns of a transposed table the names of systems, which are never translated."""
    return (*translated_heads(("system",)), *table.heads)


def _plain(cell: PaperCell) -> str:
    value = f"**{cell.value}**" if cell.best else cell.value
    return " ".join(part for part in (value + cell.signs, cell.interval) if part)


def as_markdown(table: PaperTable) -> str:
    """Write the table in Markdown."""
    lines = [f"**{markdown_escaped(translated(table.name, TITLES))}**\n"] if table.name else []
    lines.append(_row(list(map(markdown_escaped, _heads(table)))))
    lines.append(_row(["---"] + ["---:"] * len(table.heads)))
    lines += [_row([markdown_escaped(row.name), *map(_markdown_cell, row.cells)]) for row in table.rows]
    if table.printed:
        published = translated(pgettext("heads", "published"))
        lines.append(_row([f"*{published}*", *[""] * len(table.heads)]))
        lines += [_row([markdown_escaped(row.name), *map(_markdown_cell, row.cells)]) for row in table.printed]
    return "\n".join(lines) + "\n"


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _markdown_cell(cell: PaperCell) -> str:
    value = f"**{cell.value}**" if cell.best else cell.value
    return value + cell.signs + (f" ({cell.low}–{cell.high})" if cell.low else "")


def as_latex(table: PaperTable, caption: str, label: str) -> str:
    """Write the table for LaTeX with booktabs; in a wide one the intervals are below the values."""
    heads = ["", *map(latex_escaped, table.heads)]
    below = len(table.heads) > SIDE_BY_SIDE
    blocks = [[line for row in rows for line in _latex_rows(row, below)] for rows in (table.rows, table.printed)]
    return latex.latex_table(caption, heads, blocks, label)


def _latex_rows(row: PaperRow, below: bool) -> list[list[str]]:  # noqa: FBT001 - private
    values, intervals = map(_latex_value, row.cells), [_latex_interval(cell) for cell in row.cells]
    if below and any(intervals):
        return [[latex_escaped(row.name), *values], ["", *intervals]]
    cells = zip(values, intervals, strict=True)
    return [[latex_escaped(row.name), *(f"{value} {interval}".rstrip() for value, interval in cells)]]


def _latex_value(cell: PaperCell) -> str:
    value = latex.numbers(cell.value)
    value = rf"\textbf{{{value}}}" if cell.best else value
    return value + (rf"\textsuperscript{{{latex_escaped(cell.signs)}}}" if cell.signs else "")


def _latex_interval(cell: PaperCell) -> str:
    return rf"{{\scriptsize {latex.numbers(cell.interval)}}}" if cell.interval else ""
