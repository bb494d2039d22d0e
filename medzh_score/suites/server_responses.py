"""What a server sends back: the one answer of a response, or what went wrong with a request."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from medzh_score.io.jsonl import NO_JSON
from medzh_score.readers.batch import Body, answers_in, error_in
from medzh_score.readers.prediction import Prediction
from medzh_score.ui.errors import printable
from medzh_score.ui.i18n import MarkedText, _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from medzh_score.prompting.ids import AnswerKey
    from medzh_score.suites.endpoint import Endpoint


LONGEST_WORDS = 200  # characters of what went wrong that are kept
SHORTEST_KEY = 8  # a placeholder such as EMPTY is no secret, and a word that servers say
OK, SERVER_ERROR, REDIRECTS = 200, 500, range(300, 400)
STOPPING = frozenset({401, 402, 404, 407})  # key, payment, address or model, proxy: the same for every request
BROKEN_OFF = ("error", "abort")  # why generation ended where its text is none that the model would have given
NO_MONEY = ("insufficient_quota", "billing_not_active")  # come as 429, and do not pass
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL | re.IGNORECASE)


@dataclass(eq=False)
class RequestError(Exception):
    """A request has no answer."""

    problem: str
    stops: bool = False  # whether no request will succeed
    settings: tuple[str, ...] = ()  # that the server names as the cause
    status: int | None = None  # of the response


def answer_in(content: bytes, key: AnswerKey, model: str) -> Prediction:
    """Give the one answer that a response holds.

    An empty text is an answer: to ask again until a model says something would be to choose among its answers.
    """
    body = _body(content)
    if error_in(body) is not None:
        raise RequestError(_("the response is an error: {words_of}", words_of=_words_of(content)[0]), status=OK)
    try:
        answers = answers_in(body)
    except KeyError:
        raise RequestError(_("the choice has no message")) from None
    if not answers:
        raise RequestError(_("no choices"))
    if len(answers) > 1:
        raise RequestError(_("the response has {n_answers} choices instead of 1", n_answers=len(answers)))
    (answer,) = answers
    if answer.finish_reason in BROKEN_OFF:
        raise RequestError(_("the generation was aborted"))
    message = msgspec.json.decode(content)["choices"][0].get("message") or {}
    if not answer.text and (message.get("tool_calls") or message.get("function_call")):
        raise RequestError(_("the response is a tool call, not text"))
    return Prediction(key.id, answer.text, key.run, key.variant, body.model or model, answer.finish_reason)


def _body(content: bytes) -> Body:
    bare = content.strip()
    if not bare:
        raise RequestError(_("the response body is empty"))
    if bare.startswith(b"<"):
        raise RequestError(
            _("the response is a web page, not JSON: {words_of}", words_of=_words_of(bare)[0]), status=OK
        )
    try:
        return msgspec.json.decode(content, type=Body)
    except msgspec.ValidationError as error:
        raise RequestError(_("unexpected JSON structure: {error}", error=error), status=OK) from None
    except NO_JSON as error:
        raise RequestError(_("invalid or truncated JSON: {error}", error=error), status=OK) from None


def refusal(status: int, headers: Mapping[str, str], content: bytes, settings: Sequence[str]) -> RequestError:
    """Say why a response has an error status, and which settings it names."""
    words, code = _words_of(content)
    if status in REDIRECTS:
        # Followed, it would carry prompts to where nobody sent them.
        place = headers.get("location", "").partition("?")[0]
        problem = _("status {status}: the redirect to {place} is not followed", status=status, place=place)
        return RequestError(problem, stops=True, status=status)
    problem = _("status {status_code}: {words}", status_code=status, words=words)
    if status in STOPPING or code in NO_MONEY:
        return RequestError(problem, stops=True, status=status)
    text = content.decode("utf-8", "replace") if status < SERVER_ERROR else ""
    named = tuple(name for name in settings if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))
    return RequestError(problem, settings=named, status=status)


def _words_of(content: bytes) -> tuple[str, str]:
    """Find what a server says in the body of an error, and the code that it gives it."""
    try:
        body = msgspec.json.decode(content)
    except NO_JSON:
        text = content.decode("utf-8", "replace")
        title = TITLE.search(text)
        return title[1] if title else text, ""
    error = body.get("error", body) if isinstance(body, dict) else body
    code = str(error.get("code") or "") if isinstance(error, dict) else ""
    if isinstance(error, dict):
        error = next((error[name] for name in ("message", "detail", "msg") if error.get(name)), error)
    return error if isinstance(error, str) else msgspec.json.encode(error).decode(), code


def in_words(error: RequestError, endpoint: Endpoint) -> str:
    """Write an error as one short line, without the key, which a server may repeat when it complains of it.

    It may repeat a prompt as well: of a private config nothing is kept of what it says.
    """
    problem, key = error.problem, endpoint.key
    if endpoint.private and error.status is not None:
        problem = _(
            "status {status}: the server message is not shown because the config is private", status=error.status
        )

    def cleaned(words: str) -> str:
        if key is not None and len(key) >= SHORTEST_KEY:
            words = words.replace(key, "***")
        words = printable(" ".join(words.split()))
        return words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 1] + "…"

    return problem.with_values(cleaned) if isinstance(problem, MarkedText) else cleaned(problem)
