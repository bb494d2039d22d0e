"""In which form a command writes: as ``--to`` says, else as the name of the file ends, else in its ordinary one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from medzh_score.messages.parser import Parser

ENDINGS = {".txt": "text", ".json": "json", ".md": "markdown", ".tex": "latex", ".csv": "csv"}
SHEETS = {".csv": "sheet", ".xlsx": "sheet"}
PROMISING = (".xlsx", ".html")  # which a text in another form would belie


def declare_endings(parser: Parser, endings: Mapping[str, str], ordinary: str | None = None) -> None:
    """Let the name of the file decide where ``--to`` does not."""
    parser.set_defaults(endings=endings, ordinary=ordinary)


def settle_form(arguments: argparse.Namespace) -> None:
    """Set the form that was not given; refuse a name that promises another.

    Examples
    --------
    >>> from argparse import Namespace
    >>> given = Namespace(to=None, out="x.md", endings=ENDINGS, ordinary="text")
    >>> settle_form(given)
    >>> given.to
    'markdown'
    """
    from pathlib import PurePath

    from medzh_score.messages.errors import MedzhError

    if "endings" not in arguments:
        return
    ending = PurePath(arguments.out or "").suffix.lower()
    meant = arguments.endings.get(ending)
    form = arguments.to or meant or arguments.ordinary
    if ending in PROMISING and (meant is None or form != meant):
        problem, advice = f"what is written here is no {ending}", "give the file another name, or leave out --to"
        expected = ", ".join(arguments.endings)
        raise MedzhError(problem, field="--out", expected=expected, found=arguments.out, advice=advice)
    arguments.to = form
