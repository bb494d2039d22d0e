"""``medzh-score verify``: whether a report can be made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Say whether records, files and scorer are those that a report names, and whether scoring again gives the same numbers.
The status is 1 where something differs. Files are looked for beside the report and here, or are named. Of a result
folder its hashes are checked, too, and statistics and answers are made again.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_report(parser)
    parser.add_argument("files", metavar="FILE", nargs="*", help="the files that it names")
    options.add_data(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Verify, and print a line for each point."""
    from pathlib import Path

    from medzh_score.files.writing import print_lines
    from medzh_score.messages.catalogue import worded
    from medzh_score.report.verifying import verify

    found = verify(Path(arguments.report), arguments.data, [Path(name) for name in arguments.files])
    lines = [*(f"same: {line}" for line in found.same), *(f"differs: {line}" for line in found.problems)]
    print_lines(map(worded, lines))
    return 1 if found.problems else 0
