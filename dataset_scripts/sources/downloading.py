"""Download over HTTP into a part file: continued where it broke off, patient but not for ever."""

from __future__ import annotations

import errno
import os
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import stamina

from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")
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
        Seconds before the second attempt, and twice as many before each further one; up to as many again are added by
        chance, so that not all come back at once. A server that says when to come back (``Retry-After``) is obeyed.
    longest : float
        Seconds before an attempt at most; a server that asks for more is taken at its word, and the download ends.
    """

    stall: float = 60.0
    attempts: int = 5
    pause: float = 1.0
    longest: float = 120.0


PATIENCE = Patience()


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
    check_address(url)
    stamina.instrumentation.set_on_retry_hooks(())  # those that it has would write each attempt to standard error
    attempts = stamina.retry_context(
        _next_wait,
        attempts=patience.attempts,
        timeout=None,
        wait_initial=patience.pause,
        wait_max=patience.longest,
        wait_jitter=patience.pause,
    )
    try:
        with client_with(patience.stall) as client:
            for attempt in attempts:
                with attempt:
                    _attempt(client, url, part, report, patience.longest)
    except DroppedError as dropped:
        raise unreachable(url, f"{dropped}, {patience.attempts} attempts") from dropped
    except OSError as error:
        raise disk_error(part, error) from error


def disk_error(path: Path, error: OSError) -> MedzhError:
    """Say that the cache cannot take a file, and what to do about it."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        advice = _("free some space and run the same command again: it continues")
    else:
        advice = _("name a cache folder that can be written to in MEDZH_SOURCES or with --cache")
    return MedzhError(
        _("cannot be written: {strerror}", strerror=_(error.strerror or str(error))), file=path, advice=advice
    )


def _next_wait(error: Exception) -> bool | float:
    """Say whether another attempt may help, or in how many seconds where the server says it."""
    if not isinstance(error, DroppedError):
        return False
    return True if error.wait is None else error.wait


def _attempt(client: httpx.Client, url: str, part: Path, report: Report, longest: float) -> None:
    try:
        _receive(client, url, part, report, longest)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise fault_of(url, error) from error


def _receive(client: httpx.Client, url: str, part: Path, report: Report, longest: float) -> None:
    size = part.stat().st_size if part.exists() else 0
    with client.stream("GET", url, headers={"Range": f"bytes={size}-"} if size else {}) as response:
        refused = size > 0 and response.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
        if not refused:
            _save(response, _body(url, response, size, longest), part, size, report)
    if refused:  # the server has nothing from where the part file ends
        part.unlink()
        _receive(client, url, part, report, longest)


def _body(url: str, response: httpx.Response, asked_from: int, longest: float) -> _Body:
    if response.status_code == HTTPStatus.OK:
        length = response.headers.get("Content-Length")
        return _Body(0, None if length is None else int(length))
    if response.status_code == HTTPStatus.PARTIAL_CONTENT and asked_from:
        matched = CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
        if matched:
            return _Body(int(matched[1]), None if matched[3] == "*" else int(matched[3]))
    raise refusal(url, response, longest)


def _save(response: httpx.Response, body: _Body, part: Path, size: int, report: Report) -> None:
    if body.start not in (0, size):
        part.unlink()
        raise DroppedError("the server continued at another place")
    with part.open("ab" if body.start else "wb") as stream:
        received = _copy(response, stream, body, report)
    if body.total is not None and received != body.total:
        raise DroppedError(f"the body ended after {received} of {body.total} bytes")


def _copy(response: httpx.Response, stream: IO[bytes], body: _Body, report: Report) -> int:
    received = body.start
    report(received, body.total)
    try:
        for chunk in response.iter_raw():
            stream.write(chunk)
            received += len(chunk)
            report(received, body.total)
    except httpx.RemoteProtocolError:
        if body.total is None:
            raise  # where the size is known, it is said how much is missing
    stream.flush()
    os.fsync(stream.fileno())
    return received


TRANSIENT_STATUSES = frozenset({408, 429, 500, 502, 503, 504})
TRANSIENT_ERRORS = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError)
NETWORK_ADVICE = _(
    "check the connection, name a proxy in https_proxy or a mirror in MEDZH_MIRROR, "
    "or give the file with --source NAME=FILE"
)


class DroppedError(Exception):
    """The connection broke; what has come so far is kept, and another attempt continues it."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


def client_with(stall: float) -> httpx.Client:
    """Make a client with the proxies of the environment, that trusts whom the system trusts."""
    headers = {"User-Agent": "medzh-build", "Accept-Encoding": "identity"}
    try:
        return httpx.Client(headers=headers, timeout=stall, follow_redirects=True, verify=ssl.create_default_context())
    except (ValueError, httpx.InvalidURL) as error:
        advice = _("name one that begins with http://, https:// or socks5:// in https_proxy and all_proxy")
        raise MedzhError(
            _("the environment names a proxy that cannot be used: {error}", error=error), advice=advice
        ) from error


def check_address(url: str) -> None:
    """Refuse what is no http or https address as servers take it, written out in ASCII."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not url.isascii() or not url.isprintable() or " " in url:
        raise MedzhError(
            _("not an address that can be fetched"), expected=_("http:// or https:// and a host"), found=url
        )


def fault_of(url: str, error: Exception) -> Exception:
    """Tell what may pass from what will not: a name that is not known, a port where nobody listens."""
    if isinstance(error, httpx.TimeoutException):
        return DroppedError("the connection stalled")
    passing = isinstance(error, (httpx.NetworkError, httpx.RemoteProtocolError))
    if isinstance(error, httpx.ConnectError):
        passing = isinstance(_first_cause(error), TRANSIENT_ERRORS)
    if passing:
        return DroppedError(f"the connection broke ({error or type(error).__name__})")
    return unreachable(url, f"Tunnel connection failed: {error}" if isinstance(error, httpx.ProxyError) else str(error))


def _first_cause(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def refusal(url: str, response: httpx.Response, longest: float) -> Exception:
    """Make an error of a response without the file: another attempt may help, after as long as the server asks for."""
    status = f"HTTP {response.status_code} {response.reason_phrase}".rstrip()
    if response.is_success:
        return unreachable(url, f"{status}, an answer that was not asked for")
    if response.status_code not in TRANSIENT_STATUSES:
        return unreachable(url, status)
    wait = _retry_after(response.headers.get("Retry-After", "").strip())
    if wait is not None and wait > longest:
        advice = _(
            "the server asks to wait {wait:,.0f} seconds: run the same command again then, and it continues", wait=wait
        )
        return MedzhError(_("cannot be fetched: {reason}", reason=status), file=url, advice=advice)
    return DroppedError(status, wait)


def _retry_after(written: str) -> float | None:
    """Read for how many seconds a server wants to be left alone: it writes their number, or a date."""
    if written.isascii() and written.isdigit():
        return float(written)
    try:
        date = parsedate_to_datetime(written)
    except ValueError:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())


def unreachable(url: str, reason: str) -> MedzhError:
    """Make an error that no further attempt mends."""
    return MedzhError(_("cannot be fetched: {reason}", reason=reason), file=url, advice=NETWORK_ADVICE)
