"""Predictions of EvalScope: a model's result a line, in the order in which answers came; ids stand in the metadata."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from medzh_score.io.documents import check_duplicate_keys
from medzh_score.io.jsonl import decoded, numbered_lines, without_constants
from medzh_score.prompting.ids import AskedFields, Number
from medzh_score.prompting.positions import AskedPosition, as_sets, in_a_row, no_order, placed
from medzh_score.readers.detect import head_of
from medzh_score.readers.inspect_log import ToolChoice, ToolMessage, ToolOutput
from medzh_score.readers.prediction import (
    Prediction,
    StoredQuestion,
    in_predictions,
    role_named,
    settled,
    with_question,
)
from medzh_score.ui.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from medzh_score.io.open_input import InputFile
    from medzh_score.prompting.positions import SentOrder


UNKNOWN = "unknown"  # what EvalScope writes for an id where the data have none


class Metadata(msgspec.Struct):
    """What the sample carried along."""

    id: str | int | None = None
    run: Number = None
    variant: Number = None


class Raw(msgspec.Struct):
    """The row of the data, as versions before 1.0 keep it; what was asked is one of its texts."""

    id: str | int | None = None
    run: Number = None
    variant: Number = None
    query: str = ""


class FormerChoice(ToolChoice):
    """One of the answers, as versions before 1.0 write it."""

    finish_reason: str | None = None


class Former(msgspec.Struct):
    """A line of a version before 1.0."""

    index: Annotated[int, msgspec.Meta(ge=0)]
    choices: list[FormerChoice] = []
    model: str | None = None
    raw_input: Raw | None = None

    @property
    def line(self) -> EvalScopeLine:
        """The same as a line of today."""
        raw = self.raw_input or Raw()
        choices = [ToolChoice(one.message, one.finish_reason) for one in self.choices]
        asked = [ToolMessage(raw.query)] if raw.query else []
        return EvalScopeLine(
            self.index, self.model, ToolOutput(choices=choices), asked, Metadata(raw.id, raw.run, raw.variant)
        )


class EvalScopeLine(msgspec.Struct):
    """A line of the file."""

    index: Annotated[int, msgspec.Meta(ge=0)]
    model: str | None = None
    model_output: ToolOutput | None = None
    messages: list[ToolMessage] = []
    metadata: Metadata | None = None

    @property
    def asked(self) -> tuple[str, int, int] | None:
        """The id of what was prompted, run and variant, where the line has an id."""
        said = self.metadata
        if said is None or not isinstance(said.id, str) or said.id in {"", UNKNOWN}:
            return None
        return AskedFields(said.id, said.run, said.variant).parts()


def read(file: InputFile, order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read predictions, in whatever order they came back."""
    path = file.path
    place_of, folder = _places(file, order), in_predictions(path)
    for number, line in _lines(file):
        line.model = line.model or folder
        asked = StoredQuestion(tuple((role_named(one.role), _text(one.content)) for one in _before_answer(line)))
        yield from ((number, with_question(one, asked)) for one in _predictions(line, *place_of(line), path, number))


def _lines(file: InputFile) -> Iterator[tuple[int, EvalScopeLine]]:
    decoder, former = msgspec.json.Decoder(EvalScopeLine), msgspec.json.Decoder(Former)
    is_former = "model_output" not in head_of(file).first
    for number, raw in numbered_lines(file):
        one = decoded(former if is_former else decoder, without_constants(raw), file, number)
        check_duplicate_keys(raw, file.path, number)
        yield number, one.line if is_former else one


def _places(file: InputFile, order: SentOrder) -> Callable[[EvalScopeLine], tuple[str, int, int]]:
    """Go through the file once, for what each line is the answer to; texts are not kept but where they are compared."""
    path, indices = file.path, dict[tuple[str, int, int], list[int]]()
    unnamed: list[AskedPosition] = []
    lines: dict[int, int] = {}
    for number, line in _lines(file):
        if line.index in lines:
            raise MedzhError(
                "the same index twice",
                file=path,
                line=number,
                field="index",
                expected="each once",
                found=line.index,
                advice=f"line {lines[line.index]} has it too; keep one of the two",
            )
        lines[line.index] = number
        asked = line.asked
        if asked is not None:
            indices.setdefault(asked, []).append(line.index)
        else:
            unnamed.append(AskedPosition(line.index, _asked(line), number))
            if not _asked(line).strip():
                raise MedzhError(
                    "names no id and holds no question, as EvalScope before 1.7 writes it: nothing tells its place",
                    file=path,
                    line=number,
                    field="metadata.id",
                    expected="the id, or the messages that were sent",
                    advice="let the data carry the id in metadata, or run EvalScope 1.7 or later; or write a line for"
                    ' each answer: {"id": …, "prediction": …}',
                )
        if indices and unnamed:
            raise MedzhError(
                "some lines have an id and others have none",
                file=path,
                line=number,
                field="metadata.id",
                expected="an id in each, or in none",
            )
    if unnamed:
        places = placed(unnamed, order(), path, (as_sets, *map(in_a_row, _times(unnamed, order))))
        return lambda line: places[line.index]
    for one in indices.values():
        one.sort()
    return lambda line: _by_id(line.asked or ("", 0, 0), line.index, indices)


def _times(unnamed: list[AskedPosition], order: SentOrder) -> list[int]:
    """How often each prompt can have been sent before the next, judging by the highest index."""
    last = max(one.position for one in unnamed) + 1
    return sorted({last // len(known) for known in order().values() if known and last % len(known) == 0} - {0, 1})


def _by_id(
    asked: tuple[str, int, int], index: int, indices: Mapping[tuple[str, int, int], list[int]]
) -> tuple[str, int, int]:
    prompt_id, run, variant = asked
    return prompt_id, run or bisect_left(indices[asked], index), variant


def _asked(line: EvalScopeLine) -> str:
    return "\n".join(_text(message.content) for message in _before_answer(line))


def _before_answer(line: EvalScopeLine) -> list[ToolMessage]:
    return line.messages[:-1] if line.messages and line.messages[-1].role == "assistant" else line.messages


def _text(content: str | list[dict[str, Any]] | None) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if part.get("type", "text") == "text")
    return content or ""


def _predictions(  # noqa: PLR0913, PLR0917 - a line, its place, and where it stands
    line: EvalScopeLine, prompt_id: str, run: int, variant: int, path: Path, number: int
) -> Iterator[Prediction]:
    output = line.model_output
    if output is None or not output.choices:
        reason = "no output" if output is None or not output.error else output.error
        yield Prediction(prompt_id, "", run, variant, error=reason)
        return
    if len(output.choices) > 1 and run:
        raise MedzhError(
            "several choices for a prompt that was repeated",
            file=path,
            line=number,
            field="model_output.choices",
            expected="one of the two",
            found=prompt_id,
        )
    model = output.model or line.model or None
    for place, choice in enumerate(output.choices):
        text = _text(choice.message.content)
        found = Prediction(prompt_id, text, run or place, variant, model, choice.stop_reason)
        # Where a filter ended it, the error only says so.
        yield settled(found if found.is_filtered else msgspec.structs.replace(found, error=output.error))
