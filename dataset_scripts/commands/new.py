"""medzh-build new: a package for a benchmark of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Write a package for a benchmark of your own. It builds, scores and conforms as it is written, with a few questions that
you exchange for yours.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    from dataset_scripts.building.starting import KINDS

    parser.describe(description=DESCRIPTION)
    parser.add_argument("name", metavar="NAME", help="of the config, such as triage")
    parser.add_argument(
        "--kind",
        nargs="+",
        choices=KINDS,
        default=["letters"],
        metavar="KIND",
        help="true-false, letters, several, pairs, any number of them; or open (default: letters)",
    )
    parser.add_argument(
        "--private", action="store_true", help="nobody else may see its questions, or what was answered: see the manual"
    )
    parser.add_argument("-o", "--out", type=Path, metavar="FOLDER", help="the package's folder (default: NAME-bench)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.building.starting import start, start_private
    from medzh_score.files.writing import print_lines
    from medzh_score.messages.catalogue import translated

    name = arguments.name
    folder = arguments.out or Path(f"{name.replace('_', '-')}-bench")
    files = (start_private if arguments.private else start)(name, arguments.kind, folder)
    print_lines([*(str(folder / file) for file in files), translated("then:")])
    print_lines(
        [
            f"  pip install --no-build-isolation -e {folder}",
            f"  medzh-build conform {name}",
            f"  medzh-build build {name} --recipe mini",
            f"  medzh-score score {name} {folder / 'predictions.jsonl'}",
        ]
    )
    return 0
