"""Work in several processes of which this is one: the others take from the front, this one from the end."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")
AHEAD = 2  # chunks that each of the others holds: one that it does, and the next


def in_processes(work: Callable[..., T], chunks: Iterable[tuple[object, ...]], processes: int) -> list[T]:
    """Do work on chunks, in this process and others.

    Examples
    --------
    >>> in_processes(divmod, [(7, 2), (9, 4)], processes=1)
    [(3, 1), (2, 1)]
    """
    if processes == 1:
        return [work(*chunk) for chunk in chunks]
    # A fork would copy the locks of other threads as they stand; a process started anew has none.
    pool = ProcessPoolExecutor(processes - 1, mp_context=get_context("spawn"))
    try:
        pool.submit(int)
        return _shared(pool, work, list(chunks), AHEAD * (processes - 1))
    finally:
        pool.shutdown(wait=False)


def _shared(
    pool: ProcessPoolExecutor, work: Callable[..., T], chunks: Sequence[tuple[object, ...]], most: int
) -> list[T]:
    """Hand chunks out from the front, a few at a time, and meanwhile do those at the end here.

    What was handed out is never taken back: the pool does not bear it when a process of its dies.
    """
    found: dict[int, T] = {}
    handed: dict[int, Future[T]] = {}
    left = deque(range(len(chunks)))
    while left or handed:
        for place in [place for place, future in handed.items() if future.done() or not left]:
            found[place] = _from_there(handed.pop(place), work, chunks[place])
        while left and len(handed) < most:
            place = left.popleft()
            handed[place] = _submitted(pool, work, chunks[place])
        if left:
            place = left.pop()
            found[place] = work(*chunks[place])
    return [found[place] for place in range(len(chunks))]


def _submitted(pool: ProcessPoolExecutor, work: Callable[..., T], chunk: tuple[object, ...]) -> Future[T]:
    """Hand work out; where a process has died already, nobody will do it there."""
    try:
        return pool.submit(work, *chunk)
    except BrokenProcessPool as error:
        lost: Future[T] = Future()
        lost.set_exception(error)
        return lost


def _from_there(future: Future[T], work: Callable[..., T], chunk: tuple[object, ...]) -> T:
    """Take what another process found, or do it here where that one died."""
    try:
        return future.result()
    except BrokenProcessPool:
        return work(*chunk)
