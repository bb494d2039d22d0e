"""Options that several subcommands share."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from contextlib import contextmanager, nullcontext
from datetime import date
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from medzh_score.io.paths import matching, readable_often, split_label
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, joined, translated
from medzh_score.ui.progress import telling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from medzh_score.prompting.positions import SentOrder
    from medzh_score.readers.files import PredictionFiles
    from medzh_score.ui.cli import Parser


TABLE_FORMS = ("text", "json", "markdown", "latex")
REPORT_FORMS = (*TABLE_FORMS, "csv")
DEFAULT_DATA, DATA_VARIABLE = "build/medzh", "MEDZH_DATA"
FILES_HELP = _("predictions files; several files form one set; a glob such as 'runs/*.jsonl', or - for standard input")
FILE_ARGUMENTS = ("predictions", "skip_answered")  # those that hold what models answered


def add_config(parser: Parser) -> None:
    """Add the argument CONFIG."""
    parser.add_argument(
        "config", metavar="CONFIG", help=_("config, such as sdak; run `medzh-score configs` for a list")
    )


def add_suite(parser: Parser) -> None:
    """Add the argument SUITE."""
    parser.add_argument("suite", metavar="SUITE", help=_("suite folder"))


def suite_guarded(arguments: argparse.Namespace) -> AbstractContextManager[None]:
    """Guard the suite that a command works on, if it does."""
    if "suite" not in arguments:
        return nullcontext()

    from medzh_score.suites.plan import guarded_if_there

    return guarded_if_there(Path(arguments.suite))


def add_report(parser: Parser) -> None:
    """Add the argument REPORT."""
    said = _("report from `medzh-score score --to json`, or result folder")
    parser.add_argument("report", metavar="REPORT", help=said)


def add_data(parser: Parser) -> None:
    """Add ``--data``."""
    parser.add_argument(
        "--data",
        metavar="DATA",
        default=os.environ.get(DATA_VARIABLE) or DEFAULT_DATA,
        help=_(
            "build folder, offline bundle, open (open data), mini (mini sample), or a tag on the hub such as "
            "org/medzh@v1.0.0 (default: {default_data}, or the value of {data_variable})",
            default_data=DEFAULT_DATA,
            data_variable=DATA_VARIABLE,
        ),
    )


def add_asking(parser: Parser) -> None:
    """Add how the first round asks: wording, runs, variants and examples."""
    parser.add_argument("--prompt", metavar="NAME", help=_("prompt template (default: the config's first)"))
    parser.add_argument("--runs", type=runs, metavar="N", help=_("number of runs (default: 1)"))
    parser.add_argument(
        "--variants",
        metavar="ORDERS",
        help=_("option orders: all, cyclic or a number (default: only the original order)"),
    )
    parser.add_argument(
        "--shots", type=not_negative, metavar="N", help=_("number of few-shot examples (default: as in the paper)")
    )
    parser.add_argument(
        "--shot-selection", metavar="NAME", help=_("method for selecting examples (default: as in the paper)")
    )
    parser.add_argument(
        "--shot-tokenizer", metavar="NAME", help=_("tokenizer for selecting examples: jieba (default) or characters")
    )


def add_output(parser: Parser, *, description: str, forms: Sequence[str] = TABLE_FORMS) -> None:
    """Add ``--to`` and ``--output``."""
    parser.add_argument("--to", choices=forms, help=description)
    add_out(parser)
    declare_endings(parser, {ending: meant for ending, meant in ENDINGS.items() if meant[0] in forms}, "text")


def add_repeated(parser: Parser, option: str, metavar: str, *, description: str) -> None:
    """Add an option that may be repeated, and gives a list."""
    parser.add_argument(option, action="append", default=[], metavar=metavar, help=description)


def add_out(parser: Parser) -> None:
    """Add ``--output``."""
    parser.add_argument("-o", "--output", metavar="FILE", help=_("output file (default: standard output)"))


def add_width(parser: Parser) -> None:
    """Add ``--width``."""
    columns = _("maximum width of text (default: terminal width; unlimited for files and pipes)")
    parser.add_argument("--width", type=_wide_enough, metavar="N", help=columns)


def add_full(parser: Parser) -> None:
    """Add ``--full``."""
    every = _("text and Markdown with all tables, all warnings and the signature (default: one screen)")
    parser.add_argument("--full", action="store_true", help=every)


def is_colored(arguments: argparse.Namespace) -> bool:
    """Tell whether text is printed to a terminal that shows colors."""
    if arguments.output not in {None, "-"} or os.environ.get("TERM") == "dumb" or os.environ.get("NO_COLOR"):
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def command_line(*words: str) -> str:
    """Write a command as it can be pasted."""
    return shlex.join(words)


def reading_words(arguments: argparse.Namespace) -> list[str]:
    """Repeat the files, and the options by which they are read, for the next command."""
    words = [arguments.config, *arguments.named_files]
    if arguments.data != (os.environ.get(DATA_VARIABLE) or DEFAULT_DATA):
        words += ["--data", arguments.data]
    for option, value in (("--from", arguments.reader), ("--rule", arguments.rule)):
        words += [option, value] if value else []
    for option, given in (("--file-per-run", arguments.file_per_run), ("--keep-reasoning", arguments.keep_reasoning)):
        words += [option] if given else []
    return words


def encoded(text: str, arguments: argparse.Namespace) -> bytes:
    """Encode what is written; CSV files get a byte order mark, by which spreadsheets know UTF-8."""
    return text.encode("utf-8-sig" if arguments.to == "csv" and arguments.output not in {None, "-"} else "utf-8")


def width_of(arguments: argparse.Namespace) -> int:
    """Find how wide text may be."""
    from medzh_score.render.tables import width_for

    return width_for(arguments.output) if arguments.width is None else int(arguments.width)


PRIMARY_RULE = _("extraction rule (default: the config's primary rule)")


def add_predictions(parser: Parser, rule_help: str = PRIMARY_RULE) -> None:
    """Add CONFIG, the predictions files, how they are read, and ``--data``."""
    add_config(parser)
    parser.add_argument("predictions", metavar="FILE", nargs="+", help=FILES_HELP)
    add_reading(parser, rule_help)
    add_data(parser)


def add_reading(parser: Parser, rule_help: str = PRIMARY_RULE) -> None:
    """Add how predictions files are read."""
    from medzh_score.readers import FORMATS

    parser.add_argument(
        "--from",
        dest="reader",
        metavar="FORMAT",
        help=_("input format: {formats_listed} (default: detected from the content)", formats_listed=joined(FORMATS)),
    )
    parser.add_argument("--file-per-run", action="store_true", help=_("treat each file as one run"))
    parser.add_argument("--rule", metavar="NAME", help=rule_help)
    kept = _("keep reasoning and chat tokens for official rules (default: remove; medzh-1 always removes them)")
    parser.add_argument("--keep-reasoning", action="store_true", help=kept)


def files_of(arguments: argparse.Namespace, names: Sequence[str], order: SentOrder | None = None) -> PredictionFiles:
    """Take predictions files together with how they are read."""
    from medzh_score.prompting.positions import no_order
    from medzh_score.readers.files import PredictionFiles

    paths = tuple(Path(name) for name in names)
    kept = arguments.keep_reasoning
    return PredictionFiles(paths, arguments.reader, arguments.file_per_run, order or no_order, kept)


def add_seed(parser: Parser, of: str) -> None:
    """Add ``--seed``."""
    parser.add_argument(
        "--seed", type=not_negative, default=0, metavar="N", help=_("random seed for {of} (default: 0)", of=of)
    )


def add_variants(parser: Parser) -> None:
    """Add ``--variants``, where predictions are read; the seed is told apart from that of the resamples."""
    parser.add_argument(
        "--variants",
        metavar="ORDERS",
        help=_(
            "option orders used in the prompts: all, cyclic, N or N:SEED; predictions with other orders cause an error"
        ),
    )


def not_negative(text: str) -> int:
    """Read a whole number from 0, for argparse."""
    return _whole(text, 0)


def positive(text: str) -> int:
    """Read a whole number from 1, for argparse."""
    return _whole(text, 1)


def runs(text: str) -> int:
    """Read how often each prompt is asked, for argparse: no oftener than can be scored."""
    from medzh_score.prompting.ids import MOST_RUNS

    return _whole(text, 1, MOST_RUNS)


def _wide_enough(text: str) -> int:
    from medzh_score.render.tables import NARROWEST

    return _whole(text, NARROWEST)


def _whole(text: str, least: int, most: int | None = None) -> int:
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(
            translated(_("expected an integer of at least {least}, found {text!r}", least=least, text=text))
        )
    if most is not None and number > most:
        raise argparse.ArgumentTypeError(translated(_("expected at most {most}, found {text!r}", most=most, text=text)))
    return number


@contextmanager
def inputs_made_readable(arguments: argparse.Namespace) -> Iterator[None]:
    """Let the files of a command be read, and its notes be said, while the block runs, within bounds.

    Patterns become the files that match them; standard input becomes a file that goes away.
    """
    from medzh_score.io.limits import override_limits

    quiet = "quiet" in arguments
    _settle_form(arguments)
    arguments.named_files = list(getattr(arguments, "predictions", None) or [])  # as they can be named again
    with override_limits(getattr(arguments, "size_limit_factor", None)), telling(quiet=quiet):
        labelled = getattr(arguments, "labelled", ())
        files = {
            name: _matching(getattr(arguments, name, None) or [], labelled=name in labelled) for name in FILE_ARGUMENTS
        }
        stages = getattr(arguments, "stage", None)
        named = [text.partition("=") for text in stages] if isinstance(stages, list) else []
        wanted = [
            *(file for given in files.values() for _unused, file in given),
            *(file for _unused, equals, file in named if equals),
        ]
        with readable_often(wanted) as (paths, names), telling(quiet=quiet, names=names):
            left = iter(paths)
            for name, given in files.items():
                if given:
                    setattr(arguments, name, [label + next(left) for label, _unused in given])
            if named:
                arguments.stage = [name + equals + (next(left) if equals else "") for name, equals, _unused in named]
            yield


def _matching(given: Sequence[str], *, labelled: bool) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name in given:
        file = split_label(name)[1] if labelled else name
        found += [(name.removesuffix(file), one) for one in matching(file)]
    return found


def day(text: str) -> str:
    """Read a day, for argparse."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(
            translated(_("expected a date such as 2024-05-01, found {text!r}", text=text))
        ) from None


