"""Work in several processes of which this is one: the others take from the front, this one from the end."""

from __future__ import annotations

from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

T = TypeVar("T")


def in_processes(work: Callable[..., T], chunks: Iterable[tuple[object, ...]], processes: int) -> list[T]:
    """Do work on chunks, in this process and others.

    Parameters
    ----------
    work : callable
        A function of a module.
    chunks : iterable of tuple
        Its arguments; they are made while the first of the others starts.
    processes : int
        How many work, this one among them; a process that dies leaves its work to this one.

    Returns
    -------
    list
        What the work gave, in the order of the chunks.

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
        futures = [(_submitted(pool, work, chunk), chunk) for chunk in list(chunks)]
        return [_here_or_there(future, work, chunk) for future, chunk in reversed(futures)][::-1]
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # nothing is left but to end


def _submitted(pool: ProcessPoolExecutor, work: Callable[..., T], chunk: tuple[object, ...]) -> Future[T]:
    """Hand work out, or keep it where a process has died already."""
    try:
        return pool.submit(work, *chunk)
    except BrokenProcessPool:
        return Future()


def _here_or_there(future: Future[T], work: Callable[..., T], chunk: tuple[object, ...]) -> T:
    """Do work here that nobody has begun, or wait for who has."""
    if future.cancel():
        return work(*chunk)
    try:
        return future.result()
    except BrokenProcessPool:
        return work(*chunk)
