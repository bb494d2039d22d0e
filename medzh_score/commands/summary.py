"""``medzh-score summary``: systems on several configs, by the headline of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.commands.comparison_options import add_gate, add_names, gate_from, named_folders, showing_of, status_of

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser
    from medzh_score.report.comparison.summary import Summary

DESCRIPTION = """\
Put systems beside each other on several configs, from the folders that `score --save` writes: the headline of each
config with its interval, unit and direction. Metrics of different configs are never averaged, and what is missing is
named. With --baseline there are the differences on each config, tested and corrected over all configs as one family.
A gate (--fail-on-regression) names a headline, or all of them by the word headline. Its status is that of compare, and
4 where a result is missing.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    folders = "result folders of any configs, each with what the system is called (default: its model); or a suite"
    parser.add_argument("results", metavar="DIR[=LABEL]", nargs="+", help=folders)
    parser.add_argument(
        "--baseline", metavar="SYSTEM", help="the label or a folder of the system that all others are compared with"
    )
    parser.add_argument("--rule", metavar="NAME", help="how answers were read (default: the config's primary rule)")
    options.add_repeated(
        parser, "--allow", "KEY", description="a key of the signatures in which the systems of a config may differ"
    )
    options.add_seed(parser, "resamples and swaps")
    add_gate(parser, "HEADLINE[:POINTS]")
    add_names(parser)
    options.add_output(parser, description="form (default: text)", forms=options.REPORT_FORMS)
    options.add_width(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Summarise, and give the gate's status."""
    from medzh_score.files.writing import open_output, refuse_inputs
    from medzh_score.report.comparison.choices import Choices
    from medzh_score.report.comparison.summary import summary_of
    from medzh_score.statistics.values import Bootstrap

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
        stream.write(_shown(summary, arguments))
    return status_of(summary.outcome, arguments.undecided)


def _shown(summary: Summary, arguments: argparse.Namespace) -> bytes:
    from medzh_score.show.comparison.summaries import rendered_summary

    if arguments.to == "json":
        return summary.as_json()
    return options.encoded(rendered_summary(summary, arguments.to, showing_of(arguments)), arguments)
