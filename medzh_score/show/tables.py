"""One table as text, Markdown, LaTeX or JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.messages.errors import printable
from medzh_score.show.cells import TITLES, worded_heads, worded_rows
from medzh_score.show.fitting import fitted
from medzh_score.show.latex_text import latex_escaped
from medzh_score.show.widths import UNLIMITED
from medzh_score.show.wrapping import in_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.benchmark.tables import Table
    from medzh_score.show.fitting import Column

DECIMALS = 2
# Signs; what begins an entity; addresses, which are links without any sign; what begins a list.
MARKDOWN_SPECIAL = re.compile(
    r"([\\`*_{}\[\]<>|#~$]|&(?=#?\w+;)|:(?=//)|(?<=www)\.|(?<=[\w.+-])@|^[-+](?=\s))", re.IGNORECASE
)


def as_text(table: Table, decimals: int = DECIMALS, width: int = UNLIMITED) -> str:
    """Draw a table for the terminal; Chinese characters take two columns. What has no room is named beneath."""
    found = fitted(table, decimals, width)
    lines = [in_lines(worded(table.title, TITLES), width), "\n\n".join(map(_drawn, found.blocks))]
    lines += [in_lines(line, width) for line in found.numbered]
    if found.left_out:
        lines.append(in_lines(worded(f"left out for {width} columns: {', '.join(found.left_out)}"), width))
    return "\n".join(lines) + "\n"


def _drawn(columns: Sequence[Column]) -> str:
    import io

    from rich import box
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        grid.add_column(Text(column.head), justify="right" if column.numeric else "left", no_wrap=True)
    for row in zip(*(column.cells for column in columns), strict=True):
        grid.add_row(*map(Text, row))
    stream = io.StringIO()
    Console(file=stream, width=UNLIMITED, no_color=True, emoji=False, highlight=False, force_terminal=False).print(grid)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()).strip("\n")


def markdown_escaped(text: str) -> str:
    r"""Escape what Markdown would read as a sign of its own, and keep it in one line.

    Examples
    --------
    >>> markdown_escaped("a_b|<c>")
    'a\\_b\\|\\<c\\>'
    """
    return MARKDOWN_SPECIAL.sub(r"\\\1", printable(text.replace("\n", " ")))


def as_markdown(table: Table, decimals: int = DECIMALS) -> str:
    """Write a table in Markdown; every cell is escaped."""
    rows = [worded_heads(table.columns), tuple("---" for _ in table.columns), *worded_rows(table, decimals)]
    piped = ["| " + " | ".join(map(markdown_escaped, row)) + " |" for row in rows]
    return "\n".join([f"**{markdown_escaped(worded(table.title, TITLES))}**", "", *piped]) + "\n"


def as_latex(table: Table, decimals: int = DECIMALS) -> str:
    """Write a table for LaTeX with booktabs; every cell is escaped."""
    rows = [list(map(latex_escaped, row)) for row in worded_rows(table, decimals)]
    heads = list(map(latex_escaped, worded_heads(table.columns)))
    layout = "l" + "r" * (len(heads) - 1)
    body = [" & ".join(row) + r" \\" for row in rows]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex_escaped(worded(table.title, TITLES))}}}",
        rf"\begin{{tabular}}{{{layout}}}",
        r"\toprule",
        " & ".join(heads) + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"
