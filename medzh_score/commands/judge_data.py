"""medzh-score judge-data: examples to train a judge model on, with splits that share neither models nor questions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Write examples to train a judge model on: statements that are true (1) or false (0), and answers that people scored.
Each line says on which side it stands of a split by questions, and of one by models where --test-model names some.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    options.add_config(parser)
    parser.add_argument("predictions", metavar="FILE", nargs="+", help="answers of all models, of each as LABEL=FILE")
    parser.add_argument("--from", dest="reader", metavar="FORM", help="native, batch or sheet (default: recognised)")
    parser.add_argument("--file-per-run", action="store_true", help="number the files as runs, from 0")
    options.add_data(parser)
    parser.add_argument(
        "--round", action="append", required=True, metavar="NAME=FILE", help="what people filled in; may be repeated"
    )
    tested = "a model to test on: by its label, else `model` in its lines, else the file's name; may be repeated"
    options.add_repeated(parser, "--test-model", "NAME", description=tested)
    parser.add_argument(
        "--share", type=share, default=0.2, metavar="P", help="of the questions to test on (default 0.2)"
    )
    options.add_seed(parser, "the draw of questions")
    parser.add_argument(
        "--evidence", type=options.not_negative, metavar="N", help="characters of evidence in a prompt (default: all)"
    )
    parser.add_argument("--prompt", metavar="NAME", help="which of the judge's prompts (default: the paper's)")
    options.add_out(parser)
    parser.set_defaults(run=run, labelled=("predictions",))


def share(text: str) -> float:
    """Read a share between 0 and 1, for argparse."""
    import argparse

    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(f"expected a number between 0 and 1; found {text!r}")
    return number


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from pathlib import Path

    from medzh_score.benchmark.choices import pick
    from medzh_score.benchmark.registry import find_config
    from medzh_score.commands.score import rounds_of
    from medzh_score.data.records import load_records
    from medzh_score.files.writing import open_for_texts, refuse_inputs
    from medzh_score.messages.errors import MedzhError
    from medzh_score.predictions.labelled_files import by_label
    from medzh_score.predictions.scored_answers import answers_of
    from medzh_score.prompts.sent_positions import sent_order
    from medzh_score.prompts.writing import encoded
    from medzh_score.rounds.judge_data import ExampleOptions, example_counts, examples_of, judging_of

    config = find_config(arguments.config)
    judging_of(config)
    rounds = {name: list(map(Path, paths)) for name, paths in rounds_of(arguments.round).items()}
    models = by_label("FILE", arguments.predictions)
    given = [file for mine in models.values() for file in mine]
    read: list[str | Path] = [*given, *(path for paths in rounds.values() for path in paths)]
    refuse_inputs("--out", arguments.out, read, [arguments.data])
    records = load_records(arguments.data, config.name)
    order = sent_order(config, records)
    answers = answers_of({label: options.files_of(arguments, mine, order) for label, mine in models.items()})
    wishes = ExampleOptions(tuple(arguments.test_model), arguments.evidence, arguments.share, arguments.seed)
    lines, notes = [], []
    for name, judged in rounds.items():
        later = pick("--round", config.rounds, name)
        if later.model is None:
            raise MedzhError("is asked of people alone", field="--round", found=name)
        prompt = pick("--prompt", later.model.prompts, arguments.prompt)
        made = examples_of(config, records, later, judged, answers, prompt, wishes)
        lines += [encoded(example.as_line(later.name, prompt.name)) for example in made]
        notes += example_counts(later, made, wishes)
    with open_for_texts(arguments.out) as stream:
        stream.writelines(lines)
    say(notes)
    return 0
