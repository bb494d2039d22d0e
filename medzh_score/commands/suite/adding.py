"""``medzh-score suite add``: what came back, put in its places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.errors import NAMED
from medzh_score.messages.privacy import quotable
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Put files in their places by what they hold: ids say which config and round, and the plan whose a name is. Nothing that
is there is overwritten without --replace.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument("--model", metavar="LABEL", help="whose answers these are, where the files do not say it")
    parser.add_argument("--from", dest="reader", metavar="FORM", help="how the files are read (default: recognised)")
    parser.add_argument("--replace", action="store_true", help="take other answers in the place of those that are kept")
    parser.add_argument("files", nargs="+", metavar="FILE", help="files, patterns, or folders of them")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Add files, and say what each gave."""
    from pathlib import Path

    from medzh_score.suites.adding import Adding, add_files, files_in
    from medzh_score.suites.plan_edits import suite_plan

    suite = Path(arguments.suite)
    adding = Adding(arguments.model, arguments.reader, arguments.replace)
    for given in add_files(suite, suite_plan(suite), files_in(arguments.files), adding):
        path = given.path
        for one in given.taken:
            say([f"{path}: {one.place}: {one.new:,} new, {one.same:,} the same, {one.replaced:,} replaced"])
        for place, keys in given.left_out.items():
            count, named = len(keys), ", ".join(map(quotable, keys[:NAMED])) + (", …" if len(keys) > NAMED else "")
            say(
                [f"{path}: {place}: {count:,} left out, for they were not asked so far ({named}): add them again later"]
            )
    return 0
