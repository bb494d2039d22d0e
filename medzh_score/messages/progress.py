"""What a command says on standard error beside its result: notes, and how far reading has come."""

from __future__ import annotations

import io
import sys
import time
from contextlib import contextmanager
from contextvars import ContextVar
from typing import IO, TYPE_CHECKING, NamedTuple

from medzh_score.messages.catalogue import translated
from medzh_score.messages.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

LONG = 1 << 23  # bytes of a file whose reading is shown
PATIENCE = 0.5  # seconds before something is shown, so that nothing flickers
PAUSE = 0.2  # seconds between two updates
BUFFER = 1 << 18
ERASED = "\r\x1b[K"


class _Told(NamedTuple):
    """What may be said; outside of a command nobody hears what the library says, nor asked for quiet."""

    heard: bool
    quiet: bool
    names: Mapping[str, str]
    held: list[str]


_SILENT = _Told(heard=False, quiet=False, names={}, held=[])
_TOLD: ContextVar[_Told] = ContextVar("told", default=_SILENT)


@contextmanager
def telling(*, quiet: bool = False, names: Mapping[str, str] | None = None) -> Iterator[None]:
    """Let notes and progress be written to standard error while the block runs."""
    told = _Told(not quiet, quiet, names or {}, [])
    token = _TOLD.set(told)
    try:
        yield
        say(told.held)
    finally:
        _TOLD.reset(token)


def say(lines: Sequence[str]) -> None:
    """Write notes for the user to standard error, where they do not mix with the result."""
    if not _TOLD.get().quiet and sys.stderr is not None:
        for line in lines:
            sys.stderr.write(printable(translated(line)) + "\n")


def say_in_the_end(line: str) -> None:
    """Keep a note until the block of `telling` ends well: where it does not, its error stands alone."""
    if _TOLD.get().heard:
        _TOLD.get().held.append(line)


def called(path: Path) -> str:
    """Give what the user calls a file."""
    return _TOLD.get().names.get(str(path), str(path))


def shows_progress() -> bool:
    """Say whether somebody looks on who wants to see it: a log is to hold messages alone."""
    return _TOLD.get().heard and sys.stderr is not None and sys.stderr.isatty()


def is_quiet() -> bool:
    """Say whether the user asked for quiet."""
    return _TOLD.get().quiet


def open_watched(path: Path) -> IO[bytes]:
    """Open a file for reading; of a long one the terminal shows how much was read."""
    if shows_progress() and path.is_file() and path.stat().st_size >= LONG:
        return io.BufferedReader(_Watched(path), BUFFER)
    return path.open("rb")


class _Watched(io.FileIO):
    """A file that tells how much of it was read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._name, self._size = called(path), path.stat().st_size
        self._due = time.monotonic() + PATIENCE
        self._shown = False

    def readinto(self, buffer: memoryview) -> int | None:  # type: ignore[override] # a writable buffer of any kind
        """Read, and tell now and then."""
        count = super().readinto(buffer)
        if time.monotonic() >= self._due:
            self._show()
            self._due = time.monotonic() + PAUSE
        return count

    def _show(self) -> None:
        import shutil

        from rich.cells import set_cell_size

        share = f" {self.tell() * 100 // self._size:3} % of {self._size / 1e6:,.0f} MB"
        room = shutil.get_terminal_size().columns - len(share) - 1
        name = printable(self._name)
        if room > 0:
            sys.stderr.write(f"{ERASED}{set_cell_size(name, min(room, len(name) * 2)).rstrip()}{share}")
            sys.stderr.flush()
            self._shown = True

    def close(self) -> None:
        """Close, and leave nothing on the terminal."""
        if getattr(self, "_shown", False):
            self._shown = False
            sys.stderr.write(ERASED)
            sys.stderr.flush()
        super().close()
