"""The command ``medzh-build``, also ``python -m dataset_scripts``."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from medzh_score.messages.parser import Command, Parser
from medzh_score.messages.process import as_process, run
from medzh_score.messages.progress import telling

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

COMMANDS = (
    Command("fetch", help="download upstream files into the cache", module="dataset_scripts.commands.fetch"),
    Command("build", help="make a config", module="dataset_scripts.commands.build"),
    Command("check", help="verify a build folder", module="dataset_scripts.commands.check"),
    Command("diff", help="compare two builds", module="dataset_scripts.commands.diff"),
    Command("publish", help="put a build on a hub", module="dataset_scripts.commands.publish"),
    Command("bundle", help="write a build into one file", module="dataset_scripts.commands.bundle"),
    Command("new", help="write a package for a benchmark of your own", module="dataset_scripts.commands.new"),
    Command("pin", help="write upstream files into a sources.toml", module="dataset_scripts.commands.pin"),
    Command("conform", help="try a config with known answers", module="dataset_scripts.commands.conform"),
    Command("names", help="write a dictionary of disease names", module="dataset_scripts.commands.names"),
    Command("notes", help="write scope notes as explanations", module="dataset_scripts.commands.notes"),
)


def parser() -> Parser:
    """Build the parser; the module of a command is imported when it is called."""
    top = Parser(
        prog="medzh-build",
        description="Build datasets of Chinese medical benchmarks, and check them.",
        examples="dataset_scripts.commands.examples",
    )
    top.add_commands("COMMAND", COMMANDS)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Gives the exit status: 0 if it worked, 1 if what was checked is not well, 2 for bad input, 130 if interrupted.
    """
    return run(parser(), argv, _around)


@contextmanager
def _around(arguments: argparse.Namespace) -> Iterator[None]:
    from medzh_score.files.bounds import raised

    with raised(getattr(arguments, "bounds", None)), telling(quiet="quiet" in arguments):
        yield


def console() -> None:
    """Run the command as a process of its own, and end it."""
    as_process(main)
