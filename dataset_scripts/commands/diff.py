"""medzh-build diff: what changed between two builds, and the version step that this requires."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Compare two builds, folders, bundles or tags on the hub such as org/medzh@v1.0.0: records added (+), removed (-) and
changed (~, with the fields that changed), by config; and the step of the version that this requires: major where a
record changed or went, minor where records or columns came, patch where the same records are stored or described anew.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", metavar="A", help="a build folder, or org/name@tag")
    parser.add_argument("after", metavar="B", help="another")
    parser.add_argument("--all", action="store_true", help="name every record, not the first ten of a kind")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out. Gives 0, whether or not they differ."""
    from dataset_scripts.releases.change_lines import change_lines
    from dataset_scripts.releases.changes import changes_between, step_of
    from medzh_score.data.hub import place_of
    from medzh_score.files.writing import print_lines
    from medzh_score.messages.catalogue import worded

    changes = changes_between(place_of(arguments.before), place_of(arguments.after))
    lines = [*change_lines(changes, all_records=arguments.all), f"the version must grow by: {step_of(changes)}"]
    print_lines(map(worded, lines))
    return 0
