"""Several requests at a time: until all came to their end, too many failed, or a signal ends it."""

from __future__ import annotations

import asyncio
import hashlib
import signal
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from medzh_score.messages.errors import MedzhError
from medzh_score.suites.asking.connecting import answer_in, connected, send
from medzh_score.suites.asking.faults import Course, FaultError, in_words
from medzh_score.suites.asking.keeping import Arrived

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from openai import AsyncOpenAI

    from medzh_score.prompts.codes import Key
    from medzh_score.suites.asking.calls import Call, Endpoint
    from medzh_score.suites.asking.keeping import Keeper


@dataclass(frozen=True)
class Patience:
    """How often and after which pauses a request is tried again."""

    attempts: int = 8  # in all
    pause: float = 1.0  # seconds before the second attempt; doubled before each further one
    longest: float = 60.0  # seconds of a pause at most
    longest_wait: float = 600.0  # seconds that a server may ask for; a server that asks for more ends the run
    seed: int = 0  # of the random part of the pauses

    def pause_after(self, attempt: int, key: Key) -> float:
        """Say for how many seconds a request waits after an attempt, of which the first is 1.

        Examples
        --------
        >>> from medzh_score.prompts.codes import Key
        >>> [1 <= Patience().pause_after(1, Key("a", 0, 0)) < 2, Patience().pause_after(99, Key("a", 0, 0))]
        [True, 60.0]
        """
        digest = hashlib.sha256(f"{self.seed}:{key.id}:{key.run}:{key.variant}:{attempt}".encode()).digest()
        chance = int.from_bytes(digest[:8], "big") / (1 << 64)
        doubled: float = 2.0 ** min(attempt - 1, 64)
        return min(self.pause * doubled * (1 + chance), self.longest)


class Gate:
    """Closed to all requests for as long as the server asks to be left alone; it knows whether one ever came there."""

    def __init__(self) -> None:
        self._opens, self.reached = 0.0, False

    def close(self, seconds: float) -> None:
        """Let nothing through for a while."""
        self._opens = max(self._opens, asyncio.get_running_loop().time() + seconds)

    async def passed(self) -> None:
        """Wait until it is open."""
        while (left := self._opens - asyncio.get_running_loop().time()) > 0:  # noqa: ASYNC110 - it is time that passes
            await asyncio.sleep(left)


@dataclass(frozen=True)
class Effort:
    """How hard a server is asked."""

    concurrency: int = 8  # requests at a time
    give_up_after: int = 10  # failed requests in a row after which no more are sent
    patience: Patience = field(default_factory=Patience)


@dataclass
class Tally:
    """How far asking has come: requests due, answered and failed, settings refused, and the signal that ended it."""

    due: int = 0
    answered: int = 0
    failed: int = 0
    failed_in_a_row: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    signal: int | None = None

    @property
    def left(self) -> int:
        """How many requests came to no end."""
        return self.due - self.answered - self.failed


@dataclass(frozen=True)
class Workers:
    """What the workers share: whom they ask, where answers go, and whom they tell."""

    endpoint: Endpoint
    effort: Effort
    keeper: Keeper
    progress: Callable[[Tally], None]
    tally: Tally = field(default_factory=Tally)
    gate: Gate = field(default_factory=Gate)

    async def send_all(self, calls: Sequence[Call]) -> None:
        """Send requests; an error that would meet all of them is raised."""
        self.tally.due, waiting = len(calls), iter(calls)
        async with connected(self.endpoint) as client:
            count = min(self.effort.concurrency, len(calls))
            workers = [asyncio.create_task(self._work(client, waiting)) for _ in range(count)]
            try:
                with _ended_by_signals(self.tally):
                    await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
            except asyncio.CancelledError:
                if self.tally.signal is None:
                    raise
            finally:
                for worker in workers:
                    worker.cancel()
                ends = await asyncio.gather(*workers, return_exceptions=True)
        for error in ends:
            if isinstance(error, Exception):
                raise error

    async def _work(self, client: AsyncOpenAI, waiting: Iterator[Call]) -> None:
        for call in waiting:
            try:
                line = await answered(client, self.endpoint, call, self.effort.patience, self.gate)
            except FaultError as fault:
                self._take_fault(call, fault)
            else:
                self.keeper.append(line)
                self.tally.answered += 1
                self.tally.failed_in_a_row = 0
            self.progress(self.tally)

    def _take_fault(self, call: Call, fault: FaultError) -> None:
        words = in_words(fault, self.endpoint.key, private=self.endpoint.private)
        tally, kept = self.tally, f"{self.keeper.count:,}"
        stopped = partial(MedzhError, words, file=self.endpoint.base_url)
        if fault.course is Course.STOPS:
            advice = (
                f"no request would succeed: mend this and run the same command again; answers that are kept: {kept}"
            )
            raise stopped(advice=advice) from None  # the fault may hold the key
        self.keeper.append(failed(call, words))
        tally.failed += 1
        tally.failed_in_a_row += 1
        tally.refused.update(fault.settings)
        if tally.failed_in_a_row >= self.effort.give_up_after:
            raise stopped(advice=_advice(tally, kept)) from None


