"""``medzh-score bundle``: a report with all that it was made from, in one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Pack a report with the files that it names, to be deposited with a paper; SHA256SUMS has the hash of each. The records
are not packed; the report names them. Of a result folder all files are packed, its answers as they are: the
predictions, which have every text, are packed as well.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_report(parser)
    parser.add_argument(
        "files", metavar="FILE", nargs="*", default=[], help="the files that it names; else beside it, or here"
    )
    parser.add_argument("-o", "--out", metavar="FILE.zip", required=True, help="where to write")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Pack, and say how many files."""
    from pathlib import Path

    from medzh_score.files.writing import print_lines, refuse_inputs
    from medzh_score.report.bundle import deposit

    refuse_inputs("--out", arguments.out, [arguments.report, *arguments.files])
    members = deposit(Path(arguments.report), Path(arguments.out), [Path(name) for name in arguments.files])
    print_lines([f"{arguments.out}: {len(members)} files"])
    return 0
