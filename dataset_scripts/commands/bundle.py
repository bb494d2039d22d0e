"""medzh-build bundle: a build in one file, for a closed network."""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Write a build into one .zip file, with wheels, dictionaries and the manual if you name them, the hash of each member,
and a page on how to use it. medzh-score reads it as it is: --data FILE.zip. With --wheels alone pip gathers what an
installation without a network needs, for this Python and this kind of machine; --extras says of which extras, such as
plot, which brings a Chinese font.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="FILE.zip", help="the bundle")
    parser.add_argument("--data", type=Path, default=Path("build/medzh"), metavar="FOLDER", help="the build")
    parser.add_argument(
        "--wheels",
        type=Path,
        nargs="*",
        metavar="PATH",
        help="wheels, or folders of them; without a PATH those that pip finds",
    )
    parser.add_argument("--extras", nargs="+", default=[], metavar="NAME", help="extras whose wheels pip gathers, too")
    parser.add_argument("--lock", type=Path, metavar="FILE", help="the requirements file that pip keeps to")
    parser.add_argument("--manual", type=Path, metavar="FOLDER", help="the manual as HTML, as make docs writes it")
    parser.add_argument("--dictionaries", type=Path, nargs="+", default=[], metavar="FILE", help="dictionaries to add")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.releases.bundling import Additions, bundle
    from dataset_scripts.releases.gathering import gathered, this_machine
    from medzh_score.files.writing import print_lines, refuse_inputs

    refuse_inputs("--out", arguments.out, arguments.dictionaries, [arguments.data])
    gathering = arguments.wheels == []
    if (arguments.extras or arguments.lock) and not gathering:
        raise MedzhError(
            "are for the wheels that pip gathers", field="--extras, --lock", expected="--wheels without a path"
        )
    with TemporaryDirectory(prefix="medzh-wheels-") as folder:
        wheels = gathered(arguments.extras, Path(folder), arguments.lock) if gathering else arguments.wheels or []
        machine = this_machine() if gathering else ""
        added = Additions(
            tuple(wheels), tuple(arguments.dictionaries), arguments.manual, tuple(arguments.extras), machine
        )
        members = bundle(arguments.data, arguments.out, added)
    print_lines([f"{arguments.out}: {len(members)} files"])
    return 0
