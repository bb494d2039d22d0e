"""The command ``medzh-score``: what it knows, and how it fails."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from medzh_score.messages.parser import Command, Parser
from medzh_score.messages.process import as_process, run

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

COMMANDS = (
    Command("configs", help="list the configs, their rules and prompts", module="medzh_score.commands.configs"),
    Command("prompts", help="write prompts, or what a later round asks", module="medzh_score.commands.prompts"),
    Command("harness", help="write a task for another tool", module="medzh_score.commands.harness"),
    Command("check", help="look at predictions before scoring them", module="medzh_score.commands.check"),
    Command("explain", help="show how a prediction is read", module="medzh_score.commands.explain"),
    Command("score", help="score predictions", module="medzh_score.commands.score"),
    Command("show", help="show a saved report again", module="medzh_score.commands.show"),
    Command("compare", help="compare systems", module="medzh_score.commands.compare"),
    Command("summary", help="systems on several configs", module="medzh_score.commands.summary"),
    Command("board", help="static pages of many systems and configs", module="medzh_score.commands.board"),
    Command("reported", help="print the tables of the paper", module="medzh_score.commands.reported"),
    Command("plot", help="draw a figure from reports or result folders", module="medzh_score.commands.plot"),
    Command("suite", help="many models, configs and rounds", module="medzh_score.commands.suite"),
    Command("export", help="write results for hubs, cards, other tools", module="medzh_score.commands.export"),
    Command("cite", help="print what to cite", module="medzh_score.commands.cite"),
    Command("verify", help="make a report again, and compare", module="medzh_score.commands.verify"),
    Command("bundle", help="pack a report for deposit", module="medzh_score.commands.bundle"),
)


def parser() -> Parser:
    """Build the parser; the module of a command is imported when it is called."""
    top = Parser(
        prog="medzh-score",
        description="Score Chinese medical LLM benchmarks offline, from the predictions that you already have.",
        examples="medzh_score.commands.examples",
    )
    top.add_commands("COMMAND", COMMANDS)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    return run(parser(), arguments, _around)


@contextmanager
def _around(arguments: argparse.Namespace) -> Iterator[None]:
    from medzh_score.commands.options import inputs_made_readable, suite_guarded

    with suite_guarded(arguments), inputs_made_readable(arguments):
        yield


def console() -> None:
    """Run the command as a process of its own, and end it."""
    as_process(main)
