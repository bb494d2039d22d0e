"""``medzh-score suite``: many models, configs and rounds; a module for each of its commands."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import find_config
from medzh_score.cli import options
from medzh_score.cli.options import agreed
from medzh_score.io.atomic import open_output, write_bytes
from medzh_score.ui.cli import Command
from medzh_score.ui.errors import NAMED, MedzhError
from medzh_score.ui.i18n import N_, _, translated
from medzh_score.ui.privacy import quotable
from medzh_score.ui.process import BAD_INPUT
from medzh_score.ui.progress import say, say_failed

if TYPE_CHECKING:
    import argparse

    from medzh_score.suites.endpoint import Endpoint
    from medzh_score.suites.executors import WorkerPool
    from medzh_score.suites.plan import Plan
    from medzh_score.suites.scoring import Outcome
    from medzh_score.ui.cli import Parser


DESCRIPTION = N_("""\
Ask many models on many configs, and keep what goes out and comes back in one folder. Every command may be interrupted
and called again.
""")
STEPS = (
    Command("plan", help=_("begin a suite"), module="medzh_score.cli.suite:add_plan"),
    Command("prompts", help=_("write what can be sent next"), module="medzh_score.cli.suite:add_prompts"),
    Command("ask", help=_("send what is missing to a server"), module="medzh_score.cli.suite:add_ask"),
    Command("add", help=_("add what came back"), module="medzh_score.cli.suite:add_add"),
    Command("status", help=_("say where a suite stands"), module="medzh_score.cli.suite:add_status"),
    Command("score", help=_("score what is whole"), module="medzh_score.cli.suite:add_score"),
)


def add_suite(parser: Parser) -> None:
    """Declare the commands of the group."""
    parser.describe(description=DESCRIPTION)
    parser.add_commands("STEP", STEPS)


PLAN_DESCRIPTION = N_("""\
Write the plan of a suite, and all first prompts: one file a config, and one for each model that is asked apart. The
plan may be edited until something was sent; then call `suite prompts`. With a private config the folder is
readable by its owner only.
""")


def add_plan(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=PLAN_DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument(
        "--models", nargs="+", action="extend", required=True, metavar="LABEL", help=_("what the systems are called")
    )
    parser.add_argument(
        "--configs", nargs="+", action="extend", required=True, metavar="CONFIG", help=_("what they are asked")
    )
    parser.add_argument("--runs", type=options.runs, default=1, metavar="N", help=_("ask each prompt N times"))
    parser.add_argument("--variants", metavar="SET", help=_("all, cyclic or a number, of configs that have variants"))
    parser.add_argument("--prompt", action="append", default=[], metavar="[CONFIG=]NAME", help=_("which prompt"))
    parser.add_argument(
        "--judge", action="append", default=[], metavar="[CONFIG/]ROUND=NAME", help=_("who answers a later round")
    )
    parser.add_argument("--tokens", action="store_true", help=_("also estimate the tokens of all prompts"))
    options.add_seed(parser, _("the variants"))
    options.add_data(parser)
    parser.set_defaults(run=_run_plan)


def _run_plan(arguments: argparse.Namespace) -> int:
    from medzh_score.suites.outbox import write_first
    from medzh_score.suites.plan import PLAN, check_plan, guarded
    from medzh_score.suites.prompts import notes_on_later_rounds, notes_on_plan, written_plan

    suite = Path(arguments.suite)
    path = suite / PLAN
    if path.exists():
        raise MedzhError(
            _("has a plan"), file=path, advice=_("edit it, and call suite prompts; or name another folder")
        )
    plan = _plan(arguments)
    check_plan(plan, path)
    with guarded(suite, plan):
        notes = []
        for one in write_first(suite, plan):
            size = {"path": one.path, "calls": f"{one.calls:,}", "size": f"{one.characters:,}"}
            note = _("{path}: {calls} calls a model, {size} characters", **size)
            if arguments.tokens:
                size["tokens"] = one.tokens
                note = _("{path}: {calls} calls a model, {size} characters, about {tokens:,} tokens", **size)
            notes.append(note)
        write_bytes(path, written_plan(plan).encode("utf-8"))
    say([*notes, *notes_on_later_rounds(plan), *notes_on_plan(plan), _("wrote {file}", file=path)])
    return 0


def _plan(arguments: argparse.Namespace) -> Plan:
    from medzh_score.suites.plan import VERSION, Model, Plan, PlannedConfig
    from medzh_score.suites.prompts import judges_of, prompts_of

    configs, runs, seed = [], arguments.runs, arguments.seed
    prompts = prompts_of(arguments.prompt, arguments.configs)
    for name in arguments.configs:
        variants = arguments.variants if find_config(name).prompting.permutes_options else None
        configs.append(PlannedConfig(config=name, prompt=prompts.get(name), runs=runs, variants=variants, seed=seed))
    return Plan(
        version=VERSION,
        data=str(arguments.data),
        models=tuple(Model(label=label) for label in arguments.models),
        configs=tuple(configs),
        judges=judges_of(arguments.judge, arguments.configs),
    )


FORMS = ("chat", "text", "openai-batch", "sheet", "xlsx")
PROMPTS_DESCRIPTION = N_("""\
Write what can be sent next: first prompts, and later rounds of models whose first answers are whole; only what is
missing or failed. For a batch one file for each served name, else one for each config and round, shared by all models
that are asked alike. Models that the plan asks in another form than this are named.
""")


def add_prompts(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=PROMPTS_DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument(
        "--to",
        choices=FORMS,
        default="chat",
        help=_("form (default: chat); sheets for people as CSV or as .xlsx (openpyxl, extra build)"),
    )
    parser.set_defaults(run=_run_prompts)


def _run_prompts(arguments: argparse.Namespace) -> int:
    from medzh_score.suites.outbox import to_send
    from medzh_score.suites.progress import suite_plan
    from medzh_score.suites.prompts import notes_on_plan

    suite = Path(arguments.suite)
    plan = suite_plan(suite)
    outgoing = to_send(suite, plan, arguments.to)
    if outgoing.files:
        say(notes_on_plan(plan))
    for one in outgoing.files:
        size = {"path": one.path, "calls": one.calls, "characters": one.characters}
        names = ", ".join(one.labels)
        note = _("{path}: {calls:,} calls, {characters:,} characters", **size)
        if len(one.labels) > 1:
            note = _("{path} for {names}: {calls:,} calls each, {characters:,} characters each", **size, names=names)
        elif names:
            note = _("{path} for {names}: {calls:,} calls, {characters:,} characters", **size, names=names)
        say([note])
    if not outgoing.files:
        say([_("nothing can be sent in this form now")])
    for form, labels in outgoing.elsewhere.items():
        say([_("asked in another form, with --to {form}: {labels}", form=form, labels=", ".join(labels))])
    return 0


ASK_DESCRIPTION = N_("""\
Send what is missing of a model's first answers and own later rounds, or of what a judge is to answer, to a server that
speaks the interface of OpenAI, and keep each answer as it comes. It says first what it will cost. Called again, it goes
on. The status is 3 while requests failed.
""")


def add_ask(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=ASK_DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument("--model", metavar="LABEL", required=True, help=_("the model or judge that the server has"))
    parser.add_argument("--base-url", metavar="URL", required=True, help=_("such as http://localhost:8000/v1"))
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="HOST",
        help=_("beside this machine, the only hosts that are asked; a private config is sent to no others"),
    )
    parser.add_argument("--api-key-env", metavar="VAR", help=_("the variable of the environment that holds the key"))
    parser.add_argument("--concurrency", type=options.positive, metavar="N", help=_("requests at a time (default 8)"))
    parser.add_argument("--yes", action="store_true", help=_("begin without being asked whether it may cost that"))
    parser.set_defaults(run=_run_ask)


def _run_ask(arguments: argparse.Namespace) -> int:
    from medzh_score.suites.ask import CONCURRENCY, ask_with_progress, say_cost
    from medzh_score.suites.outbox import left_for
    from medzh_score.suites.progress import suite_plan
    from medzh_score.suites.responses import key_in

    suite = Path(arguments.suite)
    plan = suite_plan(suite)
    endpoint = _endpoint(arguments, plan)
    asked: set[str] = set()
    status = 0
    while left := [one for one in left_for(suite, plan, arguments.model) if str(one.place) not in asked]:
        lines = {
            one.place: [line for line in one.lines() if key_in(line) in one.kept or not one.is_back(key_in(line))]
            for one in left
        }
        for place, of_place in lines.items():
            say_cost(str(place), of_place, place.answers(suite), endpoint)
        if not arguments.yes and not agreed(translated(_("begin? [y/N] "))):
            raise MedzhError(_("nothing was sent"), field="--yes", advice=_("agree with --yes"))
        for place, of_place in lines.items():
            asked.add(str(place))
            answers, concurrency = place.answers(suite), arguments.concurrency or CONCURRENCY
            status = max(status, ask_with_progress(str(place), of_place, answers, endpoint, concurrency))
    if not asked:
        say([_("nothing can be asked of {model} now", model=arguments.model)])
    return status


def _endpoint(arguments: argparse.Namespace, plan: Plan) -> Endpoint:
    from medzh_score.suites.endpoint import Endpoint, check_host
    from medzh_score.suites.plan import holds_private

    key = None
    if arguments.api_key_env is not None:
        key = os.environ.get(arguments.api_key_env)
        if not key:
            problem = _("is not set in the environment")
            raise MedzhError(problem, field="--api-key-env", found=arguments.api_key_env)
    private, whose = holds_private(plan), plan.respondent(arguments.model)
    endpoint = Endpoint(arguments.base_url, whose.names[0], key, private=private)
    if private or arguments.allow_host:
        check_host(endpoint, arguments.allow_host)
    return endpoint


ADD_DESCRIPTION = N_("""\
Put files in their places by what they hold: ids say which config and round, and the plan whose a name is. Nothing that
is there is overwritten without --replace.
""")


def add_add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=ADD_DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument("--model", metavar="LABEL", help=_("whose answers these are, where the files do not say it"))
    parser.add_argument("--from", dest="reader", metavar="FORM", help=_("how the files are read (default: recognised)"))
    parser.add_argument(
        "--replace", action="store_true", help=_("take other answers in the place of those that are kept")
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help=_("files, patterns, or folders of them"))
    parser.set_defaults(run=_run_add)


def _run_add(arguments: argparse.Namespace) -> int:
    from medzh_score.suites.importing import ImportOptions, add_files, files_in
    from medzh_score.suites.progress import suite_plan

    suite = Path(arguments.suite)
    adding = ImportOptions(arguments.model, arguments.reader, arguments.replace)
    for given in add_files(suite, suite_plan(suite), files_in(arguments.files), adding):
        path = given.path
        for one in given.taken:
            taken = {"path": path, "place": one.place, "new": one.new, "same": one.same, "replaced": one.replaced}
            say([_("{path}: {place}: {new:,} new, {same:,} the same, {replaced:,} replaced", **taken)])
        for place, keys in given.left_out.items():
            named = ", ".join(map(quotable, keys[:NAMED])) + (", …" if len(keys) > NAMED else "")
            left = {"path": path, "place": place, "count": len(keys), "named": named}
            note = _(
                "{path}: {place}: {count:,} left out, for they were not asked so far ({named}): add them again later",
                **left,
            )
            say([note])
    return 0


LACKING = 3
STATUS_DESCRIPTION = N_("""\
Say what was sent, came back, lacks, failed, was cut off, is unread and is scored, for each model, config and round, and
what can be done next. The status is 3 while something lacks.
""")


def add_status(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=STATUS_DESCRIPTION)
    options.add_suite(parser)
    options.add_output(parser, description=_("form (default: text)"))
    options.add_width(parser)
    parser.set_defaults(run=_run_status)


def _run_status(arguments: argparse.Namespace) -> int:
    from medzh_score.io.jsonl import json_document
    from medzh_score.render.tables import document
    from medzh_score.suites.progress import suite_plan
    from medzh_score.suites.status import status_of

    suite, width = Path(arguments.suite), options.width_of(arguments)
    found = status_of(suite, suite_plan(suite))
    if arguments.to == "json":
        content = json_document(found.as_dict())
    else:
        content = document(arguments.to, str(suite), [found.table()], found.next_steps, width=width).encode()
    with open_output(arguments.out) as stream:
        stream.write(content)
    return LACKING if found.lacks else 0


SCORE_DESCRIPTION = N_("""\
Score every model on every config of which all that was asked came back, unless a result of the same inputs is there. A
unit that fails is named, and the rest goes on; the status is 2 then.
""")


def add_score(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=SCORE_DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument(
        "--texts", choices=("none", "spans", "full"), default="none", help=_("what of the texts results hold")
    )
    how = parser.group("machines").add_mutually_exclusive_group()
    how.add_argument("--workers", type=options.positive, metavar="N", help=_("on N processes of this machine"))
    how.add_argument("--scheduler", metavar="ADDRESS", help=_("on the workers of a dask.distributed scheduler"))
    parser.add_argument("--shard", metavar="I/N", help=_("only one of N parts, as jobs of an array take them"))
    parser.set_defaults(run=_run_score)


def _run_score(arguments: argparse.Namespace) -> int:
    from medzh_score.suites.progress import suite_plan
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
            say([_("{name}: scored", name=name)])
    failed, before, waiting = found["failed"], found["done before"], found["waits"]
    counts = {"found": found["scored"], "failed": failed, "before": before, "waiting": waiting}
    say([_("{found:,} scored, {failed:,} failed, {before:,} done before, {waiting:,} wait", **counts)])
    return BAD_INPUT if failed else 0


def _workers(arguments: argparse.Namespace) -> WorkerPool:
    from medzh_score.suites.executors import cluster, processes, this_process

    if arguments.scheduler:
        return cluster(arguments.scheduler)
    return processes(arguments.workers) if arguments.workers else this_process()
