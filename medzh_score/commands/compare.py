"""``medzh-score compare``: which of several systems is better, and whether it is sure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.commands.comparison_options import add_gate, add_names, gate_from, named_folders, showing_of, status_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from medzh_score.messages.parser import Parser
    from medzh_score.report.comparison.choices import Choices
    from medzh_score.report.comparison.comparison import Comparison
    from medzh_score.show.comparison.showing import Showing

DESCRIPTION = """\
Compare systems on the same units, from the folders that `score --save` writes: differences with intervals, tests
corrected for how many there are, ranks, ties, and what unread answers leave open. What is not comparable is refused,
with the keys in which the signatures differ. With --fail-on-regression the status is 0 where every system passes, 1
where one is worse than it may be, and 4 where one is undecided; bad input has status 2.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    folders = "result folders, as `score --save` writes them, each with what the system is called; or a suite"
    parser.add_argument("results", metavar="DIR[=LABEL]", nargs="+", help=folders)
    _add_what(parser)
    add_gate(parser, "METRIC[:POINTS]")
    _add_showing(parser)
    options.add_output(parser, description="form (default: text)", forms=options.REPORT_FORMS)
    options.add_width(parser)
    parser.set_defaults(run=run)


def _add_what(parser: Parser) -> None:
    """Add what is compared, and how."""
    parser.add_argument("--config", metavar="CONFIG", help="of a suite, on which config its models are compared")
    metrics = "which metric, once for each (default: the headline and what the config shows beside it)"
    options.add_repeated(parser, "--metric", "NAME", description=metrics)
    options.add_repeated(parser, "--by", "GROUP", description="also in each group of a breakdown, such as type")
    parser.add_argument(
        "--baseline",
        metavar="SYSTEM",
        help="the label or the folder that all others are compared with (default: every system with every other)",
    )
    parser.add_argument("--rule", metavar="NAME", help="how answers were read (default: the config's primary rule)")
    may = "a key of the signatures in which the systems may differ, such as prompt, decoding, missing, runs or data"
    options.add_repeated(parser, "--allow", "KEY", description=may)
    parser.add_argument(
        "--same-prompts", action="store_true", help="same prompts, own decoding: nothing else may differ"
    )
    resamples = "resamples of intervals and ranks (default 1000; 0: none)"
    parser.add_argument("--bootstrap", type=options.not_negative, default=1000, metavar="N", help=resamples)
    swaps = "how often rows are swapped at least (default 10000)"
    parser.add_argument("--swaps", type=options.positive, default=10_000, metavar="N", help=swaps)
    options.add_seed(parser, "resamples and swaps")
    printed = "a row of the paper's tables to be set beside, such as 4:GPT-4; it is never tested"
    options.add_repeated(parser, "--printed", "TABLE:ROW", description=printed)
    parser.add_argument(
        "--items", metavar="FILE", help="write a JSON line for each unit in which systems differ, with their answers"
    )


def _add_showing(parser: Parser) -> None:
    """Add how the comparison is shown."""
    parser.add_argument(
        "--table", choices=("findings", "paper"), default="findings", help="all that was found, or a paper's table"
    )
    add_names(parser)
    order = "the metric by which the best stands first (default: as given)"
    parser.add_argument("--order", metavar="METRIC", default="given", help=order)
    parser.add_argument("--methods", action="store_true", help="end with a paragraph on the statistics, for a paper")


def run(arguments: argparse.Namespace) -> int:
    """Compare, write what was found, and give the gate's status."""
    from dataclasses import replace
    from pathlib import Path

    from medzh_score.files.writing import open_output, refuse_inputs
    from medzh_score.messages.errors import MedzhError
    from medzh_score.report.comparison.comparing import comparable, compared
    from medzh_score.report.comparison.differing_units import write_differing
    from medzh_score.report.comparison.gate import worst

    folders, labels = zip(*named_folders(arguments.results, arguments.config), strict=True)
    choices = _choices(arguments, labels)
    for option, path in (("--out", arguments.out), ("--items", arguments.items)):
        refuse_inputs(option, path, [arguments.labels] if arguments.labels else [])
        for folder in folders if path and path != "-" else ():
            if Path(path).resolve().is_relative_to(Path(folder).resolve()):
                raise MedzhError(
                    "stands in a result that is read", file=path, field=option, advice="name another place"
                )
    if arguments.out and arguments.items and Path(arguments.out).resolve() == Path(arguments.items).resolve():
        raise MedzhError(
            "is where the comparison goes", file=arguments.items, field="--items", advice="name another file"
        )
    showing = replace(showing_of(arguments), order=arguments.order, methods=arguments.methods)
    # Opened first: where the result cannot be written, nothing is computed.
    with open_output(arguments.out) as stream:
        systems = comparable(folders, choices)
        comparison = compared(systems, choices)
        content = _shown(comparison, arguments, showing)
        if arguments.items:
            write_differing(Path(arguments.items), systems)
        stream.write(content)
    return status_of(worst(comparison), arguments.undecided)


def _choices(arguments: argparse.Namespace, labels: Sequence[str | None]) -> Choices:
    from medzh_score.report.comparison.choices import Choices
    from medzh_score.statistics.values import Bootstrap

    return Choices(
        labels=tuple(labels),
        metrics=tuple(arguments.metric),
        by=tuple(dict.fromkeys(arguments.by)),
        baseline=arguments.baseline,
        rule=arguments.rule,
        allow=tuple(arguments.allow),
        same_prompts=arguments.same_prompts,
        bootstrap=Bootstrap(arguments.bootstrap, arguments.seed),
        swaps=arguments.swaps,
        printed=tuple(arguments.printed),
        gate=gate_from(arguments),
    )


def _shown(comparison: Comparison, arguments: argparse.Namespace, showing: Showing) -> bytes:
    from medzh_score.show.comparison.rendering import rendered, rendered_for_paper

    if arguments.to == "json":
        return comparison.as_json()
    written = rendered if arguments.table == "findings" else rendered_for_paper
    return options.encoded(written(comparison, arguments.to, showing), arguments)
