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
    Command("fetch", help=_("download upstream files into the cache"), module="dataset_scripts.cli.sources:add_fetch"),
    Command("build", help=_("make a config"), module="dataset_scripts.cli.build:add_build"),
    Command("check", help=_("verify a build folder"), module="dataset_scripts.cli.build:add_check"),
    Command("diff", help=_("compare two builds"), module="dataset_scripts.cli.release:add_diff"),
    Command("publish", help=_("put a build on a hub"), module="dataset_scripts.cli.release:add_publish"),
    Command("bundle", help=_("write a build into one file"), module="dataset_scripts.cli.release:add_bundle"),
    Command("new", help=_("write a package for a benchmark of your own"), module="dataset_scripts.cli.build:add_new"),
    Command("pin", help=_("write upstream files into a sources.toml"), module="dataset_scripts.cli.sources:add_pin"),
    Command("conform", help=_("try a config with known answers"), module="dataset_scripts.cli.build:add_conform"),
    Command("names", help=_("write a dictionary of disease names"), module="dataset_scripts.cli.terminology:add_names"),
    Command("notes", help=_("write scope notes as explanations"), module="dataset_scripts.cli.terminology:add_notes"),
)


def parser() -> Parser:
    """Build the parser; the module of a command is imported when it is called."""
    top = Parser(
        prog="medzh-build",
        description=_("Build datasets of Chinese medical benchmarks, and check them."),
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

    with override_limits(getattr(arguments, "bounds", None)), telling(quiet="quiet" in arguments):
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
    "medzh-build new": ("medzh-build new triage", "medzh-build new ward --kind true-false letters several pairs"),
    "medzh-build pin": (
        "medzh-build pin ACMISLab/PediaBench@a8ac50aeab30f7fd898b696a35a2cd336b83c602 'data/Pairing.xlsx'",
        "medzh-build pin org/repo@a8ac50aeab30f7fd898b696a35a2cd336b83c602 data/a.csv --from copies --out sources.toml",
    ),
    "medzh-build conform": ("medzh-build conform sdak", "medzh-build conform sdak --data build/medzh"),
    "medzh-build names": ("medzh-build names -o names.tsv", "medzh-build names --source icd10=table.csv -o names.tsv"),
    "medzh-build notes": ("medzh-build notes cmhe_ce -o notes.jsonl", "medzh-build notes cmhe_ce --split test"),
}
