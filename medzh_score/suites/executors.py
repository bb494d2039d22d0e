"""Where units are scored: in this process, in several, and on the workers of a Dask scheduler that is there."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from medzh_score.ui.errors import NAMED, MedzhError, how_to_add
from medzh_score.ui.i18n import _
from medzh_score.ui.progress import say
from medzh_score.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

OPTION = "--scheduler"
CONNECTING, FIRST_WORKER = 30, 60  # seconds
MOST = 1000  # units that a scheduler has at a time
ONE_AT_A_TIME = threading.Lock()  # a worker of Dask may have several threads, and a unit is for one process


@dataclass(frozen=True)
class WorkerPool:
    """An executor, begun as often as it is needed for a number of units.

    ``most`` is how many units it has at a time, ``died`` what futures raise whose worker died.
    """

    begin: Callable[[int], AbstractContextManager[Executor]]
    most: int = 1
    died: type[Exception] = BrokenExecutor


class SerialExecutor(Executor):
    """Does what is submitted at once, in this process."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:  # noqa: ANN401
        """Do it."""
        future: Future[Any] = Future()
        future.set_result(function(*arguments, **named))
        return future


def this_process() -> WorkerPool:
    """Score one unit after another, here."""
    return WorkerPool(lambda _unused: nullcontext(SerialExecutor()))


def processes(count: int) -> WorkerPool:
    """Score in so many processes of this machine."""
    return WorkerPool(lambda units: _pool(min(count, units)), count)


@contextmanager
def _pool(size: int) -> Iterator[Executor]:
    """Begin processes that Ctrl-C does not reach: it is for this one, which ends them whatever they do."""
    # A fork would copy the locks of other threads as they stand; a process started anew has none.
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(size, multiprocessing.get_context("spawn"), _begin)
    try:
        with _interrupts_blocked():
            for _unused in range(size):
                pool.submit(int)
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Let what begins here inherit that SIGINT does not reach it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """End with the process that began this worker; what it was writing is cleared by the next."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def cluster(address: str) -> WorkerPool:
    """Score on the workers of a dask.distributed scheduler, which need this package and the folder of the suite."""
    try:
        from distributed.scheduler import KilledWorker
    except ImportError as error:
        problem = _("this option requires Dask: {error}", error=error)
        raise MedzhError(problem, field=OPTION, advice=how_to_add("cluster")) from error
    return WorkerPool(lambda _unused: _connected(address), MOST, KilledWorker)


@contextmanager
def _connected(address: str) -> Iterator[Executor]:
    from distributed import Client

    for name in ("distributed", *(one for one in logging.root.manager.loggerDict if one.startswith("distributed."))):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client: Any = Client(address, timeout=CONNECTING, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, RuntimeError, ImportError) as error:
        problem = _(
            "the scheduler cannot be reached: {split}", split=" ".join(str(error).split()) or type(error).__name__
        )
        advice = _("start the scheduler if it is not running: dask scheduler")
        raise MedzhError(problem, field=OPTION, found=address, advice=advice) from error
    try:
        _check_workers(client, address)
        yield client.get_executor(pure=False, retries=0)
    except CancelledError as error:
        problem, advice = (
            _("the connection was lost during scoring"),
            _("run the command again; finished results are stored"),
        )
        raise MedzhError(problem, field=OPTION, found=address, advice=advice) from error
    finally:
        with suppress(Exception):  # a scheduler that is gone is not waited for
            client.close(timeout=CONNECTING)


def _check_workers(client: Any, address: str) -> None:  # noqa: ANN401 - Dask has no types
    """Refuse a scheduler without workers, and workers of another version."""
    say([_("{address}: waiting for workers", address=address)] if not client.nthreads() else [])
    try:
        client.wait_for_workers(1, timeout=FIRST_WORKER)
    except TimeoutError as error:
        advice = _("start workers: dask worker {address}", address=address)
        raise MedzhError(_("the scheduler has no workers"), field=OPTION, found=address, advice=advice) from error
    try:
        scheduler = client.run_on_scheduler(_version_here)
    except Exception as error:  # noqa: BLE001 - it may lack the package
        scheduler = error
    there = {"scheduler": scheduler, **client.run(_version_here, on_error="return")}
    other = [f"{worker}: {' '.join(str(found).split())}" for worker, found in sorted(there.items()) if found != VERSION]
    if other:
        raise MedzhError(
            _(
                "the scheduler or a worker has a different medzh-score version, or no medzh-score ({other})",
                other=", ".join(other[:NAMED]),
            ),
            field=OPTION,
            expected=_("medzh-score {version} on the scheduler and every worker", version=VERSION),
            found=address,
            advice=_("install the same version on the scheduler and the workers"),
        )


def _version_here() -> str:
    return VERSION
