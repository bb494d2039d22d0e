"""``medzh-score show``: a report again, in any form, without predictions or data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from medzh_score.messages.parser import Parser
    from medzh_score.report.report import Report

DESCRIPTION = """\
Write a saved report in any form, as `medzh-score score` wrote it or would have: nothing is read or computed again.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    saved = "a result folder, as `medzh-score score --save` writes it, or a report, as --to json does"
    parser.add_argument("result", metavar="DIR", help=saved)
    options.add_output(parser, description="how the report is written", forms=options.REPORT_FORMS)
    options.add_width(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the report back and write it."""
    from pathlib import Path

    from medzh_score.files.writing import open_output, refuse_inputs
    from medzh_score.show.reports import rendered

    result = Path(arguments.result)
    refuse_inputs("--out", arguments.out, [result], [result] if result.is_dir() else [])
    report = _report(result)
    with open_output(arguments.out) as stream:
        stream.write(rendered(report, arguments.to, options.width_of(arguments)).encode("utf-8"))
    return 0


def _report(result: Path) -> Report:
    """Read a report back; of a folder, only where it is whole and nobody changed it."""
    from medzh_score.report.results.report_file import read_report
    from medzh_score.report.results.result import Result

    return Result.load(result).report if result.is_dir() else read_report(result)
