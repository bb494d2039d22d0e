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
    from dataclasses import asdict
    from pathlib import Path

    from medzh_score.answers import collect
    from medzh_score.config import find_config, pick
    from medzh_score.notes import MUCH_TRUNCATED, MUCH_UNANSWERED
    from medzh_score.records import load_records
    from medzh_score.rendering.tables import as_text
    from medzh_score.table import Table

    config = find_config(arguments.config)
    rule = pick("--rule", config.rules, arguments.rule)
    records = load_records(config.name, arguments.data, columns=config.columns)
    layout = config.layout(records.rows)
    collected = collect(
        [record["id"] for record in records.rows],
        config.prepare(records.rows, layout),
        [rule],
        [Path(name) for name in arguments.predictions],
        reader=arguments.reader,
        file_per_run=arguments.file_per_run,
    )
    coverage = collected.coverage(rule.name)
    table = collected.tables[rule.name]
    rows = (
        ("runs", len(table.runs)),
        ("variants", len(table.variants)),
        *asdict(coverage).items(),
        ("failed requests", len(collected.failures)),
    )
    title = f"{config.name}: what the predictions hold, answers by rule {rule.name}"
    sys.stdout.write(as_text(Table(title, ("what", "count"), rows)))
    unsound = (
        coverage.missing > 0
        or coverage.unanswered > MUCH_UNANSWERED * coverage.read
        or coverage.truncated > MUCH_TRUNCATED * coverage.read
    )
    return UNSOUND if unsound else 0
