"""Workers that are processes of this machine, each with one task at a time: one that dies costs that task alone."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Self

from medzh_score.messages.errors import MedzhError
from medzh_score.suites.crew import Lost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.suites.crew import Outcome, Task

TRIES = 3
PATIENCE = 5  # seconds in which a worker may tidy up when it is ended
ENDING = [one for one in signal.Signals if one.name in {"SIGINT", "SIGTERM", "SIGHUP"}]  # Windows lacks the last
SPAWN = multiprocessing.get_context("spawn")  # a fork would take over locks of threads that it lacks


@dataclass(frozen=True)
class Worker:
    """A process, and the way to it."""

    process: Any
    way: Any

    def end(self) -> None:
        """End it, whatever it does."""
        self.way.close()
        self.process.terminate()
        self.process.join(PATIENCE)
        self.process.kill()
        self.process.join()


class Processes:
    """So many processes; each begins when there is a task for it, and ends with the block."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._waiting: list[tuple[Task, int]] = []
        self._idle: list[Worker] = []
        self._busy: dict[Any, tuple[Worker, Task, int]] = {}

    def __enter__(self) -> Self:
        """Give itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """End all workers; what one was writing is gone, and what it had written stays."""
        for worker in self.workers:
            worker.end()

    @property
    def workers(self) -> list[Worker]:
        """All that are alive, as far as is known."""
        return [*self._idle, *(worker for worker, _, _ in self._busy.values())]

    def give(self, task: Task) -> None:
        """Take a task."""
        self._waiting.append((task, 1))

    def next(self) -> tuple[Task, Outcome | Lost]:
        """Wait for a task to end; one whose worker died is done again."""
        while True:
            self._hand_out()
            way = wait(list(self._busy))[0]
            worker, task, tries = self._busy.pop(way)
            try:
                outcome: Outcome = worker.way.recv()
            except (EOFError, OSError):
                worker.end()
                if tries == TRIES:
                    return task, Lost(MedzhError(f"the worker that scored it died, each of {tries} times"))
                self._waiting.append((task, tries + 1))
            else:
                self._idle.append(worker)
                return task, outcome

    def _hand_out(self) -> None:
        while self._waiting and len(self._busy) < self._size:
            task, tries = self._waiting.pop()
            worker = self._idle.pop() if self._idle else begun()
            self._busy[worker.way] = (worker, task, tries)
            with suppress(OSError):  # of one that is dead; its end is read where its outcome would be
                worker.way.send(task)


def begun() -> Worker:
    """Begin a process that does what it is sent."""
    here, there = SPAWN.Pipe()
    process = SPAWN.Process(target=serve, args=(there,), daemon=True)
    with _interrupts_held_back():
        process.start()
    there.close()
    return Worker(process, here)


def serve(way: Connection) -> None:
    """Do tasks until nobody sends any: what ends this process also ends the one that does not listen any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _tidy_up)
    with suppress(EOFError, OSError):
        while True:
            way.send(way.recv().do())


def _tidy_up(*_: object) -> None:
    raise SystemExit(1)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Begin processes that Ctrl-C does not reach, and whole: it is for the one that ends them, a moment later.

    That a signal is blocked in this thread does not suffice: another thread, as libraries have, takes it, and it is
    this one that is interrupted.
    """
    here = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in (ENDING if here else ())}
    came: list[int] = []
    held = [number for number, handler in handlers.items() if callable(handler)]
    for number in held:
        signal.signal(number, lambda one, _: came.append(one))
    try:
        with _blocked():
            yield
    finally:
        for number in held:
            signal.signal(number, handlers[number])
        for found in came:
            signal.raise_signal(found)


@contextmanager
def _blocked() -> Iterator[None]:
    """Let what begins here inherit that SIGINT does not reach it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
