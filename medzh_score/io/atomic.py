"""Files appear whole or not at all: each is written under a temporary name and renamed."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import stat
import sys
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import OTHERS, Unredacted, at_work, texts_are_withheld, withhold_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

NUMBERS = count()  # what is written at once never shares a temporary name
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}  # of a disk, or of what may be written to it
KEPT = 40  # characters of a name, of at most four bytes: a name has at most 255
PATIENCE = 600  # seconds for which another's writing is waited for
HERE, SWAP = -100, 2  # AT_FDCWD; RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS


def _beside(target: Path) -> Path:
    """Name a place beside another, by no more of its name than always fits."""
    return target.with_name(f".{target.name[:KEPT]}.{os.getpid()}.{next(NUMBERS)}.part")


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Name what could not be written where there is no space left, which the system does not."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL and error.filename is None:
            error.filename = str(path)
        raise


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file under a temporary name and rename it into place."""
    with open_for_writing(path) as stream:
        stream.write(content)


def refuse_inputs(
    option: str, path: str | Path | None, inputs: Iterable[str | Path], folders: Iterable[str | Path] = ()
) -> None:
    """Refuse to write over a file that is read."""
    if path is None or str(path) == "-":
        return
    for folder in map(Path, folders):
        if folder.exists() and Path(path).resolve().is_relative_to(folder.resolve()):
            raise MedzhError(
                _("the path is inside a build folder that is used as input"),
                file=path,
                field=option,
                advice=_("choose another path"),
            )
    if not Path(path).is_file():
        return
    for read in map(Path, inputs):
        if read.exists() and read.samefile(path):
            raise MedzhError(
                _("the file is also an input file"), file=path, field=option, advice=_("choose another file name")
            )


@contextmanager
def open_for_writing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name only when the block ends without an error.

    It keeps the mode of what stood there, unless a private config takes part: then only its owner may read it.
    """
    if path.is_dir():
        raise MedzhError(
            _("the path is a folder"), file=path, expected=_("an output file"), advice=_("choose another file name")
        )
    if path.exists() and not path.is_file():
        # A device or a pipe is written to: renaming a file over it would take it away.
        with path.open("wb") as stream:
            yield stream
        return
    target = path.resolve()
    part = _beside(target)
    try:
        stream = part.open("wb")
    except OSError as error:
        raise MedzhError(
            _("cannot write to the path: {strerror}", strerror=_(error.strerror or str(error))),
            file=path,
            advice=_("choose another file name"),
        ) from error
    try:
        with _naming(path), stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists() and not texts_are_withheld():
            part.chmod(stat.S_IMODE(target.stat().st_mode))
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def open_for_texts(path: str | Path | None) -> Iterator[IO[bytes]]:
    """Open where texts of records or responses go: those of a private config into a file that the user names."""
    if texts_are_withheld() and (path is None or str(path) == "-"):
        problem, advice = (
            _("texts of a private config can only be written to a file"),
            _("specify a file: --output FILE"),
        )
        raise MedzhError(problem, field="--output", advice=advice)
    with open_output(path) as stream:
        yield stream


@contextmanager
def open_output(path: str | Path | None) -> Iterator[IO[bytes]]:
    """Open where a command's result goes: a file written whole, or standard output."""
    if path is None or str(path) == "-":
        if sys.stdout is None:
            raise MedzhError(_("standard output is closed"), advice=_("specify a file: --output FILE"))
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with open_for_writing(Path(path)) as stream:
        yield stream


def print_lines(lines: Iterable[str]) -> None:
    """Write lines for people to standard output; what acts on a terminal is escaped."""
    with open_output(None) as stream:
        stream.write("".join(f"{printable(line)}\n" for line in lines).encode("utf-8"))


@contextmanager
def owner_only(*folders: Path) -> Iterator[None]:
    """Let files and folders that are made while the block runs be their owner's alone, as some that are there already.

    The block is a work in which a private config takes part.
    """
    for folder in folders:
        folder.chmod(0o700)
    with at_work():
        withhold_texts()
        yield


