"""``medzh-score prompts``: what to send to a model, or to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.config import Config
    from medzh_score.prompts.asking import Asker, Asking
    from medzh_score.prompts.writing import Chosen
    from medzh_score.records import Records

FORMS = ("chat", "text", "openai-batch", "sheet")
# Options of one round, which say nothing in the other: by the name under which they are parsed.
FIRST_ONLY = ("prompt", "runs", "model", "variants", "shots", "icl", "tokens")
LATER_ONLY = {"after": "--after", "sample": "--sample", "reader": "--from", "file_per_run": "--file-per-run"}
LATER_ONLY |= {"rule": "--rule"}


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
    parser.add_argument("--prompt", metavar="NAME", help="which prompt (default: the config's first)")
    parser.add_argument("--to", choices=FORMS, help="chat (default), text for base models, openai-batch, sheet")
    parser.add_argument("--runs", type=options.positive, metavar="N", help="ask each prompt N times (default 1)")
    parser.add_argument(
        "--variants", metavar="SET", help="all, cyclic or a number of orders of the options (default: as they stand)"
    )
    parser.add_argument(
        "--shots", type=options.not_negative, metavar="N", help="how many examples (default: the paper's number)"
    )
    parser.add_argument("--icl", metavar="NAME", help="how examples are chosen (default: the paper's way)")
    parser.add_argument("--tokens", metavar="NAME", help="jieba (default) or characters: by what they are found")
    parser.add_argument("--model", metavar="NAME", help="the model's name in openai-batch requests")
    parser.add_argument("--round", metavar="NAME", help="a later round; its sheet needs --after")
    parser.add_argument("--after", nargs="+", metavar="FILE", help="the predictions of the first round")
    options.add_reading(parser)
    parser.add_argument("--sample", type=options.positive, metavar="N", help="how many items the sheet asks about")
    options.add_seed(parser, "the sample, and of a number of variants")
    options.add_out(parser)
    parser.set_defaults(run=run, seed=None)


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
    first = arguments.round in (None, "answer")
    _refuse_others(arguments, first=first)
    records = load_records(config.name, arguments.data)
    return _first_round(arguments, config, records) if first else _later_round(arguments, config, records)


def _refuse_others(arguments: argparse.Namespace, *, first: bool) -> None:
    """Refuse options that would be passed over in silence."""
    from medzh_score.errors import MedzhError

    others = LATER_ONLY if first else {name: f"--{name}" for name in FIRST_ONLY}
    for name, option in others.items():
        given = getattr(arguments, name)
        if given is not None and given is not False:
            problem, advice = (
                ("goes with a later round", "name the round with --round")
                if first
                else ("goes with the first round", "leave out --round")
            )
            raise MedzhError(problem, field=option, advice=advice)
    if first and arguments.seed is not None and not (arguments.variants or "").isdecimal():
        raise MedzhError("nothing is drawn", field="--seed", advice="it goes with a number of --variants")


def _first_round(arguments: argparse.Namespace, config: Config, records: Records) -> int:
    from medzh_score.errors import MedzhError
    from medzh_score.prompts.choosing import said_of, variants_asked
    from medzh_score.prompts.writing import encoded, prompt_lines, prompt_sheet
    from medzh_score.writing import open_output

    form, runs = arguments.to or "chat", arguments.runs or 1
    if form == "openai-batch" and not arguments.model:
        raise MedzhError("is needed for openai-batch", field="--model", expected="the name that the server knows")
    asking = _asking(arguments, config, form)
    asker = config.asker(records.rows, asking)
    chosen = variants_asked(asker, arguments.variants, arguments.seed or 0)
    if form == "openai-batch":
        _batch(arguments, config, asker, asking, chosen)
    else:
        with open_output(arguments.out) as stream:
            if form == "sheet":
                stream.write(prompt_sheet(asker, chosen=chosen, runs=runs))
            else:
                for line in prompt_lines(asker, asking, config.decoding, chosen=chosen, form=form, runs=runs):
                    stream.write(encoded(line))
    options.say([*said_of(asker, chosen, runs), *asker.notes])
    return 0


def _asking(arguments: argparse.Namespace, config: Config, form: str) -> Asking:
    """Settle wording and examples; a person is given no examples."""
    from medzh_score.config import pick
    from medzh_score.errors import MedzhError
    from medzh_score.prompts.choosing import asking_of, train_records

    shots = arguments.shots
    if form == "sheet" and config.icl:
        if shots:
            raise MedzhError("a sheet holds no examples", field="--shots", expected="0", found=shots)
        shots = 0
    return asking_of(
        config,
        pick("--prompt", config.prompts, arguments.prompt),
        lambda: train_records(config.name, arguments.data),
        shots=shots,
        icl=arguments.icl,
        tokens=arguments.tokens,
    )


def _batch(arguments: argparse.Namespace, config: Config, asker: Asker, asking: Asking, chosen: Chosen) -> None:
    from itertools import islice
    from pathlib import Path

    from medzh_score.errors import MedzhError
    from medzh_score.prompts.writing import BATCH_LINES, batch_lines, encoded, parts_of
    from medzh_score.writing import open_output

    runs = arguments.runs or 1
    lines = batch_lines(asker, asking, config.decoding, model=arguments.model, chosen=chosen, runs=runs)
    count = runs * sum(map(len, chosen.values()))
    parts = parts_of(Path(arguments.out), count) if arguments.out not in (None, "-") else [None]
    if len(parts) == 1 and count > BATCH_LINES:
        raise MedzhError(f"{count} requests make several batch files", field="--out", expected="a file's name")
    for part in parts:
        with open_output(part) as stream:
            for line in islice(lines, BATCH_LINES):
                stream.write(encoded(line))
    if len(parts) > 1:
        options.say([f"wrote {part}" for part in parts])


def _later_round(arguments: argparse.Namespace, config: Config, records: Records) -> int:
    from pathlib import Path

    from medzh_score.config import pick
    from medzh_score.errors import MedzhError
    from medzh_score.later_rounds import round_sheet
    from medzh_score.writing import open_output, refuse_inputs

    later = pick("--round", config.rounds, arguments.round)
    seed = arguments.seed or 0
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
        seed=seed,
    )
    with open_output(arguments.out) as stream:
        stream.write(sheet)
    options.say([f"{count} items of the first run drawn with seed {seed}: {later.summary}"])
    return 0
