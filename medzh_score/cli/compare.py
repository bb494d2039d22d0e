"""``medzh-score compare``, ``summary`` and ``leaderboard``: systems with significance tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.cli import options
from medzh_score.cli.systems import (
    add_gate,
    add_names,
    folder_and_label,
    gate_from,
    named_folders,
    showing_of,
    status_of,
)
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
Compare systems on the same clusters, using result folders from `score --save`: differences with confidence intervals,
tests adjusted for multiple comparisons, ranks, tie groups, and worst-case bounds for unparsed answers. Systems that
are not comparable are rejected, and the error lists the signature keys that differ. With --fail-on-regression the
exit code is 0 if every system passes, 1 if a system fails, and 4 if a system is inconclusive. Invalid input has exit
code 2.
""")


def add_compare(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=COMPARE_DESCRIPTION)
    folders = _("result folders from `score --save`, each with an optional system name; or a suite folder")
    parser.add_argument("results", metavar="DIR[=NAME]", nargs="+", help=folders)
    logs = _("tool whose logs (of any task) are compared sample by sample, instead of result folders")
    parser.add_argument("--from", dest="tool", choices=("inspect", "lm-eval"), help=logs)
    _add_what(parser)
    add_gate(parser, "METRIC[:POINTS]")
    _add_showing(parser)
    options.add_output(
        parser,
        description=_("output format (default: from the --output extension, else text)"),
        forms=options.REPORT_FORMS,
    )
    options.add_width(parser)
    parser.set_defaults(run=_run_compare)


def _add_what(parser: Parser) -> None:
    parser.add_argument("--config", metavar="CONFIG", help=_("config on which to compare the models of a suite"))
    metrics = _(
        "metric to compare; may be repeated (default: the primary metric and the summary metrics of the config)"
    )
    options.add_repeated(parser, "--metric", "NAME", description=metrics)
    options.add_repeated(
        parser,
        "--by",
        "GROUP",
        description=_("also compare within each group of a breakdown, such as type; may be repeated"),
    )
    parser.add_argument(
        "--baseline",
        metavar="SYSTEM",
        help=_("system name or folder of the baseline (default: compare all pairs of systems)"),
    )
    parser.add_argument("--rule", metavar="NAME", help=_("extraction rule (default: the config's primary rule)"))
    may = _(
        "signature key that may differ between the systems, such as prompt, generation, missing, runs or data; "
        "may be repeated"
    )
    options.add_repeated(parser, "--allow", "KEY", description=may)
    parser.add_argument(
        "--same-prompts", action="store_true", help=_("require the same prompts; only generation settings may differ")
    )
    resamples = _("number of bootstrap resamples for intervals and ranks (default: 1000; 0: none)")
    parser.add_argument("--bootstrap", type=options.not_negative, default=1000, metavar="N", help=resamples)
    permutations = _("minimum number of permutations (default: 10000)")
    parser.add_argument("--permutations", type=options.positive, default=10_000, metavar="N", help=permutations)
    options.add_seed(parser, _("resampling and permutations"))
    printed = _("row of a table in the paper, such as 4:GPT-4, shown for comparison and never tested; may be repeated")
    options.add_repeated(parser, "--paper-row", "TABLE:ROW", description=printed)
    parser.add_argument(
        "--items",
        metavar="FILE",
        help=_("write one JSON line for each cluster in which systems differ, with their answers"),
    )


def _add_showing(parser: Parser) -> None:
    parser.add_argument(
        "--layout",
        choices=("screen", "full", "paper"),
        default="screen",
        help=_("screen (default): the verdict or the ranking; full: all tables; paper: a table for a paper"),
    )
    _add_full(parser)
    add_names(parser)
    order = _("sort systems by this metric, best first; given: keep the given order (default: the first metric)")
    parser.add_argument("--sort-by", metavar="METRIC", help=order)
    parser.add_argument(
        "--methods", action="store_true", help=_("append a paragraph on the statistical methods, for a paper")
    )


def _add_full(parser: Parser) -> None:
    text = _("show all tables, notes and the signature")
    parser.add_argument("--full", dest="layout", action="store_const", const="full", help=text)


NOT_OF_LOGS = ("by", "rule", "same_prompts", "paper_row", "items", "config")


