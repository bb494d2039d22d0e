"""The command ``medzh-score``: what it knows, and how it fails."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from medzh_score.commands import check, cite, configs, prompts, reported, score, sensitivity
from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (configs, prompts, check, score, reported, sensitivity, cite)
BAD_INPUT = 2
INTERRUPTED = 130


def parser() -> argparse.ArgumentParser:
    """Build the parser of all subcommands; nothing heavy is imported for it."""
    top = argparse.ArgumentParser(
        prog="medzh-score",
        description="Score Chinese medical LLM benchmarks offline, from the predictions that you already have.",
    )
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(subparsers)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process when not given.

    Returns
    -------
    int
        0; 1 where ``check`` found something; 2 for bad input, after one line on standard error; 130 when interrupted.
    """
    return run(parser(), arguments)


def run(top: argparse.ArgumentParser, arguments: Sequence[str] | None) -> int:
    """Parse arguments, run the subcommand, and turn what goes wrong into one line.

    Parameters
    ----------
    top : argparse.ArgumentParser
        Whose subcommands have set ``run``.
    arguments : sequence of str or None
        Those of the process when None.
    """
    chosen = top.parse_args(arguments)
    try:
        status: int = chosen.run(chosen)
        sys.stdout.flush()
    except MedzhError as error:
        return _failed(top.prog, str(error))
    except BrokenPipeError:
        # Whoever read our output has enough; Python must not complain about it when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        return _failed(top.prog, f"{error.filename or 'input or output'}: {error.strerror or error}")
    except MemoryError:
        return _failed(top.prog, "there is not enough memory")
    return status


def _failed(program: str, message: str) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"{program}: error: {message}\n")
    return BAD_INPUT
