"""Folders appear whole or not at all: each is written under a temporary name beside its place and renamed."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from medzh_score.files.writing import KEPT, beside, naming
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 600  # seconds for which another's writing is waited for
HERE, SWAP = -100, 2  # AT_FDCWD; RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS


@contextmanager
def folder_beside(target: Path) -> Iterator[Path]:
    """Give an empty folder beside a place, which is gone when the block ends, as is what the killed left there.

    Of several processes that do so at once one waits for the other: so nothing that is found there is still written.
    """
    part = beside(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise not_written(target, error) from error
    with locked(target.with_name(f".{target.name[:KEPT]}.lock"), target, "wait until it ends", PATIENCE):
        for left in leftovers(target):
            shutil.rmtree(left, ignore_errors=True)
        try:
            part.mkdir()
        except OSError as error:
            raise not_written(target, error) from error
        try:
            with naming(target):
                yield part
        finally:
            shutil.rmtree(part, ignore_errors=True)


def leftovers(target: Path) -> list[Path]:
    """List the folders beside a place that are written now, or were when their process was killed."""
    named = re.compile(rf"\.{re.escape(target.name[:KEPT])}\.\d+\.\d+\.part")
    return [one for one in target.parent.iterdir() if named.fullmatch(one.name) and one.is_dir()]


def clear_leftovers(target: Path) -> None:
    """Remove what the killed left beside a place."""
    if target.parent.is_dir() and leftovers(target):
        with folder_beside(target):
            pass


def not_written(target: Path, error: OSError) -> MedzhError:
    """Say why a folder cannot stand at a place."""
    return MedzhError(f"cannot be written: {error.strerror}", file=target, advice="name another folder")


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
        raise MedzhError("another process is at work here", file=place, advice=advice) from error
    except OSError as error:
        raise MedzhError(f"cannot be written: {error.strerror}", file=path, advice="name another place") from error
    try:
        yield
    finally:
        # While it is held, and at no other time: who opened it before sees that it is gone, and what stands there later
        # is another's. Windows removes no open file; there filelock does so itself.
        with suppress(PermissionError):
            path.unlink(missing_ok=True)
        lock.release()
