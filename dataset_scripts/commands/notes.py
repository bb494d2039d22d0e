"""medzh-build notes: write scope notes as if a model had explained, for a control run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from medzh_score.benchmark.layout import Record
    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Write a predictions file in which each question is answered with the scope note of its own concept, as the build has
it. To choose the concept after these is a control: it asks for no explanation, only whether a model knows a concept by
its definition. Notes of MeSH are in English. A question whose concept has none is left out.
"""
NOTE = "scope_note"
WHO = "scope notes"


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    parser.add_argument("config", metavar="CONFIG", help="a config whose records have a scope_note, such as cmhe_ce")
    options.add_data(parser)
    parser.add_argument("--split", default="test", metavar="NAME", help="the split (default: test)")
    options.add_out(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from medzh_score.data.records import load_records
    from medzh_score.files.writing import open_for_texts, refuse_inputs
    from medzh_score.messages.errors import MedzhError

    refuse_inputs("--out", arguments.out, (), folders=(arguments.data,))
    records = load_records(arguments.data, arguments.config, split=arguments.split)
    content = _lines(records.rows)
    if not content:
        advice = "build it from descriptors in XML, which have them: --source mesh=desc2025.xml"
        raise MedzhError("no record has a scope note", file=arguments.data, field=NOTE, advice=advice)
    with open_for_texts(arguments.out) as stream:
        stream.write("".join(content).encode("utf-8"))
    without = len(records.rows) - len(content)
    lacking = f"; {without:,} questions have none and were left out" if without else ""
    say([f"scope notes for {len(content):,} of {len(records.rows):,} questions{lacking}"])
    return 0


def _lines(records: Sequence[Record]) -> list[str]:
    import json

    return [
        json.dumps({"id": record["id"], "prediction": record[NOTE], "model": WHO}, ensure_ascii=False) + "\n"
        for record in records
        if record.get(NOTE)
    ]
