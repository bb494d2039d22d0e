"""``medzh-score prompts``: what to send to a model, or to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.config import Config
    from medzh_score.prompts.template import Prompt
    from medzh_score.records import Records

FORMS = ("chat", "text", "openai-batch", "sheet")


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the subcommand.

    Parameters
    ----------
    subparsers : argparse subparsers
        Of the command.
    """
    parser = subparsers.add_parser("prompts", help="write prompts, or the sheet of a later round")
    options.add_config(parser)
    options.add_data(parser)
    parser.add_argument("--prompt", metavar="NAME", help="which prompt (default: the paper's first)")
    parser.add_argument("--to", choices=FORMS, help="chat (default), text for base models, openai-batch, sheet")
    parser.add_argument("--runs", type=options.positive, default=1, metavar="N", help="ask each prompt N times")
    parser.add_argument("--model", metavar="NAME", help="the model's name in openai-batch requests")
    parser.add_argument("--round", metavar="NAME", help="a later round; its sheet needs --after")
    parser.add_argument("--after", nargs="+", metavar="FILE", default=[], help="the predictions of the first round")
    options.add_reading(parser)
    parser.add_argument("--sample", type=options.positive, metavar="N", help="how many items the sheet asks about")
    options.add_seed(parser, "the sample")
    options.add_out(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write prompts or a sheet.

    Parameters
    ----------
    arguments : argparse.Namespace
        As parsed.
    """
    from medzh_score.config import find_config
    from medzh_score.records import load_records

    config = find_config(arguments.config)
    records = load_records(config.name, arguments.data)
    if arguments.round in (None, "answer"):
        return _first_round(arguments, config, records)
    return _later_round(arguments, config, records)


def _first_round(arguments: argparse.Namespace, config: Config, records: Records) -> int:
    from medzh_score.config import pick
    from medzh_score.errors import MedzhError
    from medzh_score.prompts.writing import encoded, prompt_lines, prompt_sheet
    from medzh_score.writing import open_output

    prompt = pick("--prompt", config.prompts, arguments.prompt)
    form = arguments.to or "chat"
    for option, given in (("--after", arguments.after), ("--sample", arguments.sample)):
        if given:
            raise MedzhError("goes with a later round", field=option, advice="name the round with --round")
    if form == "sheet":
        with open_output(arguments.out) as stream:
            stream.write(prompt_sheet(records.rows, prompt, runs=arguments.runs))
        return 0
    if form != "openai-batch":
        with open_output(arguments.out) as stream:
            for line in prompt_lines(records.rows, prompt, config.decoding, form=form, runs=arguments.runs):
                stream.write(encoded(line))
        return 0
    return _batch(arguments, config, records, prompt)


def _batch(arguments: argparse.Namespace, config: Config, records: Records, prompt: Prompt) -> int:
    from itertools import islice
    from pathlib import Path

    from medzh_score.errors import MedzhError
    from medzh_score.prompts.writing import BATCH_LINES, batch_lines, encoded, parts_of
    from medzh_score.writing import open_output

    if not arguments.model:
        raise MedzhError("is needed for openai-batch", field="--model", expected="the name that the server knows")
    lines = batch_lines(records.rows, prompt, config.decoding, model=arguments.model, runs=arguments.runs)
    count = len(records.rows) * arguments.runs
    parts = parts_of(Path(arguments.out), count) if arguments.out not in (None, "-") else [None]
    if len(parts) == 1 and count > BATCH_LINES:
        raise MedzhError(f"{count} requests make several batch files", field="--out", expected="a file's name")
    for part in parts:
        with open_output(part) as stream:
            for line in islice(lines, BATCH_LINES):
                stream.write(encoded(line))
    if len(parts) > 1:
        options.say([f"wrote {part}" for part in parts])
    return 0


def _later_round(arguments: argparse.Namespace, config: Config, records: Records) -> int:
    from pathlib import Path

    from medzh_score.config import pick
    from medzh_score.errors import MedzhError
    from medzh_score.later_rounds import round_sheet
    from medzh_score.writing import open_output, refuse_inputs

    later = pick("--round", config.rounds, arguments.round)
    if arguments.to not in (None, "sheet"):
        raise MedzhError(f"round {later.name} is a person's", field="--to", expected="sheet", found=arguments.to)
    if not arguments.after:
        raise MedzhError(f"is needed for round {later.name}", field="--after", expected="predictions files")
    refuse_inputs("--out", arguments.out, arguments.after)
    sheet, count = round_sheet(
        config,
        records,
        later,
        [Path(name) for name in arguments.after],
        rule=arguments.rule,
        reader=arguments.reader,
        file_per_run=arguments.file_per_run,
        sample=arguments.sample,
        seed=arguments.seed,
    )
    with open_output(arguments.out) as stream:
        stream.write(sheet)
    options.say([f"{count} items of the first run drawn with seed {arguments.seed}: {later.summary}"])
    return 0
