"""The one connection of the scorer: to the user's server, nowhere else, and with no more headers than it needs."""

from __future__ import annotations

import logging
import re
import ssl
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.request import getproxies, proxy_bypass

import msgspec

from medzh_score.io.jsonl import NO_JSON
from medzh_score.readers.batch import Body, answers_in, error_in
from medzh_score.ui.errors import MedzhError, how_to_add, printable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping

    from openai import AsyncOpenAI

    from medzh_score.suites.requests import Call, Endpoint


# Others of the client's name this system and its Python, or a user's organisation as the environment has it.
HEADERS = ("accept", "accept-encoding", "connection", "content-length", "content-type", "host")
CONNECTING = 30.0  # seconds within which a server must take a connection
NO_KEY = "none"  # the client insists on one, and would take another server's from the environment; it is not sent


def check_installed() -> None:
    """Refuse to begin without the libraries of the extra."""
    try:
        import filelock  # noqa: F401 - whether they are there
        import openai  # noqa: F401
    except ImportError as error:
        raise MedzhError(f"asking needs more than scoring: {error}", advice=how_to_add("ask")) from error


def proxy_for(endpoint: Endpoint) -> str | None:
    """Give the proxy that the environment names for a server; never one for the loopback, nor for private texts."""
    if endpoint.private or endpoint.is_on_this_machine or proxy_bypass(endpoint.host):
        return None
    proxies = getproxies()
    named = proxies.get(endpoint.base_url.partition(":")[0].lower()) or proxies.get("all")
    return named if named is None or "://" in named else f"http://{named}"


@asynccontextmanager
async def connected(endpoint: Endpoint) -> AsyncIterator[AsyncOpenAI]:
    """Give a client of the server, which follows no redirect and tries nothing twice: both are ours to do."""
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout

    # With OPENAI_LOG in the environment it would write what is sent and what comes back, the key in an echo included.
    logging.getLogger("openai").setLevel(logging.WARNING)

    async def keep_to_headers(request: Any) -> None:  # noqa: ANN401 - httpx's, or from openai 3 on httpx2's
        for name in [name for name in request.headers if name not in HEADERS]:
            del request.headers[name]
        request.headers["user-agent"] = "medzh-score"
        if endpoint.key is not None:
            request.headers["authorization"] = f"Bearer {endpoint.key}"

    timeout = Timeout(None, connect=CONNECTING)  # how long an answer may take is for its sender to say
    try:
        http = DefaultAsyncHttpxClient(
            trust_env=False,
            proxy=proxy_for(endpoint),
            verify=ssl.create_default_context(),
            follow_redirects=False,
            timeout=timeout,
            event_hooks={"request": [keep_to_headers]},
        )
    except (ValueError, ImportError) as error:
        advice = "name one that begins with http:// or https:// in https_proxy and all_proxy"
        raise MedzhError(f"the environment names a proxy that cannot be used: {error}", advice=advice) from error
    async with AsyncOpenAI(
        api_key=endpoint.key or NO_KEY,
        base_url=endpoint.base_url,
        max_retries=0,
        timeout=timeout,
        http_client=http,
    ) as client:
        yield client


async def send(client: AsyncOpenAI, call: Call) -> bytes:
    """Send a request once, and give the body of the response."""
    from openai import APIConnectionError, APIStatusError, APITimeoutError

    try:
        # As bytes: what is wrong with a body is named here, and answers are read as those in files are.
        return await client.post("/chat/completions" if call.is_chat else "/completions", cast_to=bytes, body=call.body)
    except APIStatusError as error:
        response = error.response
        raise fault_of_status(response.status_code, response.headers, response.content, call.settings) from None
    except APITimeoutError:
        raise RequestError(f"no connection within {CONNECTING:g} seconds", ErrorKind.UNREACHED) from None
    except APIConnectionError as error:
        unreached = type(error.__cause__).__name__ == "ConnectError"  # httpx's or httpx2's, as the client's age has it
        course = ErrorKind.UNREACHED if unreached else ErrorKind.PASSES
        raise RequestError(f"no connection: {_first_cause(error)}", course) from None


def _first_cause(error: BaseException) -> str:
    while below := error.__cause__ or error.__context__:
        error = below
    return str(error) or type(error).__name__


OK = 200
BODY = msgspec.json.Decoder(Body)
BROKEN_OFF = ("error", "abort")  # why generation ended where its text is none that the model would have given


class ServerAnswer(NamedTuple):
    """What a model answered, why it ended there, and by which name the server calls the model."""

    text: str
    finish_reason: str | None
    model: str | None


class ToolCallMessage(msgspec.Struct):
    """A message that calls tools instead of saying something."""

    tool_calls: Any = None
    function_call: Any = None


class ToolCallChoice(msgspec.Struct):
    """A choice of which only that is looked at."""

    message: ToolCallMessage = msgspec.field(default_factory=ToolCallMessage)


class ToolCallBody(msgspec.Struct):
    """A body of which only that is looked at."""

    choices: list[ToolCallChoice] = []


