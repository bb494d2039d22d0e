"""Locks that keep two processes from one place; the system frees them if a process is killed."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


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
