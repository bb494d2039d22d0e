"""medzh-score reported: the tables that a benchmark's paper prints, with what is known to be wrong in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser
    from medzh_score.report.paper_facts import Paper

DESCRIPTION = """\
Print the tables of the benchmark's paper, and beneath them the errata that concern them.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_config(parser)
    parser.add_argument("--table", type=int, metavar="N", help="only this table of the paper (default: all)")
    options.add_output(parser, description="form (default: text)")
    options.add_width(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from medzh_score.files.writing import open_output
    from medzh_score.report.paper import load_paper, reported_tables
    from medzh_score.show.tables import document

    paper = load_paper(arguments.config)
    if arguments.to == "json":
        content = _as_json(paper, arguments.table)
    else:
        tables = reported_tables(paper, arguments.table)
        errata = [f"{erratum}" for erratum in paper.errata_of(arguments.table)]
        content = document(
            arguments.to, _heading(paper), tables, errata, paper.decimals, options.width_of(arguments)
        ).encode()
    with open_output(arguments.out) as stream:
        stream.write(content)
    return 0


def _heading(paper: Paper) -> str:
    title = paper.reference.fields["title"]
    return f"These are the figures that the {paper.benchmark} paper prints ({title}), not ours; errata stand beneath."


def _as_json(paper: Paper, number: int | None) -> bytes:
    from medzh_score.files.json_text import json_document
    from medzh_score.report.paper import chosen_tables

    facts = {
        "config": paper.config,
        "heading": _heading(paper),
        "text": paper.text,
        "decoding": paper.decoding,
        "decoding_remark": paper.decoding_remark,
        "stated": paper.stated,
        "decimals": paper.decimals,
        "tables": chosen_tables(paper, number),
        "errata": paper.errata_of(number),
    }
    return json_document(facts)
