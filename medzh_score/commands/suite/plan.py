"""``medzh-score suite plan``: what is to be asked of whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from medzh_score.messages.parser import Parser
    from medzh_score.suites.plan import Asked, Plan

DESCRIPTION = """\
Write the plan of a suite, and all first prompts: one file a config, and one for each model that is asked apart. The
plan may be edited until something was sent; then call `suite prompts`. With a private config the folder is
readable by its owner only.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument(
        "--models", nargs="+", action="extend", required=True, metavar="LABEL", help="what the systems are called"
    )
    parser.add_argument(
        "--configs", nargs="+", action="extend", required=True, metavar="CONFIG", help="what they are asked"
    )
    parser.add_argument("--runs", type=options.runs, default=1, metavar="N", help="ask each prompt N times")
    parser.add_argument("--variants", metavar="SET", help="all, cyclic or a number, of configs that have variants")
    parser.add_argument("--prompt", action="append", default=[], metavar="[CONFIG=]NAME", help="which prompt")
    parser.add_argument(
        "--judge", action="append", default=[], metavar="[CONFIG/]ROUND=NAME", help="who answers a later round"
    )
    parser.add_argument("--tokens", action="store_true", help="also estimate the tokens of all prompts")
    options.add_seed(parser, "the variants")
    options.add_data(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the plan and the first prompts, and say what they will cost."""
    from pathlib import Path

    from medzh_score.files.writing import write_bytes
    from medzh_score.messages.errors import MedzhError
    from medzh_score.suites.plan import PLAN, check_plan, guarded
    from medzh_score.suites.planning import notes_on_later_rounds, notes_on_plan, written_plan

    suite = Path(arguments.suite)
    path = suite / PLAN
    if path.exists():
        raise MedzhError("has a plan", file=path, advice="edit it, and call suite prompts; or name another folder")
    plan = _plan(arguments)
    check_plan(plan, path)
    with guarded(suite, plan):
        prompts = _write_prompts(suite, plan, tokens=arguments.tokens)
        write_bytes(path, written_plan(plan).encode("utf-8"))
    say([*prompts, *notes_on_later_rounds(plan), *notes_on_plan(plan), f"wrote {path}"])
    return 0


def _plan(arguments: argparse.Namespace) -> Plan:
    from medzh_score.suites.plan import VERSION, Model, Plan
    from medzh_score.suites.planning import judges_of, prompts_of

    prompts = prompts_of(arguments.prompt, arguments.configs)
    return Plan(
        version=VERSION,
        data=str(arguments.data),
        models=tuple(Model(label=label) for label in arguments.models),
        configs=tuple(_asked(arguments, name, prompts.get(name)) for name in arguments.configs),
        judges=judges_of(arguments.judge, arguments.configs),
    )


def _asked(arguments: argparse.Namespace, name: str, prompt: str | None) -> Asked:
    from medzh_score.benchmark.registry import find_config
    from medzh_score.suites.plan import Asked

    config = find_config(name)
    variants = arguments.variants if config.right is not None else None
    return Asked(config=name, prompt=prompt, runs=arguments.runs, variants=variants, seed=arguments.seed)


def _write_prompts(suite: Path, plan: Plan, *, tokens: bool) -> Sequence[str]:
    from medzh_score.suites.first_prompts import write_first_prompts
    from medzh_score.suites.plan_edits import check_edits

    check_edits(suite, plan)
    notes = []
    for asked in plan.configs:
        for one in write_first_prompts(suite, plan, asked):
            calls, size = f"{one.calls:,}", f"{one.characters:,}"
            if tokens:
                notes.append(f"{one.path}: {calls} calls a model, {size} characters, about {one.tokens:,} tokens")
            else:
                notes.append(f"{one.path}: {calls} calls a model, {size} characters")
    return notes
