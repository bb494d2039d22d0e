"""Where prompts are sent: a server of the user's that speaks the interface of OpenAI."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from medzh_score.messages.errors import MedzhError

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
    """

    base_url: str
    model: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 600.0

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


def _address(url: str) -> SplitResult:
    """Take an address apart; one with a name, a password or a key in it would be seen in messages."""
    if "@" in url or "?" in url or "#" in url:
        advice = "leave out names, passwords and what follows ? or #; a key is read from the environment"
        raise MedzhError("is more than an address", field="base_url", expected=SHAPE, advice=advice)
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
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
