"""``medzh-score show``: a report again, in any form, without predictions or data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.cli import options
from medzh_score.io.atomic import open_output, print_lines, refuse_inputs
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import N_, _, translated

if TYPE_CHECKING:
    import argparse

    from medzh_score.ui.cli import Parser


HTML = "html"
SHOW_DESCRIPTION = N_("""\
Write a saved report in any form, as `medzh-score score` wrote it or would have: nothing is read or computed again.
As html, a result folder becomes one page that fetches nothing, with every prediction to search, filter and sort; it
holds texts only where --texts asks for them: nobody knows under which licence they stand.
""")


def add_show(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=SHOW_DESCRIPTION)
    saved = _("a result folder, as `medzh-score score --save` writes it, or a report, as --to json does")
    parser.add_argument("result", metavar="DIR", help=saved)
    options.add_output(parser, description=_("how the report is written"), forms=(*options.REPORT_FORMS, HTML))
    kept = _("of html: what of the predictions' texts the page holds, at most what the result holds (default: none)")
    parser.add_argument("--texts", choices=("none", "spans", "full"), help=kept)
    options.add_width(parser)
    parser.set_defaults(run=_run_show)


def _run_show(arguments: argparse.Namespace) -> int:
    result = Path(arguments.result)
    refuse_inputs("--out", arguments.out, [result], [result] if result.is_dir() else [])
    written = _page(result, arguments) if arguments.to == HTML else _report(result, arguments)
    with open_output(arguments.out) as stream:
        stream.write(written)
    return 0


def _page(result: Path, arguments: argparse.Namespace) -> bytes:
    from medzh_score.html.result import result_page
    from medzh_score.results.result import Result

    if arguments.width is not None:
        advice = _("leave it out, or write text: --to text")
        raise MedzhError(_("a page is as wide as its window"), field="--width", found=arguments.width, advice=advice)
    return result_page(Result.load(result), arguments.texts or "none")


def _report(result: Path, arguments: argparse.Namespace) -> bytes:
    from medzh_score.render.report import rendered
    from medzh_score.results.result import saved_report

    if arguments.texts is not None:
        advice = _("leave it out, or write a page: --to {html}", html=HTML)
        raise MedzhError(_("a report shows no texts"), field="--texts", found=arguments.texts, advice=advice)
    return options.encoded(rendered(saved_report(result), arguments.to, options.width_of(arguments)), arguments)


VERIFY_DESCRIPTION = N_("""\
Say whether records, files and scorer are those that a report names, and whether scoring again gives the same numbers.
The status is 1 where something differs. Files are looked for beside the report and here, or are named. Of a result
folder its hashes are checked, too, and statistics and answers are made again.
""")


def add_verify(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=VERIFY_DESCRIPTION)
    options.add_report(parser)
    parser.add_argument("files", metavar="FILE", nargs="*", default=[], help=_("the files that it names"))
    options.add_data(parser)
    parser.set_defaults(run=_run_verify)


def _run_verify(arguments: argparse.Namespace) -> int:
    from medzh_score.scoring.verify import verify

    found = verify(Path(arguments.report), arguments.data, [Path(name) for name in arguments.files])
    lines = [
        *(_("same: {line}", line=line) for line in found.same),
        *(_("differs: {line}", line=line) for line in found.problems),
    ]
    print_lines(map(translated, lines))
    return 1 if found.problems else 0


BUNDLE_DESCRIPTION = N_("""\
Pack a report with the files that it names, to be deposited with a paper; SHA256SUMS has the hash of each. The records
are not packed; the report names them. Of a result folder all files are packed, its answers as they are: the
predictions, which have every text, are packed as well.
""")


def add_bundle(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=BUNDLE_DESCRIPTION)
    options.add_report(parser)
    parser.add_argument(
        "files", metavar="FILE", nargs="*", default=[], help=_("the files that it names; else beside it, or here")
    )
    parser.add_argument("-o", "--out", metavar="FILE.zip", required=True, help=_("where to write"))
    parser.set_defaults(run=_run_bundle)


def _run_bundle(arguments: argparse.Namespace) -> int:
    from medzh_score.scoring.verify import deposit

    refuse_inputs("--out", arguments.out, [arguments.report, *arguments.files])
    members = deposit(Path(arguments.report), Path(arguments.out), [Path(name) for name in arguments.files])
    print_lines([f"{arguments.out}: {len(members)} files"])
    return 0
