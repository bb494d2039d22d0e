"""medzh-score cite: BibTeX of a benchmark's paper, of this software and of the data that is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.commands import options

if TYPE_CHECKING:
    import argparse

DESCRIPTION = """\
Print what to put into a paper: BibTeX entries for the benchmark's paper, for medzh and for the data that was built,
and a sentence that uses them. Lines that start with % are for you.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command.

    Parameters
    ----------
    subparsers : argparse subparsers
        Those of ``medzh-score``.
    """
    parser = subparsers.add_parser("cite", help="print BibTeX to cite", description=DESCRIPTION)
    options.add_config(parser)
    options.add_data(parser)
    parser.add_argument("--report", type=Path, metavar="FILE", help="a report as JSON, whose signature is added")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out.

    Parameters
    ----------
    arguments : argparse.Namespace
        ``config``, ``data`` and ``report``.

    Returns
    -------
    int
        The exit status.

    Raises
    ------
    MedzhError
        If the config is unknown, the build's manifest is damaged, or the report is none of this config.
    """
    from medzh_score.files.writing import open_output
    from medzh_score.report.citation import cite

    content = cite(arguments.config, arguments.data, arguments.report)
    with open_output(None) as stream:
        stream.write(content.encode())
    return 0