def _run_logs(arguments: argparse.Namespace) -> int:
    from medzh_score.comparison.gate import worst
    from medzh_score.comparison.other_logs import compare_logs

    for name in NOT_OF_LOGS:
        if getattr(arguments, name):
            raise MedzhError(_("this option does not apply to logs"), field=f"--{name.replace('_', '-')}")
    files, labels = zip(*map(folder_and_label, arguments.results), strict=True)
    names = [arguments.display_names] if arguments.display_names else []
    refuse_inputs("--output", arguments.output, [*files, *names])
    showing = replace(showing_of(arguments), order=arguments.sort_by, methods=arguments.methods)
    with open_output(arguments.output) as stream:
        comparison = compare_logs(arguments.tool, list(map(Path, files)), _choices(arguments, labels))
        stream.write(_comparison_bytes(comparison, arguments, showing))
    return status_of(worst(comparison), arguments.inconclusive)


def _run_compare(arguments: argparse.Namespace) -> int:
    if arguments.tool is not None:
        return _run_logs(arguments)
    from medzh_score.comparison.disagreements import write_differing
    from medzh_score.comparison.gate import worst
    from medzh_score.comparison.run import comparable, compared

    folders, labels = zip(*named_folders(arguments.results, arguments.config, one_config=True), strict=True)
    choices = _choices(arguments, labels)
    for option, path in (("--output", arguments.output), ("--items", arguments.items)):
        refuse_inputs(option, path, [arguments.display_names] if arguments.display_names else [])
        for folder in folders if path and path != "-" else ():
            if Path(path).resolve().is_relative_to(Path(folder).resolve()):
                raise MedzhError(
                    _("the path is inside an input result folder"),
                    file=path,
                    field=option,
                    advice=_("choose another path"),
                )
    if arguments.output and arguments.items and Path(arguments.output).resolve() == Path(arguments.items).resolve():
        raise MedzhError(
            _("--items and --output are the same file"),
            file=arguments.items,
            field="--items",
            advice=_("choose another file name"),
        )
    showing = replace(showing_of(arguments), order=arguments.sort_by, methods=arguments.methods)
    # Opened first: where the result cannot be written, nothing is computed.
    with open_output(arguments.output) as stream:
        systems = comparable(folders, choices)
        comparison = compared(systems, choices)
        content = _comparison_bytes(comparison, arguments, showing)
        if arguments.items:
            write_differing(Path(arguments.items), systems)
        stream.write(content)
    return status_of(worst(comparison), arguments.inconclusive)


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
        permutations=arguments.permutations,
        printed=tuple(arguments.paper_row),
        gate=gate_from(arguments),
    )


def _comparison_bytes(comparison: Comparison, arguments: argparse.Namespace, showing: DisplayOptions) -> bytes:
    from medzh_score.render.compare import rendered

    if arguments.to == "json":
        return comparison.as_json()
    return options.encoded(rendered(comparison, arguments.to, showing, arguments.layout), arguments)


SUMMARY_DESCRIPTION = N_("""\
Summarize systems on several configs, using result folders from `score --save`: the primary metric of each config with
its interval, unit and direction. Metrics of different configs are never averaged. Missing results are listed. With
--baseline, differences are shown and tested on each config, and p values are adjusted over all configs as one family.
--fail-on-regression accepts one primary metric, or `primary_metric` for all of them. Exit codes are those of compare;
exit code 4 also means that a result is missing.
""")


def add_summary(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=SUMMARY_DESCRIPTION)
    folders = _(
        "result folders of any configs, each with an optional system name (default: its model name); or a suite folder"
    )
    parser.add_argument("results", metavar="DIR[=NAME]", nargs="+", help=folders)
    parser.add_argument("--baseline", metavar="SYSTEM", help=_("system name or folder of the baseline"))
    parser.add_argument("--rule", metavar="NAME", help=_("extraction rule (default: the config's primary rule)"))
    options.add_repeated(
        parser,
        "--allow",
        "KEY",
        description=_("signature key that may differ between the systems of a config; may be repeated"),
    )
    options.add_seed(parser, _("resampling and permutations"))
    add_gate(parser, "METRIC[:POINTS]")
    _add_full(parser)
    add_names(parser)
    options.add_output(
        parser,
        description=_("output format (default: from the --output extension, else text)"),
        forms=options.REPORT_FORMS,
    )
    options.add_width(parser)
    parser.set_defaults(run=_run_summary)


