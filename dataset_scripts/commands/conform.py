"""medzh-build conform: whether a config is what every config must be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Try a config with answers whose worth is known: right ones must give the best value of every metric, none the worst, and
all else must lie between. Ids, items, units, shapes, prompts and names are looked at, too. Every fault is printed on a
line of its own, with the package, the config and the function; the status is 1 if there is one.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    parser.add_argument("config", metavar="CONFIG", help="such as sdak")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="a build to try it with (default: its sample)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from tempfile import TemporaryDirectory

    from dataset_scripts.building.conforming import conform
    from medzh_score.files.writing import print_lines
    from medzh_score.messages.catalogue import translated

    with TemporaryDirectory(prefix="medzh-conform-") as folder:
        found = conform(arguments.config, Path(folder), arguments.data)
    print_lines(found or [translated(f"{arguments.config}: conforms")])
    return 1 if found else 0