def _advice(tally: Tally, kept: str) -> str:
    """Say what to do after too many failures in a row."""
    count, names = tally.failed_in_a_row, ", ".join(tally.refused)
    if names:
        return (
            f"{count} requests failed in a row, and the server refuses {names}: take this out of the settings and run "
            f"the same command again; answers that are kept: {kept}"
        )
    return (
        f"{count} requests failed in a row: mend this and run the same command again, which sends the rest; "
        f"answers that are kept: {kept}"
    )


@contextmanager
def _ended_by_signals(tally: Tally) -> Iterator[None]:
    """Let an interrupt or the end of a job cancel the task that runs this; what came is kept by then."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None  # noqa: S101 - only a task runs this

    def end(number: int) -> None:
        tally.signal = number
        task.cancel()

    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        with suppress(RuntimeError):  # Windows, and threads other than the first, have no such handlers
            loop.add_signal_handler(number, end, int(number))
    try:
        yield
    finally:
        for number in numbers:
            with suppress(RuntimeError):
                loop.remove_signal_handler(number)


async def answered(client: AsyncOpenAI, endpoint: Endpoint, call: Call, patience: Patience, gate: Gate) -> Arrived:
    """Send a request until it has an answer; its last fault is raised where it gets none."""
    for attempt in range(1, patience.attempts):
        await gate.passed()
        try:
            return await _answer(client, endpoint, call, gate)
        except FaultError as fault:
            if fault.course is not Course.PASSES:
                raise
            await _wait(fault, patience, gate, patience.pause_after(attempt, call.key))
    await gate.passed()
    return await _answer(client, endpoint, call, gate)


async def _wait(fault: FaultError, patience: Patience, gate: Gate, pause: float) -> None:
    if fault.wait is not None:
        if fault.wait > patience.longest_wait:
            problem = f"{fault.problem}; the server asks to be left alone for {fault.wait:,.0f} seconds"
            raise replace(fault, problem=problem, course=Course.STOPS)
        gate.close(fault.wait)
    await asyncio.sleep(pause)


async def _answer(client: AsyncOpenAI, endpoint: Endpoint, call: Call, gate: Gate) -> Arrived:
    try:
        async with asyncio.timeout(endpoint.timeout):
            content = await send(client, call)
    except TimeoutError:
        raise FaultError(f"no whole answer within {endpoint.timeout:g} seconds") from None
    except FaultError as fault:
        if fault.course is not Course.UNREACHED:
            gate.reached = True
            raise
        raise replace(fault, course=Course.PASSES if gate.reached else Course.STOPS) from None
    gate.reached = True
    found = answer_in(content)
    return Arrived(
        id=call.key.id,
        prediction=found.text,
        run=call.key.run,
        variant=call.key.variant,
        model=found.model or endpoint.model,
        finish_reason=found.finish_reason,
        request=call.digest,
    )


def failed(call: Call, words: str) -> Arrived:
    """Make the line of a request that failed for good."""
    key = call.key
    return Arrived(id=key.id, prediction="", run=key.run, variant=key.variant, error=words, request=call.digest)
