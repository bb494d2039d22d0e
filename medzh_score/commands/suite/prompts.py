"""``medzh-score suite prompts``: what can be sent next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

FORMS = ("chat", "text", "openai-batch", "sheet", "xlsx")
DESCRIPTION = """\
Write what can be sent next: first prompts, and later rounds of models whose first answers are whole; only what is
missing or failed. For a batch one file for each served name, else one for each config and round, shared by all models
that are asked alike. Models that the plan asks in another form than this are named.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument(
        "--to",
        choices=FORMS,
        default="chat",
        help="form (default: chat); sheets for people as CSV or as .xlsx (openpyxl, extra build)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the files, and say what sending them will cost."""
    from pathlib import Path

    from medzh_score.suites.outbox import to_send
    from medzh_score.suites.plan_edits import suite_plan
    from medzh_score.suites.planning import notes_on_plan

    suite = Path(arguments.suite)
    plan = suite_plan(suite)
    outgoing = to_send(suite, plan, arguments.to)
    if outgoing.files:
        say(notes_on_plan(plan))
    for one in outgoing.files:
        names = ", ".join(one.labels)
        if len(one.labels) > 1:
            say([f"{one.path} for {names}: {one.calls:,} calls each, {one.characters:,} characters each"])
        elif names:
            say([f"{one.path} for {names}: {one.calls:,} calls, {one.characters:,} characters"])
        else:
            say([f"{one.path}: {one.calls:,} calls, {one.characters:,} characters"])
    if not outgoing.files:
        say(["nothing can be sent in this form now"])
    for form, labels in outgoing.elsewhere.items():
        say([f"asked in another form, with --to {form}: {', '.join(labels)}"])
    return 0
