"""``medzh-score suite``: many models, configs and rounds; a module for each of its commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.messages.parser import Command

if TYPE_CHECKING:
    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Ask many models on many configs, and keep what goes out and comes back in one folder. Every command may be interrupted
and called again.
"""
STEPS = (
    Command("plan", help="begin a suite", module="medzh_score.commands.suite.plan"),
    Command("prompts", help="write what can be sent next", module="medzh_score.commands.suite.prompts"),
    Command("ask", help="send what is missing to a server", module="medzh_score.commands.suite.ask"),
    Command("add", help="add what came back", module="medzh_score.commands.suite.adding"),
    Command("status", help="say where a suite stands", module="medzh_score.commands.suite.status"),
    Command("score", help="score what is whole", module="medzh_score.commands.suite.score"),
)


def add(parser: Parser) -> None:
    """Declare the commands of the group."""
    parser.describe(description=DESCRIPTION)
    parser.add_commands("STEP", STEPS)
