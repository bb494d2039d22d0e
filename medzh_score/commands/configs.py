"""``medzh-score configs``: what can be scored here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

WIDTH = 80  # of files and pipes, too: what is read here is read by people


def add(parser: Parser) -> None:
    """Declare the arguments."""
    options.add_width(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List the configs."""
    from medzh_score.benchmark.registry import config_names, declared_config
    from medzh_score.benchmark.tables import Table
    from medzh_score.files.writing import open_output, print_lines
    from medzh_score.messages.error_lines import error_line
    from medzh_score.messages.errors import MedzhError
    from medzh_score.show.tables import as_text
    from medzh_score.show.wrapping import width_for

    rows, broken = [], []
    for name in config_names():
        try:
            config = declared_config(name)
        except MedzhError as error:
            broken.append(error)
            continue
        rules, prompts, rounds = (
            ", ".join(part.name for part in parts) for parts in (config.rules, config.prompts, config.every_round)
        )
        rows.append((name, config.title, rules, prompts, rounds))
    table = Table("Configs", ("config", "what", "rules", "prompts", "later rounds"), tuple(rows))
    with open_output(None) as stream:
        stream.write(as_text(table, width=arguments.width or min(WIDTH, width_for(None))).encode("utf-8"))
    print_lines(error_line(error) for error in broken)
    return 0
