"""Ask a server through the openai client, which retries, and append each response to the file of answers."""

from __future__ import annotations

import asyncio
import logging
import os
import ssl
import time
from collections import Counter
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from medzh_score.io.atomic import locked
from medzh_score.readers.prediction import Prediction
from medzh_score.suites.endpoint import Call, call_of
from medzh_score.suites.prompts import characters_of
from medzh_score.suites.responses import kept_answers, key_of, stated, write_kept
from medzh_score.suites.server_responses import RequestError, answer_in, in_words, refusal
from medzh_score.ui.errors import MedzhError, how_to_add, printable
from medzh_score.ui.i18n import _, _n, translated
from medzh_score.ui.numbers import rounded
from medzh_score.ui.progress import counting_bars, say, shows_progress

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from openai import AsyncOpenAI

    from medzh_score.prompting.ids import AnswerKey
    from medzh_score.suites.endpoint import Endpoint

    Lines = Sequence[Mapping[str, Any]]

LACKING = 3  # the status of a command after which something is missing still
CONCURRENCY = 8  # requests at a time
RETRIES = 7  # of each request
GIVE_UP_AFTER = 10  # failed requests in a row after which no more are sent
CONNECTING = 30.0  # seconds within which a server must take a connection
# Others of the client's name this system and its Python, or a user's organisation as the environment has it.
HEADERS = ("accept", "accept-encoding", "connection", "content-length", "content-type", "host")
NO_KEY = "none"  # the client insists on one, and would take another server's from the environment; it is not sent


@dataclass
class Tally:
    """How far asking has come, and which settings the server named when it refused a request, how often."""

    expected: int = 0
    answered: int = 0
    failed: int = 0
    failed_in_a_row: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    @property
    def left(self) -> int:
        """How many requests are neither answered nor failed."""
        return self.expected - self.answered - self.failed


def say_cost(name: str, lines: Lines, answers: Path, endpoint: Endpoint) -> None:
    """Say what will be sent, where and by which way, before anything is."""
    there, left = _answered_and_left(lines, answers)
    characters = sum(map(characters_of, left))
    notes = [
        _(
            "{name}: {n_left:,} calls to {base_url}, {characters:,} characters of prompts",
            name=name,
            n_left=len(left),
            base_url=endpoint.base_url,
            characters=characters,
        )
    ]
    if there:
        notes.append(_("{name}: {there:,} responses were already received", name=name, there=there))
    if proxy := endpoint.proxy:
        hostname = urlsplit(proxy).hostname
        notes.append(_("requests use the proxy {hostname} (set by an environment variable)", hostname=hostname))
    say(notes)


def ask_with_progress(name: str, lines: Lines, answers: Path, endpoint: Endpoint, concurrency: int) -> int:
    """Ask, show how far it is, say what came of it, and give the status with which a command ends."""
    begin, tally = time.monotonic(), Tally()
    try:
        with _bar(name) as progress:
            ask(lines, answers, endpoint, concurrency, tally, progress)
    except KeyboardInterrupt:
        say([*_outcome(name, tally, begin), _left_by_signal(name, tally)])
        raise
    say(_outcome(name, tally, begin))
    return LACKING if tally.failed else 0


def _left_by_signal(name: str, tally: Tally) -> str:
    return _(
        "{name}: stopped by a signal; {left:,} requests remain. Run the same command again to continue.",
        name=name,
        left=tally.left,
    )


def _outcome(name: str, tally: Tally, begin: float) -> list[str]:
    seconds = time.monotonic() - begin
    rate = tally.answered / seconds if seconds else 0.0
    notes = [
        _(
            "{name}: received {answered:,} responses in {seconds:,.0f} s ({rate}/s)",
            name=name,
            answered=tally.answered,
            seconds=seconds,
            rate=rounded(rate, 1),
        )
    ]
    if tally.failed:
        notes.append(
            _n(
                "{name}: {n:,} request failed after all retries. Run the same command again to resend it.",
                "{name}: {n:,} requests failed after all retries. Run the same command again to resend them.",
                tally.failed,
                name=name,
            )
        )
    for setting, times in tally.refused.items():
        notes.append(
            _(
                "{name}: the server rejected setting {setting} in {times:,} requests",
                name=name,
                setting=setting,
                times=times,
            )
        )
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
            bars.update(task, completed=done, total=tally.expected, beside=f"{rounded(rate, 1)}/s{failures}")

        yield progress


