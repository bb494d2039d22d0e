"""Ask a server of the user's: what it will cost, and what came of it."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from medzh_score.io.atomic import locked
from medzh_score.io.jsonl import decoded_lines
from medzh_score.readers.prediction import Prediction
from medzh_score.suites.connection import (
    ErrorKind,
    RequestError,
    answer_in,
    check_installed,
    connected,
    in_words,
    proxy_for,
    send,
)
from medzh_score.suites.requests import calls_of
from medzh_score.suites.responses import arriving, key_of, part_of, write_kept
from medzh_score.ui.errors import MedzhError, printable
from medzh_score.ui.i18n import translated
from medzh_score.ui.progress import counting_bars, say, shows_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from openai import AsyncOpenAI

    from medzh_score.prompting.ids import AnswerKey
    from medzh_score.suites.requests import Call, Endpoint

    Prompts = Path | Iterable[Mapping[str, Any]]


@dataclass(frozen=True)
class Cost:
    """What is to be sent: so many calls with so many characters of prompts; so many answers are there already."""

    calls: int
    characters: int
    there: int


@dataclass(frozen=True)
class AskResult:
    """What came of asking.

    Attributes
    ----------
    answered, failed : int
        How many requests were answered, and how many failed for good.
    left : int
        How many came to no end, because a signal ended all.
    refused : mapping of str to int
        Settings that the server named when it refused a request, and how often.
    seconds : float
        How long it took.
    signal : int, optional
        The signal.
    """

    answered: int
    failed: int
    left: int
    refused: Mapping[str, int]
    seconds: float
    signal: int | None


def cost(prompts: Prompts, answers: Path, endpoint: Endpoint) -> Cost:
    """Say what asking would send; nothing is sent, and nothing written."""
    calls = calls_of(prompts, endpoint)
    before = stored_responses(answers, calls)
    due = [call for call in calls if before.lacks(call)]
    return Cost(len(due), sum(call.characters for call in due), len(calls) - len(due))


def ask(
    prompts: Prompts,
    answers: Path,
    endpoint: Endpoint,
    effort: ClientConfig | None = None,
    progress: Callable[[Tally], None] = lambda _: None,
) -> AskResult:
    """Send the prompts that have no answer yet, and keep each answer as it comes."""
    check_installed()
    calls = calls_of(prompts, endpoint)
    with writing_responses(answers, calls) as keeper:
        due = [call for call in calls if keeper.before.lacks(call)]
        workers, begin = Senders(endpoint, effort or ClientConfig(), keeper, progress), time.monotonic()
        if due:
            asyncio.run(workers.send_all(due))
        tally = workers.tally
        if not tally.left and keeper.arrived:
            keeper.finish()
    return AskResult(tally.answered, tally.failed, tally.left, tally.refused, time.monotonic() - begin, tally.signal)


LACKING = 3  # the status of a command after which something is missing still
SIGNALLED = 128  # what a shell adds to the number of the signal that ended a command


def say_cost(name: str, costs: Cost, endpoint: Endpoint) -> None:
    """Say what will be sent, where and by which way, before anything is."""
    notes = [f"{name}: {costs.calls:,} calls to {endpoint.base_url}, {costs.characters:,} characters of prompts"]
    if costs.there:
        notes.append(f"{name}: {costs.there:,} answers are there already")
    if proxy := proxy_for(endpoint):
        notes.append(f"by way of the proxy {urlsplit(proxy).hostname}, which the environment names")
    say(notes)


def ask_with_progress(name: str, prompts: Prompts, answers: Path, endpoint: Endpoint, effort: ClientConfig) -> int:
    """Ask, show how far it is, say what came of it, and give the status with which a command ends."""
    with _bar(name) as progress:
        asked = ask(prompts, answers, endpoint, effort, progress)
    say(outcome(name, asked))
    if asked.signal is not None:
        return SIGNALLED + asked.signal
    return LACKING if asked.failed else 0


def outcome(name: str, asked: AskResult) -> list[str]:
    """Say what came of asking."""
    rate = asked.answered / asked.seconds if asked.seconds else 0.0
    notes = [f"{name}: {asked.answered:,} answers came in {asked.seconds:,.0f} s, {rate:.1f} a second"]
    if asked.failed:
        notes.append(f"{name}: {asked.failed:,} requests failed for good: the same command sends them again")
    for setting, times in asked.refused.items():
        notes.append(f"{name}: the server refused the setting {setting} in {times:,} requests")
    if asked.signal is not None:
        notes.append(f"{name}: ended by a signal, {asked.left:,} requests are left: the same command goes on")
    return notes


@contextmanager
def _bar(name: str) -> Iterator[Callable[[Tally], None]]:
    """Show a bar on standard error where that is a terminal, and nothing elsewhere."""
    if not shows_progress():
        yield lambda _tally: None
        return
    begin = time.monotonic()
    with counting_bars() as bars:
        task = bars.add_task(printable(name), total=None, beside="")

        def progress(tally: Tally) -> None:
            done = tally.answered + tally.failed
            rate = done / max(time.monotonic() - begin, 1e-9)
            failures = f" {translated('failed')}: {tally.failed:,}" if tally.failed else ""
            bars.update(task, completed=done, total=tally.due, beside=f"{rate:.1f}/s{failures}")

        yield progress


class ReceivedResponse(Prediction, frozen=True, gc=False, omit_defaults=True):
    """A line of a part file: what came back, and a digest of the request to which it did."""

    request: str = ""


@dataclass(frozen=True)
class StoredResponses:
    """What is there already: in the file of answers, and in the part file, of which so many bytes are whole lines."""

    answers: dict[AnswerKey, Prediction]
    arrived: dict[AnswerKey, ReceivedResponse]
    length: int

    def lacks(self, call: Call) -> bool:
        """Say whether a request has no answer yet; what failed has none."""
        found = self.answers.get(call.key)
        if found is None or found.error is not None:
            found = self.arrived.get(call.key)
        return found is None or found.error is not None

    def all(self) -> dict[AnswerKey, Prediction]:
        """Give all that is there; what came later stands before a failure, and never before an answer."""
        later = {key: one for key, one in self.arrived.items() if key not in self.answers or self.answers[key].error}
        return {**self.answers, **later}


def stored_responses(answers: Path, calls: Sequence[Call]) -> StoredResponses:
    """Read what is there; a last line that was not written to its end is none."""
    before: dict[AnswerKey, Prediction] = {}
    if answers.exists():
        before = {key_of(one): one for one in decoded_lines(answers, msgspec.json.Decoder(Prediction))}
    part = part_of(answers)
    if not part.exists():
        return StoredResponses(before, {}, 0)
    came = arriving(part, msgspec.json.Decoder(ReceivedResponse))
    return StoredResponses(before, _checked(part, came.lines, {call.key: call for call in calls}), came.length)


def _checked(
    part: Path, came: Sequence[ReceivedResponse], calls: dict[AnswerKey, Call]
) -> dict[AnswerKey, ReceivedResponse]:
    found: dict[AnswerKey, ReceivedResponse] = {}
    for number, one in enumerate(came, 1):
        call = calls.get(key_of(one))
        if one.error is None and call is not None and call.digest != one.request:
            raise MedzhError(
                "answers another request than is to be sent: the prompt, the model or a setting has changed since",
                file=part,
                line=number,
                field="id",
                found=one.id,
                advice="set back what was changed, or put this file aside to ask anew",
            )
        found[key_of(one)] = one
    return found


class ResponseWriter:
    """The part file of answers, open for more."""

    def __init__(self, answers: Path, before: StoredResponses) -> None:
        self._answers, self.before, self.arrived = answers, before, dict(before.arrived)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._stream = os.open(part_of(answers), flags, 0o666)
        os.ftruncate(self._stream, before.length)

    def close(self) -> None:
        """Let go of the part file, and of one in which nothing is."""
        if self._stream >= 0:
            empty = not os.fstat(self._stream).st_size
            os.close(self._stream)
            self._stream = -1
            if empty:
                part_of(self._answers).unlink()

    @property
    def count(self) -> int:
        """How many answers are kept."""
        return sum(one.error is None for one in self._everything().values())

    def _everything(self) -> dict[AnswerKey, Prediction]:
        return StoredResponses(self.before.answers, self.arrived, 0).all()

    def append(self, line: ReceivedResponse) -> None:
        """Put a line on the disk: when this returns, no kill takes it away."""
        content = memoryview(msgspec.json.encode(line) + b"\n")
        try:
            while content:
                content = content[os.write(self._stream, content) :]
            os.fsync(self._stream)
        except OSError as error:
            raise MedzhError(
                f"cannot be written: {error.strerror}",
                file=part_of(self._answers),
                advice="all lines before this one are kept: make room and run the same command again",
            ) from error
        self.arrived[key_of(line)] = line

    def finish(self) -> None:
        """Write all that came under its own name, in an order that is not that in which it came."""
        self.close()
        write_kept(self._answers, self._everything())
        part_of(self._answers).unlink(missing_ok=True)


@contextmanager
def writing_responses(answers: Path, calls: Sequence[Call]) -> Iterator[ResponseWriter]:
    """Open the part file of answers behind its last whole line, for one process at a time."""
    answers.parent.mkdir(parents=True, exist_ok=True)
    lock = answers.with_name(f".{answers.name}.lock")
    with locked(lock, answers, "these answers are asked for already: wait until that ends"):
        keeper = ResponseWriter(answers, stored_responses(answers, calls))
        try:
            yield keeper
        finally:
            keeper.close()


@dataclass(frozen=True)
class RetryPolicy:
    """How often and after which pauses a request is tried again."""

    attempts: int = 8  # in all
    pause: float = 1.0  # seconds before the second attempt; doubled before each further one
    longest: float = 60.0  # seconds of a pause at most
    longest_wait: float = 600.0  # seconds that a server may ask for; a server that asks for more ends the run
    seed: int = 0  # of the random part of the pauses

    def pause_after(self, attempt: int, key: AnswerKey) -> float:
        """Say for how many seconds a request waits after an attempt, of which the first is 1.

        Examples
        --------
        >>> from medzh_score.prompting.ids import AnswerKey
        >>> key, policy = AnswerKey("a", 0, 0), RetryPolicy()
        >>> [1 <= policy.pause_after(1, key) < 2, policy.pause_after(99, key)]
        [True, 60.0]
        """
        digest = hashlib.sha256(f"{self.seed}:{key.id}:{key.run}:{key.variant}:{attempt}".encode()).digest()
        chance = int.from_bytes(digest[:8], "big") / (1 << 64)
        doubled: float = 2.0 ** min(attempt - 1, 64)
        return min(self.pause * doubled * (1 + chance), self.longest)


class RateLimiter:
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
class ClientConfig:
    """How hard a server is asked."""

    concurrency: int = 8  # requests at a time
    give_up_after: int = 10  # failed requests in a row after which no more are sent
    patience: RetryPolicy = field(default_factory=RetryPolicy)


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
class Senders:
    """What the workers share: whom they ask, where answers go, and whom they tell."""

    endpoint: Endpoint
    effort: ClientConfig
    keeper: ResponseWriter
    progress: Callable[[Tally], None]
    tally: Tally = field(default_factory=Tally)
    gate: RateLimiter = field(default_factory=RateLimiter)

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
            except RequestError as fault:
                self._take_fault(call, fault)
            else:
                self.keeper.append(line)
                self.tally.answered += 1
                self.tally.failed_in_a_row = 0
            self.progress(self.tally)

    def _take_fault(self, call: Call, fault: RequestError) -> None:
        words = in_words(fault, self.endpoint.key, private=self.endpoint.private)
        tally, kept = self.tally, f"{self.keeper.count:,}"
        stopped = partial(MedzhError, words, file=self.endpoint.base_url)
        if fault.course is ErrorKind.STOPS:
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


async def answered(
    client: AsyncOpenAI, endpoint: Endpoint, call: Call, patience: RetryPolicy, gate: RateLimiter
) -> ReceivedResponse:
    """Send a request until it has an answer; its last fault is raised where it gets none."""
    for attempt in range(1, patience.attempts):
        await gate.passed()
        try:
            return await _answer(client, endpoint, call, gate)
        except RequestError as fault:
            if fault.course is not ErrorKind.PASSES:
                raise
            await _wait(fault, patience, gate, patience.pause_after(attempt, call.key))
    await gate.passed()
    return await _answer(client, endpoint, call, gate)


async def _wait(fault: RequestError, patience: RetryPolicy, gate: RateLimiter, pause: float) -> None:
    if fault.wait is not None:
        if fault.wait > patience.longest_wait:
            problem = f"{fault.problem}; the server asks to be left alone for {fault.wait:,.0f} seconds"
            raise replace(fault, problem=problem, course=ErrorKind.STOPS)
        gate.close(fault.wait)
    await asyncio.sleep(pause)


async def _answer(client: AsyncOpenAI, endpoint: Endpoint, call: Call, gate: RateLimiter) -> ReceivedResponse:
    try:
        async with asyncio.timeout(endpoint.timeout):
            content = await send(client, call)
    except TimeoutError:
        raise RequestError(f"no whole answer within {endpoint.timeout:g} seconds") from None
    except RequestError as fault:
        if fault.course is not ErrorKind.UNREACHED:
            gate.reached = True
            raise
        raise replace(fault, course=ErrorKind.PASSES if gate.reached else ErrorKind.STOPS) from None
    gate.reached = True
    found = answer_in(content)
    return ReceivedResponse(
        id=call.key.id,
        prediction=found.text,
        run=call.key.run,
        variant=call.key.variant,
        model=found.model or endpoint.model,
        finish_reason=found.finish_reason,
        request=call.digest,
    )


def failed(call: Call, words: str) -> ReceivedResponse:
    """Make the line of a request that failed for good."""
    key = call.key
    return ReceivedResponse(
        id=key.id, prediction="", run=key.run, variant=key.variant, error=words, request=call.digest
    )
