"""In which form a command writes: as ``--to`` says, else as the name of the file ends, else in its ordinary one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from medzh_score.messages.parser import Parser

ENDINGS = {
    ".txt": ("text",),
    ".json": ("json",),
    ".md": ("markdown",),
    ".tex": ("latex",),
    ".csv": ("csv",),
    ".html": ("html",),
}
LINES = ".jsonl"
SENT = {".csv": ("sheet",), ".xlsx": ("sheet",), LINES: ("chat", "text", "openai-batch")}
PROGRAMS = (".csv", ".tsv", ".xls", ".xlsx", ".html", ".htm", ".pdf", ".docx")  # open it by its name
KNOWN = {*ENDINGS, *SENT, *PROGRAMS}


def declare_endings(parser: Parser, endings: Mapping[str, Sequence[str]], ordinary: str | None = None) -> None:
    """Let the name of the file decide where ``--to`` does not: of the forms behind its ending the first."""
    parser.set_defaults(endings=endings, ordinary=ordinary)


def settle_form(arguments: argparse.Namespace) -> None:
    """Set the form that was not given; refuse a name that promises another.

    What is a text in any case, such as Markdown, ``--to`` may write under another such name.

    Examples
    --------
    >>> from argparse import Namespace
    >>> given = Namespace(to=None, out="x.md", endings=ENDINGS, ordinary="text")
    >>> settle_form(given)
    >>> given.to
    'markdown'
    """
    if items := getattr(arguments, "items", None):
        _refuse_ending("--items", items, (LINES,), "give the file another name")
    if "endings" not in arguments:
        return
    ending = _ending(arguments.out)
    meant = arguments.endings.get(ending)
    form = arguments.to or (meant[0] if meant else arguments.ordinary)
    if meant is None or (form not in meant and ending in {*PROGRAMS, LINES}):
        able = (one for one, forms in arguments.endings.items() if arguments.to is None or form in forms)
        advice = "give the file another name, or leave out --to" if arguments.to else "give the file another name"
        _refuse_ending("--out", arguments.out, tuple(able), advice)
    arguments.to = form


def _ending(name: str | None) -> str:
    from pathlib import PurePath

    return PurePath(name or "").suffix.lower()


def _refuse_ending(option: str, name: str | None, endings: Sequence[str], advice: str) -> None:
    """Refuse a name that ends as what is something else, if it is known to be."""
    from medzh_score.messages.errors import MedzhError

    ending = _ending(name)
    if ending in KNOWN and ending not in endings:
        problem = f"what is written here is no {ending}"
        raise MedzhError(problem, field=option, expected=", ".join(endings), found=name, advice=advice)