def ask(  # noqa: PLR0913, PLR0917 - what is asked, of whom, and who watches
    lines: Lines,
    answers: Path,
    endpoint: Endpoint,
    concurrency: int = CONCURRENCY,
    tally: Tally | None = None,
    progress: Callable[[Tally], None] = lambda _unused: None,
) -> Tally:
    """Send the prompts that have no answer yet, and append each response as it comes."""
    try:
        import filelock  # noqa: F401 - whether they are there
        import openai  # noqa: F401
    except ImportError as error:
        raise MedzhError(
            _("sending prompts requires optional dependencies: {error}", error=error), advice=how_to_add("ask")
        ) from error
    tally = Tally() if tally is None else tally
    answers.parent.mkdir(parents=True, exist_ok=True)
    lock = answers.with_name(f".{answers.name}.lock")
    with locked(lock, answers, _("wait until the other process has received these responses")):
        _unused, left = _answered_and_left(lines, answers)
        calls = [call_of(line, endpoint.model) for line in left]
        tally.expected = len(calls)
        with _open_answers(answers, {call.key for call in calls}) as kept:
            sender = _Sender(endpoint, kept, tally, progress)
            asyncio.run(sender.send_all(calls, min(concurrency, len(calls))))
    return tally


def _answered_and_left(lines: Lines, answers: Path) -> tuple[int, list[Mapping[str, Any]]]:
    kept = kept_answers(answers)
    keys = [(line, kept.get(call_of(line, "").key)) for line in lines]
    left = [line for line, found in keys if found is None or found.error is not None]
    return len(lines) - len(left), left


class _AnswerFile:
    """A file of answers, open at its end; failures are written when it is closed."""

    def __init__(self, path: Path, kept: dict[AnswerKey, Prediction]) -> None:
        self.path, self.kept = path, kept
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._stream = os.open(path, flags, 0o666)

    @property
    def count(self) -> int:
        return sum(one.error is None for one in self.kept.values())

    def append(self, one: Prediction) -> None:
        """Put an answer on the disk: when this returns, no kill takes it away."""
        content = memoryview(msgspec.json.encode(stated(one)) + b"\n")
        try:
            while content:
                content = content[os.write(self._stream, content) :]
            os.fsync(self._stream)
        except OSError as error:
            raise MedzhError(
                _("cannot write to the path: {strerror}", strerror=_(error.strerror or str(error))),
                file=self.path,
                advice=_("free disk space and run the same command again; all earlier lines are stored"),
            ) from error
        self.kept[key_of(one)] = one

    def close(self) -> None:
        """Write all in an order that does not depend on when it came."""
        os.close(self._stream)
        if self.kept:
            write_kept(self.path, self.kept)
        else:
            self.path.unlink()


@contextmanager
def _open_answers(path: Path, asked: set[AnswerKey]) -> Iterator[_AnswerFile]:
    """Open a file of answers without the failures that are asked again, and without a line that was cut off."""
    kept = {key: one for key, one in kept_answers(path).items() if key not in asked}
    if path.exists():
        write_kept(path, kept)
    answers = _AnswerFile(path, kept)
    try:
        yield answers
    finally:
        answers.close()


