"""medzh-build sheet: draw the sheet of a study, to be filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from dataset_scripts.study import Study
    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Write the sheet of a study: CSV, UTF-8 with a byte order mark. Fill its empty columns in and give it to medzh-build
tally. Every config has the study of records: records of test drawn from the build, each with the row of its source, of
which a reader says yes, doubtful or no (is it well formed, on topic, are its numbers whole, is its label right, is it
true), and in rater_kind whether that reader is a language model, a person or a physician. sdak has two that its paper
made by hand, too: thematic (Table 1, needs --source, a KUAKE-QIC file) and verification (Table 3, from the build).
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    parser.add_argument("config", metavar="CONFIG", help="such as sdak")
    parser.add_argument("name", metavar="NAME", help="the study, such as records")
    parser.add_argument(
        "--source",
        nargs="+",
        action="extend",
        default=[],
        metavar="[NAME=]FILE",
        help="the file to draw from, where the study needs one; of records, the files of your own that were built from",
    )
    options.add_data(parser)
    how_many = "how many, of sdak's own studies of each type or intent (default: the study's)"
    parser.add_argument("--n", type=options.positive, metavar="N", help=how_many)
    options.add_seed(parser, "the draw")
    options.add_out(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from medzh_score.files.sheets import sheet_bytes
    from medzh_score.files.workbooks import as_named
    from medzh_score.files.writing import open_for_texts

    study = find_study(arguments.config, arguments.name, arguments.source)
    drawn = study.draw(_drawn_from(study, arguments), arguments.n or study.sample, arguments.seed)
    with open_for_texts(arguments.out) as stream:
        stream.write(as_named(arguments.out, sheet_bytes(study.columns, drawn.rows)))
    say([f"{len(drawn.rows)} rows, seed {arguments.seed}", *drawn.notes])
    return 0


def find_study(config: str, name: str, given: Sequence[str] = ()) -> Study:
    """Find a study of a config; that of records knows the files that its build was given."""
    from dataset_scripts.building.keying import is_private
    from dataset_scripts.recipe import dataset
    from dataset_scripts.studies.records_study import NAME, records_study
    from medzh_score.messages.errors import MedzhError

    is_private(config)  # of such a one nothing is quoted from here on
    studies = {**dataset(config).studies, NAME: records_study(config, given)}
    if name not in studies:
        raise MedzhError(f"{config} has no such study", field="NAME", expected=", ".join(studies), found=name)
    study: Study = studies[name]
    return study


def _drawn_from(study: Study, arguments: argparse.Namespace) -> Path:
    from pathlib import Path

    from dataset_scripts.studies.records_study import NAME
    from medzh_score.messages.errors import MedzhError

    if study.needs == "data":
        if arguments.source and study.name != NAME:
            raise MedzhError(f"{study.name} draws from a build", field="--source", advice="name it with --data")
        return Path(arguments.data)
    if len(arguments.source) != 1:
        found = ", ".join(arguments.source) or None
        raise MedzhError(f"{study.name} needs a file", field="--source", expected=study.source, found=found)
    return Path(arguments.source[0])
