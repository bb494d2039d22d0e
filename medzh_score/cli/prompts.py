"""``medzh-score prompts``: what to send to a model, or to a person."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medzh_score.benchmark.columns import pick
from medzh_score.benchmark.registry import find_config
from medzh_score.cli import options
from medzh_score.cli.options import SENT, declare_endings
from medzh_score.io.atomic import open_for_texts, refuse_inputs
from medzh_score.io.paths import by_label
from medzh_score.io.tables import as_named
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.prompts import PromptBuilder, PromptSettings
    from medzh_score.benchmark.stages import JudgeSpec, Stage
    from medzh_score.data.records import Records
    from medzh_score.prompting.write import Chosen
    from medzh_score.stages.write_tasks import Tasks
    from medzh_score.ui.cli import Parser


FORMS = ("chat", "text", "openai-batch", "sheet")


def add_prompts(parser: Parser) -> None:
    """Declare the arguments."""
    options.add_config(parser)
    options.add_data(parser)
    options.add_asking(parser)
    parser.add_argument(
        "--to",
        choices=FORMS,
        help=_("chat (default), text for base models, openai-batch, sheet for a person (CSV; .xlsx by --out)"),
    )
    parser.add_argument("--model", metavar="NAME", help=_("the model's name in openai-batch requests"))
    parser.add_argument(
        "--round",
        metavar="NAME",
        help=_("a later round, asked of a person, of a judge model or, as choose, of the same model"),
    )
    parser.add_argument(
        "--after",
        nargs="+",
        metavar="FILE",
        help=_("the predictions that a later round asks about; of several models, for a blind round, as LABEL=FILE"),
    )
    options.add_reading(parser)
    parser.add_argument(
        "--sample", type=options.positive, metavar="N", help=_("how many items a later round asks about")
    )
    parser.add_argument(
        "--answered",
        nargs="+",
        metavar="FILE",
        help=_("what a later round has answered so far: only the rest is written"),
    )
    parser.add_argument(
        "--unclear", action="store_true", help=_("second-reading: also what was read without being clear")
    )
    parser.add_argument("--dictionary", metavar="FILE", help=_("second-reading: the names by which answers are scored"))
    options.add_seed(parser, _("the sample, and of a number of variants"))
    options.add_out(parser)
    declare_endings(parser, SENT)
    parser.set_defaults(run=_run_prompts, seed=None, labelled=("after",))


def _run_prompts(arguments: argparse.Namespace) -> int:
    from medzh_score.data.records import load_records

    config = find_config(arguments.config)
    if arguments.round not in (None, "answer"):
        return _later_round(arguments, config)
    _refuse_options_of_later_rounds(arguments)
    return _first_round(arguments, config, load_records(arguments.data, config.name))


def _refuse_options_of_later_rounds(arguments: argparse.Namespace) -> None:
    for name, option in LATER_ONLY.items():
        if _is_given(arguments, name):
            raise MedzhError(_("goes with a later round"), field=option, advice=_("name the round with --round"))
    if arguments.seed is not None and not (arguments.variants or "").isdecimal():
        raise MedzhError(_("nothing is drawn"), field="--seed", advice=_("it goes with a number of --variants"))


def _first_round(arguments: argparse.Namespace, config: Config, records: Records) -> int:
    from medzh_score.prompting.write import batch_lines, encoded, prompt_counts, prompt_lines, prompt_sheet

    form, runs = arguments.to or "chat", arguments.runs or 1
    if form == "openai-batch" and not arguments.model:
        raise MedzhError(_("is needed for openai-batch"), field="--model", expected=_("the name that the server knows"))
    asker, asking, chosen = asked_first(arguments, config, records, form)
    given = asker, asking, config.prompting.generation_kwargs
    if form == "openai-batch":
        requests = batch_lines(*given, model=arguments.model, chosen=chosen, runs=runs)
        _write_batch(arguments.out, runs * sum(map(len, chosen.values())), requests)
    else:
        with open_for_texts(arguments.out) as stream:
            if form == "sheet":
                stream.write(as_named(arguments.out, prompt_sheet(asker, chosen=chosen, runs=runs)))
            else:
                stream.writelines(map(encoded, prompt_lines(*given, chosen=chosen, form=form, runs=runs)))
    say([*prompt_counts(asker, chosen, runs), *asker.notes])
    return 0


def asked_first(
    arguments: argparse.Namespace, config: Config, records: Records, form: str
) -> tuple[PromptBuilder, PromptSettings, Chosen]:
    """Settle what the first round asks, how, and in which variants."""
    from medzh_score.prompting.write import variants_asked

    asking = _asking(arguments, config, form)
    asker = config.prompting.builder(records.rows, asking)
    return asker, asking, variants_asked(asker, arguments.variants, arguments.seed or 0)


def _asking(arguments: argparse.Namespace, config: Config, form: str) -> PromptSettings:
    from medzh_score.prompting.write import asking_of, train_records

    shots = arguments.shots
    if form == "sheet" and config.prompting.shot_selections:
        if shots:
            raise MedzhError(_("a sheet holds no examples"), field="--shots", expected="0", found=shots)
        shots = 0
    return asking_of(
        config,
        pick("--prompt", config.prompting.templates, arguments.prompt),
        lambda: train_records(config.name, arguments.data),
        shots=shots,
        icl=arguments.icl,
        tokens=arguments.tokens,
    )


def _write_batch(out: str | None, count: int, requests: Iterable[Mapping[str, Any]], read: Sequence[Path] = ()) -> None:
    from medzh_score.prompting.write import batch_files, write_batch

    files = batch_files(out, count)
    for file in files:
        refuse_inputs("--out", file, read)
    write_batch(files, requests)
    say([_("wrote {file}", file=file) for file in files] if len(files) > 1 else [])


# Options that say nothing in another round, by the names under which they are parsed.
FIRST_ONLY = {name: f"--{name}" for name in ("runs", "variants", "shots", "icl", "tokens")}
MODEL_ONLY = {"prompt": "--prompt", "model": "--model"}
AFTER_ONLY = {"after": "--after", "reader": "--from", "file_per_run": "--file-per-run", "rule": "--rule"}
AFTER_ONLY["keep_reasoning"] = "--keep-reasoning"
SECOND_ONLY = {"unclear": "--unclear", "dictionary": "--dictionary"}
LATER_ONLY = {**AFTER_ONLY, "sample": "--sample", "answered": "--answered", **SECOND_ONLY}


def _later_round(arguments: argparse.Namespace, config: Config) -> int:
    from medzh_score.benchmark.config import by_dictionary
    from medzh_score.data.records import load_records
    from medzh_score.prompting.positions import sent_order
    from medzh_score.readers.stored_questions import AskedQuestions
    from medzh_score.stages.binding import FirstAnswerFiles
    from medzh_score.stages.write_tasks import stage_tasks, task_sheet

    later = pick("--round", config.every_stage, arguments.round)
    form = arguments.to or ("sheet" if later.model is None else "chat")
    _refuse_inapplicable_options(arguments, config, later, form)
    answered, models = [Path(name) for name in arguments.answered or ()], by_label("--after", arguments.after or ())
    after = [Path(file) for mine in models.values() for file in mine]
    names = [Path(arguments.dictionary)] if arguments.dictionary else []
    config = by_dictionary(config, names) if names else config
    refuse_inputs("--out", arguments.out, [*after, *answered, *names], [arguments.data])
    records = load_records(arguments.data, config.name)
    order = sent_order(config, records)
    files = [options.files_of(arguments, mine, order) for mine in models.values()]
    sets = [replace(one, questions=AskedQuestions(config, records)) for one in files]
    given = FirstAnswerFiles(sets[0], arguments.rule, tuple(sets[1:])) if sets else None
    drawn = {"sample": arguments.sample, "seed": arguments.seed or 0, "answered": answered}
    questions = stage_tasks(config, records, later, given, **drawn, unclear=arguments.unclear)
    if form == "sheet" or later.model is None:
        with open_for_texts(arguments.out) as stream:
            stream.write(as_named(arguments.out, task_sheet(questions)))
        say(questions.notes)
    else:
        _write_prompts(arguments, questions, later.model, form, [*after, *answered])
    return 0


def _refuse_inapplicable_options(arguments: argparse.Namespace, config: Config, later: Stage, form: str) -> None:
    if later.model is None and form != "sheet":
        raise MedzhError(
            _("round {later_name} is a person's", later_name=later.name), field="--to", expected="sheet", found=form
        )
    for name, error in _others(config, later, form):
        if _is_given(arguments, name):
            raise error
    if form == "openai-batch" and not arguments.model:
        raise MedzhError(_("is needed for openai-batch"), field="--model", expected=_("the name that the server knows"))
    shuffled = later.blind or later.keyed == "prediction"
    if arguments.seed is not None and arguments.sample is None and later.sampling.size is None and not shuffled:
        raise MedzhError(_("nothing is drawn"), field="--seed", advice=_("it goes with --sample"))


def _others(config: Config, later: Stage, form: str) -> Iterator[tuple[str, MedzhError]]:
    from medzh_score.benchmark.stages import SECOND

    for name, option in (FIRST_ONLY | ({} if later.model else MODEL_ONLY)).items():
        yield name, MedzhError(_("goes with the first round"), field=option, advice=_("leave out --round"))
    if later.about == "records":
        problem = _("round {later_name} asks about the records, not about answers", later_name=later.name)
        for name, option in AFTER_ONLY.items():
            yield name, MedzhError(problem, field=option, advice=_("leave it out"))
    if later.keyed == "prediction":
        yield from _others_about_predictions(config, later)
    for name, option in ({} if later.name == SECOND else SECOND_ONLY).items():
        yield name, MedzhError(_("goes with round {second}", second=SECOND), field=option, advice=_("leave it out"))
    if later.name == SECOND:
        problem = _("round {later_name} asks about all that is due", later_name=later.name)
        yield "sample", MedzhError(problem, field="--sample", advice=_("leave it out"))
    if later.of_same_model:
        problem = _("round {later_name} asks about every first answer: it is scored whole", later_name=later.name)
        yield "sample", MedzhError(problem, field="--sample", advice=_("leave it out"))
    if form == "sheet":
        problem = _("goes with prompts for {answered_by}", answered_by=later.answered_by)
        yield "prompt", MedzhError(problem, field="--prompt", advice=_("a sheet has no wording"))
    if form != "openai-batch":
        yield "model", MedzhError(_("goes with openai-batch"), field="--model", advice=_("name the form with --to"))


def _others_about_predictions(config: Config, later: Stage) -> Iterator[tuple[str, MedzhError]]:
    problem = _("goes with a rule's own answers, not with round {later_name}", later_name=later.name)
    for name in ("rule", "keep_reasoning"):
        yield name, MedzhError(problem, field=AFTER_ONLY[name], advice=_("leave it out"))
    if config.reads is not None and config.reads.of is not None:
        of = {"later_name": later.name, "round": config.reads.of.round}
        problem = _("goes with first answers, and round {later_name} is about responses of round {round}", **of)
        for name in ("reader", "file_per_run"):
            yield name, MedzhError(problem, field=AFTER_ONLY[name], advice=_("leave it out"))


def _is_given(arguments: argparse.Namespace, name: str) -> bool:
    given = getattr(arguments, name)
    return given is not None and given is not False


def _write_prompts(
    arguments: argparse.Namespace, questions: Tasks, respondent: JudgeSpec, form: str, read: Sequence[Path]
) -> None:
    from medzh_score.prompting.write import as_requests, encoded
    from medzh_score.stages.write_tasks import task_cost, task_lines

    prompt = pick("--prompt", respondent.prompts, arguments.prompt)
    lines = task_lines(questions, respondent, prompt, "text" if form == "text" else "chat")
    lead = prompt.completion_prefix if form == "text" else ""
    say([task_cost(questions, prompt, lead), *questions.notes])
    if form != "openai-batch":
        with open_for_texts(arguments.out) as stream:
            stream.writelines(map(encoded, lines))
        return
    requests = as_requests(lines, respondent.generation_kwargs, arguments.model)
    _write_batch(arguments.out, len(questions.tasks), requests, read)
