"""Where prompts are sent: a server of the user's that speaks the interface of OpenAI."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Sequence

HOST = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]", re.ASCII | re.IGNORECASE)
SHAPE = "http://HOST:PORT/v1 or https://HOST/v1"


@dataclass(frozen=True)
class Endpoint:
    """A server, and the model that it is asked for. What is asked, and with which settings, stands in the prompts.

    Attributes
    ----------
    base_url : str
        The address up to what the interface adds, such as ``http://localhost:8000/v1``.
    model : str
        The name under which the server has the model.
    key : str, optional
        Sent to this server alone, and shown nowhere.
    timeout : float
        Seconds within which an answer must be there whole.
    private : bool
        Whether texts of a private config are sent: then no proxy is used, and what the server says is not repeated.
    """

    base_url: str
    model: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 600.0
    private: bool = False

    def __post_init__(self) -> None:
        """Refuse what no request can be made of."""
        _address(self.base_url)
        _check_key(self.key)

    @property
    def host(self) -> str:
        """The server's name or number."""
        return _address(self.base_url).hostname or ""

    @property
    def is_on_this_machine(self) -> bool:
        """Whether the server is on the loopback, and what is sent leaves this machine at no time."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def refuse_other_host(endpoint: Endpoint, allowed: Sequence[str]) -> None:
    """Refuse a server that is neither on this machine nor named, letter by letter; no name is resolved."""
    for name in allowed:
        if HOST.fullmatch(name) is None:
            expected = "a name or a number as it stands in --base-url, without scheme and port"
            raise MedzhError("is no host", field="--allow-host", expected=expected, found=name)
    if not endpoint.is_on_this_machine and endpoint.host not in {name.strip("[]").lower() for name in allowed}:
        raise MedzhError(
            "is neither on this machine nor a host that was allowed, and nothing was sent",
            field="--base-url",
            expected=", ".join(["localhost", *allowed]),
            found=endpoint.host,
            advice="name a host that may see the prompts with --allow-host",
        )


def _is_host_alone(parts: SplitResult) -> bool:
    """Say whether before the path stand a host and a port, and nothing that another reader could take for the host."""
    if not parts.hostname:
        return False
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return parts.netloc.lower() in {host.lower(), f"{host}:{parts.port}".lower()}


def _address(url: str) -> SplitResult:
    """Take an address apart; one with a name, a password or a key in it would be seen in messages."""
    if "@" in url or "?" in url or "#" in url:
        advice = "leave out names, passwords and what follows ? or #; a key is read from the environment"
        raise MedzhError("is more than an address", field="base_url", expected=SHAPE, advice=advice)
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.port != 0 and _is_host_alone(parts)
    except ValueError:
        usable = False
    if not usable or not url.isascii() or not url.isprintable() or " " in url:
        raise MedzhError("is no address", field="base_url", expected=SHAPE, found=url)
    return parts


def _check_key(key: str | None) -> None:
    """Refuse a key that no header can hold, without showing it."""
    if key is not None and not (key.isascii() and key.isprintable() and key and " " not in key):
        advice = "look for a space, a line end or a character of another script where it was copied"
        raise MedzhError("is no key", field="key", expected="letters, digits and signs of ASCII", advice=advice)
