"""``medzh-score show``: a report again, in any form, without predictions or data."""

from __future__ import annotations

import os
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
Write a saved report in any format, as `medzh-score score` writes it. Nothing is extracted or computed again. With --to
html, a result folder becomes one page that needs no network, in which all predictions can be searched, filtered and
sorted. The page contains texts only with --include-text, because the license of the texts is unknown.
""")


def add_show(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=SHOW_DESCRIPTION)
    saved = _("result folder from `medzh-score score --save`, or report from --to json")
    parser.add_argument("result", metavar="DIR", help=saved)
    options.add_output(
        parser,
        description=_("output format (default: from the --output extension, else text)"),
        forms=(*options.REPORT_FORMS, HTML),
    )
    kept = _(
        "with --to html: text of predictions on the page, at most what the result contains: none (default), "
        "spans (matched text) or full"
    )
    parser.add_argument("--include-text", choices=("none", "spans", "full"), help=kept)
    data = _(
        "with --to html and --include-text full: data with the questions and gold answers (default: the open data or "
        "mini sample that was scored)"
    )
    parser.add_argument("--data", metavar="DATA", help=data)
    options.add_width(parser)
    options.add_full(parser)
    parser.set_defaults(run=_run_show)


def _run_show(arguments: argparse.Namespace) -> int:
    result = Path(arguments.result)
    refuse_inputs("--output", arguments.output, [result], [result] if result.is_dir() else [])
    written = _page(result, arguments) if arguments.to == HTML else _report(result, arguments)
    with open_output(arguments.output) as stream:
        stream.write(written)
    return 0


def _page(result: Path, arguments: argparse.Namespace) -> bytes:
    from medzh_score.html.result import result_page
    from medzh_score.results.result import Result

    if arguments.width is not None:
        advice = _("omit this option or use --to text")
        raise MedzhError(
            _("the option does not apply to HTML pages, which adapt to the width of the window"),
            field="--width",
            found=arguments.width,
            advice=advice,
        )
    return result_page(Result.load(result), arguments.include_text or "none", arguments.data)


def _report(result: Path, arguments: argparse.Namespace) -> bytes:
    from medzh_score.render.report import rendered
    from medzh_score.results.result import saved_report

    if arguments.include_text is not None:
        advice = _("omit this option or use --to {html}", html=HTML)
        raise MedzhError(
            _("only HTML pages contain texts of predictions"),
            field="--include-text",
            found=arguments.include_text,
            advice=advice,
        )
    report, width = saved_report(result), options.width_of(arguments)
    full = options.command_line("medzh-score", "show", arguments.result, "--full")
    text = rendered(
        report,
        arguments.to,
        width,
        full=arguments.full,
        closing=[(_("more"), full)] if arguments.output in {None, "-"} else (),
        colored=options.is_colored(arguments),
    )
    return options.encoded(text, arguments)


VERIFY_DESCRIPTION = N_("""\
Check whether records, files and scorer match those in a report, and whether scoring again gives the same numbers.
Exit code 1 if anything differs. Pass the files as arguments. Otherwise, the command searches for them next to the
report and in the current folder. For a result folder, hashes are also checked, and statistics and answers are
computed again. With --item, only the predictions of one record are checked: for each run, the hash of the prediction
is compared with the hash of the scored prediction.
""")


def add_verify(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=VERIFY_DESCRIPTION)
    options.add_report(parser)
    parser.add_argument("files", metavar="FILE", nargs="*", default=[], help=_("files listed in the report"))
    options.add_data(parser)
    item = _("record id: check only whether the predictions files contain the answers that were scored for it")
    parser.add_argument("--item", metavar="ID", help=item)
    parser.set_defaults(run=_run_verify, data=os.environ.get(options.DATA_VARIABLE) or None)


def _run_verify(arguments: argparse.Namespace) -> int:
    from medzh_score.scoring.verify import verify

    report, files = Path(arguments.report), [Path(name) for name in arguments.files]
    if arguments.item is None:
        found = verify(report, arguments.data, files)
    else:
        from medzh_score.scoring.verify_item import verify_item

        found = verify_item(report, arguments.data, files, arguments.item)
    lines = [
        *(_("matches: {line}", line=line) for line in found.same),
        *(_("differs: {line}", line=line) for line in found.problems),
    ]
    print_lines(part for line in lines for part in translated(line).split("\n"))
    return 1 if found.problems else 0


BUNDLE_DESCRIPTION = N_("""\
Pack a report and the files that it names into an archive for deposit with a paper. SHA256SUMS contains the hash of
each file. Records are not packed; the report names them. For a result folder, all files are packed and no texts are
removed from the answers, because the archive also contains the predictions with all texts.
""")


def add_bundle(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=BUNDLE_DESCRIPTION)
    options.add_report(parser)
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        default=[],
        help=_("files listed in the report (default: search next to the report and in the current folder)"),
    )
    parser.add_argument("-o", "--output", metavar="FILE.zip", required=True, help=_("output file"))
    parser.set_defaults(run=_run_bundle)


def _run_bundle(arguments: argparse.Namespace) -> int:
    from medzh_score.scoring.verify import deposit

    refuse_inputs("--output", arguments.output, [arguments.report, *arguments.files])
    members = deposit(Path(arguments.report), Path(arguments.output), [Path(name) for name in arguments.files])
    print_lines([f"{arguments.output}: {len(members)} files"])
    return 0
