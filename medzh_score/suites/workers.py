"""Units of work on several processes of this machine, or on the workers of a cluster."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError
from medzh_score.suites.scoring import Done, score_work

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medzh_score.report.results.basis import Texts
    from medzh_score.suites.work import Work

TRIES = 3  # of a unit beside which a worker died: it may have been another's fault
DIED = "the worker that scored it died, each of {tries} times"


def in_process(work: Sequence[Work], texts: Texts) -> Iterator[Done]:
    """Score one unit after another in this process."""
    return (score_work(one, texts) for one in work)


def on_processes(work: Sequence[Work], texts: Texts, workers: int) -> Iterator[Done]:
    """Score on processes of this machine; a worker that dies takes its unit with it, which is done again."""
    left, tries = list(work), dict.fromkeys(range(len(work)), 0)
    numbers = {id(one): number for number, one in enumerate(work)}
    size = workers
    while left:
        broken: list[Work] = []
        with ProcessPoolExecutor(size, multiprocessing.get_context("spawn")) as pool:
            waiting = {pool.submit(score_work, one, texts): one for one in left}
            for future in as_completed(waiting):
                try:
                    yield future.result()
                except BrokenProcessPool:
                    broken.append(waiting[future])
        left = []
        for one in broken:
            tries[numbers[id(one)]] += 1
            if tries[numbers[id(one)]] < TRIES:
                left.append(one)
            else:
                yield Done(one, DIED.format(tries=TRIES))
        # Who killed the worker is not known: alone in its process it takes no other unit with it.
        size = 1 if broken else workers


def on_cluster(work: Sequence[Work], texts: Texts, scheduler: str) -> Iterator[Done]:
    """Score on the workers of a scheduler that is there; they need this package and the folder of the suite."""
    try:
        from distributed import Client
        from distributed import as_completed as completed
        from distributed.scheduler import KilledWorker
    except ImportError as error:
        problem, advice = f"a cluster needs Dask: {error}", "install it: pip install 'medzh-score[cluster]'"
        raise MedzhError(problem, field="--scheduler", advice=advice) from error
    try:
        client = Client(scheduler, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        problem, advice = f"cannot be reached: {error}", "check that the scheduler runs: dask scheduler"
        raise MedzhError(problem, field="--scheduler", found=scheduler, advice=advice) from error
    with client:
        futures = {client.submit(score_work, one, texts, pure=False): one for one in work}
        for future in completed(list(futures)):  # type: ignore[no-untyped-call]
            try:
                yield future.result()
            except KilledWorker:
                yield Done(futures[future], DIED.format(tries=TRIES))


def shard_of(work: Sequence[Work], every: Sequence[tuple[str, str]], shard: str) -> list[Work]:
    """Take one of N parts, ``I/N`` with I from 1; the parts are of all that the plan asks, whatever is done of it."""
    number, _, of = shard.partition("/")
    if not (number.isascii() and number.isdigit() and of.isascii() and of.isdigit() and 1 <= int(number) <= int(of)):
        raise MedzhError("is no part", field="--shard", expected="I/N, such as 1/4", found=shard)
    mine = set(every[int(number) - 1 :: int(of)])
    return [one for one in work if (one.model, one.config) in mine]
