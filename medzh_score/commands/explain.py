"""``medzh-score explain``: what every rule reads in a prediction, where, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser
    from medzh_score.show.explanations import Marks

FIRST = 5  # predictions that a wording decided


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description="Show predictions with what every rule reads in them marked, and why.")
    options.add_predictions(parser)
    options.add_repeated(parser, "--id", "ID", description="a record or group; may be repeated")
    parser.add_argument(
        "--run", dest="only_run", type=options.not_negative, metavar="N", help="only this run (default: all)"
    )
    parser.add_argument("--variant", type=options.not_negative, metavar="N", help="only this variant (default: all)")
    parser.add_argument(
        "--unread", type=options.positive, metavar="N", help="the first N in which the rule finds no answer"
    )
    parser.add_argument(
        "--rule-fired", metavar="NAME", help="those that this wording, or reason for none, of the rule decided"
    )
    parser.add_argument(
        "--first", type=options.positive, metavar="N", help=f"how many at most (with --rule-fired default {FIRST})"
    )
    options.add_output(parser, description="how it is written", forms=("text", "json"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Explain and print."""
    from medzh_score.benchmark.config import rule_of
    from medzh_score.benchmark.registry import find_config
    from medzh_score.files.writing import open_for_texts, refuse_inputs
    from medzh_score.messages.errors import MedzhError
    from medzh_score.messages.progress import say
    from medzh_score.predictions.explanation import Wanted, explain
    from medzh_score.show.explanations import as_json, as_plain_text

    rule_of(find_config(arguments.config), arguments.rule)  # a former rule, whatever is to be explained
    by_answer = arguments.unread is not None or arguments.rule_fired is not None
    if not arguments.id and not by_answer:
        expected = "--id ID, --unread N or --rule-fired NAME"
        raise MedzhError("nothing says which predictions to explain", expected=expected)
    refuse_inputs("--out", arguments.out, arguments.predictions, [arguments.data])
    wanted = Wanted(
        ids=tuple(arguments.id),
        run=arguments.only_run,
        variant=arguments.variant,
        unread=arguments.unread is not None,
        fired=arguments.rule_fired,
        first=_most(arguments.unread, arguments.first) or (FIRST if by_answer else None),
    )
    with open_for_texts(arguments.out) as stream:
        files = options.files_of(arguments, arguments.predictions)
        explained = explain(arguments.config, files, arguments.data, wanted, arguments.rule)
        if arguments.to == "json":
            stream.write(as_json(arguments.config, explained).encode("utf-8"))
        else:
            stream.write(as_plain_text(explained, _marks(arguments.out)).encode("utf-8"))
    if not explained:
        say(["no prediction is such"])
    return 0


def _most(*limits: int | None) -> int | None:
    """Take the lower of two limits that may be given."""
    return min((limit for limit in limits if limit is not None), default=None)


def _marks(out: str | None) -> Marks:
    """Mark by reverse video in a terminal that can show it, by brackets everywhere else."""
    import os
    import sys

    from medzh_score.show.explanations import PLAIN, TERMINAL

    if out not in {None, "-"} or os.environ.get("TERM") == "dumb" or os.environ.get("NO_COLOR"):
        return PLAIN
    return TERMINAL if sys.stdout.isatty() else PLAIN
