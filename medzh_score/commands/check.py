"""``medzh-score check``: what a predictions file holds, before it is scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

UNSOUND = 1


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the subcommand.

    Parameters
    ----------
    subparsers : argparse subparsers
        Of the command.
    """
    parser = subparsers.add_parser(
        "check",
        help="look at predictions before scoring them",
        description="Count what predictions cover. Status 1: scoring would not be sound; 2: it cannot be done.",
    )
    options.add_config(parser)
    options.add_predictions(parser)
    options.add_data(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Count and print.

    Parameters
    ----------
    arguments : argparse.Namespace
        As parsed.

    Returns
    -------
    int
        1 where predictions are missing, or too many are unanswered or truncated; else 0.
    """
    import sys

    from medzh_score.checking import check
    from medzh_score.rendering.tables import as_text

    checked = check(
        arguments.config,
        arguments.predictions,
        arguments.data,
        rule=arguments.rule,
        reader=arguments.reader,
        file_per_run=arguments.file_per_run,
    )
    sys.stdout.write(as_text(checked.as_table()))
    return 0 if checked.sound else UNSOUND
