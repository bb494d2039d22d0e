"""Locks that keep two builds from one place; the system frees them if a process is killed."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import TextIO


@contextmanager
def locked(path: Path, place: Path, advice: str) -> Iterator[None]:
    """Hold a lock while the block runs."""
    import fcntl

    while True:
        with _opened(path) as stream:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise MedzhError("another build is running here", file=place, advice=advice) from error
            if not _is_at(path, stream.fileno()):
                continue  # a build that has ended since removed what was opened: nobody else would see this lock
            try:
                yield
            finally:
                path.unlink(missing_ok=True)
            return


def _opened(path: Path) -> TextIO:
    try:
        return path.open("a", encoding="utf-8")
    except OSError as error:
        raise MedzhError(f"cannot be written: {error.strerror}", file=path, advice="name another place") from error


def _is_at(path: Path, handle: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False
