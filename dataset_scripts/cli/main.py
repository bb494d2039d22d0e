"""The command ``medzh-build``, also ``python -m dataset_scripts``."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from medzh_score.ui.cli import Command, Parser
from medzh_score.ui.i18n import _
from medzh_score.ui.process import as_process, run
from medzh_score.ui.progress import telling

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence


COMMANDS = (
    Command("fetch", help=_("Download upstream files into the cache"), module="dataset_scripts.cli.sources:add_fetch"),
    Command("build", help=_("Build a config"), module="dataset_scripts.cli.build:add_build"),
    Command("check", help=_("Verify a build folder"), module="dataset_scripts.cli.build:add_check"),
    Command("diff", help=_("Compare two builds"), module="dataset_scripts.cli.release:add_diff"),
    Command("publish", help=_("Publish a build on a hub"), module="dataset_scripts.cli.release:add_publish"),
    Command("bundle", help=_("Write a build to one offline bundle"), module="dataset_scripts.cli.release:add_bundle"),
    Command("new", help=_("Write a package for a new benchmark"), module="dataset_scripts.cli.build:add_new"),
    Command(
        "pin", help=_("Write sources.toml entries for upstream files"), module="dataset_scripts.cli.sources:add_pin"
    ),
    Command(
        "check-config",
        help=_("Check a config with answers of known quality"),
        module="dataset_scripts.cli.build:add_conform",
    ),
    Command(
        "disease-names",
        help=_("Write a disease-name dictionary"),
        module="dataset_scripts.cli.terminology:add_names",
    ),
    Command(
        "scope-notes",
        help=_("Write a predictions file from scope notes"),
        module="dataset_scripts.cli.terminology:add_notes",
    ),
)


def parser() -> Parser:
    """Build the parser; the module of a command is imported when it is called."""
    top = Parser(
        prog="medzh-build",
        description=_("Build and check datasets of Chinese medical benchmarks."),
        examples="dataset_scripts.cli.main",
    )
    top.add_commands("COMMAND", COMMANDS)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Gives the exit status: 0 if it worked, 1 if what was checked is not well, 2 for bad input, 130 if interrupted.
    """
    return run(parser(), argv, _around)


@contextmanager
def _around(arguments: argparse.Namespace) -> Iterator[None]:
    from medzh_score.io.limits import override_limits

    with override_limits(getattr(arguments, "size_limit_factor", None)), telling(quiet="quiet" in arguments):
        yield


def console() -> None:
    """Run the command as a process of its own, and end it."""
    as_process(main)


EXAMPLES = {
    "medzh-build": ("medzh-build fetch sdak", "medzh-build build sdak --recipe official"),
    "medzh-build fetch": ("medzh-build fetch sdak", "medzh-build fetch cmhe_hd cmhe_dd"),
    "medzh-build build": (
        "medzh-build build sdak --recipe official",
        "medzh-build build tcmd --recipe open",
    ),
    "medzh-build check": ("medzh-build check", "medzh-build check build/medzh"),
    "medzh-build diff": (
        "medzh-build diff build/medzh.000001 build/medzh",
        "medzh-build diff org/medzh@v1.0.0 build/medzh",
    ),
    "medzh-build publish": (
        "medzh-build publish org/medzh --version 1.0.0 --dry-run",
        "medzh-build publish org/medzh --version 1.1.0 --configs sdak cmhe_hd",
    ),
    "medzh-build bundle": (
        "medzh-build bundle -o medzh.zip",
        "medzh-build bundle --data build/medzh -o medzh.zip",
    ),
    "medzh-build new": (
        "medzh-build new ward --kind true-false letters several pairs",
        "medzh-build new ward --from questions.xlsx",
    ),
    "medzh-build pin": (
        "medzh-build pin ACMISLab/PediaBench@a8ac50aeab30f7fd898b696a35a2cd336b83c602 'data/Pairing.xlsx'",
        "medzh-build pin org/repo@a8ac50aeab30f7fd898b696a35a2cd336b83c602 data/a.csv --from copies -o sources.toml",
    ),
    "medzh-build check-config": ("medzh-build check-config sdak", "medzh-build check-config sdak --data build/medzh"),
    "medzh-build disease-names": (
        "medzh-build disease-names -o names.tsv",
        "medzh-build disease-names --source icd10=table.csv -o names.tsv",
    ),
    "medzh-build scope-notes": (
        "medzh-build scope-notes cmhe_ce -o notes.jsonl",
        "medzh-build scope-notes cmhe_ce --split test",
    ),
}
