"""medzh-score cite: BibTeX of a benchmark's paper, of this software and of the data that is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Print what to put into a paper: BibTeX entries for the benchmark's paper, for medzh and for the data that was built,
and a sentence that uses them. Lines that start with % are for you.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_config(parser)
    options.add_data(parser)
    parser.add_argument("--report", type=Path, metavar="FILE", help="a report as JSON, whose signature is added")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from medzh_score.files.writing import open_output
    from medzh_score.report.citation import cite

    content = cite(arguments.config, arguments.data, arguments.report)
    with open_output(None) as stream:
        stream.write(content.encode())
    return 0
