"""Download over HTTP into a part file, with continuation, retries and time limits."""

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

CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")
Report = Callable[[int, int | None], None]


@dataclass(frozen=True)
class Patience:
    """The retry policy of a download; the Retry-After header of a server is respected."""

    stall: float = 60.0  # seconds without a byte after which a connection counts as dropped
    attempts: int = 5  # in all
    pause: float = 1.0  # seconds before the second attempt, doubled each time, and as many again by chance
    longest: float = 120.0  # seconds before an attempt; a server that asks for more is taken at its word


PATIENCE = Patience()


def download(url: str, part: Path, report: Report, patience: Patience = PATIENCE) -> None:
    """Complete a part file.

    Proxies come from the usual environment variables. What the part file holds already is continued if the server
    can do that. Nothing is said of the content: the caller verifies it.
    """
    _check_address(url)
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
        with _client_with(patience.stall) as client:
            for attempt in attempts:
                with attempt:
                    _attempt(client, url, part, report, patience.longest)
    except DroppedError as dropped:
        raise _unreachable(url, f"{dropped}, {patience.attempts} attempts") from dropped
    except OSError as error:
        raise disk_error(part, error) from error


def disk_error(path: Path, error: OSError) -> MedzhError:
    """Return the error of a cache that cannot store a file."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        advice = _("free some disk space, and run the same command again to continue")
    else:
        advice = _("set a writable cache folder with MEDZH_SOURCES or `--cache`")
    return MedzhError(
        _("cannot write to the path: {strerror}", strerror=_(error.strerror or str(error))), file=path, advice=advice
    )


def _next_wait(error: Exception) -> bool | float:
    """Return whether another attempt may help, or the seconds to wait that the server states."""
    if not isinstance(error, DroppedError):
        return False
    return True if error.wait is None else error.wait


def _attempt(client: httpx.Client, url: str, part: Path, report: Report, longest: float) -> None:
    size = part.stat().st_size if part.exists() else 0
    try:
        with client.stream("GET", url, headers={"Range": f"bytes={size}-"} if size else {}) as response:
            if not size or response.status_code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                start, total = _extent(url, response, size, longest)
                _save(response, part, size, start, total, report)
                return
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise _fault_of(url, error) from error
    part.unlink()  # the server has no content after the end of the part file
    _attempt(client, url, part, report, longest)


def _extent(url: str, response: httpx.Response, asked_from: int, longest: float) -> tuple[int, int | None]:
    """Return the first byte of a response, and the size of the file if the server states it."""
    if response.status_code == HTTPStatus.OK:
        length = response.headers.get("Content-Length")
        return 0, None if length is None else int(length)
    if response.status_code == HTTPStatus.PARTIAL_CONTENT and asked_from:
        matched = CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
        if matched:
            return int(matched[1]), None if matched[3] == "*" else int(matched[3])
    raise _refusal(url, response, longest)


def _save(  # noqa: PLR0913, PLR0917 - what is written, and where
    response: httpx.Response, part: Path, size: int, start: int, total: int | None, report: Report
) -> None:
    if start not in (0, size):
        part.unlink()
        raise DroppedError("the server continued at another place")
    received = start
    with part.open("ab" if start else "wb") as stream:
        report(received, total)
        try:
            for chunk in response.iter_raw():
                stream.write(chunk)
                received += len(chunk)
                report(received, total)
        except httpx.RemoteProtocolError:
            if total is None:
                raise  # if the size is known, the message states the missing bytes
        stream.flush()
        os.fsync(stream.fileno())
    if total is not None and received != total:
        raise DroppedError(f"the body ended after {received} of {total} bytes")


TRANSIENT_STATUSES = frozenset({408, 429, 500, 502, 503, 504})
TRANSIENT_ERRORS = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError)
NETWORK_ADVICE = _(
    "check the connection, set a proxy in https_proxy or a mirror in MEDZH_MIRROR, or provide the file with "
    "`--source NAME=FILE`"
)


class DroppedError(Exception):
    """The connection was interrupted; the received part is kept, and another attempt continues it."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


def _client_with(stall: float) -> httpx.Client:
    """Make a client with the proxies of the environment, that trusts whom the system trusts."""
    headers = {"User-Agent": "medzh-build", "Accept-Encoding": "identity"}
    try:
        return httpx.Client(headers=headers, timeout=stall, follow_redirects=True, verify=ssl.create_default_context())
    except (ValueError, httpx.InvalidURL) as error:
        advice = _("set a proxy that begins with http://, https:// or socks5:// in https_proxy and all_proxy")
        raise MedzhError(
            _("the proxy in the environment cannot be used: {error}", error=error), advice=advice
        ) from error


def _check_address(url: str) -> None:
    """Reject an address that is not an http or https address in ASCII."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not url.isascii() or not url.isprintable() or " " in url:
        raise MedzhError(
            _("invalid download address"), expected=_("an address with http:// or https:// and a host name"), found=url
        )


def _fault_of(url: str, error: Exception) -> Exception:
    """Return whether an error is temporary: an unknown name or a closed port is not."""
    if isinstance(error, httpx.TimeoutException):
        return DroppedError("the connection stalled")
    passing = isinstance(error, (httpx.NetworkError, httpx.RemoteProtocolError))
    if isinstance(error, httpx.ConnectError):
        passing = isinstance(_first_cause(error), TRANSIENT_ERRORS)
    if passing:
        return DroppedError(f"the connection broke ({error or type(error).__name__})")
    return _unreachable(
        url, f"Tunnel connection failed: {error}" if isinstance(error, httpx.ProxyError) else str(error)
    )


def _first_cause(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def _refusal(url: str, response: httpx.Response, longest: float) -> Exception:
    """Make an error of a response without the file: another attempt may help, after as long as the server asks for."""
    status = f"HTTP {response.status_code} {response.reason_phrase}".rstrip()
    if response.is_success:
        return _unreachable(url, f"{status}, an answer that was not asked for")
    if response.status_code not in TRANSIENT_STATUSES:
        return _unreachable(url, status)
    wait = _retry_after(response.headers.get("Retry-After", "").strip())
    if wait is not None and wait > longest:
        advice = _(
            "wait {wait:,.0f} seconds, as the server requests, and run the same command again to continue", wait=wait
        )
        return MedzhError(_("the download failed: {reason}", reason=status), file=url, advice=advice)
    return DroppedError(status, wait)


def _retry_after(written: str) -> float | None:
    """Parse the Retry-After header, a number of seconds or a date."""
    if written.isascii() and written.isdigit():
        return float(written)
    try:
        date = parsedate_to_datetime(written)
    except ValueError:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())


def _unreachable(url: str, reason: str) -> MedzhError:
    """Make an error that no further attempt mends."""
    return MedzhError(_("the download failed: {reason}", reason=reason), file=url, advice=NETWORK_ADVICE)
