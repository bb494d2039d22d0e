"""medzh-build tally: turn a filled sheet into a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Count a sheet that medzh-build sheet drew and that was filled in. A study of the paper gives the paper's table; that of
records gives the share of records that a reader did not find in order, with its 95 % interval (Wilson). The latter as
JSON is what medzh-build build --reading puts on the card.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    parser.add_argument("config", metavar="CONFIG", help="such as sdak")
    parser.add_argument("name", metavar="NAME", help="the study, such as records")
    parser.add_argument("sheet", metavar="FILE", help="the filled sheet")
    parser.add_argument("--to", choices=options.TABLE_FORMS, default="text", help="form (default: text)")
    options.add_out(parser)
    options.add_width(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from dataclasses import asdict
    from pathlib import Path

    from dataset_scripts.commands.sheet import find_study
    from medzh_score.files.json_text import json_document
    from medzh_score.files.writing import open_output
    from medzh_score.messages.unquoting import sayable
    from medzh_score.show.document import document

    study = find_study(arguments.config, arguments.name)
    tally = study.tally(Path(arguments.sheet))
    notes = [*map(sayable, tally.notes)]  # names that stand in the sheet, or what slipped into their column
    if arguments.to == "json":
        facts = {"config": arguments.config, "study": study.name, **asdict(tally), "notes": notes}
        content = json_document(facts)
    else:
        heading = f"{arguments.config}, study {study.name}: {study.summary}"
        width = options.width_of(arguments)
        content = document(arguments.to, heading, [tally.table], notes, tally.decimals, width).encode()
    with open_output(arguments.out) as stream:
        stream.write(content)
    return 0
