"""Connections to the servers of upstream files: which of their faults may pass, and how long a server wants to wait."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx

from medzh_score.messages.errors import MedzhError

TRANSIENT_STATUSES = frozenset({408, 429, 500, 502, 503, 504})
TRANSIENT_ERRORS = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError)
NETWORK_ADVICE = (
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
        advice = "name one that begins with http://, https:// or socks5:// in https_proxy and all_proxy"
        raise MedzhError(f"the environment names a proxy that cannot be used: {error}", advice=advice) from error


def check_address(url: str) -> None:
    """Refuse what is no http or https address as servers take it, written out in ASCII."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not url.isascii() or not url.isprintable() or " " in url:
        raise MedzhError("not an address that can be fetched", expected="http:// or https:// and a host", found=url)


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
        advice = f"the server asks to wait {wait:,.0f} seconds: run the same command again then, and it continues"
        return MedzhError(f"cannot be fetched: {status}", file=url, advice=advice)
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
    return MedzhError(f"cannot be fetched: {reason}", file=url, advice=NETWORK_ADVICE)
