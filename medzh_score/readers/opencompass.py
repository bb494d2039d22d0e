"""Predictions of OpenCompass: one object, keyed by position, without ids; each says what was asked."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.io.documents import read_document
from medzh_score.io.jsonl import numbered_lines
from medzh_score.io.open_input import InputFile
from medzh_score.prompting.positions import AskedPosition, as_sets, no_order, placed
from medzh_score.readers.detect import POSITION, SHAPES
from medzh_score.readers.prediction import (
    Response,
    StoredQuestion,
    content_text,
    model_by_predictions_folder,
    predictions_of,
    role_named,
)
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from medzh_score.prompting.positions import Repeats, SentOrder
    from medzh_score.readers.prediction import Messages, Prediction


KEY = re.compile(rb'(\s*)"(\d{1,9})"\s*:\s*\{')
PART = re.compile(r"(?P<whole>.+)_(?P<part>\d{1,6})(?P<end>\.json(?:\.gz)?)", re.ASCII)
TEXTS = ("prompt", "content")  # of a message; the first are templates of OpenCompass, the others those of ChatML


class Entry(msgspec.Struct):
    """What is said of a position; a prediction is a text, a list of samples, or an object that holds either."""

    prediction: Any = msgspec.UNSET
    origin_prompt: Any = None
    likelihood: bool = False


LABEL = "label: "  # begins the keys of an entry that holds how likely each label is; nothing was generated then


def read(file: InputFile, order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read predictions by position, after every one was compared with what was sent there."""
    path, lines, entries = file.path, _lines(file), _entries(file)
    model = model_by_predictions_folder(path)
    found = [AskedPosition(at, _asked(entry, path, at), lines.get(at, 1)) for at, entry in sorted(entries.items())]
    keys = placed(found, order(), path, _repeats(path))
    for one in found:
        entry, key = entries.pop(one.position), keys[one.position]
        texts = _texts(entry, path, one)
        question = StoredQuestion(_messages(entry.origin_prompt), likelihood=entry.likelihood)
        first = key._replace(run=0)  # the samples of a set are numbered behind those of the sets before it
        for each in predictions_of(
            first, [*map(Response, texts)], error="no prediction", model=model, question=question
        ):
            run = key.run * max(len(texts), 1) + each.run
            yield one.line, msgspec.structs.replace(each, run=run)


def _entries(file: InputFile) -> dict[int, Entry]:
    path = file.path
    named: dict[str, msgspec.Raw] = read_document(file, dict[str, msgspec.Raw], SHAPES["opencompass"], constants=True)
    if not named:
        raise MedzhError(_("no predictions found"), file=path, advice=_("check that generation ran"))
    decoder, entries = msgspec.json.Decoder(Entry), dict[int, Entry]()
    for key, raw in named.items():
        if POSITION.fullmatch(key) is None:
            raise MedzhError(_("the key is not a position"), file=path, field=f"/{key}", expected=SHAPES["opencompass"])
        try:
            entries[int(key)] = _with_labels(decoder.decode(raw), raw)
        except msgspec.ValidationError as error:
            raise MedzhError(
                _("the value is not a JSON object"), file=path, field=f"/{key}", expected=SHAPES["opencompass"]
            ) from error
    return entries


def _with_labels(entry: Entry, raw: msgspec.Raw) -> Entry:
    """Take of a choice by likelihood what was asked: the prompt of its first label, without the label behind it."""
    if LABEL.encode() not in bytes(raw):
        return entry
    said = msgspec.json.decode(raw, type=dict[str, Any])
    key = next((key for key in said if key.startswith(LABEL)), None)
    if key is None:
        return entry
    prompt = said[key].get("prompt") if isinstance(said[key], dict) else None
    asked = prompt.removesuffix(key.removeprefix(LABEL)) if isinstance(prompt, str) else prompt
    return Entry(entry.prediction, entry.origin_prompt or asked, likelihood=True)


