"""The loop in which Dask's client works: begun here, for Dask gives its own ten seconds and no word."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tornado.ioloop import IOLoop

PATIENCE = 120  # seconds in which a thread begins or ends, on a machine however busy


@contextmanager
def running_loop() -> Iterator[IOLoop]:
    """Run a loop in a thread of its own for as long as the block runs."""
    begun: Future[tuple[IOLoop, asyncio.Event]] = Future()
    thread = Thread(target=lambda: asyncio.run(_serve(begun)), name="loop of the cluster", daemon=True)
    thread.start()
    try:
        loop, end = begun.result(PATIENCE)
    except TimeoutError as error:
        problem, advice = "this machine is too busy to begin a thread", "call this again: what was scored stays"
        raise MedzhError(problem, advice=advice) from error
    try:
        yield loop
    finally:
        loop.add_callback(end.set)
        thread.join(PATIENCE)


async def _serve(begun: Future[tuple[IOLoop, asyncio.Event]]) -> None:
    from tornado.ioloop import IOLoop

    end = asyncio.Event()
    begun.set_result((IOLoop.current(), end))
    await end.wait()
