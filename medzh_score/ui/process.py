"""How a command ends: what goes wrong becomes one line on standard error and a status."""

from __future__ import annotations

import io
import os
import signal
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, NoReturn

from medzh_score.ui.errors import error_text, problem_of
from medzh_score.ui.i18n import choose, translated
from medzh_score.ui.privacy import at_work
from medzh_score.ui.progress import write_to_user

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

BAD_INPUT = 2
SIGNALLED = 128  # and the signal's number: the status of a process that one ended
ENDINGS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def run(
    top: argparse.ArgumentParser,
    arguments: Sequence[str] | None,
    around: Callable[[argparse.Namespace], AbstractContextManager[object]] = nullcontext,
) -> int:
    """Parse arguments, run the subcommand, and turn what goes wrong into one line."""
    given = sys.argv[1:] if arguments is None else arguments
    choose(given)
    if isinstance(sys.stdout, io.TextIOWrapper):
        _write_the_same_everywhere(sys.stdout)
    chosen = top.parse_args(given)
    with at_work():
        try:
            with around(chosen):
                status: int = chosen.run(chosen)
            _flush()
        except BrokenPipeError:
            # Whoever read our output has enough; Python must not complain about it when it closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        except KeyboardInterrupt as ending:
            return SIGNALLED + (ending.args[0] if ending.args else signal.SIGINT)
        except Exception as error:  # noqa: BLE001 - no traceback reaches a user, not even for a fault of ours
            return _failed(top.prog, error_text(problem_of(error)))
        return status


def _write_the_same_everywhere(stream: io.TextIOWrapper) -> None:
    """Write UTF-8 in every locale; a terminal gets what it can show."""
    if stream.isatty():
        stream.reconfigure(errors="backslashreplace")
    else:
        stream.reconfigure(encoding="utf-8")


def _flush() -> None:
    if sys.stdout is not None:  # it is None where the process began with it closed
        sys.stdout.flush()


def _failed(program: str, message: str) -> int:
    _flush()
    write_to_user(f"{program}: {translated('error: ')}{message}\n")
    return BAD_INPUT


def as_process(main: Callable[[], int]) -> NoReturn:
    """Run a command as a process of its own, and end it at once with its status.

    Arrow's threads abort about one in thirty processes that end early in the ordinary way.
    """
    for number in ENDINGS:
        if signal.getsignal(number) == signal.SIG_DFL:  # what nohup has ignored stays so
            signal.signal(number, _end)
    os._exit(main())


def _end(number: int, _frame: object) -> NoReturn:
    """End as an interrupt from the keyboard does: what is half written goes."""
    raise KeyboardInterrupt(number)
