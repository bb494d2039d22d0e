"""Prompt lines as requests: what is sent of each, and under which key its answer is kept."""

from __future__ import annotations

import hashlib
import ipaddress
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

import msgspec

from medzh_score.io.jsonl import decoded, numbered_lines
from medzh_score.io.open_input import InputFile
from medzh_score.prompting.ids import AnswerKey
from medzh_score.prompting.write import EXTRA, batch_settings
from medzh_score.suites.plan import refuse_reserved
from medzh_score.ui.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


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


DIGITS = 16  # of the digest by which a request is known again


class ChatTurn(msgspec.Struct):
    """A message of a conversation."""

    role: str
    content: str


class PromptLine(msgspec.Struct):
    """What is sent of a prompt line."""

    id: str
    run: int = 0
    variant: int = 0
    messages: list[ChatTurn] | None = None
    text: str | None = None
    decoding: dict[str, Any] = {}
    extra_body: dict[str, Any] = {}


@dataclass(frozen=True)
class Call:
    """A request to be sent, as a conversation or as a text to go on with."""

    key: AnswerKey
    body: Mapping[str, Any]
    settings: tuple[str, ...]  # in the body, which a server may refuse

    @property
    def is_chat(self) -> bool:
        """Whether it is a conversation."""
        return "messages" in self.body

    @property
    def characters(self) -> int:
        """How many characters of prompts are sent."""
        return sum(len(turn["content"]) for turn in self.body["messages"]) if self.is_chat else len(self.body["prompt"])

    @property
    def digest(self) -> str:
        """By what an answer knows the request that it answers."""
        return hashlib.sha256(msgspec.json.encode(self.body, order="sorted")).hexdigest()[:DIGITS]


def calls_of(prompts: Path | Iterable[Mapping[str, Any]], endpoint: Endpoint) -> list[Call]:
    """Make the requests of a prompts file, or of its lines."""
    calls: dict[AnswerKey, Call] = {}
    path = prompts if isinstance(prompts, Path) else None
    for number, line in _numbered(prompts):
        if (line.messages is None) == (line.text is None):
            expected = "what medzh-score prompts writes"
            raise MedzhError("is no prompt line", file=path, line=number, field="messages or text", expected=expected)
        call = _call(line, endpoint)
        if call.key in calls:
            raise MedzhError("is asked twice", file=path, line=number, field="id", found=line.id)
        calls[call.key] = call
    return list(calls.values())


def _numbered(prompts: Path | Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, PromptLine]]:
    if isinstance(prompts, Path):
        decoder = msgspec.json.Decoder(PromptLine)
        with InputFile(prompts) as file:
            for number, raw in numbered_lines(file):
                yield number, decoded(decoder, raw, file, number)
    else:
        for number, line in enumerate(prompts, 1):
            yield number, msgspec.convert(line, PromptLine)


def _call(line: PromptLine, endpoint: Endpoint) -> Call:
    refuse_reserved(line.decoding, "decoding")
    refuse_reserved(line.extra_body, EXTRA)
    settings = {**batch_settings(line.decoding), **line.extra_body}
    shown = {"prompt": line.text} if line.messages is None else {"messages": msgspec.to_builtins(line.messages)}
    body = {"model": endpoint.model, **shown, **settings}
    return Call(AnswerKey(line.id, line.run, line.variant), body, tuple(settings))
