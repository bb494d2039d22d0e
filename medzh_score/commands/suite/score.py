"""``medzh-score suite score``: score everything that is whole and not yet scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.progress import say, say_failed

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser
    from medzh_score.suites.executors import Workers
    from medzh_score.suites.scoring import Outcome

DESCRIPTION = """\
Score every model on every config of which all that was asked came back, unless a result of the same inputs is there. A
unit that fails is named, and the rest goes on; the status is 2 then.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument(
        "--texts", choices=("none", "spans", "full"), default="none", help="what of the texts results hold"
    )
    how = parser.group("machines").add_mutually_exclusive_group()
    how.add_argument("--workers", type=options.positive, metavar="N", help="on N processes of this machine")
    how.add_argument("--scheduler", metavar="ADDRESS", help="on the workers of a dask.distributed scheduler")
    parser.add_argument("--shard", metavar="I/N", help="only one of N parts, as jobs of an array take them")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Score, and say what was done and what failed."""
    from collections import Counter
    from pathlib import Path

    from medzh_score.messages.process import BAD_INPUT
    from medzh_score.suites.plan_edits import suite_plan
    from medzh_score.suites.scoring import score_units, shard_of, units_of

    suite = Path(arguments.suite)
    every = units_of(suite, suite_plan(suite), arguments.texts)
    mine = shard_of(every, arguments.shard) if arguments.shard else every
    found: Counter[Outcome] = Counter()
    for done in score_units(mine, _workers(arguments)):
        found[done.outcome] += 1
        name = f"{done.model} {done.config}"
        if done.problem is not None:
            say_failed(name, done.problem)
        elif done.outcome == "scored":
            say([f"{name}: scored"])
    failed, before, waiting = found["failed"], found["done before"], found["waits"]
    say([f"{found['scored']:,} scored, {failed:,} failed, {before:,} done before, {waiting:,} wait"])
    return BAD_INPUT if failed else 0


def _workers(arguments: argparse.Namespace) -> Workers:
    from medzh_score.suites.executors import cluster, processes, this_process

    if arguments.scheduler:
        return cluster(arguments.scheduler)
    return processes(arguments.workers) if arguments.workers else this_process()
