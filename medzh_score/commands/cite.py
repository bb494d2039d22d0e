"""medzh-score cite: a benchmark's paper, this software and the data that is there, as they are cited."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.commands.options import day

FORMS = ("bibtex", "gbt7714")

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Print what to put into a paper: the benchmark's paper, medzh and the data that was built, as entries of BibTeX or as
references of GB/T 7714, and a sentence that cites them. Lines that start with % are for you.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_config(parser)
    options.add_data(parser)
    parser.add_argument("--report", type=Path, metavar="FILE", help="a report as JSON, whose signature is added")
    parser.add_argument("--to", choices=FORMS, default=FORMS[0], help="BibTeX (default) or GB/T 7714-2015")
    parser.add_argument(
        "--accessed", type=day, metavar="YYYY-MM-DD", help="when you looked at what is online, for GB/T 7714"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from medzh_score.files.writing import open_output
    from medzh_score.report.citation import SOME_DAY, cite

    content = cite(arguments.config, arguments.data, arguments.report, arguments.to, arguments.accessed or SOME_DAY)
    with open_output(None) as stream:
        stream.write(content.encode())
    return 0