@dataclass(frozen=True)
class _Sender:
    endpoint: Endpoint
    answers: _AnswerFile
    tally: Tally
    progress: Callable[[Tally], None]

    async def send_all(self, calls: Sequence[Call], workers: int) -> None:
        waiting = iter(calls)
        try:
            async with _connected(self.endpoint) as client, asyncio.TaskGroup() as group:
                for _unused in range(workers):
                    group.create_task(self._work(client, waiting))
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None  # the group may hold the key

    async def _work(self, client: AsyncOpenAI, waiting: Iterator[Call]) -> None:
        for call in waiting:
            try:
                self.answers.append(await _answer(client, self.endpoint, call))
            except RequestError as error:
                self._failed(call, error)
            else:
                self.tally.answered += 1
                self.tally.failed_in_a_row = 0
            self.progress(self.tally)

    def _failed(self, call: Call, error: RequestError) -> None:
        words, tally, kept = in_words(error, self.endpoint), self.tally, f"{self.answers.count:,}"
        if error.stops:
            advice = _(
                "fix the problem and run the same command again; other requests would fail as well; stored "
                "responses: {kept}",
                kept=kept,
            )
            raise MedzhError(words, file=self.endpoint.base_url, advice=advice) from None  # the error may hold the key
        key = call.key
        self.answers.kept[key] = Prediction(key.id, "", run=key.run, variant=key.variant, error=words)
        tally.failed += 1
        tally.failed_in_a_row += 1
        tally.refused.update(error.settings)
        if tally.failed_in_a_row < GIVE_UP_AFTER:
            return
        count, names = tally.failed_in_a_row, ", ".join(tally.refused)
        if names:
            advice = _(
                "remove {names} from the settings and run the same command again; {count} requests failed in a row "
                "and the server rejects {names}; stored responses: {kept}",
                count=count,
                names=names,
                kept=kept,
            )
        else:
            advice = _(
                "fix the problem and run the same command again to send the rest; {count} requests failed in a "
                "row; stored responses: {kept}",
                count=count,
                kept=kept,
            )
        raise MedzhError(words, file=self.endpoint.base_url, advice=advice) from None


@asynccontextmanager
async def _connected(endpoint: Endpoint) -> AsyncIterator[AsyncOpenAI]:
    """Give a client of the server, which follows no redirect and sends no more headers than it needs."""
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

    # With OPENAI_LOG in the environment it would write what is sent and what comes back, the key in an echo included.
    logging.getLogger("openai").setLevel(logging.WARNING)

    async def keep_to_headers(request: Any) -> None:  # noqa: ANN401 - httpx's, or from openai 3 on httpx2's
        for name in [name for name in request.headers if name not in HEADERS]:
            del request.headers[name]
        request.headers["user-agent"] = "medzh-score"
        if endpoint.key is not None:
            request.headers["authorization"] = f"Bearer {endpoint.key}"

    timeout = Timeout(endpoint.timeout, connect=CONNECTING)
    try:
        http = DefaultAsyncHttpxClient(
            trust_env=False,
            proxy=endpoint.proxy,
            verify=ssl.create_default_context(),
            follow_redirects=False,
            timeout=timeout,
            event_hooks={"request": [keep_to_headers]},
        )
    except (ValueError, ImportError) as error:
        advice = _("set https_proxy and all_proxy to a proxy that starts with http:// or https://")
        raise MedzhError(
            _("the proxy in the environment cannot be used: {error}", error=error), advice=advice
        ) from error
    async with AsyncOpenAI(
        api_key=endpoint.key or NO_KEY,
        base_url=endpoint.base_url,
        max_retries=RETRIES,
        timeout=timeout,
        http_client=http,
    ) as client:
        yield client


async def _answer(client: AsyncOpenAI, endpoint: Endpoint, call: Call) -> Prediction:
    from openai import APIConnectionError, APIStatusError, APITimeoutError

    try:
        # As bytes: what is wrong with a body is named here, and answers are read as those in files are.
        content = await client.post(call.path, cast_to=bytes, body=call.body)
    except APIStatusError as error:
        response = error.response
        raise refusal(response.status_code, response.headers, response.content, call.settings) from None
    except APITimeoutError as error:
        if type(error.__cause__).__name__ == "ConnectTimeout":  # httpx's or httpx2's, as the client's age has it
            raise RequestError(
                _("no connection within {connecting:g} seconds", connecting=CONNECTING), stops=True
            ) from None
        raise RequestError(_("no complete response within {timeout:g} seconds", timeout=endpoint.timeout)) from None
    except APIConnectionError as error:
        cause: BaseException = error
        while below := cause.__cause__ or cause.__context__:
            cause = below
        unreached = type(error.__cause__).__name__ == "ConnectError"
        raise RequestError(
            _("the connection failed: {cause}", cause=cause or type(cause).__name__), stops=unreached
        ) from None
    return answer_in(content, call.key, endpoint.model)
