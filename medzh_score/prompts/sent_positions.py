"""In which order prompts may have been sent, for tools that answer by position: of a prompts file, or of the build."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, overload

import msgspec

from medzh_score.benchmark.asking import Asking
from medzh_score.data.checked_rows import records_of
from medzh_score.files.input_file import InputFile
from medzh_score.files.lines import decoded, numbered_lines
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import quotable
from medzh_score.prompts.codes import PROMPT_ID, Position
from medzh_score.prompts.writing import EXTRA, ROLES, SYSTEM, our_settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from medzh_score.benchmark.asking import Asker, Question
    from medzh_score.benchmark.config import Config
    from medzh_score.benchmark.layout import Record
    from medzh_score.data.records import Records
    from medzh_score.prompts.codes import SentOrder


NOT_DECODING = ("model", "messages")
NAMED = ("prompt", "shots", "icl", "tokens")
WORDS = ("prompt", "icl", "tokens")


@dataclass(frozen=True)
class SentLine:
    """One line: a conversation, be it behind a system message, or a plain text.

    In a later round the run is that which the line asks about. A batch line names neither prompt nor examples.
    """

    id: str
    run: int
    variant: int
    turns: tuple[str, ...] | None
    text: str | None
    named: Mapping[str, Any]
    decoding: Mapping[str, Any]
    system: str | None = None

    @property
    def form(self) -> str:
        """How it was sent: as a conversation, or as text to go on with."""
        return "text" if self.turns is None else "chat"

    def is_of(self, question: Question) -> bool:
        """Say whether this is what was to be sent."""
        return self.text == question.text if self.turns is None else self.turns == question.turns


def sent_lines(path: Path, decoding: Mapping[str, float]) -> Iterator[tuple[int, SentLine]]:
    """Read a prompts file."""
    decoder = msgspec.json.Decoder(dict[str, Any])
    with InputFile(path) as file:
        for number, raw in numbered_lines(file):
            yield number, _sent(decoded(decoder, raw, file, number), path, number, decoding)


def _sent(line: dict[str, Any], path: Path, number: int, decoding: Mapping[str, float]) -> SentLine:
    try:
        sent = _batch_line(line, decoding) if "custom_id" in line else _line(line)
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise MedzhError(
            "is no prompt line", file=path, line=number, expected="what medzh-score prompts writes"
        ) from error
    shots = sent.named.get("shots", 0)
    if not _is_count(shots):
        raise MedzhError("is wrong", file=path, line=number, field="shots", expected="a whole number", found=shots)
    return sent


def _batch_line(line: dict[str, Any], decoding: Mapping[str, float]) -> SentLine:
    match = PROMPT_ID.fullmatch(line["custom_id"])
    if match is None:
        raise ValueError(line["custom_id"])
    body = line["body"]
    settings = {name: value for name, value in body.items() if name not in NOT_DECODING}
    run, variant = int(match["run"] or 0), int(match["variant"] or 0)
    system, turns = _conversation(body["messages"])
    return SentLine(match["id"], run, variant, turns, None, {}, our_settings(settings, decoding), system)


def _line(line: dict[str, Any]) -> SentLine:
    identifier, settings, extra = line["id"], line.get("decoding") or {}, line.get(EXTRA) or {}
    run, variant = line.get("run", 0), line.get("variant", 0)
    text = line.get("text")
    system, turns = _conversation(line["messages"]) if text is None else (None, None)
    named = {name: line[name] for name in NAMED if line.get(name) is not None}
    texts = [identifier, *(named[name] for name in WORDS if name in named), *([] if text is None else [text])]
    if not (
        all(isinstance(one, str) for one in texts)
        and isinstance(settings, dict)
        and isinstance(extra, dict)
        and _is_count(run)
        and _is_count(variant)
    ):
        raise TypeError(line)
    if settings.keys() & extra.keys():  # of two values of a setting nobody knows which was heeded
        raise ValueError(line)
    return SentLine(identifier, run, variant, turns, text, named, {**settings, **extra}, system)


def refuse_other_settings(line: SentLine, first: SentLine, path: Path, number: int) -> None:
    """Refuse a line that names another prompt, other examples or another decoding than the first one."""
    here, before = _settings(line), _settings(first)
    for name in sorted({*here, *before}):
        if here.get(name) != before.get(name):
            raise MedzhError(
                "differs from the lines before it",
                file=path,
                line=number,
                field=name,
                expected=quotable(before.get(name, "nothing")),
                found=here.get(name),
                advice="score what was sent in each way by itself",
            )


def _settings(line: SentLine) -> dict[str, Any]:
    system = {} if line.system is None else {SYSTEM: line.system}
    return {**line.named, **system, **{f"decoding.{name}": value for name, value in line.decoding.items()}}


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _conversation(messages: list[dict[str, Any]]) -> tuple[str | None, tuple[str, ...]]:
    """Take the texts of a conversation, and of a system message before it, which is no part of the prompt."""
    first = messages[0]
    system = first["content"] if first["role"] == SYSTEM else None
    turns = messages if system is None else messages[1:]
    contents = tuple(message["content"] for message in turns)
    roles = [message["role"] for message in turns]
    texts = contents if system is None else (system, *contents)
    if len(contents) % 2 == 0 or not all(isinstance(content, str) for content in texts):
        raise ValueError(messages)
    if roles != [ROLES[place % 2] for place in range(len(contents))]:
        raise ValueError(roles)
    return system, contents


class Asked(Sequence[Position]):
    """The prompts of a config in the order in which they are written, made when they are looked at."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._ids = list(asker.variants)

    def __len__(self) -> int:
        """Count them."""
        return len(self._ids)

    @overload
    def __getitem__(self, at: int) -> Position: ...

    @overload
    def __getitem__(self, at: slice) -> list[Position]: ...

    def __getitem__(self, at: int | slice) -> Position | list[Position]:
        """Make one, or several."""
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        identifier = self._ids[at]
        return _position(identifier, 0, 0, self._asker.ask(identifier, 0).turns)