def _run_summary(arguments: argparse.Namespace) -> int:
    from medzh_score.comparison.across_configs import summary_of
    from medzh_score.comparison.load import Choices
    from medzh_score.stats.values import Bootstrap

    folders, labels = zip(*named_folders(arguments.results, None), strict=True)
    refuse_inputs("--output", arguments.output, [arguments.display_names] if arguments.display_names else [], folders)
    choices = Choices(
        labels=labels,
        baseline=arguments.baseline,
        rule=arguments.rule,
        allow=tuple(arguments.allow),
        bootstrap=Bootstrap(seed=arguments.seed),
        gate=gate_from(arguments),
    )
    with open_output(arguments.output) as stream:
        summary = summary_of(folders, choices)
        stream.write(_summary_bytes(summary, arguments))
    return status_of(summary.outcome, arguments.inconclusive)


def _summary_bytes(summary: Summary, arguments: argparse.Namespace) -> bytes:
    from medzh_score.render.compare import rendered_summary

    if arguments.to == "json":
        return summary.as_json()
    full = arguments.layout == "full"
    return options.encoded(rendered_summary(summary, arguments.to, showing_of(arguments), full=full), arguments)


BOARD_DESCRIPTION = N_("""\
Write a leaderboard of static pages from result folders, for any web server or a hub Space: an overview of models and
configs; one page per config with ranks, intervals, tie groups and differences; one page per model; and all data as
CSV and JSON. Only comparable results share a table. Other results have separate tables, and the page states the
reason. Unchanged files are not written again. The pages contain no item texts and send no network requests.
""")
PERMUTATIONS = 2000


def add_board(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=BOARD_DESCRIPTION)
    folders = _(
        "result folders of any configs, each with an optional system name (default: its model name); or a suite folder"
    )
    parser.add_argument("results", metavar="DIR[=NAME]", nargs="+", help=folders)
    site = _("output folder of the leaderboard: a new or empty folder, or an existing leaderboard")
    parser.add_argument("-o", "--output", metavar="SITE", required=True, help=site)
    parser.add_argument("--rule", metavar="NAME", help=_("extraction rule (default: the config's primary rule)"))
    options.add_repeated(
        parser,
        "--allow",
        "KEY",
        description=_("signature key that may differ between the systems of a table; may be repeated"),
    )
    resamples = _("number of bootstrap resamples for intervals and ranks (default: 1000; 0: none)")
    parser.add_argument("--bootstrap", type=options.not_negative, default=1000, metavar="N", help=resamples)
    permutations = _("number of permutations for tie groups (default: {permutations})", permutations=PERMUTATIONS)
    parser.add_argument("--permutations", type=options.positive, default=PERMUTATIONS, metavar="N", help=permutations)
    options.add_seed(parser, _("resampling and permutations"))
    parser.set_defaults(run=_run_board)


def _run_board(arguments: argparse.Namespace) -> int:
    from medzh_score.comparison.load import Choices
    from medzh_score.html.board import write_board
    from medzh_score.stats.values import Bootstrap

    site = Path(arguments.output)
    named = [(Path(folder), label) for folder, label in named_folders(arguments.results, None)]
    for folder, _unused in named:
        place = folder.resolve()
        problem = None
        if place.is_relative_to(site.resolve()):
            problem = _("the folder contains an input result folder")
        elif site.resolve().is_relative_to(place):
            problem = _("the path is inside an input result folder")
        if problem is not None:
            advice = _("choose a new folder that contains no results, for example --output leaderboard")
            raise MedzhError(problem, file=site.absolute(), field="--output", advice=advice)
    choices = Choices(
        rule=arguments.rule,
        allow=tuple(dict.fromkeys(arguments.allow)),
        bootstrap=Bootstrap(arguments.bootstrap, arguments.seed),
        permutations=arguments.permutations,
    )
    done = write_board(site, named, choices)
    counts = {"written": done.written, "kept": done.kept, "removed": done.removed}
    say([_("{site}: {written} files written, {kept} unchanged, {removed} removed", site=site, **counts)])
    return 0
