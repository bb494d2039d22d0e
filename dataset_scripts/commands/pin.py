"""medzh-build pin: write upstream files, which are at hand, into a sources.toml."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Write entries of a sources.toml for files of a commit on GitHub that are at hand: with the git blob SHA-1 of each, and
the address from which medzh-build fetch brings it. Nothing is fetched. The files are found in the cache, laid out
<owner>/<repo>/<commit>/<path>, or in a folder that is a copy of the repository (--from).
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    parser.add_argument("commit", metavar="OWNER/REPO@COMMIT", help="the repository, and 40 hex digits")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="of files inside it")
    parser.add_argument("--from", dest="folder", type=Path, metavar="FOLDER", help="a copy of it (default: the cache)")
    parser.add_argument("--config", default="", metavar="CONFIG", help="whose recipes read them")
    parser.add_argument(
        "--licence",
        default="unknown",
        metavar="SPDX",
        help="the licence (default: unknown); redistributable is yours to set",
    )
    parser.add_argument("--citation", metavar="TEXT", help="how the authors are named (default: the owner)")
    options.add_out(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.sources.pinning import pinned, written
    from medzh_score.files.writing import open_output

    sources = pinned(
        arguments.commit,
        arguments.paths,
        folder=arguments.folder,
        used_by=(arguments.config,) if arguments.config else (),
        licence=arguments.licence,
        citation=arguments.citation,
    )
    with open_output(arguments.out) as stream:
        stream.write(written(sources).encode("utf-8"))
    return 0