def agreed(question: str) -> bool:
    """Ask, in the user's language; refuse to go on where nobody is there to give an answer."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise MedzhError(
            _("confirmation is not possible because standard input is not a terminal"),
            field="--yes",
            advice=_("add --yes to confirm"),
        )
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes", "是"}


ENDINGS = {
    ".txt": ("text",),
    ".json": ("json",),
    ".md": ("markdown",),
    ".tex": ("latex",),
    ".csv": ("csv",),
    ".html": ("html",),
}
LINES = ".jsonl"
SENT = {".csv": ("csv",), ".xlsx": ("xlsx",), LINES: ("chat", "text", "openai-batch")}
PROGRAMS = (".csv", ".tsv", ".xls", ".xlsx", ".html", ".htm", ".pdf", ".docx")  # open it by its name
KNOWN = {*ENDINGS, *SENT, *PROGRAMS}
PAGE = _("for a page, use --save DIR and run: medzh-score show DIR --to html")


def declare_endings(parser: Parser, endings: Mapping[str, Sequence[str]], ordinary: str | None = None) -> None:
    """Let the name of the file decide where ``--to`` does not: of the forms behind its ending the first."""
    parser.set_defaults(endings=endings, ordinary=ordinary)


def _settle_form(arguments: argparse.Namespace) -> None:
    """Set the form that was not given; refuse a name that promises another.

    What is a text in any case, such as Markdown, ``--to`` may write under another such name.

    Examples
    --------
    >>> from argparse import Namespace
    >>> given = Namespace(to=None, output="x.md", endings=ENDINGS, ordinary="text")
    >>> _settle_form(given)
    >>> given.to
    'markdown'
    """
    if items := getattr(arguments, "items", None):
        _refuse_ending("--items", items, (LINES,), _("change the file extension"))
    if "endings" not in arguments:
        return
    ending = _ending(arguments.output)
    meant = arguments.endings.get(ending)
    form = arguments.to or (meant[0] if meant else arguments.ordinary)
    if meant is None or (form not in meant and ending in {*PROGRAMS, LINES}):
        able = (one for one, forms in arguments.endings.items() if arguments.to is None or form in forms)
        advice = _("change the file extension or omit --to") if arguments.to else _("change the file extension")
        advice = PAGE if ending == ".html" and "save" in arguments else advice
        _refuse_ending("--output", arguments.output, tuple(able), advice)
    arguments.to = form


def _ending(name: str | None) -> str:
    return PurePath(name or "").suffix.lower()


def _refuse_ending(option: str, name: str | None, endings: Sequence[str], advice: str) -> None:
    ending = _ending(name)
    if ending in KNOWN and ending not in endings:
        problem = _("the output format does not match the extension {ending}", ending=ending)
        raise MedzhError(problem, field=option, expected=", ".join(endings), found=name, advice=advice)


def on_terminal(output: str | None) -> bool:
    """Return whether what is written is shown on a terminal that has colors."""
    plain = os.environ.get("TERM") == "dumb" or bool(os.environ.get("NO_COLOR"))
    return output in {None, "-"} and not plain and sys.stdout is not None and sys.stdout.isatty()
