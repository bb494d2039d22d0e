"""The one connection of the scorer: to the user's server, nowhere else, and with no more headers than it needs."""

from __future__ import annotations

import logging
import ssl
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.request import getproxies, proxy_bypass

import msgspec

from medzh_score.files.json_text import NO_JSON
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.extras import how_to_add
from medzh_score.predictions.readers.response_bodies import Body, answers_in, error_in
from medzh_score.suites.asking.faults import Course, FaultError, fault_of_status, words_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from openai import AsyncOpenAI

    from medzh_score.suites.asking.calls import Call, Endpoint


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
        raise FaultError(f"no connection within {CONNECTING:g} seconds", Course.UNREACHED) from None
    except APIConnectionError as error:
        unreached = type(error.__cause__).__name__ == "ConnectError"  # httpx's or httpx2's, as the client's age has it
        course = Course.UNREACHED if unreached else Course.PASSES
        raise FaultError(f"no connection: {_first_cause(error)}", course) from None


def _first_cause(error: BaseException) -> str:
    while below := error.__cause__ or error.__context__:
        error = below
    return str(error) or type(error).__name__


OK = 200
BODY = msgspec.json.Decoder(Body)
BROKEN_OFF = ("error", "abort")  # why generation ended where its text is none that the model would have given


class Text(NamedTuple):
    """What a model answered, why it ended there, and by which name the server calls the model."""

    text: str
    finish_reason: str | None
    model: str | None


class CallingMessage(msgspec.Struct):
    """A message that calls tools instead of saying something."""

    tool_calls: Any = None
    function_call: Any = None


class CallingChoice(msgspec.Struct):
    """A choice of which only that is looked at."""

    message: CallingMessage = msgspec.field(default_factory=CallingMessage)


class Calling(msgspec.Struct):
    """A body of which only that is looked at."""

    choices: list[CallingChoice] = []


def answer_in(content: bytes) -> Text:
    """Give the one answer that a response holds.

    An empty text is an answer: to ask again until a model says something would be to choose among its answers.
    """
    body = _body(content)
    if error_in(body) is not None:
        raise FaultError(f"an error instead of an answer: {words_of(content)[0]}", status=OK)
    try:
        answers = answers_in(body)
    except KeyError:
        raise FaultError("a choice without a message") from None
    if not answers:
        raise FaultError("no choices")
    if len(answers) > 1:
        raise FaultError(f"{len(answers)} choices instead of one", Course.LASTS)
    (answer,) = answers
    if answer.finish_reason in BROKEN_OFF:
        raise FaultError("generation broke off")
    if not answer.text and _calls_tools(content):
        raise FaultError("a tool call instead of a text", Course.LASTS)
    return Text(answer.text, answer.finish_reason, body.model)


def _body(content: bytes) -> Body:
    bare = content.strip()
    if not bare:
        raise FaultError("an empty body")
    if bare.startswith(b"<"):
        raise FaultError(f"a page instead of JSON: {words_of(bare)[0]}", status=OK)
    try:
        return BODY.decode(content)
    except msgspec.ValidationError as error:
        raise FaultError(f"JSON of another shape: {error}", status=OK) from None
    except NO_JSON as error:
        raise FaultError(f"no JSON, or cut off: {error}", status=OK) from None


def _calls_tools(content: bytes) -> bool:
    message = msgspec.json.decode(content, type=Calling).choices[0].message
    return bool(message.tool_calls or message.function_call)
