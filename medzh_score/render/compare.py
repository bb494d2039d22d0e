"""A comparison or a summary as text, Markdown, LaTeX or CSV."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from medzh_score.benchmark.config import Table
from medzh_score.io.tables import csv_text
from medzh_score.render import latex, paper_table
from medzh_score.render.captions import BETWEEN, captions, marks, methods, summary_captions
from medzh_score.render.compare_screen import screen
from medzh_score.render.compare_tables import (
    COLUMNS,
    DIFFERENCES,
    above,
    as_csv,
    beneath,
    by_breakdown,
    metric_name,
    pair_tables,
    printed_table,
    remarks,
    signed,
    system_tables,
    tidy_rows,
    unavailable_reasons,
)
from medzh_score.render.display import DIFFERENCE_HEADS, difference_cells, ordered
from medzh_score.render.latex import latex_escaped
from medzh_score.render.paper_table import PaperCell, PaperRow, PaperTable, heads_beside, marked_cells, paper_tables
from medzh_score.render.summary_screen import summary_screen
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
from medzh_score.ui.i18n import _, _n, joined, pgettext, translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.comparison.across_configs import Summary
    from medzh_score.comparison.model import Comparison
    from medzh_score.render.display import DisplayOptions
    from medzh_score.stats.pairwise import MetricComparison


def rendered(comparison: Comparison, form: str, options: DisplayOptions, layout: str = "screen") -> str:
    """Write a comparison as text, Markdown, LaTeX or CSV.

    The layout ``screen`` has the verdict or the ranking, ``full`` all tables, ``paper`` the table of a paper. LaTeX is
    always the table of a paper, and Markdown is it unless the layout is ``full``.
    """
    if form == "csv":
        return as_csv(comparison)
    if form == "text" and layout == "screen":
        return _with_methods(screen(comparison, options), form, comparison, options)
    if layout == "full" and form != "latex":
        return _rendered_in_full(comparison, form, options)
    return _rendered_for_paper(comparison, form, options)


def _rendered_in_full(comparison: Comparison, form: str, options: DisplayOptions) -> str:
    order = ordered(comparison, options)
    tables = [
        table
        for alike in by_breakdown(replace(comparison, found=_with_values(comparison)))
        for table in (
            *system_tables(comparison, alike, options, order),
            *pair_tables(comparison, alike, options, order),
        )
    ]
    drawn = [_drawn(table, form, options) for table in (*tables, *printed_table(comparison))]
    lines = [*beneath(comparison, options), signed(comparison)]
    return _with_methods(
        _put_together(form, options, above(comparison, options), drawn, lines), form, comparison, options
    )


def _with_values(comparison: Comparison) -> tuple[MetricComparison, ...]:
    valued = {one.metric for one in comparison.found for system in one.standings if system.value.value is not None}
    return tuple(one for one in comparison.found if one.metric in valued)


def _rendered_for_paper(comparison: Comparison, form: str, options: DisplayOptions) -> str:
    """Write the table of a paper: systems as rows, metrics as columns, and one table by each breakdown.

    The best value is bold. ≈ marks values without a significant difference from it, and † those whose difference to
    the baseline (else to the best) is sensitive to unparsed answers. Rows that papers print are in a block of their
    own. What limits the use of the numbers is a comment in LaTeX, and follows the table in other forms.
    """
    order = ordered(comparison, options)
    valued = _with_values(comparison)
    empty = replace(comparison, found=tuple(one for one in comparison.found if one not in valued))
    drawn = []
    for number, (alike, table) in enumerate(
        paper_tables(replace(comparison, found=valued or comparison.found), options, order), 1
    ):
        said = (captions(replace(comparison, found=alike), options), marks(table, options))
        pairs = zip(options.languages, *said, strict=True)
        label = f"tab:{comparison.config}" + (f"-{number}" if number > 1 else "")
        texts = [BETWEEN[one].join(pair).strip() for one, *pair in pairs]
        drawn.append(_drawn_for_paper(table, form, options, texts, label))
    warnings = list(map(translated, (*comparison.cautions, *comparison.notes)))
    lines = [*warnings, *unavailable_reasons(empty, options), *remarks(comparison), signed(comparison)]
    if form == "latex":
        text = latex.with_comments("\n".join(drawn), lines)
    else:
        text = _put_together(form, options, [], drawn, lines)
    return _with_methods(text, form, comparison, options)


def _with_methods(text: str, form: str, comparison: Comparison, options: DisplayOptions) -> str:
    if not options.methods:
        return text
    valued = replace(comparison, found=_with_values(comparison) or comparison.found)
    return text + "\n" + paragraphs(form, methods(valued, options), options) + "\n"


def _drawn(table: Table, form: str, options: DisplayOptions) -> str:
    return as_text(table, width=options.width) if form == "text" else as_markdown(table)


def _drawn_for_paper(table: PaperTable, form: str, options: DisplayOptions, said: Sequence[str], label: str) -> str:
    if form == "latex":
        return paper_table.as_latex(table, " ".join(map(latex.breaking, said)), label)
    drawn = paper_table.as_text(table, options.width) if form == "text" else paper_table.as_markdown(table)
    return "\n".join([drawn, paragraphs(form, said, options)])


def _put_together(
    form: str, options: DisplayOptions, above: Sequence[str], drawn: Sequence[str], beneath: Sequence[str]
) -> str:
    blocks = [paragraphs(form, above, options), *drawn, paragraphs(form, beneath, options)]
    return "\n\n".join(block.strip("\n") for block in blocks if block) + "\n"


def paragraphs(form: str, lines: Sequence[str], options: DisplayOptions) -> str:
    """Write each line as a paragraph."""
    if form == "latex":
        return "\n\n".join(map(latex.breaking, lines))
    if form == "markdown":
        return "\n\n".join(markdown_escaped(line) for line in lines)
    return "\n".join(in_lines(line, min(options.width, WIDEST_PROSE)) for line in lines)


def rendered_summary(summary: Summary, form: str, options: DisplayOptions, *, full: bool = False) -> str:
    """Write a summary: the first screen, or in full systems as rows and configs as columns, with the differences."""
    if form == "csv":
        return csv_text(COLUMNS, (row for column in summary.columns for row in tidy_rows(column)))
    if form == "text" and not full:
        return summary_screen(summary, options)
    above = [
        _(
            "{systems} on {configs}: the primary metric of each config in percent. Metrics of different configs are "
            "never averaged.",
            systems=_n("{n} system", "{n} systems", len(summary.systems)),
            configs=_n("{n} config", "{n} configs", len(summary.columns)),
        )
    ]
    above += [
        _("{name} has no results on {configs}", name=options.name(label), configs=joined(configs))
        for label, configs in summary.missing.items()
    ]
    above = list(map(translated, above))
    above += [_of(column, caution) for column in summary.columns for caution in column.cautions]
    drawn = [_primary_metrics(summary, form, options)]
    if summary.baseline is not None:
        drawn.append(_difference_table(summary, form, options))
    beneath = [translated(DIFFERENCES)] if summary.baseline is not None else []
    beneath += [_of(column, note) for column in summary.columns for note in column.notes]
    beneath += map(signed, summary.columns)
    if form == "latex":
        return latex.with_comments("\n".join(drawn), [*above, *beneath])
    return _put_together(form, options, above, drawn, beneath)


def _of(column: Comparison, said: str) -> str:
    return column.config + translated(": ") + translated(said)


def _primary_metrics(summary: Summary, form: str, options: DisplayOptions) -> str:
    heads = tuple(
        translated(f"{column.config}: {head}", HEADS)
        for column in summary.columns
        for head in (metric_name(column.found[0]), *heads_beside(column.found[0]))
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
            return marked_cells(found, standing, "percent", options.percent_decimals)
    return (PaperCell(""),) * (1 + len(found.beside))


def _difference_table(summary: Summary, form: str, options: DisplayOptions) -> str:
    baseline = options.name(summary.baseline or "")
    minus = pgettext("heads", "minus {baseline} (pp)", baseline=baseline)
    heads = ("config", "system", minus, *DIFFERENCE_HEADS, "gate")
    title = pgettext("titles", "Differences from {baseline}", baseline=baseline)
    table = Table(title, heads, tuple(_difference_rows(summary, options)))
    if form != "latex":
        return _drawn(table, form, options)
    rows = [list(map(latex.numbers, row)) for row in translated_rows(table, 0)]
    caption = " ".join(map(latex.breaking, [translated(title, TITLES), *summary_captions(summary, None, options)]))
    columns = list(map(latex_escaped, translated_heads(table.columns)))
    return latex.latex_table(caption, columns, [rows], "tab:summary-differences")


def _difference_rows(summary: Summary, options: DisplayOptions) -> Iterator[tuple[str, ...]]:
    for column in summary.columns:
        outcomes = {one.label: str(one.outcome) for one in column.judged}
        for one in column.found[0].differences:
            cells = difference_cells(one, column.unit, options.percent_decimals)
            yield column.config, options.name(one.label), *cells, outcomes.get(one.label, "-")
