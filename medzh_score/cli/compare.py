"""``medzh-score compare``: which of several systems is better, and whether it is sure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.cli import options
from medzh_score.cli.options import add_gate, add_names, gate_from, named_folders, showing_of, status_of
from medzh_score.io.atomic import open_output, refuse_inputs
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import N_, _
from medzh_score.ui.progress import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from medzh_score.comparison.across_configs import Summary
    from medzh_score.comparison.load import Choices
    from medzh_score.comparison.model import Comparison
    from medzh_score.render.display import DisplayOptions
    from medzh_score.ui.cli import Parser


COMPARE_DESCRIPTION = N_("""\
Compare systems on the same units, from the folders that `score --save` writes: differences with intervals, tests
corrected for how many there are, ranks, ties, and what unread answers leave open. What is not comparable is refused,
with the keys in which the signatures differ. With --fail-on-regression the status is 0 where every system passes, 1
where one is worse than it may be, and 4 where one is undecided; bad input has status 2.
""")


def add_compare(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=COMPARE_DESCRIPTION)
    folders = _("result folders, as `score --save` writes them, each with what the system is called; or a suite")
    parser.add_argument("results", metavar="DIR[=LABEL]", nargs="+", help=folders)
    _add_what(parser)
    add_gate(parser, "METRIC[:POINTS]")
    _add_showing(parser)
    options.add_output(parser, description=_("form (default: text)"), forms=options.REPORT_FORMS)
    options.add_width(parser)
    parser.set_defaults(run=_run_compare)


def _add_what(parser: Parser) -> None:
    parser.add_argument("--config", metavar="CONFIG", help=_("of a suite, on which config its models are compared"))
    metrics = _("which metric, once for each (default: the headline and what the config shows beside it)")
    options.add_repeated(parser, "--metric", "NAME", description=metrics)
    options.add_repeated(parser, "--by", "GROUP", description=_("also in each group of a breakdown, such as type"))
    parser.add_argument(
        "--baseline",
        metavar="SYSTEM",
        help=_("the label or the folder that all others are compared with (default: every system with every other)"),
    )
    parser.add_argument("--rule", metavar="NAME", help=_("how answers were read (default: the config's primary rule)"))
    may = _("a key of the signatures in which the systems may differ, such as prompt, decoding, missing, runs or data")
    options.add_repeated(parser, "--allow", "KEY", description=may)
    parser.add_argument(
        "--same-prompts", action="store_true", help=_("same prompts, own decoding: nothing else may differ")
    )
    resamples = _("resamples of intervals and ranks (default 1000; 0: none)")
    parser.add_argument("--bootstrap", type=options.not_negative, default=1000, metavar="N", help=resamples)
    swaps = _("how often rows are swapped at least (default 10000)")
    parser.add_argument("--swaps", type=options.positive, default=10_000, metavar="N", help=swaps)
    options.add_seed(parser, _("resamples and swaps"))
    printed = _("a row of the paper's tables to be set beside, such as 4:GPT-4; it is never tested")
    options.add_repeated(parser, "--printed", "TABLE:ROW", description=printed)
    parser.add_argument(
        "--items", metavar="FILE", help=_("write a JSON line for each unit in which systems differ, with their answers")
    )


def _add_showing(parser: Parser) -> None:
    parser.add_argument(
        "--table", choices=("findings", "paper"), default="findings", help=_("all that was found, or a paper's table")
    )
    add_names(parser)
    order = _("the metric by which the best stands first (default: as given)")
    parser.add_argument("--order", metavar="METRIC", default="given", help=order)
    parser.add_argument("--methods", action="store_true", help=_("end with a paragraph on the statistics, for a paper"))


def _run_compare(arguments: argparse.Namespace) -> int:
    from medzh_score.comparison.disagreements import write_differing
    from medzh_score.comparison.gate import worst
    from medzh_score.comparison.run import comparable, compared

    folders, labels = zip(*named_folders(arguments.results, arguments.config), strict=True)
    choices = _choices(arguments, labels)
    for option, path in (("--out", arguments.out), ("--items", arguments.items)):
        refuse_inputs(option, path, [arguments.labels] if arguments.labels else [])
        for folder in folders if path and path != "-" else ():
            if Path(path).resolve().is_relative_to(Path(folder).resolve()):
                raise MedzhError(
                    _("stands in a result that is read"), file=path, field=option, advice=_("name another place")
                )
    if arguments.out and arguments.items and Path(arguments.out).resolve() == Path(arguments.items).resolve():
        raise MedzhError(
            _("is where the comparison goes"), file=arguments.items, field="--items", advice=_("name another file")
        )
    showing = replace(showing_of(arguments), order=arguments.order, methods=arguments.methods)
    # Opened first: where the result cannot be written, nothing is computed.
    with open_output(arguments.out) as stream:
        systems = comparable(folders, choices)
        comparison = compared(systems, choices)
        content = _comparison_bytes(comparison, arguments, showing)
        if arguments.items:
            write_differing(Path(arguments.items), systems)
        stream.write(content)
    return status_of(worst(comparison), arguments.undecided)


def _choices(arguments: argparse.Namespace, labels: Sequence[str | None]) -> Choices:
    from medzh_score.comparison.load import Choices
    from medzh_score.stats.values import Bootstrap

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


def _comparison_bytes(comparison: Comparison, arguments: argparse.Namespace, showing: DisplayOptions) -> bytes:
    from medzh_score.render.compare import rendered, rendered_for_paper

    if arguments.to == "json":
        return comparison.as_json()
    written = rendered if arguments.table == "findings" else rendered_for_paper
    return options.encoded(written(comparison, arguments.to, showing), arguments)


SUMMARY_DESCRIPTION = N_("""\
Put systems beside each other on several configs, from the folders that `score --save` writes: the headline of each
config with its interval, unit and direction. Metrics of different configs are never averaged, and what is missing is
named. With --baseline there are the differences on each config, tested and corrected over all configs as one family.
A gate (--fail-on-regression) names a headline, or all of them by the word headline. Its status is that of compare, and
4 where a result is missing.
""")


def add_summary(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=SUMMARY_DESCRIPTION)
    folders = _("result folders of any configs, each with what the system is called (default: its model); or a suite")
    parser.add_argument("results", metavar="DIR[=LABEL]", nargs="+", help=folders)
    parser.add_argument(
        "--baseline", metavar="SYSTEM", help=_("the label or a folder of the system that all others are compared with")
    )
    parser.add_argument("--rule", metavar="NAME", help=_("how answers were read (default: the config's primary rule)"))
    options.add_repeated(
        parser, "--allow", "KEY", description=_("a key of the signatures in which the systems of a config may differ")
    )
    options.add_seed(parser, _("resamples and swaps"))
    add_gate(parser, "HEADLINE[:POINTS]")
    add_names(parser)
    options.add_output(parser, description=_("form (default: text)"), forms=options.REPORT_FORMS)
    options.add_width(parser)
    parser.set_defaults(run=_run_summary)


def _run_summary(arguments: argparse.Namespace) -> int:
    from medzh_score.comparison.across_configs import summary_of
    from medzh_score.comparison.load import Choices
    from medzh_score.stats.values import Bootstrap

    folders, labels = zip(*named_folders(arguments.results, None), strict=True)
    refuse_inputs("--out", arguments.out, [arguments.labels] if arguments.labels else [], folders)
    choices = Choices(
        labels=labels,
        baseline=arguments.baseline,
        rule=arguments.rule,
        allow=tuple(arguments.allow),
        bootstrap=Bootstrap(seed=arguments.seed),
        gate=gate_from(arguments),
    )
    with open_output(arguments.out) as stream:
        summary = summary_of(folders, choices)
        stream.write(_summary_bytes(summary, arguments))
    return status_of(summary.outcome, arguments.undecided)


def _summary_bytes(summary: Summary, arguments: argparse.Namespace) -> bytes:
    from medzh_score.render.compare import rendered_summary

    if arguments.to == "json":
        return summary.as_json()
    return options.encoded(rendered_summary(summary, arguments.to, showing_of(arguments)), arguments)


BOARD_DESCRIPTION = N_("""\
Write static pages of result folders, for any web server or a hub's Space: an overview of models and configs, a page a
config with ranks, intervals, ties and differences, a page a model, and all of it as CSV and JSON. Only results that
compare takes together stand in one table; others stand apart, and the page says why. What did not change since the
last time is not written again. No page holds the text of an item, and none asks for anything from a network.
""")
SWAPS = 2000


def add_board(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=BOARD_DESCRIPTION)
    folders = _("result folders of any configs, each with what the system is called (default: its model); or a suite")
    parser.add_argument("results", metavar="DIR[=LABEL]", nargs="+", help=folders)
    site = _("the folder of the board: one that a board stands in, an empty one, or one that is not there yet")
    parser.add_argument("-o", "--out", metavar="SITE", required=True, help=site)
    parser.add_argument("--rule", metavar="NAME", help=_("how answers were read (default: the config's primary rule)"))
    options.add_repeated(
        parser, "--allow", "KEY", description=_("a key of the signatures in which the systems of a table may differ")
    )
    resamples = _("resamples of intervals and ranks (default 1000; 0: none)")
    parser.add_argument("--bootstrap", type=options.not_negative, default=1000, metavar="N", help=resamples)
    swaps = _("how often the rows of all systems are permuted, for ties (default {swaps})", swaps=SWAPS)
    parser.add_argument("--swaps", type=options.positive, default=SWAPS, metavar="N", help=swaps)
    options.add_seed(parser, _("resamples and swaps"))
    parser.set_defaults(run=_run_board)


def _run_board(arguments: argparse.Namespace) -> int:
    from medzh_score.comparison.load import Choices
    from medzh_score.html.board import write_board
    from medzh_score.stats.values import Bootstrap

    site = Path(arguments.out)
    named = [(Path(folder), label) for folder, label in named_folders(arguments.results, None)]
    for folder, _unused in named:
        place = folder.resolve()
        if place.is_relative_to(site.resolve()):
            raise MedzhError(_("holds a result that is read"), file=site, field="--out", advice=_("name another place"))
        if site.resolve().is_relative_to(place):
            raise MedzhError(
                _("stands in a result that is read"), file=site, field="--out", advice=_("name another place")
            )
    choices = Choices(
        rule=arguments.rule,
        allow=tuple(dict.fromkeys(arguments.allow)),
        bootstrap=Bootstrap(arguments.bootstrap, arguments.seed),
        swaps=arguments.swaps,
    )
    done = write_board(site, named, choices)
    counts = {"written": done.written, "kept": done.kept, "removed": done.removed}
    say([_("{site}: {written} files written, {kept} kept, {removed} removed", site=site, **counts)])
    return 0
