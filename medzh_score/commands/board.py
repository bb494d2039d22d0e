"""``medzh-score board``: static pages of many systems on many configs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.commands import options
from medzh_score.commands.comparison_options import named_folders

if TYPE_CHECKING:
    import argparse

    from medzh_score.messages.parser import Parser

DESCRIPTION = """\
Write static pages of result folders, for any web server or a hub's Space: an overview of models and configs, a page a
config with ranks, intervals, ties and differences, a page a model, and all of it as CSV and JSON. Only results that
compare takes together stand in one table; others stand apart, and the page says why. What did not change since the
last time is not written again. No page holds the text of an item, and none asks for anything from a network.
"""
SWAPS = 2000


def add(parser: Parser) -> None:
    """Declare the arguments."""
    parser.describe(description=DESCRIPTION)
    folders = "result folders of any configs, each with what the system is called (default: its model); or a suite"
    parser.add_argument("results", metavar="DIR[=LABEL]", nargs="+", help=folders)
    site = "the folder of the board: one that a board stands in, an empty one, or one that is not there yet"
    parser.add_argument("-o", "--out", metavar="SITE", required=True, help=site)
    parser.add_argument("--rule", metavar="NAME", help="how answers were read (default: the config's primary rule)")
    options.add_repeated(
        parser, "--allow", "KEY", description="a key of the signatures in which the systems of a table may differ"
    )
    resamples = "resamples of intervals and ranks (default 1000; 0: none)"
    parser.add_argument("--bootstrap", type=options.not_negative, default=1000, metavar="N", help=resamples)
    swaps = f"how often the rows of all systems are permuted, for ties (default {SWAPS})"
    parser.add_argument("--swaps", type=options.positive, default=SWAPS, metavar="N", help=swaps)
    options.add_seed(parser, "resamples and swaps")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the board, and say how much of it changed."""
    from pathlib import Path

    from medzh_score.messages.errors import MedzhError
    from medzh_score.messages.progress import say
    from medzh_score.report.comparison.choices import Choices
    from medzh_score.show.board.board import Named, write_board
    from medzh_score.statistics.values import Bootstrap

    site = Path(arguments.out)
    named = [Named(Path(folder), label) for folder, label in named_folders(arguments.results, None)]
    for one in named:
        place = one.folder.resolve()
        if place.is_relative_to(site.resolve()):
            raise MedzhError("holds a result that is read", file=site, field="--out", advice="name another place")
        if site.resolve().is_relative_to(place):
            raise MedzhError("stands in a result that is read", file=site, field="--out", advice="name another place")
    choices = Choices(
        rule=arguments.rule,
        allow=tuple(dict.fromkeys(arguments.allow)),
        bootstrap=Bootstrap(arguments.bootstrap, arguments.seed),
        swaps=arguments.swaps,
    )
    done = write_board(site, named, choices)
    say([f"{site}: {done.written} files written, {done.kept} kept, {done.removed} removed"])
    return 0
