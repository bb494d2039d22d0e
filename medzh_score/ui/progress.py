"""What a command says on standard error beside its result: notes, and how far reading has come."""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from medzh_score.ui.errors import error_text, printable
from medzh_score.ui.i18n import _, translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from rich.progress import Progress, ProgressColumn

    from medzh_score.ui.errors import MedzhError

LONG = 1 << 23  # bytes of a file whose reading is shown
BUFFER = 1 << 18
NAME = 24  # columns of the terminal for the name of what is read, so that a bar takes one line of eighty


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
    if not _TOLD.get().quiet:
        write_to_user("".join(printable(translated(line)) + "\n" for line in lines))


def say_failed(whose: str, error: MedzhError) -> None:
    """Say what is wrong with one of several, while the others go on; to who wants no notes, too: errors stay."""
    write_to_user(f"{printable(translated(_('{name}: failed: ', name=whose)))}{error_text(error)}\n")


def write_to_user(text: str) -> None:
    """Write to standard error; where it is closed, full or read by nobody, that changes no result and no status."""
    if text and sys.stderr is not None:
        with suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()


def defer_note(line: str) -> None:
    """Keep a note until the block of `telling` ends well: where it does not, its error stands alone."""
    if _TOLD.get().heard:
        _TOLD.get().held.append(line)


def display_name(path: Path) -> str:
    """Give what the user calls a file."""
    return _TOLD.get().names.get(str(path), str(path))


def shows_progress() -> bool:
    """Say whether somebody looks on who wants to see it: a log is to hold messages alone."""
    return _TOLD.get().heard and sys.stderr is not None and sys.stderr.isatty()


def is_quiet() -> bool:
    """Say whether the user asked for quiet."""
    return _TOLD.get().quiet


def progress_bars() -> Progress:
    """Give bars for the terminal that standard error is: of bytes, and gone when they are stopped."""
    from rich.progress import DownloadColumn, TransferSpeedColumn

    return _bars(DownloadColumn(), TransferSpeedColumn())


def counting_bars() -> Progress:
    """Give such bars of things that are counted; their field ``beside`` is a text of the caller's."""
    from rich.progress import MofNCompleteColumn, TextColumn

    return _bars(MofNCompleteColumn(), TextColumn("{task.fields[beside]}"))


def _bars(*columns: ProgressColumn) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    name = TextColumn("{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis", max_width=NAME))
    everything = (name, BarColumn(), *columns, TimeRemainingColumn())
    # What goes to standard output is a result, and no line above a bar.
    return Progress(*everything, console=Console(stderr=True), transient=True, redirect_stdout=False)


def open_watched(path: Path) -> io.RawIOBase | io.BufferedIOBase:
    """Open a file for reading in large pieces; of a long one the terminal shows how much was read."""
    from pathlib import Path

    if shows_progress() and path.is_file() and path.stat().st_size >= LONG:
        # Unbuffered: the bar moves at each reading.
        return _Watched(path.open("rb", buffering=0), Path(display_name(path)).name)
    return path.open("rb", buffering=0)


class _Watched(io.BufferedReader):
    """A file with a bar that shows how much of it was read."""

    def __init__(self, plain: io.FileIO, name: str) -> None:
        from rich.markup import escape

        self._bars, self._plain = progress_bars(), plain
        total = os.fstat(plain.fileno()).st_size
        watched = self._bars.wrap_file(cast("BinaryIO", plain), total=total, description=escape(printable(name)))
        super().__init__(cast("io.RawIOBase", watched), BUFFER)
        self._bars.start()

    def close(self) -> None:
        """Close, and leave nothing on the terminal."""
        super().close()
        self._plain.close()
        self._bars.stop()
