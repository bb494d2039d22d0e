"""``medzh-score suite score``: score everything that is whole and not yet scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse

DESCRIPTION = """\
Score every model on every config of which all that was asked came back, unless a result of the same inputs is there. A
unit that fails is named, and the rest goes on; the status is 2 then.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("score", help="score what is whole", description=DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument(
        "--texts", choices=("none", "spans", "full"), default="none", help="what of the texts results hold"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Score, and say what was done and what failed."""
    from pathlib import Path

    from medzh_score.messages.process import BAD_INPUT
    from medzh_score.suites.plan import read_plan
    from medzh_score.suites.scoring import score_work
    from medzh_score.suites.work import unread_where_done, whole_work

    suite = Path(arguments.suite)
    plan = read_plan(suite)
    whole = list(whole_work(suite, plan))
    left = [work for work in whole if unread_where_done(work) is None]
    failed = 0
    for work in left:
        done = score_work(work, arguments.texts)
        failed += done.problem is not None
        say([f"{work.model} {work.config}: {done.problem or 'scored'}"])
    waiting = len(plan.models) * len(plan.configs) - len(whole)
    say([f"{len(left) - failed:,} scored, {failed:,} failed, {len(whole) - len(left):,} done before, {waiting:,} wait"])
    return BAD_INPUT if failed else 0
