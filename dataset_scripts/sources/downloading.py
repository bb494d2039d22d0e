"""Download over HTTP into a part file: in chunks, continued where it broke off, patient but not for ever."""

from __future__ import annotations

import errno
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException, InvalidURL
from typing import TYPE_CHECKING, cast
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from pathlib import Path
    from typing import IO

CHUNK = 1 << 18
CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")
TRANSIENT_STATUSES = frozenset({408, 429, 500, 502, 503, 504})
TRANSIENT_ERRORS = (TimeoutError, ConnectionResetError, ConnectionAbortedError, BrokenPipeError)
NETWORK_ADVICE = (
    "check the connection, name a proxy in https_proxy or a mirror in MEDZH_MIRROR, "
    "or give the file with --source NAME=FILE"
)

Report = Callable[[int, int | None], None]


@dataclass(frozen=True)
class Patience:
    """How long a download waits for a bad connection.

    Attributes
    ----------
    stall : float
        Seconds without a byte after which a connection counts as dropped.
    attempts : int
        How often the server is asked in all.
    pause : float
        Seconds before the second attempt; twice that before the third, and so on.
    """

    stall: float = 60.0
    attempts: int = 5
    pause: float = 1.0


PATIENCE = Patience()


class _DroppedError(Exception):
    """The connection broke; what has come so far is kept, and another attempt continues it."""


class _RangeRefusedError(Exception):
    """The server has no content from where the part file ends."""


@dataclass(frozen=True)
class _Body:
    """What a response carries: its first byte's place in the file, and the file's size if the server says it."""

    start: int
    total: int | None


def download(url: str, part: Path, report: Report, patience: Patience = PATIENCE) -> None:
    """Bring a part file to its full length.

    Proxies come from the usual environment variables. What the part file holds already is continued if the server
    can do that. Nothing is said of the content: the caller verifies it.
    """
    _check_address(url)
    for attempt in range(1, patience.attempts + 1):
        try:
            _receive(url, part, report, patience.stall)
        except _DroppedError as dropped:
            if attempt == patience.attempts:
                raise _unreachable(url, f"{dropped}, {attempt} attempts") from dropped
            time.sleep(patience.pause * attempt)
        except OSError as error:
            raise disk_error(part, error) from error
        else:
            return


def disk_error(path: Path, error: OSError) -> MedzhError:
    """Say that the cache cannot take a file, and what to do about it."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        advice = "free some space and run the same command again: it continues"
    else:
        advice = "name a cache folder that can be written to in MEDZH_SOURCES or with --cache"
    return MedzhError(f"cannot be written: {error.strerror or error}", file=path, advice=advice)


def _receive(url: str, part: Path, report: Report, stall: float) -> None:
    size = part.stat().st_size if part.exists() else 0
    try:
        response = _open(url, size, stall)
    except _RangeRefusedError:
        part.unlink()
        response = _open(url, 0, stall)
    with response:
        body = _body(url, response, size)
        if body.start not in (0, size):
            part.unlink()
            raise _DroppedError("the server continued at another place")
        with part.open("ab" if body.start else "wb") as stream:
            received = _copy(response, stream, body, report)
    if body.total is not None and received != body.total:
        raise _DroppedError(f"the body ended after {received} of {body.total} bytes")


def _open(url: str, start: int, stall: float) -> HTTPResponse:
    headers = {"User-Agent": "medzh-build", "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
    try:
        prepared = request.Request(url, headers=headers)  # noqa: S310 - _check_address lets http and https pass only
        return cast("HTTPResponse", _opener().open(prepared, timeout=stall))
    except HTTPError as error:
        with error:
            raise _status_error(url, error, start) from error
    except URLError as error:
        if isinstance(error.reason, TRANSIENT_ERRORS):
            raise _DroppedError(_reason(error.reason)) from error
        raise _unreachable(url, str(error.reason)) from error
    except (ValueError, InvalidURL) as error:
        raise MedzhError(f"not an address that can be fetched: {error}", file=url) from error
    except (OSError, HTTPException) as error:
        raise _DroppedError(_reason(error)) from error


def _opener() -> request.OpenerDirector:
    """Build an opener without urllib's handlers for files, FTP and data, to which a redirect could lead."""
    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler(),
        request.HTTPHandler(),
        request.HTTPSHandler(),
        request.HTTPRedirectHandler(),
        request.HTTPErrorProcessor(),
        request.HTTPDefaultErrorHandler(),
        request.UnknownHandler(),
    ):
        opener.add_handler(handler)
    return opener


def _status_error(url: str, error: HTTPError, start: int) -> Exception:
    status = f"HTTP {error.code} {error.reason}".rstrip()
    if error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and start:
        return _RangeRefusedError(status)
    if error.code in TRANSIENT_STATUSES:
        return _DroppedError(status)
    return _unreachable(url, status)


def _body(url: str, response: HTTPResponse, asked_from: int) -> _Body:
    if response.status == HTTPStatus.OK:
        return _Body(0, response.length)
    if response.status == HTTPStatus.PARTIAL_CONTENT and asked_from:
        matched = CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
        if matched:
            return _Body(int(matched[1]), None if matched[3] == "*" else int(matched[3]))
    raise _unreachable(url, f"HTTP {response.status} {response.reason}, an answer that was not asked for")


def _copy(response: HTTPResponse, stream: IO[bytes], body: _Body, report: Report) -> int:
    received, left = body.start, response.length
    report(received, body.total)
    while left is None or left > 0:
        chunk = _read(response, CHUNK if left is None else min(CHUNK, left))
        if not chunk:
            break
        stream.write(chunk)
        received += len(chunk)
        left = None if left is None else left - len(chunk)
        report(received, body.total)
    stream.flush()
    os.fsync(stream.fileno())
    return received


def _read(response: HTTPResponse, most: int) -> bytes:
    try:
        return response.read1(most)
    except (OSError, HTTPException) as error:
        raise _DroppedError(_reason(error)) from error


def _check_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise MedzhError("not an address that can be fetched", expected="http:// or https:// and a host", found=url)


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "the connection stalled"
    return f"the connection broke ({error or type(error).__name__})"


def _unreachable(url: str, reason: str) -> MedzhError:
    return MedzhError(f"cannot be fetched: {reason}", file=url, advice=NETWORK_ADVICE)
