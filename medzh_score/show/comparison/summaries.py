"""A summary of several configs as text, Markdown, LaTeX or CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.tables import Table
from medzh_score.files.sheets import csv_text
from medzh_score.messages.catalogue import worded
from medzh_score.show.cells import HEADS, TITLES, worded_heads, worded_rows
from medzh_score.show.comparison import latex, paper_forms
from medzh_score.show.comparison.captions import ended, summary_captions
from medzh_score.show.comparison.cells import BESIDE, difference_cells
from medzh_score.show.comparison.latex import latex_escaped
from medzh_score.show.comparison.paper import PaperCell, PaperRow, PaperTable, heads_beside, marked_cells
from medzh_score.show.comparison.rendering import paragraphs, put_together
from medzh_score.show.comparison.systems import DIFFERENCES, signed, titled
from medzh_score.show.comparison.tidy import COLUMNS, tidy_rows
from medzh_score.show.tables import as_markdown, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.report.comparison.summary import Summary
    from medzh_score.show.comparison.showing import Showing


def rendered_summary(summary: Summary, form: str, showing: Showing) -> str:
    """Show a summary: systems as rows and configs as columns; with a baseline the differences beneath."""
    if form == "csv":
        return csv_text(COLUMNS, (row for column in summary.columns for row in tidy_rows(column)))
    systems = f"{len(summary.systems)} systems on {len(summary.columns)} configs"
    above = [f"{systems}: the headline of each; metrics of different columns have no common mean"]
    above += [f"missing: {showing.name(label)}: {', '.join(configs)}" for label, configs in summary.missing.items()]
    above = list(map(worded, above))
    above += [_of(column, caution) for column in summary.columns for caution in column.cautions]
    drawn = [_headlines(summary, form, showing)]
    if summary.baseline is not None:
        drawn.append(_differences(summary, form, showing))
    beneath = [worded(DIFFERENCES)] if summary.baseline is not None else []
    beneath += [_of(column, note) for column in summary.columns for note in column.notes]
    return put_together(form, showing, above, drawn, [*beneath, *map(signed, summary.columns)])


def _of(column: Comparison, said: str) -> str:
    return column.config + worded(": ") + worded(said)


def _headlines(summary: Summary, form: str, showing: Showing) -> str:
    heads = tuple(
        worded(f"{column.config}: {head}", HEADS)
        for column in summary.columns
        for head in (titled(column, column.found[0]), *heads_beside(column.found[0]))
    )
    rows = tuple(
        PaperRow(
            showing.name(label), tuple(cell for column in summary.columns for cell in _cells(column, label, showing))
        )
        for label in summary.systems
    )
    table = PaperTable("", heads, rows, ())
    said = summary_captions(summary, table, showing)
    if form == "latex":
        return paper_forms.as_latex(table, " ".join(map(latex.breaking, said)), "tab:summary")
    drawn = paper_forms.as_text(table, showing.width) if form == "text" else paper_forms.as_markdown(table)
    return "\n".join([drawn, paragraphs(form, said, showing)])


def _cells(column: Comparison, label: str, showing: Showing) -> tuple[PaperCell, ...]:
    found = column.found[0]
    for standing in found.standings:
        if standing.label == label:
            return marked_cells(found, standing, showing.decimals(column.unit))
    return (PaperCell(""),) * (1 + len(found.beside))


def _differences(summary: Summary, form: str, showing: Showing) -> str:
    """Draw the differences to the baseline, a row a config and system."""
    baseline = showing.name(summary.baseline or "")
    heads = ("config", "system", f"minus {baseline}", *BESIDE, "gate")
    table = Table(f"Differences to {baseline}", heads, tuple(_difference_rows(summary, showing)))
    if form == "latex":
        rows = [list(map(latex.numbers, row)) for row in worded_rows(table, 0)]
        said = [ended(worded(table.title, TITLES)), *summary_captions(summary, None, showing)]
        escaped = tuple(map(latex_escaped, worded_heads(heads)))
        return latex.environment(" ".join(map(latex.breaking, said)), "tab:summary-differences", escaped, [rows])
    return as_text(table, width=showing.width) if form == "text" else as_markdown(table)


def _difference_rows(summary: Summary, showing: Showing) -> Iterator[tuple[str, ...]]:
    for column in summary.columns:
        outcomes = {one.label: str(one.outcome) for one in column.judged}
        for one in column.found[0].differences:
            cells = difference_cells(one, showing.decimals(column.unit))
            yield column.config, showing.name(one.label), *cells, outcomes.get(one.label, "-")
