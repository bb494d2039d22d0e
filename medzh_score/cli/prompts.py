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
    from medzh_score.io.sheets import Sheet
    from medzh_score.prompting.write import Chosen
    from medzh_score.stages.write_tasks import Tasks
    from medzh_score.ui.cli import Parser


SHEETS = ("csv", "xlsx")
FORMS = ("chat", "text", "openai-batch", *SHEETS)


def add_prompts(parser: Parser) -> None:
    """Declare the arguments."""
    options.add_config(parser)
    options.add_data(parser)
    options.add_asking(parser)
    parser.add_argument(
        "--to",
        choices=FORMS,
        help=_("output format: chat (default), text (for base models), openai-batch, csv or xlsx (for a person)"),
    )
    parser.add_argument("--model", metavar="NAME", help=_("served model name in openai-batch requests"))
    parser.add_argument(
        "--stage",
        metavar="NAME",
        help=_(
            "stage for which to write prompts; it is answered by a person, a judge model or, for stages such "
            "as choose, the evaluated model"
        ),
    )
    parser.add_argument(
        "--predictions",
        nargs="+",
        metavar="FILE",
        help=_("predictions files that the stage uses; NAME=FILE for several models in a blinded stage"),
    )
    options.add_reading(parser)
    parser.add_argument("--sample", type=options.positive, metavar="N", help=_("number of items to sample for a stage"))
    parser.add_argument(
        "--skip-answered",
        nargs="+",
        metavar="FILE",
        help=_("existing responses of the stage; only the remaining prompts are written"),
    )
    parser.add_argument("--include-ambiguous", action="store_true", help=_("fallback: also include ambiguous answers"))
    parser.add_argument(
        "--dictionary", metavar="FILE", help=_("stage fallback: disease-name dictionary used for scoring")
    )
    options.add_seed(parser, _("sampling items and option orders"))
    options.add_out(parser)
    declare_endings(parser, SENT)
    parser.set_defaults(run=_run_prompts, seed=None, labelled=("predictions",))


def _run_prompts(arguments: argparse.Namespace) -> int:
    from medzh_score.data.records import load_records

    config = find_config(arguments.config)
    if arguments.stage not in (None, "answer"):
        return _later_round(arguments, config)
    _refuse_options_of_later_stages(arguments)
    return _first_round(arguments, config, load_records(arguments.data, config.name))


def _refuse_options_of_later_stages(arguments: argparse.Namespace) -> None:
    for name, option in LATER_ONLY.items():
        if _is_given(arguments, name):
            raise MedzhError(_("this option requires --stage"), field=option, advice=_("add --stage NAME"))
    if arguments.seed is not None and not (arguments.variants or "").isdecimal():
        raise MedzhError(
            _("this option has no effect because nothing is sampled"),
            field="--seed",
            advice=_("set --variants to a number"),
        )


def _first_round(arguments: argparse.Namespace, config: Config, records: Records) -> int:
    from medzh_score.prompting.write import batch_lines, encoded, prompt_counts, prompt_lines, prompt_sheet

    form, runs = arguments.to or "chat", arguments.runs or 1
    if form == "openai-batch" and not arguments.model:
        raise MedzhError(
            _("this option is required with --to openai-batch"), field="--model", expected=_("the served model name")
        )
    asker, asking, chosen = asked_first(arguments, config, records, form)
    given = asker, asking, config.prompting.generation_kwargs
    if form == "openai-batch":
        requests = batch_lines(*given, model=arguments.model, chosen=chosen, runs=runs)
        _write_batch(arguments.output, runs * sum(map(len, chosen.values())), requests)
    else:
        with open_for_texts(arguments.output) as stream:
            if form in SHEETS:
                stream.write(_sheet(form, arguments.output, prompt_sheet(asker, chosen=chosen, runs=runs)))
            else:
                stream.writelines(map(encoded, prompt_lines(*given, chosen=chosen, form=form, runs=runs)))
    say([*prompt_counts(asker, chosen, runs), *asker.notes])
    return 0


def _sheet(form: str, name: str | None, sheet: Sheet) -> bytes:
    from medzh_score.io.sheets import as_csv_sheet, as_workbook

    return as_workbook(sheet, name or "-") if form == "xlsx" else as_csv_sheet(sheet, name)


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
    if form in SHEETS and config.prompting.shot_selections:
        if shots:
            raise MedzhError(
                _("--to csv and --to xlsx do not support few-shot examples"), field="--shots", expected="0", found=shots
            )
        shots = 0
    return asking_of(
        config,
        pick("--prompt", config.prompting.templates, arguments.prompt),
        lambda: train_records(config.name, arguments.data),
        shots=shots,
        shot_selection=arguments.shot_selection,
        tokens=arguments.shot_tokenizer,
    )


def _write_batch(out: str | None, count: int, requests: Iterable[Mapping[str, Any]], read: Sequence[Path] = ()) -> None:
    from medzh_score.prompting.write import batch_files, write_batch

    files = batch_files(out, count)
    for file in files:
        refuse_inputs("--output", file, read)
    write_batch(files, requests)
    say([_("Wrote {file}", file=file) for file in files] if len(files) > 1 else [])


# Options that say nothing in another round, by the names under which they are parsed.
FIRST_ONLY = {
    name: f"--{name.replace('_', '-')}" for name in ("runs", "variants", "shots", "shot_selection", "shot_tokenizer")
}
MODEL_ONLY = {"prompt": "--prompt", "model": "--model"}
AFTER_ONLY = {"predictions": "--predictions", "reader": "--from", "file_per_run": "--file-per-run", "rule": "--rule"}
AFTER_ONLY["keep_reasoning"] = "--keep-reasoning"
SECOND_ONLY = {"include_ambiguous": "--include-ambiguous", "dictionary": "--dictionary"}
LATER_ONLY = {**AFTER_ONLY, "sample": "--sample", "skip_answered": "--skip-answered", **SECOND_ONLY}


