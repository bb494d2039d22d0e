"""The command ``medzh-score``: what it knows, and how it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import (
    bundle,
    check,
    cite,
    compare,
    configs,
    explain,
    judge_data,
    options,
    plot,
    prompts,
    reported,
    score,
    show,
    suite,
    summary,
    verify,
)
from medzh_score.messages.parser import Parser
from medzh_score.messages.process import as_process, run

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (
    configs,
    prompts,
    check,
    explain,
    score,
    show,
    compare,
    summary,
    reported,
    plot,
    judge_data,
    suite,
    cite,
    verify,
    bundle,
)


def parser() -> Parser:
    """Build the parser of all subcommands; nothing heavy is imported for it."""
    top = Parser(
        prog="medzh-score",
        description="Score Chinese medical LLM benchmarks offline, from the predictions that you already have.",
    )
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(subparsers)
    for subparser in subparsers.choices.values():
        options.add_quiet(subparser)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    return run(parser(), arguments, options.inputs_made_readable)


def console() -> None:
    """Run the command as a process of its own, and end it."""
    as_process(main)
