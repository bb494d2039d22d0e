"""``medzh-score prompts``: what to send to a model, or to a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options, round_prompts
from medzh_score.commands.options import SENT, declare_endings
from medzh_score.messages.progress import say

if TYPE_CHECKING:
    import argparse

    from medzh_score.benchmark.asking import Asker, Asking
    from medzh_score.benchmark.config import Config
    from medzh_score.data.records import Records
    from medzh_score.messages.parser import Parser
    from medzh_score.prompts.writing import Chosen

FORMS = ("chat", "text", "openai-batch", "sheet")


def add(parser: Parser) -> None:
    """Declare the arguments."""
    options.add_config(parser)
    options.add_data(parser)
    options.add_asking(parser)
    parser.add_argument(
        "--to",
        choices=FORMS,
        help="chat (default), text for base models, openai-batch, sheet for a person (CSV; .xlsx by --out)",
    )
    parser.add_argument("--model", metavar="NAME", help="the model's name in openai-batch requests")
    parser.add_argument(
        "--round",
        metavar="NAME",
        help="a later round, asked of a person, of a judge model or, as choose, of the same model",
    )
    parser.add_argument(
        "--after",
        nargs="+",
        metavar="FILE",
        help="the predictions that a later round asks about; of several models, for a blind round, as LABEL=FILE",
    )
    options.add_reading(parser)
    parser.add_argument("--sample", type=options.positive, metavar="N", help="how many items a later round asks about")
    parser.add_argument(
        "--answered", nargs="+", metavar="FILE", help="what a later round has answered so far: only the rest is written"
    )
    parser.add_argument("--unclear", action="store_true", help="second-reading: also what was read without being clear")
    parser.add_argument("--dictionary", metavar="FILE", help="second-reading: the names by which answers are scored")
    options.add_seed(parser, "the sample, and of a number of variants")
    options.add_out(parser)
    declare_endings(parser, SENT)
    parser.set_defaults(run=run, seed=None, labelled=("after",))


def run(arguments: argparse.Namespace) -> int:
    """Write prompts or a sheet."""
    from medzh_score.benchmark.registry import find_config
    from medzh_score.data.records import load_records

    config = find_config(arguments.config)
    if arguments.round not in (None, "answer"):
        return round_prompts.run(arguments, config)
    _refuse_others(arguments)
    return _first_round(arguments, config, load_records(arguments.data, config.name))


def _refuse_others(arguments: argparse.Namespace) -> None:
    """Refuse options that would be passed over in silence."""
    from medzh_score.messages.errors import MedzhError

    for name, option in round_prompts.LATER_ONLY.items():
        if round_prompts.is_given(arguments, name):
            raise MedzhError("goes with a later round", field=option, advice="name the round with --round")
    if arguments.seed is not None and not (arguments.variants or "").isdecimal():
        raise MedzhError("nothing is drawn", field="--seed", advice="it goes with a number of --variants")


def _first_round(arguments: argparse.Namespace, config: Config, records: Records) -> int:
    from medzh_score.files.workbooks import as_named
    from medzh_score.files.writing import open_for_texts
    from medzh_score.messages.errors import MedzhError
    from medzh_score.prompts.prompt_choices import prompt_counts
    from medzh_score.prompts.writing import encoded, prompt_lines, prompt_sheet

    form, runs = arguments.to or "chat", arguments.runs or 1
    if form == "openai-batch" and not arguments.model:
        raise MedzhError("is needed for openai-batch", field="--model", expected="the name that the server knows")
    asker, asking, chosen = asked_first(arguments, config, records, form)
    if form == "openai-batch":
        _batch(arguments, config, asker, asking, chosen)
    else:
        with open_for_texts(arguments.out) as stream:
            if form == "sheet":
                stream.write(as_named(arguments.out, prompt_sheet(asker, chosen=chosen, runs=runs)))
            else:
                for line in prompt_lines(asker, asking, config.decoding, chosen=chosen, form=form, runs=runs):
                    stream.write(encoded(line))
    say([*prompt_counts(asker, chosen, runs), *asker.notes])
    return 0


def asked_first(
    arguments: argparse.Namespace, config: Config, records: Records, form: str
) -> tuple[Asker, Asking, Chosen]:
    """Settle what the first round asks, how, and in which variants."""
    from medzh_score.prompts.prompt_choices import variants_asked

    asking = _asking(arguments, config, form)
    asker = config.asker(records.rows, asking)
    return asker, asking, variants_asked(asker, arguments.variants, arguments.seed or 0)


def _asking(arguments: argparse.Namespace, config: Config, form: str) -> Asking:
    """Settle wording and examples; a person is given no examples."""
    from medzh_score.benchmark.columns import pick
    from medzh_score.messages.errors import MedzhError
    from medzh_score.prompts.prompt_choices import asking_of, train_records

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
    from medzh_score.prompts.writing import batch_files, batch_lines, write_batch

    runs = arguments.runs or 1
    files = batch_files(arguments.out, runs * sum(map(len, chosen.values())))
    write_batch(files, batch_lines(asker, asking, config.decoding, model=arguments.model, chosen=chosen, runs=runs))
    say([f"wrote {file}" for file in files] if len(files) > 1 else [])
