"""``medzh-score check``: what a predictions file holds, before it is scored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import find_config
from medzh_score.cli import options
from medzh_score.io.atomic import open_for_texts, open_output, refuse_inputs
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.progress import say

if TYPE_CHECKING:
    import argparse

    from medzh_score.ui.cli import Parser


def add_check(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(
        description=_("Check predictions before scoring. Exit code 1: not ready to score; 2: scoring is not possible.")
    )
    options.add_predictions(parser)
    placed = _("prompts file that was sent; its order identifies predictions without ids; may be repeated")
    options.add_repeated(parser, "--prompts", "FILE", description=placed)
    options.add_variants(parser)
    options.add_output(parser, description=_("output format (default: from the --output extension, else text)"))
    options.add_width(parser)
    options.add_full(parser)
    parser.set_defaults(run=_run_check)


def _run_check(arguments: argparse.Namespace) -> int:
    from medzh_score.render.check import check_sentences, rendered_check
    from medzh_score.scoring.check import check_files

    refuse_inputs("--output", arguments.output, [*arguments.predictions, *arguments.prompts], [arguments.data])
    with open_output(arguments.output) as stream:
        files = options.files_of(arguments, arguments.predictions)
        prompts = list(map(Path, arguments.prompts))
        given = arguments.config, files, arguments.data, arguments.rule, prompts
        checked = check_files(*given, variants=arguments.variants)
        width, colored = options.width_of(arguments), options.is_colored(arguments)
        text = rendered_check(checked, arguments.to, width, full=arguments.full, colored=colored)
        stream.write(text.encode("utf-8"))
    if checked.error is not None:
        raise checked.error
    if arguments.to != "text":
        say([*check_sentences(checked), *checked.advice])
    return checked.status


FIRST = 5  # predictions that a wording decided


def add_explain(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(
        description=_("Show predictions and, for each extraction rule, the matched text and the reason for its result.")
    )
    shown_first = _(
        "extraction rule that is shown first and that --unparsed and --pattern refer to (default: the config's primary "
        "rule; all rules are shown)"
    )
    options.add_predictions(parser, shown_first)
    options.add_repeated(parser, "--id", "ID", description=_("id of a record or question group; may be repeated"))
    parser.add_argument(
        "--run",
        dest="only_run",
        type=options.positive,
        metavar="N",
        help=_("only this run, counted from 1 (default: all)"),
    )
    parser.add_argument(
        "--variant", type=options.not_negative, metavar="N", help=_("only this option order (default: all)")
    )
    parser.add_argument("--unparsed", type=options.positive, metavar="N", help=_("first N unparsed predictions"))
    parser.add_argument(
        "--pattern", metavar="NAME", help=_("only predictions with this matched pattern, or unparsed for this reason")
    )
    parser.add_argument(
        "--limit",
        type=options.positive,
        metavar="N",
        help=_("maximum number of predictions (default with --pattern: {first})", first=FIRST),
    )
    options.add_output(
        parser, description=_("output format (default: from the --output extension, else text)"), forms=("text", "json")
    )
    options.add_width(parser)
    whole = _("complete texts (default: 120 characters before and after each match)")
    parser.add_argument("--full", action="store_true", help=whole)
    parser.set_defaults(run=_run_explain)


def _run_explain(arguments: argparse.Namespace) -> int:
    from medzh_score.benchmark.config import rule_of
    from medzh_score.render.predictions import PLAIN, TERMINAL, as_json, as_plain_text
    from medzh_score.scoring.explain import ExplainFilter, explain

    rule_of(find_config(arguments.config), arguments.rule)  # a former rule, whatever is to be explained
    by_answer = arguments.unparsed is not None or arguments.pattern is not None
    if not arguments.id and not by_answer:
        raise MedzhError(_("no predictions are selected"), advice=_("add --id ID, --unparsed N or --pattern NAME"))
    refuse_inputs("--output", arguments.output, arguments.predictions, [arguments.data])
    wanted = ExplainFilter(
        ids=tuple(arguments.id),
        run=None if arguments.only_run is None else arguments.only_run - 1,
        variant=arguments.variant,
        unparsed=arguments.unparsed is not None,
        matches=arguments.pattern,
        first=min(filter(None, (arguments.unparsed, arguments.limit)), default=FIRST if by_answer else None),
    )
    with open_for_texts(arguments.output) as stream:
        files = options.files_of(arguments, arguments.predictions)
        explained = explain(arguments.config, files, arguments.data, wanted, arguments.rule)
        if arguments.to == "json":
            stream.write(as_json(arguments.config, explained).encode("utf-8"))
        else:
            marks = TERMINAL if options.is_colored(arguments) else PLAIN
            text = as_plain_text(explained, marks, options.width_of(arguments), full=arguments.full)
            stream.write(text.encode("utf-8"))
    if not explained:
        say([_("No predictions match.")])
    return 0