def _later_round(arguments: argparse.Namespace, config: Config) -> int:
    from medzh_score.benchmark.config import by_dictionary
    from medzh_score.data.records import load_records
    from medzh_score.prompting.positions import sent_order
    from medzh_score.readers.stored_questions import AskedQuestions
    from medzh_score.stages.binding import FirstAnswerFiles
    from medzh_score.stages.write_tasks import stage_tasks, task_sheet

    later = pick("--stage", config.every_stage, arguments.stage)
    form = arguments.to or ("csv" if later.model is None else "chat")
    _refuse_inapplicable_options(arguments, config, later, form)
    answered, models = (
        [Path(name) for name in arguments.skip_answered or ()],
        by_label("--predictions", arguments.predictions or ()),
    )
    after = [Path(file) for mine in models.values() for file in mine]
    names = [Path(arguments.dictionary)] if arguments.dictionary else []
    config = by_dictionary(config, names) if names else config
    refuse_inputs("--output", arguments.output, [*after, *answered, *names], [arguments.data])
    records = load_records(arguments.data, config.name)
    order = sent_order(config, records)
    files = [options.files_of(arguments, mine, order) for mine in models.values()]
    sets = [replace(one, questions=AskedQuestions(config, records)) for one in files]
    given = FirstAnswerFiles(sets[0], arguments.rule, tuple(sets[1:])) if sets else None
    drawn = {"sample": arguments.sample, "seed": arguments.seed or 0, "answered": answered}
    questions = stage_tasks(config, records, later, given, **drawn, include_ambiguous=arguments.include_ambiguous)
    if form in SHEETS or later.model is None:
        with open_for_texts(arguments.output) as stream:
            stream.write(_sheet(form, arguments.output, task_sheet(questions)))
        say(questions.notes)
    else:
        _write_prompts(arguments, questions, later.model, form, [*after, *answered])
    return 0


def _refuse_inapplicable_options(arguments: argparse.Namespace, config: Config, later: Stage, form: str) -> None:
    if later.model is None and form not in SHEETS:
        raise MedzhError(
            _("stage {later_name} is annotated by a person", later_name=later.name),
            field="--to",
            expected="csv, xlsx",
            found=form,
        )
    for name, error in _others(config, later, form):
        if _is_given(arguments, name):
            raise error
    if form == "openai-batch" and not arguments.model:
        raise MedzhError(
            _("this option is required with --to openai-batch"), field="--model", expected=_("the served model name")
        )
    shuffled = later.blind or later.keyed == "prediction"
    if arguments.seed is not None and arguments.sample is None and later.sampling.size is None and not shuffled:
        raise MedzhError(
            _("this option has no effect because nothing is sampled"), field="--seed", advice=_("add --sample N")
        )


def _others(config: Config, later: Stage, form: str) -> Iterator[tuple[str, MedzhError]]:
    from medzh_score.benchmark.stages import SECOND

    for name, option in (FIRST_ONLY | ({} if later.model else MODEL_ONLY)).items():
        yield name, MedzhError(_("this option cannot be combined with --stage"), field=option, advice=_("omit --stage"))
    if later.about == "records":
        problem = _("stage {later_name} uses records, not predictions", later_name=later.name)
        for name, option in AFTER_ONLY.items():
            yield name, MedzhError(problem, field=option, advice=_("omit this option"))
    if later.keyed == "prediction":
        yield from _others_about_predictions(config, later)
    for name, option in ({} if later.name == SECOND else SECOND_ONLY).items():
        yield (
            name,
            MedzhError(
                _("this option requires --stage {second}", second=SECOND), field=option, advice=_("omit this option")
            ),
        )
    if later.name == SECOND:
        problem = _(
            ("stage {later_name} includes all predictions that need fallback extraction and does not support sampling"),
            later_name=later.name,
        )
        yield "sample", MedzhError(problem, field="--sample", advice=_("omit this option"))
    if later.of_same_model:
        problem = _(
            "stage {later_name} is scored on all predictions and does not support sampling", later_name=later.name
        )
        yield "sample", MedzhError(problem, field="--sample", advice=_("omit this option"))
    if form in SHEETS:
        problem = _("this option applies only to prompts for {answered_by}", answered_by=later.answered_by)
        yield (
            "prompt",
            MedzhError(
                problem, field="--prompt", advice=_("omit this option; csv and xlsx files have no prompt template")
            ),
        )
    if form != "openai-batch":
        yield (
            "model",
            MedzhError(_("this option requires --to openai-batch"), field="--model", advice=_("add --to openai-batch")),
        )


def _others_about_predictions(config: Config, later: Stage) -> Iterator[tuple[str, MedzhError]]:
    problem = _(
        "this option applies only to the answers of extraction rules, not to stage {later_name}", later_name=later.name
    )
    for name in ("rule", "keep_reasoning"):
        yield name, MedzhError(problem, field=AFTER_ONLY[name], advice=_("omit this option"))
    if config.reads is not None and config.reads.of is not None:
        of = {"later_name": later.name, "stage": config.reads.of.stage}
        problem = _("this option applies to predictions, but stage {later_name} uses responses of stage {stage}", **of)
        for name in ("reader", "file_per_run"):
            yield name, MedzhError(problem, field=AFTER_ONLY[name], advice=_("omit this option"))


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
        with open_for_texts(arguments.output) as stream:
            stream.writelines(map(encoded, lines))
        return
    requests = as_requests(lines, respondent.generation_kwargs, arguments.model)
    _write_batch(arguments.output, len(questions.tasks), requests, read)