def _lines(file: InputFile) -> dict[int, int]:
    found: dict[int, int] = {}
    depth = None
    for number, line in numbered_lines(file):
        match = KEY.match(line)
        if match is not None and depth in {None, match[1]}:
            depth = match[1]
            if int(match[2]) in found:
                raise MedzhError(
                    _("duplicate position"),
                    file=file.path,
                    line=number,
                    field=f"/{int(match[2])}",
                    expected=_("distinct values"),
                    advice=_("specify each part of the dataset as a separate file; do not join the parts"),
                )
            found[int(match[2])] = number
    return found


def _asked(entry: Entry, path: Path, at: int) -> str:
    asked = entry.origin_prompt
    if isinstance(asked, str):
        return asked
    messages = asked if isinstance(asked, list) else []
    if any(isinstance(message, list) for message in messages):
        raise _several_stages(path, at)
    texts = [_text_of(message) for message in messages]
    if not texts or None in texts:
        raise MedzhError(
            _("the entry contains no question, so its position cannot be checked"),
            file=path,
            field=f"/{at}/origin_prompt",
            expected=_("a string or a list of messages"),
        )
    return "\n".join(text or "" for text in texts)


def _messages(asked: Any) -> Messages:  # noqa: ANN401 - as it stands in the file
    if isinstance(asked, str):
        return (("", asked),)
    return tuple(
        (role_named(str(message.get("role") or "user")), _text_of(message) or "")
        if isinstance(message, dict)
        else ("user", str(message))
        for message in asked
    )


def _several_stages(path: Path, at: int) -> MedzhError:
    return MedzhError(
        _("the entry contains a multi-turn conversation"),
        file=path,
        field=f"/{at}/origin_prompt",
        expected=_("one question and one response per position"),
    )


def _text_of(message: object) -> str | None:
    if not isinstance(message, dict):
        return message if isinstance(message, str) else None
    content = next((message[name] for name in TEXTS if name in message), None)
    if isinstance(content, list):
        content = content_text([part for part in content if isinstance(part, dict)])
    return content if isinstance(content, str) else None


def _texts(entry: Entry, path: Path, found: AskedPosition) -> list[str]:
    """Give the samples of an entry; none where nothing came."""
    said = entry.prediction
    if isinstance(said, dict):
        said = said.get("prediction", msgspec.UNSET)
    if said is msgspec.UNSET:
        return []
    texts = ["" if one is None else one for one in (said if isinstance(said, list) else [said])]
    asked = entry.origin_prompt
    # A list of bare texts, not messages, holds what was asked in each round.
    if len(texts) > 1 and isinstance(asked, list) and not any(isinstance(message, dict) for message in asked):
        raise _several_stages(path, found.position)
    if wrong := [text for text in texts if not isinstance(text, str)]:
        raise MedzhError(
            _("wrong type"),
            file=path,
            line=found.line,
            field=f"/{found.position}/prediction",
            expected=_("a string or a list of strings"),
            found=wrong[0],
        )
    return texts


def _repeats(path: Path) -> tuple[Repeats, ...]:
    """Let a part go on where those before it end; what is named like a part may be a whole all the same."""
    match = PART.fullmatch(path.name)
    parts = range(0 if match is None else int(match["part"]))
    before = [path.with_name(PART.sub(rf"\g<whole>_{part}\g<end>", path.name)) for part in parts]
    if not before or not all(file.is_file() for file in before):
        return (as_sets,)
    behind = sum(_count(file, file.stat().st_mtime_ns, file.stat().st_size) for file in before)
    return (lambda position, prompts: as_sets(behind + position, prompts), as_sets)


@cache
def _count(path: Path, _changed: int, _size: int) -> int:
    """Count the positions of a part, those that are lacking too; once, though each later part asks for it."""
    with InputFile(path) as file:
        return max(_entries(file)) + 1