def refuse_readable(path: Path) -> None:
    """Refuse what others than its owner can read or change, where the system knows of owners."""
    if os.name != "nt" and (mode := stat.S_IMODE(path.stat().st_mode)) & OTHERS:
        expected = "700" if path.is_dir() else "600"
        raise MedzhError(
            _("other users can read or modify the path, which belongs to a private config"),
            file=path,
            expected=_("mode {expected}", expected=expected),
            found=Unredacted(f"{mode:o}"),
            advice=_(
                "if no other user has read the content, run `chmod {expected}`; otherwise, choose another path",
                expected=expected,
            ),
        )


@contextmanager
def folder_beside(target: Path) -> Iterator[Path]:
    """Give an empty folder beside a place, which is gone when the block ends, as is what the killed left there.

    Of several processes that do so at once one waits for the other: so nothing that is found there is still written.
    """
    part = _beside(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(target, error) from error
    with locked(_lock_beside(target), target, _("wait until the other process ends"), PATIENCE):
        for left in leftovers(target):
            shutil.rmtree(left, ignore_errors=True)
        try:
            part.mkdir()
        except OSError as error:
            raise not_written(target, error) from error
        try:
            with _naming(target):
                yield part
        finally:
            shutil.rmtree(part, ignore_errors=True)


def _lock_beside(target: Path) -> Path:
    return target.with_name(f".{target.name[:KEPT]}.lock")


def leftovers(target: Path) -> list[Path]:
    """List the folders beside a place that are written now, or were when their process was killed."""
    named = re.compile(rf"\.{re.escape(target.name[:KEPT])}\.\d+\.\d+\.part")
    return [one for one in target.parent.iterdir() if named.fullmatch(one.name) and one.is_dir()]


def clear_leftovers(target: Path) -> None:
    """Remove what the killed left beside a place: folders, or a lock alone."""
    if target.parent.is_dir() and (leftovers(target) or _lock_beside(target).exists()):
        with folder_beside(target):
            pass


def not_written(target: Path, error: OSError) -> MedzhError:
    """Say why a folder cannot stand at a place."""
    return MedzhError(
        _("cannot write to the path: {strerror}", strerror=_(error.strerror or str(error))),
        file=target,
        advice=_("choose another folder"),
    )


def put_in_place(part: Path, target: Path) -> None:
    """Give a folder of `folder_beside` its place in one step; what stood there stands at ``part`` then."""
    for one in part.iterdir():
        _sync(one)
    _sync(part)
    _put(part, target)
    _sync(target.parent)


def _put(part: Path, target: Path) -> None:
    if not target.exists():
        part.rename(target)
    elif not _exchanged(part, target):
        # No step does both here: a kill between them leaves the old folder under the temporary name.
        aside = part.with_suffix(".old")
        target.rename(aside)
        part.rename(target)
        aside.rename(part)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two folders in one step, where the system can."""
    if os.name == "nt":  # which has no library of this process to ask
        return False
    library, places = ctypes.CDLL(None, use_errno=True), (os.fsencode(one), os.fsencode(other))
    if sys.platform == "darwin" and hasattr(library, "renamex_np"):
        return bool(library.renamex_np(*places, SWAP) == 0)
    if hasattr(library, "renameat2"):
        return bool(library.renameat2(HERE, places[0], HERE, places[1], SWAP) == 0)
    return False


def _sync(path: Path) -> None:
    """Have the system write a file or a folder to the disk, where it can."""
    if os.name == "nt" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(path: Path, place: Path, advice: str, patience: float = 0) -> Iterator[None]:
    """Hold a lock while the block runs; one that another holds is waited for as many seconds."""
    from filelock import FileLock, Timeout

    lock = FileLock(path)
    try:
        path.touch()  # where none can be made filelock would wait, as for another's that is just being removed
        lock.acquire(timeout=patience)
    except Timeout as error:
        raise MedzhError(_("another process is using the path"), file=place, advice=advice) from error
    except OSError as error:
        raise MedzhError(
            _("cannot write to the path: {strerror}", strerror=_(error.strerror or str(error))),
            file=path,
            advice=_("choose another path"),
        ) from error
    try:
        yield
    finally:
        # While it is held, and at no other time: who opened it before sees that it is gone, and what stands there later
        # is another's. Windows removes no open file; there filelock does so itself.
        with suppress(PermissionError):
            path.unlink(missing_ok=True)
        lock.release()
