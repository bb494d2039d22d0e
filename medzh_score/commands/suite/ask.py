"""``medzh-score suite ask``: send what is missing to a server of the user's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from medzh_score.commands import options
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from medzh_score.messages.parser import Parser
    from medzh_score.suites.asked_so_far import Standing
    from medzh_score.suites.asking.calls import Endpoint
    from medzh_score.suites.plan import Plan

DESCRIPTION = """\
Send what is missing of a model's first answers and own later rounds, or of what a judge is to answer, to a server that
speaks the interface of OpenAI, and keep each answer as it comes. It says first what it will cost. Called again, it goes
on. The status is 3 while requests failed.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument("--model", metavar="LABEL", required=True, help="the model or judge that the server has")
    parser.add_argument("--base-url", metavar="URL", required=True, help="such as http://localhost:8000/v1")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="HOST",
        help="beside this machine, the only hosts that are asked; a private config is sent to no others",
    )
    parser.add_argument("--api-key-env", metavar="VAR", help="the variable of the environment that holds the key")
    parser.add_argument("--concurrency", type=options.positive, metavar="N", help="requests at a time (default 8)")
    parser.add_argument("--yes", action="store_true", help="begin without being asked whether it may cost that")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask place by place; a model's own later rounds are asked once its first answers are whole."""
    from pathlib import Path

    from medzh_score.suites.asking.ask import LACKING, ask_aloud
    from medzh_score.suites.asking.workers import Effort
    from medzh_score.suites.outbox import left_for
    from medzh_score.suites.plan_edits import suite_plan

    suite = Path(arguments.suite)
    plan = suite_plan(suite)
    endpoint = _endpoint(arguments, plan)
    effort = Effort(arguments.concurrency) if arguments.concurrency else Effort()
    asked: set[str] = set()
    status = 0
    while now := [one for one in left_for(suite, plan, arguments.model) if str(one.place) not in asked]:
        _agree(now, suite, endpoint, yes=arguments.yes)
        for one in now:
            asked.add(str(one.place))
            ended = ask_aloud(str(one.place), _lines(one), one.place.answers(suite), endpoint, effort)
            status = max(status, ended)
            if ended > LACKING:
                return ended
    if not asked:
        say([f"nothing can be asked of {arguments.model} now"])
    return status


def _lines(standing: Standing) -> list[dict[str, Any]]:
    """Give what is asked at a place, without groups of which every part was answered by itself."""
    from medzh_score.suites.asked_so_far import key_in

    return [line for line in standing.lines() if key_in(line) in standing.kept or not standing.is_back(key_in(line))]


def _endpoint(arguments: argparse.Namespace, plan: Plan) -> Endpoint:
    """Take the address and the served name; the key is read from the environment."""
    import os

    from medzh_score.messages.errors import MedzhError
    from medzh_score.suites.asking.calls import Endpoint, refuse_other_host
    from medzh_score.suites.plan import holds_private

    key = None
    if arguments.api_key_env is not None:
        key = os.environ.get(arguments.api_key_env)
        if not key:
            problem = "is not set in the environment"
            raise MedzhError(problem, field="--api-key-env", found=arguments.api_key_env)
    private, whose = holds_private(plan), plan.respondent(arguments.model)
    endpoint = Endpoint(arguments.base_url, whose.names[0], key, private=private)
    if private or arguments.allow_host:
        refuse_other_host(endpoint, arguments.allow_host)
    return endpoint


def _agree(now: Sequence[Standing], suite: Path, endpoint: Endpoint, *, yes: bool) -> None:
    """Say what asking will cost, and go on only where the user agrees."""
    from medzh_score.commands.options import agreed
    from medzh_score.messages.catalogue import translated
    from medzh_score.messages.errors import MedzhError
    from medzh_score.suites.asking.ask import cost, say_cost

    for one in now:
        say_cost(str(one.place), cost(_lines(one), one.place.answers(suite), endpoint), endpoint)
    if yes:
        return
    if not agreed(translated("begin? [y/N] ")):
        raise MedzhError("nothing was sent", field="--yes", advice="agree with --yes")
