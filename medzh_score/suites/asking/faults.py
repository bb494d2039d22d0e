"""What goes wrong with a request: whether it may pass, lasts, or would meet all others too."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.files.json_text import NO_JSON
from medzh_score.messages.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LONGEST_WORDS = 200  # characters of what went wrong that are kept
SHORTEST_KEY = 8  # a placeholder such as EMPTY is no secret, and a word that servers say
PASSING = frozenset({408, 409, 425, 429})  # and all from 500 on
STOPPING = frozenset({401, 402, 404, 407})  # key, payment, address or model, proxy: the same for every request
REDIRECTS, FAILURES = range(300, 400), 500
NO_MONEY = ("insufficient_quota", "billing_not_active")  # come as 429, and do not pass
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL | re.IGNORECASE)


class Course(Enum):
    """What may become of a fault."""

    PASSES = "another attempt may succeed"
    LASTS = "this request will never succeed"
    STOPS = "no request will succeed"
    UNREACHED = "no request will succeed, unless the server was reached before"


@dataclass(eq=False)
class FaultError(Exception):
    """A request has no answer."""

    problem: str
    course: Course = Course.PASSES
    wait: float | None = None  # seconds that the server asks for
    settings: tuple[str, ...] = ()  # that the server names as the cause
    status: int | None = None  # of the response


def fault_of_status(status: int, headers: Mapping[str, str], content: bytes, settings: Iterable[str]) -> FaultError:
    """Make a fault of a response that is no success."""
    words, code = words_of(content)
    if status in REDIRECTS:
        # Followed, it would carry prompts to where nobody sent them.
        place = headers.get("location", "").partition("?")[0]
        problem = f"status {status}: a redirect to {place}, which is not followed"
        return FaultError(problem, Course.STOPS, status=status)
    problem = f"status {status}: {words}"
    if status in STOPPING or code in NO_MONEY:
        return FaultError(problem, Course.STOPS, status=status)
    if status in PASSING or status >= FAILURES:
        return FaultError(problem, wait=retry_after(headers.get("retry-after", "")), status=status)
    text = content.decode("utf-8", "replace")
    named = tuple(name for name in settings if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))
    return FaultError(problem, Course.LASTS, settings=named, status=status)


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


def in_words(fault: FaultError, key: str | None, *, private: bool = False) -> str:
    """Write a fault as one short line, without the key, which a server may repeat when it complains of it.

    It may repeat a prompt as well: of a private config nothing is kept of what it says.
    """
    if private and fault.status is not None:
        problem = f"status {fault.status}: what the server says is not repeated, for the config is private"
        fault = replace(fault, problem=problem)
    problem = fault.problem.replace(key, "***") if key is not None and len(key) >= SHORTEST_KEY else fault.problem
    words = printable(" ".join(problem.split()))
    return words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 1] + "…"
