"""``medzh-score suite score``: score everything that is whole and not yet scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from medzh_score.suites.scoring import Done
    from medzh_score.suites.work import Work

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
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--workers", type=options.positive, metavar="N", help="on N processes of this machine")
    how.add_argument("--scheduler", metavar="ADDRESS", help="on the workers of a dask.distributed scheduler")
    parser.add_argument("--shard", metavar="I/N", help="only one of N parts, as jobs of an array take them")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Score, and say what was done and what failed."""
    from pathlib import Path

    from medzh_score.messages.process import BAD_INPUT
    from medzh_score.suites.plan import read_plan
    from medzh_score.suites.work import unread_where_done, whole_work
    from medzh_score.suites.workers import shard_of

    suite = Path(arguments.suite)
    plan = read_plan(suite)
    whole = list(whole_work(suite, plan))
    every = [(model.label, asked.config) for asked in plan.configs for model in plan.models]
    mine = shard_of(whole, every, arguments.shard) if arguments.shard else whole
    left = [work for work in mine if unread_where_done(work) is None]
    failed = 0
    for done in _scored(left, arguments):
        failed += done.problem is not None
        name = f"{done.work.model} {done.work.config}"
        say([f"{name}: scored" if done.problem is None else f"{name}: failed: {done.problem}"])
    waiting = len(every) - len(whole)
    say([f"{len(left) - failed:,} scored, {failed:,} failed, {len(mine) - len(left):,} done before, {waiting:,} wait"])
    return BAD_INPUT if failed else 0


def _scored(left: Sequence[Work], arguments: argparse.Namespace) -> Iterator[Done]:
    from medzh_score.suites.workers import in_process, on_cluster, on_processes

    if arguments.scheduler:
        return on_cluster(left, arguments.texts, arguments.scheduler)
    if arguments.workers:
        return on_processes(left, arguments.texts, arguments.workers)
    return in_process(left, arguments.texts)
