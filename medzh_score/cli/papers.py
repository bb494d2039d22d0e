"""``medzh-score configs``: what can be scored here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import config_names, declared_config
from medzh_score.cli import options
from medzh_score.cli.options import day
from medzh_score.io.atomic import open_output, print_lines
from medzh_score.ui.errors import MedzhError, error_text
from medzh_score.ui.i18n import N_, _, joined

if TYPE_CHECKING:
    import argparse

    from medzh_score.scoring.paper import Paper
    from medzh_score.ui.cli import Parser


WIDTH = 80  # of files and pipes, too: what is read here is read by people


def add_configs(parser: Parser) -> None:
    """Declare the arguments."""
    options.add_width(parser)
    parser.set_defaults(run=_run_configs)


def _run_configs(arguments: argparse.Namespace) -> int:
    from medzh_score.benchmark.config import Table
    from medzh_score.render.tables import as_text, width_for

    rows, broken = [], []
    for name in config_names():
        try:
            config = declared_config(name)
        except MedzhError as error:
            broken.append(error)
            continue
        rules, prompts, stages = (
            joined(part.name for part in parts)
            for parts in (config.rules, config.prompting.templates, config.every_stage)
        )
        rows.append((name, config.title, rules, prompts, stages))
    table = Table("Configs", ("config", "what", "rules", "prompts", _("stages")), tuple(rows))
    with open_output(None) as stream:
        stream.write(as_text(table, width=arguments.width or min(WIDTH, width_for(None))).encode("utf-8"))
    print_lines(line for error in broken for line in error_text(error).split("\n"))
    return 0


REPORTED_DESCRIPTION = N_("""\
Print the published results of the benchmark's paper, followed by their errata.
""")


def add_reported(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=REPORTED_DESCRIPTION)
    options.add_config(parser)
    parser.add_argument("--table", type=int, metavar="N", help=_("only this table of the paper (default: all)"))
    options.add_output(parser, description=_("output format (default: from the --output extension, else text)"))
    options.add_width(parser)
    parser.set_defaults(run=_run_reported)


def _run_reported(arguments: argparse.Namespace) -> int:
    from medzh_score.render.tables import document
    from medzh_score.scoring.paper import load_paper, reported_tables

    paper = load_paper(arguments.config)
    if arguments.to == "json":
        content = _as_json(paper, arguments.table)
    else:
        tables = reported_tables(paper, arguments.table)
        errata = [f"{erratum}" for erratum in paper.errata_of(arguments.table)]
        content = document(
            arguments.to, _heading(paper), tables, errata, paper.decimals, options.width_of(arguments)
        ).encode()
    with open_output(arguments.output) as stream:
        stream.write(content)
    return 0


def _heading(paper: Paper) -> str:
    title = paper.reference.fields["title"]
    return _(
        "Results published in the {benchmark} paper ({title}), not computed by medzh. Errata follow the tables.",
        benchmark=paper.benchmark,
        title=title,
    )


def _as_json(paper: Paper, number: int | None) -> bytes:
    from medzh_score.io.jsonl import json_document
    from medzh_score.scoring.paper import chosen_tables

    facts = {
        "config": paper.config,
        "heading": _heading(paper),
        "text": paper.text,
        "generation": paper.generation,
        "generation_remark": paper.generation_remark,
        "stated": paper.stated,
        "decimals": paper.decimals,
        "tables": chosen_tables(paper, number),
        "errata": paper.errata_of(number),
    }
    return json_document(facts)


FORMS = ("bibtex", "gbt7714")


CITE_DESCRIPTION = N_("""\
Print citations for a paper: the benchmark, medzh and the built data, as BibTeX entries or GB/T 7714 references, and a
sentence that cites them. Lines that start with % are notes for you.
""")


def add_cite(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=CITE_DESCRIPTION)
    options.add_config(parser)
    options.add_data(parser)
    parser.add_argument("--report", type=Path, metavar="FILE", help=_("JSON report; its signature is printed as well"))
    parser.add_argument(
        "--to", choices=FORMS, default=FORMS[0], help=_("citation format: bibtex (default) or gbt7714 (GB/T 7714-2015)")
    )
    parser.add_argument(
        "--accessed", type=day, metavar="YYYY-MM-DD", help=_("access date of online sources, for GB/T 7714")
    )
    parser.set_defaults(run=_run_cite)


def _run_cite(arguments: argparse.Namespace) -> int:
    from medzh_score.scoring.citation import SOME_DAY, cite

    content = cite(arguments.config, arguments.data, arguments.report, arguments.to, arguments.accessed or SOME_DAY)
    with open_output(None) as stream:
        stream.write(content.encode())
    return 0
