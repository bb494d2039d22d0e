"""A comparison as text, Markdown, LaTeX or CSV: its tables, or the table of a paper."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.show.cells import TITLES, worded_heads, worded_rows
from medzh_score.show.comparison import latex, paper_forms
from medzh_score.show.comparison.captions import captions, ended, marks, methods
from medzh_score.show.comparison.latex import latex_escaped
from medzh_score.show.comparison.paper import paper_tables
from medzh_score.show.comparison.showing import ordered
from medzh_score.show.comparison.systems import (
    above,
    beneath,
    by_breakdown,
    pair_tables,
    printed_table,
    remarks,
    signed,
    system_tables,
    whys,
)
from medzh_score.show.comparison.tidy import as_csv
from medzh_score.show.tables import WIDEST_PROSE, as_markdown, as_text, markdown_escaped
from medzh_score.show.wrapping import in_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.tables import Table
    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.show.comparison.paper import PaperTable
    from medzh_score.show.comparison.showing import Showing
    from medzh_score.statistics.comparison.found import MetricComparison


FORMS = ("text", "markdown", "latex", "csv")


def rendered(comparison: Comparison, form: str, showing: Showing) -> str:
    """Show a comparison: tables of systems by metric and by group, and of pairs where all are compared."""
    order = ordered(comparison, showing)
    if form == "csv":
        return as_csv(comparison)
    tables: list[tuple[Comparison | None, Table]] = [
        (replace(comparison, found=alike), table)
        for alike in by_breakdown(replace(comparison, found=_with_values(comparison)))
        for table in (
            *system_tables(comparison, alike, showing, order),
            *pair_tables(comparison, alike, showing, order),
        )
    ]
    tables += [(None, table) for table in printed_table(comparison)]
    drawn = [_drawn(part, table, form, showing, number) for number, (part, table) in enumerate(tables, 1)]
    said = [] if form == "latex" else captions(comparison, showing)
    lines = [*said, *methods(comparison, showing), *beneath(comparison, showing)]
    return put_together(form, showing, above(comparison, showing), drawn, [*lines, signed(comparison)])


def _with_values(comparison: Comparison) -> tuple[MetricComparison, ...]:
    """Leave out metrics that no system has a value of: beneath the tables stands why."""
    valued = {one.metric for one in comparison.found for system in one.standings if system.value.value is not None}
    return tuple(one for one in comparison.found if one.metric in valued)


def rendered_for_paper(comparison: Comparison, form: str, showing: Showing) -> str:
    """Show a comparison as the table of a paper: systems as rows, metrics as columns.

    The best value is bold. What the corrected test does not tell apart from it is marked ≈, and † what differs from the
    baseline (else from the best) by a sign that depends on unread answers. Rows that papers print stand in a block of
    their own.
    """
    order = ordered(comparison, showing)
    if form == "csv":
        return as_csv(comparison)
    valued = _with_values(comparison)
    empty = replace(comparison, found=tuple(one for one in comparison.found if one not in valued))
    tables = paper_tables(replace(comparison, found=valued or comparison.found), showing, order)
    drawn = [
        _of_paper(replace(comparison, found=alike), table, form, showing, number)
        for number, (alike, table) in enumerate(tables, 1)
    ]
    lines = [*methods(comparison, showing), *whys(empty, showing), *remarks(comparison)]
    return put_together(form, showing, above(comparison, showing), drawn, [*lines, signed(comparison)])


def _drawn(part: Comparison | None, table: Table, form: str, showing: Showing, number: int) -> str:
    """Draw a table of a part of a comparison, which LaTeX has with a caption."""
    if form == "text":
        return as_text(table, width=showing.width)
    if form == "markdown":
        return as_markdown(table)
    said = [ended(worded(table.title, TITLES)), *([] if part is None else captions(part, showing))]
    rows = [list(map(latex.numbers, row)) for row in worded_rows(table, 0)]
    heads = list(map(latex_escaped, worded_heads(table.columns)))
    caption = " ".join(latex.breaking(line) for line in said)
    return latex.environment(caption, f"tab:comparison-{number}", heads, [rows])


def _of_paper(part: Comparison, table: PaperTable, form: str, showing: Showing, number: int) -> str:
    said = [" ".join(pair).strip() for pair in zip(captions(part, showing), marks(table, showing), strict=True)]
    if form == "latex":
        caption = " ".join(latex.breaking(line) for line in said)
        return paper_forms.as_latex(table, caption, f"tab:{part.config}-{number}")
    drawn = paper_forms.as_text(table, showing.width) if form == "text" else paper_forms.as_markdown(table)
    return "\n".join([drawn, paragraphs(form, said, showing)])


def put_together(
    form: str, showing: Showing, above: Sequence[str], drawn: Sequence[str], beneath: Sequence[str]
) -> str:
    """Put lines above and beneath what is drawn; LaTeX begins with what its preamble needs."""
    blocks = [paragraphs(form, above, showing), *drawn, paragraphs(form, beneath, showing)]
    body = "\n\n".join(block.strip("\n") for block in blocks if block) + "\n"
    return latex.preamble(body) + body if form == "latex" else body


def paragraphs(form: str, lines: Sequence[str], showing: Showing) -> str:
    """Write each line as a paragraph; what is text, no wider than reads well."""
    if form == "latex":
        return "\n\n".join(rf"{{\raggedright\noindent {latex.breaking(line)}\par}}" for line in lines)
    if form == "markdown":
        return "\n\n".join(markdown_escaped(line) for line in lines)
    return "\n".join(in_lines(line, min(showing.width, WIDEST_PROSE)) for line in lines)
