"""A parser of the command line that helps and complains in the language that was chosen."""

from __future__ import annotations

import argparse
import re
import sys
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from medzh_score.ui.errors import closest, printable
from medzh_score.ui.i18n import CHINESE, LANGUAGES, N_, OPTION, _, current, translated
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any


SHELLS = ("bash", "zsh")
argparse._ = translated  # type: ignore[attr-defined]
GENERAL = N_("general")
GROUPS = {
    N_("input"): "--data --split --from --file-per-run --report --source --mapping --cache --kind --id --run --variant "
    "--item --unparsed --pattern --limit --figure --table --n --list --all --configs --version",
    N_("answer extraction"): "--rule --keep-reasoning --dictionary --fallback-extractor --include-ambiguous --reading",
    N_(
        "missing predictions and statistics"
    ): "--missing --allow-partial-runs --bootstrap --interval --ddof --permutations --seed",
    N_("stages"): "--stage --stages --stage-sample --predictions --sample --skip-answered --annotator --judge "
    "--test-model --share --evidence",
    N_("prompts"): "--prompt --prompts --runs --variants --shots --shot-selection --shot-tokenizer --count-tokens",
    N_("models"): "--model --models --base-url --api-key-env --allow-host --concurrency",
    N_("comparison"): "--config --metric --by --baseline --allow --same-prompts --paper-row --fail-on-regression "
    "--inconclusive",
    N_("build"): "--recipe --private --publishable --accept-missing --license --citation",
    N_("contents"): "--wheels --extras --lock --manual --dictionaries --results",
    N_("metadata"): "--dataset --url --organization --relationship",
    N_("workers"): "--workers --scheduler --shard",
    N_("output"): "--to --output --full --width --items --save --overwrite --include-text --display-names --decimals "
    "--caption --sort-by --layout --methods --accessed --date --update-card --yes --dry-run",
}
# Options and commands that were renamed: the old name is refused with the new one.
RENAMED = {
    "--round": "--stage",
    "--round-sample": "--stage-sample",
    "--second-reader": "--fallback-extractor",
    "--unclear": "--include-ambiguous",
    "--allow-fragments": "--allow-partial-runs",
    "--texts": "--include-text",
    "--unread": "--unparsed",
    "--rule-fired": "--pattern",
    "--first": "--limit",
    "--after": "--predictions",
    "--answered": "--skip-answered",
    "--icl": "--shot-selection",
    "--tokens": "--shot-tokenizer",
    "--swaps": "--permutations",
    "--printed": "--paper-row",
    "--order": "--sort-by",
    "--digits": "--decimals",
    "--labels": "--display-names",
    "--undecided": "--inconclusive",
    "--into": "--update-card",
    "--replace": "--overwrite",
    "--bounds": "--size-limit-factor",
    "--out": "--output",
    "--licence": "--license",
    "--organisation": "--organization",
    "board": "leaderboard",
    "reported": "published",
    "bundle": "archive",
    "conform": "check-config",
    "names": "disease-names",
    "notes": "scope-notes",
}
GROUP_OF = {option: title for title, options in GROUPS.items() for option in options.split()}


# A line of Chinese help may break next to a Chinese character and between words. No closing mark begins a line.
PIECES = re.compile(r"[（“]*(?:[\u2e80-\u9fff]|[!-~]+)[，。、；：！？）”…\u2013-\u2022\uff01-\uff5e]*|\s+|\S")


