"""``medzh-score prompts --round``: what a later round asks of a model, or of a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.rounds import Respondent, Round
    from medzh_score.messages.errors import MedzhError
    from medzh_score.rounds.asking_items import Questions

# Options that say nothing in another round, by the names under which they are parsed.
FIRST_ONLY = {name: f"--{name}" for name in ("runs", "variants", "shots", "icl", "tokens")}
MODEL_ONLY = {"prompt": "--prompt", "model": "--model"}
AFTER_ONLY = {"after": "--after", "reader": "--from", "file_per_run": "--file-per-run", "rule": "--rule"}
AFTER_ONLY["keep_reasoning"] = "--keep-reasoning"
SECOND_ONLY = {"unclear": "--unclear", "dictionary": "--dictionary"}
LATER_ONLY = {**AFTER_ONLY, "sample": "--sample", "answered": "--answered", **SECOND_ONLY}


def run(arguments: argparse.Namespace, config: Config) -> int:
    """Write the prompts or the sheet of a later round."""
    from dataclasses import replace
    from pathlib import Path

    from medzh_score.benchmark.columns import pick
    from medzh_score.benchmark.config import by_dictionary
    from medzh_score.data.records import load_records
    from medzh_score.files.named_files import by_label
    from medzh_score.files.writing import refuse_inputs
    from medzh_score.predictions.asked_questions import AskedQuestions
    from medzh_score.prompts.sent_positions import sent_order
    from medzh_score.rounds.asking_items import item_questions
    from medzh_score.rounds.asking_predictions import prediction_questions
    from medzh_score.rounds.first_answers import FirstAnswerFiles

    later = pick("--round", config.every_round, arguments.round)
    form = arguments.to or ("sheet" if later.model is None else "chat")
    _refuse_others(arguments, config, later, form)
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
    if later.keyed == "prediction":
        questions = prediction_questions(config, records, later, given, **drawn, unclear=arguments.unclear)
    else:
        questions = item_questions(config, records, later, given, **drawn)
    if form == "sheet" or later.model is None:
        _write_sheet(arguments, questions)
    else:
        _write_prompts(arguments, questions, later.model, form, [*after, *answered])
    return 0


def _refuse_others(arguments: argparse.Namespace, config: Config, later: Round, form: str) -> None:
    """Refuse options that would be passed over in silence, and a batch without a model."""
    from medzh_score.messages.errors import MedzhError

    if later.model is None and form != "sheet":
        raise MedzhError(f"round {later.name} is a person's", field="--to", expected="sheet", found=form)
    for name, error in _others(config, later, form):
        if is_given(arguments, name):
            raise error
    if form == "openai-batch" and not arguments.model:
        raise MedzhError("is needed for openai-batch", field="--model", expected="the name that the server knows")
    shuffled = later.blind or later.keyed == "prediction"
    if arguments.seed is not None and arguments.sample is None and later.sample is None and not shuffled:
        raise MedzhError("nothing is drawn", field="--seed", advice="it goes with --sample")


def _others(config: Config, later: Round, form: str) -> Iterator[tuple[str, MedzhError]]:
    """List the options that do not apply: their names, and what is said of them."""
    from medzh_score.benchmark.about_predictions import SECOND
    from medzh_score.messages.errors import MedzhError

    for name, option in (FIRST_ONLY | ({} if later.model else MODEL_ONLY)).items():
        yield name, MedzhError("goes with the first round", field=option, advice="leave out --round")
    if later.about == "records":
        problem = f"round {later.name} asks about the records, not about answers"
        for name, option in AFTER_ONLY.items():
            yield name, MedzhError(problem, field=option, advice="leave it out")
    if later.keyed == "prediction":
        yield from _others_about_predictions(config, later)
    for name, option in ({} if later.name == SECOND else SECOND_ONLY).items():
        yield name, MedzhError(f"goes with round {SECOND}", field=option, advice="leave it out")
    if later.name == SECOND:
        problem = f"round {later.name} asks about all that is due"
        yield "sample", MedzhError(problem, field="--sample", advice="leave it out")
    if later.of_same_model:
        problem = f"round {later.name} asks about every first answer: it is scored whole"
        yield "sample", MedzhError(problem, field="--sample", advice="leave it out")
    if form == "sheet":
        problem = f"goes with prompts for {later.answered_by}"
        yield "prompt", MedzhError(problem, field="--prompt", advice="a sheet has no wording")
    if form != "openai-batch":
        yield "model", MedzhError("goes with openai-batch", field="--model", advice="name the form with --to")


def _others_about_predictions(config: Config, later: Round) -> Iterator[tuple[str, MedzhError]]:
    from medzh_score.messages.errors import MedzhError

    problem = f"goes with a rule's own answers, not with round {later.name}"
    for name in ("rule", "keep_reasoning"):
        yield name, MedzhError(problem, field=AFTER_ONLY[name], advice="leave it out")
    if config.reads is not None and config.reads.of is not None:
        problem = f"goes with first answers, and round {later.name} is about responses of round {config.reads.of.round}"
        for name in ("reader", "file_per_run"):
            yield name, MedzhError(problem, field=AFTER_ONLY[name], advice="leave it out")


def is_given(arguments: argparse.Namespace, name: str) -> bool:
    """Say whether the user gave an option; 0 is given."""
    given = getattr(arguments, name)
    return given is not None and given is not False


def _write_sheet(arguments: argparse.Namespace, questions: Questions) -> None:
    from medzh_score.files.workbooks import as_named
    from medzh_score.files.writing import open_for_texts
    from medzh_score.rounds.asking_items import round_sheet

    with open_for_texts(arguments.out) as stream:
        stream.write(as_named(arguments.out, round_sheet(questions)))
    say(questions.notes)


def _write_prompts(
    arguments: argparse.Namespace, questions: Questions, respondent: Respondent, form: str, read: Sequence[Path]
) -> None:
    """Say what asking will cost, then write."""
    from medzh_score.benchmark.columns import pick
    from medzh_score.files.writing import open_for_texts, refuse_inputs
    from medzh_score.prompts.writing import as_requests, batch_files, encoded, write_batch
    from medzh_score.rounds.asking_items import round_cost, round_lines

    prompt = pick("--prompt", respondent.prompts, arguments.prompt)
    lines = round_lines(questions, respondent, prompt, "text" if form == "text" else "chat")
    lead = prompt.lead if form == "text" else ""
    say([round_cost(questions, prompt, lead), *questions.notes])
    if form != "openai-batch":
        with open_for_texts(arguments.out) as stream:
            stream.writelines(map(encoded, lines))
        return
    files = batch_files(arguments.out, len(questions.shown))
    for file in files:
        refuse_inputs("--out", file, read)
    write_batch(files, as_requests(lines, respondent.decoding, arguments.model))
    say([f"wrote {file}" for file in files] if len(files) > 1 else [])
