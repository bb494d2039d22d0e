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
Evaluate many models on many configs, with all prompts and responses in one folder. Every command can be interrupted
and run again.
""")
STEPS = (
    Command("plan", help=_("Create a suite"), module="medzh_score.cli.suite:add_plan"),
    Command("prompts", help=_("Write the prompts that can be sent next"), module="medzh_score.cli.suite:add_prompts"),
    Command("ask", help=_("Send unanswered prompts to a server"), module="medzh_score.cli.suite:add_ask"),
    Command("add", help=_("Add response files"), module="medzh_score.cli.suite:add_add"),
    Command("status", help=_("Show the progress of a suite"), module="medzh_score.cli.suite:add_status"),
    Command("score", help=_("Score models with complete responses"), module="medzh_score.cli.suite:add_score"),
)


def add_suite(parser: Parser) -> None:
    """Declare the commands of the group."""
    parser.describe(description=DESCRIPTION)
    parser.add_commands("COMMAND", STEPS)


PLAN_DESCRIPTION = N_("""\
Write the plan of a suite and its prompts: one file per config, and one for each model with its own settings. You can
edit the plan before you send anything. After an edit, run `medzh-score suite prompts`. With a private config, only
the owner can read the folder.
""")


def add_plan(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=PLAN_DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument("--models", nargs="+", action="extend", required=True, metavar="NAME", help=_("system names"))
    parser.add_argument(
        "--configs", nargs="+", action="extend", required=True, metavar="CONFIG", help=_("configs to evaluate")
    )
    parser.add_argument("--runs", type=options.runs, default=1, metavar="N", help=_("number of runs (default: 1)"))
    parser.add_argument(
        "--variants", metavar="ORDERS", help=_("option orders for configs that support them: all, cyclic or a number")
    )
    parser.add_argument("--prompt", action="append", default=[], metavar="[CONFIG=]NAME", help=_("prompt template"))
    parser.add_argument(
        "--judge",
        action="append",
        default=[],
        metavar="[CONFIG/]STAGE=NAME",
        help=_("annotator of a stage (a judge model or a person)"),
    )
    parser.add_argument(
        "--count-tokens", action="store_true", help=_("also estimate the number of tokens of all prompts")
    )
    options.add_seed(parser, _("sampling option orders"))
    options.add_data(parser)
    parser.set_defaults(run=_run_plan)


def _run_plan(arguments: argparse.Namespace) -> int:
    from medzh_score.suites.outbox import write_first
    from medzh_score.suites.plan import PLAN, check_plan, guarded
    from medzh_score.suites.prompts import notes_on_later_stages, notes_on_plan, written_plan

    suite = Path(arguments.suite)
    path = suite / PLAN
    if path.exists():
        raise MedzhError(
            _("the suite already has a plan"),
            file=path,
            advice=_("edit the plan and run `medzh-score suite prompts`, or choose another folder"),
        )
    plan = _plan(arguments)
    check_plan(plan, path)
    with guarded(suite, plan):
        notes = []
        for one in write_first(suite, plan):
            size = {"path": one.path, "calls": f"{one.calls:,}", "size": f"{one.characters:,}"}
            note = _("{path}: {calls} calls per model, {size} characters", **size)
            if arguments.count_tokens:
                size["tokens"] = one.tokens
                note = _("{path}: {calls} calls per model, {size} characters, about {tokens:,} tokens", **size)
            notes.append(note)
        write_bytes(path, written_plan(plan).encode("utf-8"))
    say([*notes, *notes_on_later_stages(plan), *notes_on_plan(plan), _("Wrote {file}", file=path)])
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


FORMS = ("chat", "text", "openai-batch", "csv", "xlsx")
PROMPTS_DESCRIPTION = N_("""\
Write all prompts that can be sent now: prompts for predictions, and prompts of stages for models with complete
predictions. Only prompts whose response is missing or failed are included. openai-batch writes one file per served
model name. Other formats write one file per config and stage, shared by all models with the same prompts. Models that
the plan queries in another format are listed.
""")


def add_prompts(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=PROMPTS_DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument(
        "--to",
        choices=FORMS,
        default="chat",
        help=_(
            "output format (default: chat); csv and xlsx are for people (xlsx requires openpyxl, optional "
            "dependency build)"
        ),
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
        say([_("No prompts can be sent in this format now.")])
    for form, labels in outgoing.elsewhere.items():
        say([_("Models with a different format (use --to {form}): {labels}", form=form, labels=", ".join(labels))])
    return 0


ASK_DESCRIPTION = N_("""\
Send the prompts that have no response yet, of a model (predictions and its own stages) or of a judge model, to an
OpenAI-compatible server, and save each response when it arrives. The command first shows the number of calls and
characters. Run the command again to continue. Exit code 3 if requests failed.
""")


def add_ask(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=ASK_DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument("--model", metavar="NAME", required=True, help=_("model or judge model that the server runs"))
    parser.add_argument(
        "--base-url", metavar="URL", required=True, help=_("address of the server, such as http://localhost:8000/v1")
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="HOST",
        help=_("allow only this host in addition to the local machine (required for private configs); may be repeated"),
    )
    parser.add_argument("--api-key-env", metavar="VAR", help=_("environment variable that contains the API key"))
    parser.add_argument(
        "--concurrency", type=options.positive, metavar="N", help=_("number of concurrent requests (default: 8)")
    )
    parser.add_argument("--yes", action="store_true", help=_("send without confirmation"))
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
        if not arguments.yes and not agreed(translated(_("Send? [y/N] "))):
            raise MedzhError(_("no requests were sent"), field="--yes", advice=_("add --yes to confirm"))
        for place, of_place in lines.items():
            asked.add(str(place))
            answers, concurrency = place.answers(suite), arguments.concurrency or CONCURRENCY
            status = max(status, ask_with_progress(str(place), of_place, answers, endpoint, concurrency))
    if not asked:
        say([_("No prompts can be sent to {model} now.", model=arguments.model)])
    return status


def _endpoint(arguments: argparse.Namespace, plan: Plan) -> Endpoint:
    from medzh_score.suites.endpoint import Endpoint, check_host
    from medzh_score.suites.plan import holds_private

    key = None
    if arguments.api_key_env is not None:
        key = os.environ.get(arguments.api_key_env)
        if not key:
            problem = _("the environment variable is not set")
            raise MedzhError(problem, field="--api-key-env", found=arguments.api_key_env)
    private, whose = holds_private(plan), plan.respondent(arguments.model)
    endpoint = Endpoint(arguments.base_url, whose.names[0], key, private=private)
    if private or arguments.allow_host:
        check_host(endpoint, arguments.allow_host)
    return endpoint


ADD_DESCRIPTION = N_("""\
Add response files to a suite. The ids determine config and stage, and the model names in the plan determine the
system. Existing responses are not replaced without --overwrite.
""")


def add_add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=ADD_DESCRIPTION)
    options.add_suite(parser)
    model = _("system name, or annotator of a sheet, if the files do not name one")
    parser.add_argument("--model", metavar="NAME", help=model)
    parser.add_argument(
        "--from", dest="reader", metavar="FORMAT", help=_("input format (default: detected from the content)")
    )
    parser.add_argument("--overwrite", action="store_true", help=_("replace existing responses that differ"))
    parser.add_argument("files", nargs="+", metavar="FILE", help=_("files, globs or folders"))
    parser.set_defaults(run=_run_add)


def _run_add(arguments: argparse.Namespace) -> int:
    from medzh_score.suites.importing import ImportOptions, add_files, files_in
    from medzh_score.suites.progress import suite_plan

    suite = Path(arguments.suite)
    adding = ImportOptions(arguments.model, arguments.reader, arguments.overwrite)
    for given in add_files(suite, suite_plan(suite), files_in(arguments.files), adding):
        path = given.path
        for one in given.taken:
            taken = {"path": path, "place": one.place, "new": one.new, "same": one.same, "replaced": one.replaced}
            say([_("{path}: {place}: {new:,} new, {same:,} unchanged, {replaced:,} replaced", **taken)])
        for place, keys in given.left_out.items():
            named = ", ".join(map(quotable, keys[:NAMED])) + (", …" if len(keys) > NAMED else "")
            left = {"path": path, "place": place, "count": len(keys), "named": named}
            note = _(
                (
                    "{path}: {place}: {count:,} responses skipped because this model has not been queried yet "
                    "({named}). Add them again later."
                ),
                **left,
            )
            say([note])
    return 0


LACKING = 3
STATUS_DESCRIPTION = N_("""\
Show sent, received, missing, failed, truncated, unparsed and scored counts for each model, config and stage, and the
next command. Exit code 3 if anything is missing.
""")


def add_status(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=STATUS_DESCRIPTION)
    options.add_suite(parser)
    options.add_output(parser, description=_("output format (default: from the --output extension, else text)"))
    options.add_width(parser)
    options.add_full(parser)
    parser.set_defaults(run=_run_status)


def _run_status(arguments: argparse.Namespace) -> int:
    from medzh_score.io.jsonl import json_document
    from medzh_score.render.lines import drawn, screen_width
    from medzh_score.render.tables import document
    from medzh_score.suites.progress import suite_plan
    from medzh_score.suites.status import status_of

    suite, width = Path(arguments.suite), options.width_of(arguments)
    found = status_of(suite, suite_plan(suite))
    if arguments.to == "json":
        content = json_document(found.as_dict())
    elif arguments.to == "text" and not arguments.full:
        lines = found.screen(str(suite), screen_width(width))
        content = drawn(lines, colored=options.is_colored(arguments)).encode()
    else:
        content = document(arguments.to, str(suite), [found.table()], found.next_steps, width=width).encode()
    with open_output(arguments.output) as stream:
        stream.write(content)
    return LACKING if found.lacks else 0


SCORE_DESCRIPTION = N_("""\
Score every model on every config with complete responses. Existing results for the same inputs are not computed
again. If a result cannot be computed, the error is shown, the other results are still computed, and the exit code is
2.
""")


def add_score(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=SCORE_DESCRIPTION)
    options.add_suite(parser)
    parser.add_argument(
        "--include-text",
        choices=("none", "spans", "full"),
        default="none",
        help=_("text of predictions to store in results: none (default), spans (matched text) or full"),
    )
    how = parser.group("workers").add_mutually_exclusive_group()
    how.add_argument("--workers", type=options.positive, metavar="N", help=_("number of processes on this machine"))
    how.add_argument(
        "--scheduler", metavar="ADDRESS", help=_("address of a dask.distributed scheduler that runs the scoring")
    )
    parser.add_argument("--shard", metavar="I/N", help=_("score only part I of N, for job arrays"))
    parser.set_defaults(run=_run_score)


def _run_score(arguments: argparse.Namespace) -> int:
    from medzh_score.suites.progress import suite_plan
    from medzh_score.suites.scoring import score_units, shard_of, units_of

    suite = Path(arguments.suite)
    every = units_of(suite, suite_plan(suite), arguments.include_text)
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
    say([_("{found:,} scored, {failed:,} failed, {before:,} already scored, {waiting:,} incomplete", **counts)])
    return BAD_INPUT if failed else 0


def _workers(arguments: argparse.Namespace) -> WorkerPool:
    from medzh_score.suites.executors import cluster, processes, this_process

    if arguments.scheduler:
        return cluster(arguments.scheduler)
    return processes(arguments.workers) if arguments.workers else this_process()