class _ChineseFormatter(argparse.HelpFormatter):
    """As argparse's, but a Chinese character takes two columns, and paragraphs keep apart."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return _lines(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        found = (_lines(line, width - len(indent)) or [""] for line in text.splitlines())
        return "\n".join(indent + line for lines in found for line in lines)


def _lines(text: str, width: int) -> list[str]:
    from rich.cells import cell_len

    lines = [""]
    for piece in PIECES.findall(text):
        if cell_len(lines[-1] + piece.rstrip()) > width and lines[-1].strip():
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [line.rstrip() for line in lines if line.strip()]


class Command(NamedTuple):
    """A command of a program or group; ``module`` is ``MODULE:FUNCTION``, imported and called when it is needed."""

    name: str
    help: str
    module: str


class Parser(argparse.ArgumentParser):
    """As argparse's, with what every command takes; of a module that declares the rest when it is needed.

    ``module`` names a function that declares the options, as ``MODULE:FUNCTION``, and ``examples`` a module with
    ``EXAMPLES``, by program and command.
    """

    def __init__(self, *, module: str | None = None, examples: str | None = None, **given: Any) -> None:  # noqa: ANN401 - as argparse's own
        super().__init__(add_help=False, allow_abbrev=False, **given)
        self._module, self._examples, self._whole = module, examples, False
        self.hints: dict[str, str] = {}  # where to get a value that options refuse

    def describe(self, **texts: Any) -> None:  # noqa: ANN401 - as argparse's own
        """Set description, epilogue or the class that formats them."""
        for name, text in texts.items():
            setattr(self, name, text)

    def add_commands(self, metavar: str, commands: Sequence[Command]) -> None:
        """Add commands, one of which is called."""
        subparsers = self.add_subparsers(dest=metavar.lower(), required=True, metavar=metavar)
        for one in commands:
            subparsers.add_parser(one.name, help=one.help, module=one.module, examples=self._examples)

    def add_argument(self, *names: Any, **given: Any) -> argparse.Action:  # noqa: ANN401 - as argparse's own
        """Add an argument, an option under its heading."""
        title = next((GROUP_OF[name] for name in names if name in GROUP_OF), None)
        return (
            super().add_argument(*names, **given) if title is None else self.group(title).add_argument(*names, **given)
        )

    def group(self, title: str) -> argparse._ArgumentGroup:
        """Give the group of options with a heading, which is made where there is none."""
        heading = translated(title)
        found = next((group for group in self._action_groups if group.title == heading), None)
        return found or self.add_argument_group(heading)

    def complete(self) -> Parser:
        """Declare all options, once; gives the parser itself."""
        if not self._whole:
            self._whole = True
            if self._module is not None:
                from importlib import import_module

                module, _unused, declare = self._module.partition(":")
                getattr(import_module(module), declare)(self)
            self._add_general()
        return self

    def _add_general(self) -> None:
        general = self.group(GENERAL)
        general.add_argument("-h", "--help", action="help", help=_("show this help message and exit"))
        version = f"{self.prog.partition(' ')[0]} {VERSION}"
        free = [one for one in ("-V", "--version") if one not in self._option_string_actions]  # publish names its own
        general.add_argument(*free, action="version", version=version, help=_("show program's version number and exit"))
        general.add_argument(
            "-q",
            "--quiet",
            action="store_true",
            default=argparse.SUPPRESS,
            help=_("show no notes and no progress on standard error; errors are still shown"),
        )
        language = _("language of messages and reports (default: MEDZH_LANG, else the locale)")
        general.add_argument(OPTION, choices=LANGUAGES, default=argparse.SUPPRESS, help=language)
        general.add_argument(
            "--size-limit-factor",
            type=int,
            metavar="N",
            default=argparse.SUPPRESS,
            help=_("multiply the size limits of input files by N (default: 1, or MEDZH_SIZE_LIMIT_FACTOR)"),
        )
        if self._examples is not None and " " not in self.prog:
            written = _('print a shell completion script: `eval "$(%(prog)s --print-completion bash)"`')
            general.add_argument("--print-completion", choices=SHELLS, action=_Completion, help=written)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401 - as argparse's own
        """Parse; a program or group without a word shows its help, and what is not known is refused by its command."""
        self.complete()
        if self._subparsers is not None and not _words(args or ()):
            self.print_help()
            self.exit()
        given = sys.argv[1:] if args is None else args
        ordered = _words_first(given, self._option_string_actions) if self._subparsers is None else given
        known, rest = super().parse_known_args(ordered, namespace)
        if rest:
            named = [word.partition("=")[0] for word in rest if word.startswith("-")] or rest
            words, likely = " ".join(named), likely_name(named[0], self._option_string_actions)
            unknown = _("unrecognized arguments: {words}", words=words)
            self.error(
                unknown
                if likely is None
                else _("unrecognized arguments: {words}; did you mean {likely}?", words=words, likely=likely)
            )
        return known, rest

    def _check_value(self, action: argparse.Action, value: Any) -> None:  # noqa: ANN401 - as argparse's own
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            likely = likely_name(str(value), list(map(str, action.choices or ())))
            error.message += translated(_("; did you mean {likely}?", likely=likely)) if likely else ""
            error.message += translated(_("; {hint}", hint=self.hints[value])) if value in self.hints else ""
            raise

    def format_help(self) -> str:
        """Give the help; the command's own words are translated before lines are broken."""
        self.complete()
        if current.get() == CHINESE:
            self.formatter_class = _ChineseFormatter
        self.description, self.epilog = _prose(self.description), _prose(self.epilog)
        for action in self._actions:
            if action.help and action.help != argparse.SUPPRESS:
                action.help = translated(action.help)
            for chosen in getattr(action, "_choices_actions", ()):
                chosen.help = translated(chosen.help)
        for group in self._action_groups:
            group.title = group.title and translated(group.title)
        shown = super().format_help()
        for group in self._action_groups if current.get() == CHINESE else ():
            shown = shown.replace(N_(f"\n{group.title}:\n"), f"\n{group.title}：\n")
        return shown + self._shown_examples()

    def _shown_examples(self) -> str:
        if self._examples is None:
            return ""
        from importlib import import_module

        examples = import_module(self._examples).EXAMPLES.get(self.prog, ())
        return "".join([f"\n{translated('examples:')}\n" if examples else "", *(f"  {one}\n" for one in examples)])

    def error(self, message: str) -> NoReturn:
        """End with status 2 after the usage and what is wrong."""
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {translated('error: ')}{printable(translated(message))}\n")


