"""``medzh-score suite``: many models, configs and rounds; a module for each of its commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands.suite import add as adding
from medzh_score.commands.suite import ask, pack, plan, prompts, score, status

if TYPE_CHECKING:
    import argparse

DESCRIPTION = """\
Ask many models on many configs, and keep what goes out and comes back in one folder. Every command may be interrupted
and called again.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the group."""
    parser = subparsers.add_parser("suite", help="many models, configs and rounds", description=DESCRIPTION)
    commands = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    for command in (plan, prompts, ask, adding, status, score, pack):
        command.add(commands)
