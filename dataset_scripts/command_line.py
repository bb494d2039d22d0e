"""The command ``medzh-build``, also ``python -m dataset_scripts``."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from medzh_score.messages.parser import Parser
from medzh_score.messages.process import as_process, run
from medzh_score.messages.progress import telling

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = ("fetch", "build", "check", "diff", "publish", "bundle", "sheet", "tally", "names", "notes")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Gives the exit status: 0 if it worked, 1 if what was checked is not well, 2 for bad input, 3 if a build waits for
    answers, 130 if interrupted.
    """
    return run(_parser(), argv, lambda _: telling())


def console() -> None:
    """Run the command as a process of its own, and end it."""
    as_process(main)


def _parser() -> Parser:
    from medzh_score.version import VERSION

    parser = Parser(prog="medzh-build", description="Build datasets of Chinese medical benchmarks, and check them.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {VERSION}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = f"dataset_scripts.commands.{name}"
        if find_spec(module) is not None:
            import_module(module).add(subparsers)
    return parser
