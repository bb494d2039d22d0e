"""The command ``medzh-build``, also ``python -m dataset_scripts``."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = ("fetch", "build", "check", "sheet", "tally")
BAD_INPUT = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; those of the process when not given.

    Returns
    -------
    int
        The exit status: 0 if it worked, 1 if what was checked is not well, 2 for bad input, 130 if interrupted.
    """
    arguments = _parser().parse_args(argv)
    try:
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except MedzhError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever reads has enough. What is buffered must not be written at exit, either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _complain(f"{place}{error.strerror or error}")
    return status


def _parser() -> argparse.ArgumentParser:
    from medzh_score.version import VERSION

    parser = argparse.ArgumentParser(
        prog="medzh-build", description="Build datasets of Chinese medical benchmarks, and check them."
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {VERSION}")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMANDS:
        module = f"dataset_scripts.commands.{name}"
        if find_spec(module) is not None:
            import_module(module).add(subparsers)
    return parser


def _complain(message: str) -> int:
    sys.stderr.write(f"medzh-build: error: {message}\n")
    return BAD_INPUT
