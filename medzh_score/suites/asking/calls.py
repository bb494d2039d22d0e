"""Prompt lines as requests: what is sent of each, and under which key its answer is kept."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.files.input_file import InputFile
from medzh_score.files.lines import decoded, numbered_lines
from medzh_score.messages.errors import MedzhError
from medzh_score.prompts.codes import Key
from medzh_score.prompts.writing import EXTRA, batch_settings
from medzh_score.suites.plan import refuse_reserved

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from medzh_score.suites.asking.endpoint import Endpoint

DIGITS = 16  # of the digest by which a request is known again


class Message(msgspec.Struct):
    """A message of a conversation."""

    role: str
    content: str


class PromptLine(msgspec.Struct):
    """What is sent of a prompt line."""

    id: str
    run: int = 0
    variant: int = 0
    messages: list[Message] | None = None
    text: str | None = None
    decoding: dict[str, Any] = {}
    extra_body: dict[str, Any] = {}


@dataclass(frozen=True)
class Call:
    """A request to be sent, as a conversation or as a text to go on with.

    Attributes
    ----------
    key : Key
        Under which its answer is kept.
    body : mapping
        The request.
    settings : tuple of str
        The settings in it, which a server may refuse.
    """

    key: Key
    body: Mapping[str, Any]
    settings: tuple[str, ...]

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
    """Make the requests of a prompts file, or of its lines.

    Raises
    ------
    MedzhError
        If a line is no prompt, or asks the same as one before it.
    """
    calls: dict[Key, Call] = {}
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
    return Call(Key(line.id, line.run, line.variant), body, tuple(settings))
