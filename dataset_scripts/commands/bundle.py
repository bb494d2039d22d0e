"""medzh-build bundle: a build in one file, for a closed network."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Write a build into one .zip file: records, card, dictionaries if you name them, and the hash of each member.
medzh-score reads it as it is: --data FILE.zip.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="FILE.zip", help="the bundle")
    parser.add_argument("--data", type=Path, default=Path("build/medzh"), metavar="FOLDER", help="the build")
    parser.add_argument("--dictionaries", type=Path, nargs="+", default=[], metavar="FILE", help="dictionaries to add")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.releases.bundling import bundle
    from medzh_score.files.writing import print_lines, refuse_inputs

    refuse_inputs("--out", arguments.out, arguments.dictionaries, [arguments.data])
    members = bundle(arguments.data, arguments.out, arguments.dictionaries)
    print_lines([f"{arguments.out}: {len(members)} files"])
    return 0