class _Completion(argparse.Action):
    """Prints a script for a shell, with all commands and options, and ends."""

    def __call__(self, parser: Any, _unused: object, values: Any, option_string: str | None = None) -> None:  # noqa: ANN401, ARG002 - as argparse's own
        from shtab import complete

        everything_declared(parser)
        sys.stdout.write(complete(parser, values))
        parser.exit()


def everything_declared(parser: Parser) -> dict[str, Parser]:
    """Declare the options of all commands; gives those that are no groups, by program and words."""
    parser.complete()
    inner = [one for action in parser._actions if isinstance(action.choices, dict) for one in action.choices.values()]  # noqa: SLF001 - argparse offers no other way
    found = [everything_declared(one).items() for one in inner]
    return dict(pair for pairs in found for pair in pairs) if inner else {parser.prog: parser}


def likely_name(written: str, names: Collection[str]) -> str | None:
    """Return the name that was meant: the new name of a renamed option or command, else the most similar one."""
    renamed = RENAMED.get(written)
    return renamed if renamed in names else closest(written, names)


def _prose(text: str | None) -> str | None:
    """Translate a paragraph; where there is nothing to translate it keeps its lines."""
    plain = " ".join((text or "").split())
    chosen = translated(plain)
    return text if chosen == plain else chosen


def _words(arguments: Sequence[str]) -> list[str]:
    """Leave out what says only how, such as a language."""
    before = ["", *arguments]
    how = ("-q", "--quiet", OPTION)
    return [
        one
        for last, one in zip(before, arguments, strict=False)
        if one not in how and last != OPTION and not one.startswith(f"{OPTION}=")
    ]


def _words_first(arguments: Sequence[str], options: Mapping[str, argparse.Action]) -> list[str]:
    """Put words before options with their values, in their order; leave all with --, or with what is no option."""
    words: list[str] = []
    others: list[str] = []
    taken = 0
    for place, argument in enumerate(arguments):
        if place < taken:
            others.append(argument)
        elif not _is_option(argument):
            words.append(argument)
        elif not _is_known(argument, options):
            return list(arguments)
        else:
            others.append(argument)
            taken = place + 1 + _values(arguments[place + 1 :], _last_of(argument, options))
    return words + others


def _is_option(argument: str) -> bool:
    return argument.startswith("-") and argument != "-"


def _is_known(argument: str, options: Mapping[str, argparse.Action]) -> bool:
    """Say whether it is an option, with its value or other letters behind it or without; -- is none."""
    short = not argument.startswith("--") and argument[:2] in options
    return short or argument.partition("=")[0] in options


def _last_of(argument: str, options: Mapping[str, argparse.Action]) -> argparse.Action | None:
    """Find the option that takes what follows: of letters that stand together the last, if no value stands there."""
    letters = argument[1:] if not argument.startswith("--") and argument not in options else ""
    for number, letter in enumerate(letters, 1):
        found = options.get(f"-{letter}")
        if found is None or found.nargs != 0:
            return found if number == len(letters) else None
    return options.get(argument)


def _values(following: Sequence[str], option: argparse.Action | None) -> int:
    """Count the values of an option: one, or all up to the next option."""
    if option is None or option.nargs == 0:
        return 0
    until = next((n for n, one in enumerate(following) if _is_option(one)), len(following))
    return until if option.nargs in {"+", "*"} else min(1, len(following))
