"""``medzh-score show``: a report again, in any form, without predictions or data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from medzh_score.messages.parser import Parser

HTML = "html"
DESCRIPTION = """\
Write a saved report in any form, as `medzh-score score` wrote it or would have: nothing is read or computed again.
As html, a result folder becomes one page that fetches nothing, with every prediction to search, filter and sort; it
holds texts only where --texts asks for them: nobody knows under which licence they stand.
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    saved = "a result folder, as `medzh-score score --save` writes it, or a report, as --to json does"
    parser.add_argument("result", metavar="DIR", help=saved)
    options.add_output(parser, description="how the report is written", forms=(*options.REPORT_FORMS, HTML))
    kept = "of html: what of the predictions' texts the page holds, at most what the result holds (default: none)"
    parser.add_argument("--texts", choices=("none", "spans", "full"), help=kept)
    options.add_width(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read the report back and write it."""
    from pathlib import Path

    from medzh_score.files.writing import open_output, refuse_inputs

    result = Path(arguments.result)
    refuse_inputs("--out", arguments.out, [result], [result] if result.is_dir() else [])
    written = _page(result, arguments) if arguments.to == HTML else _report(result, arguments)
    with open_output(arguments.out) as stream:
        stream.write(written)
    return 0


def _page(result: Path, arguments: argparse.Namespace) -> bytes:
    """Render the page of a folder: a report alone holds no predictions."""
    from medzh_score.messages.errors import MedzhError
    from medzh_score.report.results.result import Result
    from medzh_score.show.page.result import result_page

    if arguments.width is not None:
        advice = "leave it out, or write text: --to text"
        raise MedzhError("a page is as wide as its window", field="--width", found=arguments.width, advice=advice)
    return result_page(Result.load(result), arguments.texts or "none")


def _report(result: Path, arguments: argparse.Namespace) -> bytes:
    """Write a report in one of its forms; one of a folder only where it is whole and nobody changed it."""
    from medzh_score.messages.errors import MedzhError
    from medzh_score.report.results.result import saved_report
    from medzh_score.show.reports import rendered

    if arguments.texts is not None:
        advice = f"leave it out, or write a page: --to {HTML}"
        raise MedzhError("a report shows no texts", field="--texts", found=arguments.texts, advice=advice)
    return options.encoded(rendered(saved_report(result), arguments.to, options.width_of(arguments)), arguments)
