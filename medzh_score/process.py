"""How a command ends: what goes wrong becomes one line on standard error and a status."""

from __future__ import annotations

import io
import os
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, NoReturn

from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

BAD_INPUT = 2
INTERRUPTED = 130


def run(  # noqa: PLR0911 - one return for each end
    top: argparse.ArgumentParser,
    arguments: Sequence[str] | None,
    around: Callable[[argparse.Namespace], AbstractContextManager[object]] = nullcontext,
) -> int:
    """Parse arguments, run the subcommand, and turn what goes wrong into one line.

    Parameters
    ----------
    top : argparse.ArgumentParser
        Whose subcommands have set ``run``.
    arguments : sequence of str or None
        Those of the process when None.
    around : callable
        From the parsed arguments to a context in which the subcommand runs.
    """
    chosen = top.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # the same bytes in every locale
    try:
        with around(chosen):
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
        place = f"{error.filename}: " if error.filename else ""
        return _failed(top.prog, f"{place}{error.strerror or error}")
    except MemoryError:
        return _failed(top.prog, "there is not enough memory")
    except ImportError as error:
        return _failed(top.prog, f"{error}; building needs more than scoring: pip install 'medzh-score[build]'")
    except Exception as error:  # noqa: BLE001 - no traceback reaches a user, not even for a fault of ours
        return _failed(top.prog, f"unexpected {type(error).__name__}: {' '.join(str(error).split())}; please report it")
    return status


def _failed(program: str, message: str) -> int:
    sys.stdout.flush()
    if sys.stderr is not None:
        sys.stderr.write(f"{program}: error: {message}\n")
    return BAD_INPUT


def finish(status: int) -> NoReturn:
    """End the process at once with a status.

    Arrow's threads abort about one in thirty processes that end early in the ordinary way.

    Parameters
    ----------
    status : int
        As a command returned it.
    """
    if sys.stderr is not None:
        sys.stderr.flush()
    os._exit(status)
