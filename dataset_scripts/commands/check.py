"""medzh-build check: verify a build folder, offline."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.messages.catalogue import translated

if TYPE_CHECKING:
    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Verify a build folder, offline: the manifest and every record against their schemas, hashes, counts, the fingerprint,
the head of the card against the hub's lists, and that load_dataset gives every config back as it was built.

Every problem is printed on a line of its own; the status is 1 if there is one, and 2 if there is no build to verify.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("build/medzh"), metavar="FOLDER", help="the build")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.building.checking import check
    from medzh_score.files.writing import print_lines

    checked = check(arguments.folder)
    print_lines(translated(line) for line in checked.problems or checked.summary)
    return 1 if checked.problems else 0
