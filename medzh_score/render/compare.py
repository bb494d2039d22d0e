"""A comparison or a summary as text, Markdown, LaTeX or CSV."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.config import Table
from medzh_score.io.tables import csv_text
from medzh_score.render import latex, paper_table
from medzh_score.render.captions import captions, ended, marks, methods, summary_captions
from medzh_score.render.compare_tables import (
    COLUMNS,
    DIFFERENCES,
    above,
    as_csv,
    beneath,
    by_breakdown,
    pair_tables,
    printed_table,
    remarks,
    signed,
    system_tables,
    tidy_rows,
    titled,
    unavailable_reasons,
)
from medzh_score.render.display import BESIDE, difference_cells, ordered
from medzh_score.render.latex import latex_escaped
from medzh_score.render.paper_table import PaperCell, PaperRow, PaperTable, heads_beside, marked_cells, paper_tables
from medzh_score.render.tables import (
    HEADS,
    TITLES,
    WIDEST_PROSE,
    as_markdown,
    as_text,
    in_lines,
    markdown_escaped,
    translated_heads,
    translated_rows,
)
from medzh_score.ui.i18n import _, joined, pgettext, translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.comparison.across_configs import Summary
    from medzh_score.comparison.model import Comparison
    from medzh_score.render.display import DisplayOptions
    from medzh_score.stats.pairwise import MetricComparison

    Cells = tuple[str | int | None, ...]


FORMS = ("text", "markdown", "latex", "csv")


def rendered(comparison: Comparison, form: str, options: DisplayOptions) -> str:
    """Show a comparison: tables of systems by metric and by group, and of pairs where all are compared."""
    order = ordered(comparison, options)
    if form == "csv":
        return as_csv(comparison)
    tables: list[tuple[Comparison | None, Table]] = [
        (replace(comparison, found=alike), table)
        for alike in by_breakdown(replace(comparison, found=_with_values(comparison)))
        for table in (
            *system_tables(comparison, alike, options, order),
            *pair_tables(comparison, alike, options, order),
        )
    ]
    tables += [(None, table) for table in printed_table(comparison)]
    drawn = []
    for number, (part, table) in enumerate(tables, 1):
        of_table = captions(part, options) if part is not None and form == "latex" else []
        drawn.append(_with_caption(table, form, options, of_table, f"tab:comparison-{number}"))
    said = [] if form == "latex" else captions(comparison, options)
    lines = [*said, *methods(comparison, options), *beneath(comparison, options)]
    return _put_together(form, options, above(comparison, options), drawn, [*lines, signed(comparison)])


def _with_values(comparison: Comparison) -> tuple[MetricComparison, ...]:
    valued = {one.metric for one in comparison.found for system in one.standings if system.value.value is not None}
    return tuple(one for one in comparison.found if one.metric in valued)


def rendered_for_paper(comparison: Comparison, form: str, options: DisplayOptions) -> str:
    """Show a comparison as the table of a paper: systems as rows, metrics as columns.

    The best value is bold. What the corrected test does not tell apart from it is marked ≈, and † what differs from the
    baseline (else from the best) by a sign that depends on unread answers. Rows that papers print stand in a block of
    their own.
    """
    order = ordered(comparison, options)
    if form == "csv":
        return as_csv(comparison)
    valued = _with_values(comparison)
    empty = replace(comparison, found=tuple(one for one in comparison.found if one not in valued))
    tables = paper_tables(replace(comparison, found=valued or comparison.found), options, order)
    drawn = []
    for number, (alike, table) in enumerate(tables, 1):
        of_table = zip(captions(replace(comparison, found=alike), options), marks(table, options), strict=True)
        said = [" ".join(pair).strip() for pair in of_table]
        drawn.append(_drawn_for_paper(table, form, options, said, f"tab:{comparison.config}-{number}"))
    lines = [*methods(comparison, options), *unavailable_reasons(empty, options), *remarks(comparison)]
    return _put_together(form, options, above(comparison, options), drawn, [*lines, signed(comparison)])


def _with_caption(table: Table, form: str, options: DisplayOptions, said: Sequence[str], label: str) -> str:
    if form != "latex":
        return as_text(table, width=options.width) if form == "text" else as_markdown(table)
    rows = [list(map(latex.numbers, row)) for row in translated_rows(table, 0)]
    caption = " ".join(map(latex.breaking, [ended(translated(table.title, TITLES)), *said]))
    return latex.latex_table(caption, list(map(latex_escaped, translated_heads(table.columns))), [rows], label)


def _drawn_for_paper(table: PaperTable, form: str, options: DisplayOptions, said: Sequence[str], label: str) -> str:
    if form == "latex":
        return paper_table.as_latex(table, " ".join(map(latex.breaking, said)), label)
    drawn = paper_table.as_text(table, options.width) if form == "text" else paper_table.as_markdown(table)
    return "\n".join([drawn, paragraphs(form, said, options)])


def _put_together(
    form: str, options: DisplayOptions, above: Sequence[str], drawn: Sequence[str], beneath: Sequence[str]
) -> str:
    blocks = [paragraphs(form, above, options), *drawn, paragraphs(form, beneath, options)]
    body = "\n\n".join(block.strip("\n") for block in blocks if block) + "\n"
    return latex.preamble(body) + body if form == "latex" else body


def paragraphs(form: str, lines: Sequence[str], options: DisplayOptions) -> str:
    """Write each line as a paragraph; what is text, no wider than reads well."""
    if form == "latex":
        return "\n\n".join(rf"{{\raggedright\noindent {latex.breaking(line)}\par}}" for line in lines)
    if form == "markdown":
        return "\n\n".join(markdown_escaped(line) for line in lines)
    return "\n".join(in_lines(line, min(options.width, WIDEST_PROSE)) for line in lines)


def rendered_summary(summary: Summary, form: str, options: DisplayOptions) -> str:
    """Show a summary: systems as rows and configs as columns; with a baseline the differences beneath."""
    if form == "csv":
        return csv_text(COLUMNS, (row for column in summary.columns for row in tidy_rows(column)))
    above = [
        _(
            "{systems} systems on {configs} configs: the headline of each; metrics of different columns have no common "
            "mean",
            systems=len(summary.systems),
            configs=len(summary.columns),
        )
    ]
    above += [
        _("missing: {name}: {configs}", name=options.name(label), configs=joined(configs))
        for label, configs in summary.missing.items()
    ]
    above = list(map(translated, above))
    above += [_of(column, caution) for column in summary.columns for caution in column.cautions]
    drawn = [_headlines(summary, form, options)]
    if summary.baseline is not None:
        drawn.append(_difference_table(summary, form, options))
    beneath = [translated(DIFFERENCES)] if summary.baseline is not None else []
    beneath += [_of(column, note) for column in summary.columns for note in column.notes]
    return _put_together(form, options, above, drawn, [*beneath, *map(signed, summary.columns)])


def _of(column: Comparison, said: str) -> str:
    return column.config + translated(": ") + translated(said)


def _headlines(summary: Summary, form: str, options: DisplayOptions) -> str:
    heads = tuple(
        translated(f"{column.config}: {head}", HEADS)
        for column in summary.columns
        for head in (titled(column, column.found[0]), *heads_beside(column.found[0]))
    )
    rows = tuple(
        PaperRow(
            options.name(label), tuple(cell for column in summary.columns for cell in _cells(column, label, options))
        )
        for label in summary.systems
    )
    table = PaperTable("", heads, rows, ())
    return _drawn_for_paper(table, form, options, summary_captions(summary, table, options), "tab:summary")


def _cells(column: Comparison, label: str, options: DisplayOptions) -> tuple[PaperCell, ...]:
    found = column.found[0]
    for standing in found.standings:
        if standing.label == label:
            return marked_cells(found, standing, options.decimals(column.unit))
    return (PaperCell(""),) * (1 + len(found.beside))


def _difference_table(summary: Summary, form: str, options: DisplayOptions) -> str:
    baseline = options.name(summary.baseline or "")
    heads = ("config", "system", pgettext("heads", "minus {baseline}", baseline=baseline), *BESIDE, "gate")
    table = Table(
        pgettext("titles", "Differences to {baseline}", baseline=baseline),
        heads,
        tuple(_difference_rows(summary, options)),
    )
    return _with_caption(table, form, options, summary_captions(summary, None, options), "tab:summary-differences")


def _difference_rows(summary: Summary, options: DisplayOptions) -> Iterator[tuple[str, ...]]:
    for column in summary.columns:
        outcomes = {one.label: str(one.outcome) for one in column.judged}
        for one in column.found[0].differences:
            cells = difference_cells(one, options.decimals(column.unit))
            yield column.config, options.name(one.label), *cells, outcomes.get(one.label, "-")
