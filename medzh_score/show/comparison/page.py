"""Lines above and beneath tables that are drawn already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.show.comparison import latex
from medzh_score.show.document import WIDEST_PROSE
from medzh_score.show.tables import markdown_escaped
from medzh_score.show.wrapping import in_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from medzh_score.show.comparison.showing import Showing


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