def answer_in(content: bytes) -> ServerAnswer:
    """Give the one answer that a response holds.

    An empty text is an answer: to ask again until a model says something would be to choose among its answers.
    """
    body = _body(content)
    if error_in(body) is not None:
        raise RequestError(f"an error instead of an answer: {words_of(content)[0]}", status=OK)
    try:
        answers = answers_in(body)
    except KeyError:
        raise RequestError("a choice without a message") from None
    if not answers:
        raise RequestError("no choices")
    if len(answers) > 1:
        raise RequestError(f"{len(answers)} choices instead of one", ErrorKind.LASTS)
    (answer,) = answers
    if answer.finish_reason in BROKEN_OFF:
        raise RequestError("generation broke off")
    if not answer.text and _calls_tools(content):
        raise RequestError("a tool call instead of a text", ErrorKind.LASTS)
    return ServerAnswer(answer.text, answer.finish_reason, body.model)


def _body(content: bytes) -> Body:
    bare = content.strip()
    if not bare:
        raise RequestError("an empty body")
    if bare.startswith(b"<"):
        raise RequestError(f"a page instead of JSON: {words_of(bare)[0]}", status=OK)
    try:
        return BODY.decode(content)
    except msgspec.ValidationError as error:
        raise RequestError(f"JSON of another shape: {error}", status=OK) from None
    except NO_JSON as error:
        raise RequestError(f"no JSON, or cut off: {error}", status=OK) from None


def _calls_tools(content: bytes) -> bool:
    message = msgspec.json.decode(content, type=ToolCallBody).choices[0].message
    return bool(message.tool_calls or message.function_call)


LONGEST_WORDS = 200  # characters of what went wrong that are kept
SHORTEST_KEY = 8  # a placeholder such as EMPTY is no secret, and a word that servers say
PASSING = frozenset({408, 409, 425, 429})  # and all from 500 on
STOPPING = frozenset({401, 402, 404, 407})  # key, payment, address or model, proxy: the same for every request
REDIRECTS, FAILURES = range(300, 400), 500
NO_MONEY = ("insufficient_quota", "billing_not_active")  # come as 429, and do not pass
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL | re.IGNORECASE)


class ErrorKind(Enum):
    """What may become of a fault."""

    PASSES = "another attempt may succeed"
    LASTS = "this request will never succeed"
    STOPS = "no request will succeed"
    UNREACHED = "no request will succeed, unless the server was reached before"


@dataclass(eq=False)
class RequestError(Exception):
    """A request has no answer."""

    problem: str
    course: ErrorKind = ErrorKind.PASSES
    wait: float | None = None  # seconds that the server asks for
    settings: tuple[str, ...] = ()  # that the server names as the cause
    status: int | None = None  # of the response


def fault_of_status(status: int, headers: Mapping[str, str], content: bytes, settings: Iterable[str]) -> RequestError:
    """Make a fault of a response that is no success."""
    words, code = words_of(content)
    if status in REDIRECTS:
        # Followed, it would carry prompts to where nobody sent them.
        place = headers.get("location", "").partition("?")[0]
        problem = f"status {status}: a redirect to {place}, which is not followed"
        return RequestError(problem, ErrorKind.STOPS, status=status)
    problem = f"status {status}: {words}"
    if status in STOPPING or code in NO_MONEY:
        return RequestError(problem, ErrorKind.STOPS, status=status)
    if status in PASSING or status >= FAILURES:
        return RequestError(problem, wait=retry_after(headers.get("retry-after", "")), status=status)
    text = content.decode("utf-8", "replace")
    named = tuple(name for name in settings if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))
    return RequestError(problem, ErrorKind.LASTS, settings=named, status=status)


def retry_after(written: str) -> float | None:
    """Read for how many seconds a server wants to be left alone: it writes their number, or a date.

    Examples
    --------
    >>> retry_after("7"), retry_after("0.5"), retry_after("soon"), retry_after("Fri, 01 Jan 2021 00:00:00 GMT")
    (7.0, 0.5, None, 0.0)
    """
    if re.fullmatch(r"\d{1,18}(\.\d{1,9})?", written.strip(), re.ASCII):
        return float(written)
    try:
        date = parsedate_to_datetime(written)
    except ValueError:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())


def words_of(content: bytes) -> tuple[str, str]:
    """Find what a server says in the body of an error, and the code that it gives it."""
    try:
        body = msgspec.json.decode(content)
    except NO_JSON:
        text = content.decode("utf-8", "replace")
        title = TITLE.search(text)
        return title[1] if title else text, ""
    error = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        return _message(error), str(error.get("code") or "")
    return error if isinstance(error, str) else msgspec.json.encode(error).decode(), ""


def _message(error: Mapping[str, Any]) -> str:
    for name in ("message", "detail", "msg"):
        if value := error.get(name):
            return value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return msgspec.json.encode(error).decode()


def in_words(fault: RequestError, key: str | None, *, private: bool = False) -> str:
    """Write a fault as one short line, without the key, which a server may repeat when it complains of it.

    It may repeat a prompt as well: of a private config nothing is kept of what it says.
    """
    if private and fault.status is not None:
        problem = f"status {fault.status}: what the server says is not repeated, for the config is private"
        fault = replace(fault, problem=problem)
    problem = fault.problem.replace(key, "***") if key is not None and len(key) >= SHORTEST_KEY else fault.problem
    words = printable(" ".join(problem.split()))
    return words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 1] + "…"
