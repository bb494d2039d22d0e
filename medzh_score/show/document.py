"""A heading, tables and notes beneath them, as text, Markdown or LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import worded
from medzh_score.show.comparison.latex import latex_escaped
from medzh_score.show.tables import as_latex, as_markdown, as_text, markdown_escaped
from medzh_score.show.wrapping import UNLIMITED, in_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from medzh_score.benchmark.tables import Table

DECIMALS = 2
WIDEST_PROSE = 110


def document(  # noqa: PLR0913, PLR0917 - the parts of a page, and how it is drawn
    form: str,
    heading: str,
    tables: Iterable[Table],
    notes: Sequence[str],
    decimals: int = DECIMALS,
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
