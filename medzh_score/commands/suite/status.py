"""``medzh-score suite status``: where a suite stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

LACKING = 3
DESCRIPTION = """\
Say what was sent, came back, lacks, failed, was cut off, is unread and is scored, for each model, config and round, and
what can be done next. The status is 3 while something lacks.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_suite(parser)
    options.add_output(parser, description="form (default: text)")
    options.add_width(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the matrix and the next steps."""
    from pathlib import Path

    from medzh_score.files.json_text import json_document
    from medzh_score.files.writing import open_output
    from medzh_score.show.tables import document
    from medzh_score.suites.plan_edits import suite_plan
    from medzh_score.suites.status import status_of

    suite, width = Path(arguments.suite), options.width_of(arguments)
    found = status_of(suite, suite_plan(suite))
    if arguments.to == "json":
        content = json_document(found.as_dict())
    else:
        content = document(arguments.to, str(suite), [found.table()], found.next_steps, width=width).encode()
    with open_output(arguments.out) as stream:
        stream.write(content)
    return LACKING if found.lacks else 0
