"""A heading, tables and notes beneath them, as text, Markdown or LaTeX."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from medzh_score.show.tables import as_latex, as_markdown, as_text, latex_escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from medzh_score.benchmark.tables import Table

DECIMALS = 2
WIDTH = 110


def document(form: str, heading: str, tables: Iterable[Table], notes: Sequence[str], decimals: int = DECIMALS) -> str:
    r"""Put tables under a heading and notes under the tables.

    Examples
    --------
    >>> document("latex", "50 % & more", [], ["a_b"])
    '\\noindent 50 \\% \\& more\n\n\\noindent a\\_b\n'
    """
    if form == "markdown":
        blocks = [heading, *(as_markdown(table, decimals) for table in tables), "\n".join(f"- {n}" for n in notes)]
    elif form == "latex":
        paragraphs = [rf"\noindent {latex_escaped(note)}" for note in notes]
        head = rf"\noindent {latex_escaped(heading)}"
        blocks = [head, *(as_latex(table, decimals) for table in tables), "\n\n".join(paragraphs)]
    else:
        wrapped = "\n".join(fill(note, WIDTH, initial_indent="- ", subsequent_indent="  ") for note in notes)
        blocks = [fill(heading, WIDTH), *(as_text(table, decimals) for table in tables), wrapped]
    return "\n\n".join(block.rstrip("\n") for block in blocks if block) + "\n"
