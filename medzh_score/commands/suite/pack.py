"""``medzh-score suite pack``: one file that carries work over a boundary without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Pack the plan and all prompts, to be sent elsewhere; or results, and with --texts full the answers, to be brought back.
`suite add` takes the file, be it into a new folder.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_suite(parser)
    what = parser.group("contents").add_mutually_exclusive_group(required=True)
    what.add_argument("--prompts", dest="what", action="store_const", const="prompts", help="plan and prompts")
    what.add_argument("--results", dest="what", action="store_const", const="results", help="results")
    parser.add_argument(
        "--texts", choices=("none", "spans", "full"), default="none", help="what of the texts may go (default: none)"
    )
    parser.add_argument("-o", "--out", metavar="FILE.zip", required=True, help="where to write")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Pack, and say how many files."""
    from pathlib import Path

    from medzh_score.suites.answered import suite_plan
    from medzh_score.suites.packing import pack

    suite = Path(arguments.suite)
    members = pack(suite, suite_plan(suite), Path(arguments.out), arguments.what, arguments.texts)
    say([f"{arguments.out}: {len(members)} files"])
    return 0
