"""A server of the user's: its address, who may be sent prompts, and the requests that prompts become."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

from medzh_score.prompting.ids import AnswerKey  # noqa: TC001 - a field of a named tuple
from medzh_score.prompting.write import EXTRA, batch_settings
from medzh_score.suites.responses import key_in
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


HOST = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]", re.ASCII | re.IGNORECASE)
SHAPE = _("http://HOST:PORT/v1 or https://HOST/v1")


@dataclass(frozen=True)
class Endpoint:
    """A server, and the model that it is asked for; prompts and settings are in the prompt lines.

    Attributes
    ----------
    base_url : str
        The address up to what the interface adds, such as ``http://localhost:8000/v1``.
    model : str
        The name under which the server has the model.
    key : str, optional
        Sent to this server alone, and shown nowhere.
    timeout : float
        Seconds to wait for the server at most, each time that it sends nothing.
    private : bool
        Whether texts of a private config are sent: then no proxy is used, and the server's messages are not repeated.
    """

    base_url: str
    model: str
    key: str | None = field(default=None, repr=False)
    timeout: float = 600.0
    private: bool = False

    def __post_init__(self) -> None:
        """Refuse what no request can be made of."""
        _address(self.base_url)
        if self.key is not None and not (
            self.key.isascii() and self.key.isprintable() and self.key and " " not in self.key
        ):
            advice = _("check the copied key for a space, a line break or a non-ASCII character")
            raise MedzhError(
                _("invalid key"), field="key", expected=_("ASCII letters, digits and punctuation"), advice=advice
            )

    @property
    def host(self) -> str:
        """The server's name or number."""
        return _address(self.base_url).hostname or ""

    @property
    def is_on_this_machine(self) -> bool:
        """Whether the server is on the loopback."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def proxy(self) -> str | None:
        """The proxy that the environment names; never one for the loopback, nor for private texts."""
        if self.private or self.is_on_this_machine or proxy_bypass(self.host):
            return None
        proxies = getproxies()
        named = proxies.get(self.base_url.partition(":")[0].lower()) or proxies.get("all")
        return named if named is None or "://" in named else f"http://{named}"


def check_host(endpoint: Endpoint, allowed: Sequence[str]) -> None:
    """Refuse a server that is neither on this machine nor named, letter by letter; no name is resolved."""
    for name in allowed:
        if HOST.fullmatch(name) is None:
            expected = _("a host name or IP address as in --base-url, without scheme and port")
            raise MedzhError(_("invalid host"), field="--allow-host", expected=expected, found=name)
    if not endpoint.is_on_this_machine and endpoint.host not in {name.strip("[]").lower() for name in allowed}:
        raise MedzhError(
            _("the host is neither this machine nor an allowed host, and nothing was sent"),
            field="--base-url",
            expected=", ".join(["localhost", *allowed]),
            found=endpoint.host,
            advice=_("allow the host to receive the prompts with --allow-host"),
        )


def _address(url: str) -> SplitResult:
    """Take an address apart; one with a name, a password or a key in it would be seen in messages."""
    if "@" in url or "?" in url or "#" in url:
        advice = _(
            "remove user names, passwords and everything that follows ? or #; the key comes from an "
            "environment variable"
        )
        raise MedzhError(_("the URL contains more than an address"), field="base_url", expected=SHAPE, advice=advice)
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.port != 0 and _has_only_host(parts)
    except ValueError:
        usable = False
    if not usable or not url.isascii() or not url.isprintable() or " " in url:
        raise MedzhError(_("invalid URL"), field="base_url", expected=SHAPE, found=url)
    return parts


def _has_only_host(parts: SplitResult) -> bool:
    """Whether host and port are all before the path: another parser could take anything else for the host."""
    if not parts.hostname:
        return False
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return parts.netloc.lower() in {host.lower(), f"{host}:{parts.port}".lower()}


class Call(NamedTuple):
    """A request of a chat or of a text to go on with; ``settings`` names those in its body."""

    key: AnswerKey
    body: dict[str, Any]
    settings: tuple[str, ...]

    @property
    def path(self) -> str:
        """Where it is sent, below the base URL."""
        return "/chat/completions" if "messages" in self.body else "/completions"


def call_of(line: Mapping[str, Any], model: str) -> Call:
    """Make the request of a prompt line."""
    settings = {**batch_settings(line.get("generation", {})), **line.get(EXTRA, {})}
    prompt = {"messages": line["messages"]} if "messages" in line else {"prompt": line["text"]}
    return Call(key_in(line), {"model": model, **prompt, **settings}, tuple(settings))
