"""Workers of a dask.distributed scheduler that is there; they need this package and the folder of the suite."""

from __future__ import annotations

import logging
from contextlib import ExitStack, suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from medzh_score.messages.errors import NAMED, MedzhError
from medzh_score.messages.extras import how_to_add
from medzh_score.messages.progress import say
from medzh_score.suites.cluster_loop import running_loop
from medzh_score.suites.crew import Lost
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from medzh_score.suites.crew import Outcome, Task

OPTION = "--scheduler"
CONNECTING, FIRST_WORKER = 30, 60  # seconds
ALONE = Lock()  # a worker may have several threads, and a unit is for one process


class Cluster:
    """The workers of a scheduler."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._tasks: dict[str, Task] = {}
        self._running: set[str] = set()
        self._suspects: list[Task] = []
        self._alone = False
        self._kept = ExitStack()
        self._client: Any = None
        self._ended: Any = None

    def __enter__(self) -> Self:
        """Connect, and refuse workers of another version."""
        try:
            from distributed import Client, as_completed
        except ImportError as error:
            problem = f"a cluster needs Dask: {error}"
            raise MedzhError(problem, field=OPTION, advice=how_to_add("cluster")) from error
        quiet()
        with ExitStack() as kept:
            loop = kept.enter_context(running_loop())
            try:
                self._client = Client(self._address, timeout=CONNECTING, set_as_default=False, loop=loop)  # type: ignore[no-untyped-call]
            except (OSError, ValueError, RuntimeError, ImportError) as error:
                words = " ".join(str(error).split()) or type(error).__name__
                advice = "check that the scheduler runs: dask scheduler"
                problem = f"cannot be reached: {words}"
                raise MedzhError(problem, field=OPTION, found=self._address, advice=advice) from error
            kept.callback(self._let_go)
            self._check_workers()
            self._ended = as_completed(loop=loop)  # type: ignore[no-untyped-call]
            self._kept = kept.pop_all()
        return self

    def __exit__(self, *_error: object) -> None:
        """Let go of what is not done, and end the loop."""
        self._kept.close()

    def _let_go(self) -> None:
        """Close the client; a scheduler that is gone is not waited for."""
        with suppress(Exception):
            self._client.close(timeout=CONNECTING)

    def _check_workers(self) -> None:
        say([f"{self._address}: waiting for workers"] if not self._client.nthreads() else [])
        try:
            self._client.wait_for_workers(1, timeout=FIRST_WORKER)
        except TimeoutError as error:
            advice = f"begin some: dask worker {self._address}"
            raise MedzhError("has no workers", field=OPTION, found=self._address, advice=advice) from error
        there = {"scheduler": self._on_scheduler(), **self._client.run(version_here, on_error="return")}
        other = [f"{worker}: {_named(found)}" for worker, found in sorted(there.items()) if found != VERSION]
        if other:
            raise MedzhError(
                f"scheduler or workers have another medzh-score, or none ({', '.join(other[:NAMED])})",
                field=OPTION,
                expected=f"medzh-score {VERSION} on each",
                found=self._address,
                advice="install the same version where they run",
            )

    def _on_scheduler(self) -> object:
        try:
            return self._client.run_on_scheduler(version_here)
        except Exception as error:  # noqa: BLE001 - it may lack the package
            return error

    def give(self, task: Task) -> None:
        """Take a task; a later one comes first."""
        future = self._client.submit(do_here, task, VERSION, pure=False, priority=len(self._tasks), retries=0)
        self._tasks[future.key] = task
        self._running.add(future.key)
        self._ended.add(future)

    def next(self) -> tuple[Task, Outcome | Lost]:
        """Wait for a task to end; the scheduler has one done again whose worker died.

        One that it gives up may only have stood beside the one that kills: it is done again when nothing else is.
        """
        while True:
            if not self._running:
                self._alone = True
                self.give(self._suspects.pop())
            outcome = self._next()
            if outcome is not None:
                return outcome

    def _next(self) -> tuple[Task, Outcome | Lost] | None:
        from distributed.scheduler import KilledWorker

        future = next(self._ended)
        task = self._tasks[future.key]
        self._running.remove(future.key)
        if future.cancelled() or self._client.status not in {"running", "connecting"}:
            problem, advice = "was lost while units were scored", "call this again: what was scored stays"
            raise MedzhError(problem, field=OPTION, found=self._address, advice=advice)
        alone, self._alone = self._alone, False
        try:
            return task, future.result()
        except KilledWorker as error:
            if not alone:
                self._suspects.append(task)
                return None
            times = 2 * (error.allowed_failures + 1)
            return task, Lost(MedzhError(f"the worker that scored it died, each of {times} times"))
        except Exception as error:  # noqa: BLE001 - what a worker could not even read; the rest goes on
            return task, Lost(error)
        finally:
            future.release()


def _named(found: object) -> str:
    return found if isinstance(found, str) else " ".join(str(found).split())


def version_here() -> str:
    """Give the version of a worker."""
    return VERSION


def do_here(task: Task, version: str) -> Outcome:
    """Do a task on a worker, which may have come later than others were asked their version."""
    if version != VERSION:
        raise MedzhError(f"a worker has another medzh-score: {VERSION}", expected=version)
    with ALONE:
        return task.do()


def quiet() -> None:
    """Let Dask keep to itself what is named here."""
    for name in ("distributed", *(one for one in logging.root.manager.loggerDict if one.startswith("distributed."))):
        logging.getLogger(name).setLevel(logging.CRITICAL)
