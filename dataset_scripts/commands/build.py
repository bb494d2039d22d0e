"""medzh-build build: make a config and put it into the build folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataset_scripts.building.build import Build
    from medzh_score.messages.parser import Parser

DEFAULT_OUT = Path("build/medzh")
DESCRIPTION = """\
Build a config by one of its recipes: official (from the file that the authors released or, where they released none,
from one that you bring), open (an openly licensed counterpart that ships with medzh), mini (the sample that ships with
medzh), or one of a single config: mesh (cmhe_ce, from MeSH and Chinese names that you bring), pediabench (pemebench,
from another benchmark by its authors). Only official can be the benchmark.

The build folder is swapped in one step; other configs in it are carried over, and the build before is kept beside it.
"""
EPILOG = """\
A config whose authors released no file is built of your own: JSON Lines, CSV or XLSX with the columns of the config's
schema, without id, source, recipe and upstream_key, matched by name in any order. What follows from other columns may
be left out: tcmd needs type, subject, question, options, answer, split, and the stem of A3 questions; pemebench needs
department, task, kind, question, answer. A cell with several texts has | between them. An answer is the letter of an
option or its text. Each split of tcmd may have a file of its own: --source train=FILE test=FILE. A row with a fault is
refused. The manual shows how to make such a file of another form with pandas.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", metavar="CONFIG", help="such as sdak")
    parser.add_argument("--recipe", required=True, metavar="NAME", help="official, open, mini or another of it")
    parser.add_argument(
        "--source",
        nargs="+",
        action="extend",
        default=[],
        metavar="[NAME=]FILE",
        help="your own file; without a name it is the recipe's first source (default: the cache, see fetch)",
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        default=DEFAULT_OUT,
        metavar="FOLDER",
        help=f"the build folder (default: {DEFAULT_OUT})",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of every draw (default: 0)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataset_scripts.building.build import build
    from medzh_score.files.writing import print_lines

    made = build(arguments.config, arguments.recipe, arguments.out, given=arguments.source, seed=arguments.seed)
    print_lines(_account(made, arguments.out))
    return 0


def _account(made: Build, out: Path) -> list[str]:
    from medzh_score.benchmark.tables import Table
    from medzh_score.data.hub import folder_of
    from medzh_score.messages.catalogue import worded
    from medzh_score.show.tables import as_text
    from medzh_score.show.wrapping import width_for

    width = width_for(None)
    tables = [as_text(Table(table.title, table.columns, table.rows), width=width) for table in made.tables]
    lines = [line for table in tables for line in table.split("\n")]
    lines += [worded(f"note: {note}") for note in made.notes]
    for source in made.sources:
        content = "pinned, verified" if source["pinned"] else "a user's own file, not verified"
        digest = "keyed" if made.private else f"SHA-256 {source['sha256']}"
        lines.append(worded(f"source: {source['name']} ({content}), {digest}"))
    counts = ", ".join(f"{split} {count:,} records" for split, count in made.records.items())
    done = f"{made.config} {made.recipe}: {counts}, fingerprint {made.fingerprint[:8]}, in {folder_of(out)}"
    return [*lines, worded(done)]
