"""One table as text, Markdown, LaTeX or JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len

from medzh_score.messages.catalogue import worded
from medzh_score.messages.errors import printable
from medzh_score.show.cells import TITLES, worded_heads, worded_rows
from medzh_score.show.comparison.latex import latex_escaped
from medzh_score.show.wrapping import UNLIMITED, in_lines, longest_piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from medzh_score.benchmark.tables import Table


DECIMALS = 2
# Signs; what begins an entity; addresses, which are links without any sign; what begins a list.
MARKDOWN_SPECIAL = re.compile(
    r"([\\`*_{}\[\]<>|#~$]|&(?=#?\w+;)|:(?=//)|(?<=www)\.|(?<=[\w.+-])@|^[-+](?=\s))", re.IGNORECASE
)


def as_text(table: Table, decimals: int = DECIMALS, width: int = UNLIMITED) -> str:
    """Draw a table for the terminal; what is too wide is folded in its column. Chinese characters take two columns."""
    import io

    from rich import box
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    heads, *rows = (tuple(map(printable, row)) for row in (worded_heads(table.columns), *worded_rows(table, decimals)))
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, (head, wide) in enumerate(zip(heads, _widths([heads, *rows], width), strict=True)):
        numeric = place > 0 and all(not isinstance(row[place], str) for row in table.rows)
        grid.add_column(Text(head), justify="right" if numeric else "left", overflow="fold", width=wide)
    for row in rows:
        grid.add_row(*map(Text, row))
    stream = io.StringIO()
    wide = 1 + max(width, 5 * len(table.columns))  # one for the edge, which is blank; narrower, rich leaves some out
    Console(file=stream, width=wide, no_color=True, emoji=False, highlight=False, force_terminal=False).print(grid)
    drawn = "\n".join(line.rstrip() for line in stream.getvalue().splitlines()).strip("\n")
    return f"{in_lines(worded(table.title, TITLES), width)}\n{drawn}\n"


def _widths(rows: Sequence[Sequence[str]], width: int) -> list[int | None]:
    """Give each column room for its longest word, and a share of what is left; None where there is not so much."""
    least, natural = (
        [max(map(measured, column)) for column in zip(*rows, strict=True)] for measured in (longest_piece, cell_len)
    )
    spare = width + 2 - 3 * len(least) - sum(least)
    if spare < 0:
        return [None] * len(least)
    wants = [most - one for most, one in zip(natural, least, strict=True)]
    spare = min(spare, sum(wants))
    return [one + want * spare // max(sum(wants), 1) for one, want in zip(least, wants, strict=True)]


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


PLACES = 2
WIDEST_PROSE = 110


def document(  # noqa: PLR0913, PLR0917 - the parts of a page, and how it is drawn
    form: str,
    heading: str,
    tables: Iterable[Table],
    notes: Sequence[str],
    decimals: int = PLACES,
    width: int = UNLIMITED,
) -> str:
    r"""Put tables under a heading and notes under the tables; as text no wider than that.

    Examples
    --------
    >>> document("latex", "50 % & more", [], ["a_b"])
    '\\noindent 50 \\% \\& more\n\n\\noindent a\\_b\n'
    """
    heading, notes = worded(heading), list(map(worded, notes))
    if form == "markdown":
        listed = "\n".join(f"- {markdown_escaped(note)}" for note in notes)
        blocks = [markdown_escaped(heading), *(as_markdown(table, decimals) for table in tables), listed]
    elif form == "latex":
        paragraphs = [rf"\noindent {latex_escaped(note)}" for note in notes]
        head = rf"\noindent {latex_escaped(heading)}"
        blocks = [head, *(as_latex(table, decimals) for table in tables), "\n\n".join(paragraphs)]
    else:
        prose = min(width, WIDEST_PROSE)
        listed = "\n".join(in_lines(f"- {note}", prose) for note in notes)
        blocks = [in_lines(heading, prose), *(as_text(table, decimals, width) for table in tables), listed]
    return "\n\n".join(block.rstrip("\n") for block in blocks if block) + "\n"