def sent_order(config: Config, data: str | Path | Records, prompts: Sequence[Path] = ()) -> SentOrder:
    """Give the orders in which prompts may have been sent; nothing is read before somebody asks for them."""

    @cache
    def order() -> Mapping[str, Sequence[Position]]:
        if prompts:
            return {f"the prompts of {', '.join(path.name for path in prompts)}": _of_files(prompts, config.decoding)}
        rows = records_of(config, data).rows
        named = {f"the prompts {prompt.name}": Asked(config.asker(rows, Asking(prompt))) for prompt in config.prompts}
        return {**named, "the records' prompts": _of_records(rows)}

    return order


def orders_of_rounds(config: Config, prompts: Mapping[str, Sequence[Path]]) -> dict[str, SentOrder]:
    """Give the orders in which the prompts of later rounds were sent: only their prompts files know."""
    decoding = {later.name: later.model.decoding for later in config.every_round if later.model}
    return {name: _known(paths, decoding[name]) for name, paths in prompts.items() if paths and name in decoding}


def _known(paths: Sequence[Path], decoding: Mapping[str, float]) -> SentOrder:
    @cache
    def order() -> Mapping[str, Sequence[Position]]:
        return {f"the prompts of {', '.join(path.name for path in paths)}": _of_files(paths, decoding)}

    return order


def _of_files(paths: Sequence[Path], decoding: Mapping[str, float]) -> list[Position]:
    return [
        _position(line.id, line.run, line.variant, line.turns or (line.text or "",))
        for path in paths
        for _, line in sent_lines(path, decoding)
    ]


def _of_records(rows: Sequence[Record]) -> list[Position]:
    return [Position(row["id"], 0, 0, row["prompt"]) for row in rows if row.get("prompt")]


def _position(identifier: str, run: int, variant: int, turns: tuple[str, ...]) -> Position:
    return Position(identifier, run, variant, "\n".join(turns), turns)
