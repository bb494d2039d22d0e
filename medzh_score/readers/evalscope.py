"""Predictions of EvalScope: a model's result a line, in the order in which answers came; ids stand in the metadata."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Annotated

import msgspec

from medzh_score.io.documents import check_duplicate_keys
from medzh_score.io.jsonl import decoded, numbered_lines, without_constants
from medzh_score.prompting.ids import AnswerKey, AskedFields, Number
from medzh_score.prompting.positions import AskedPosition, as_sets, in_a_row, no_order, placed
from medzh_score.readers.detect import head_of
from medzh_score.readers.inspect_log import ToolChoice, ToolMessage, ToolOutput
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
    from collections.abc import Callable, Iterator

    from medzh_score.io.open_input import InputFile
    from medzh_score.prompting.positions import SentOrder
    from medzh_score.readers.prediction import Prediction


UNKNOWN = "unknown"  # what EvalScope writes for an id where the data have none


class Metadata(msgspec.Struct):
    """What the sample carried along; versions before 1.0 keep the row of the data, one of whose texts was asked."""

    id: str | int | None = None
    run: Number = None
    variant: Number = None
    query: str = ""


class FormerChoice(ToolChoice):
    """One of the answers, as versions before 1.0 write it."""

    finish_reason: str | None = None


class EvalScopeLine(msgspec.Struct):
    """A line of the file, of today's form."""

    index: Annotated[int, msgspec.Meta(ge=0)]
    model: str | None = None
    model_output: ToolOutput | None = None
    messages: list[ToolMessage] = []
    metadata: Metadata | None = None

    @property
    def key(self) -> AnswerKey | None:
        """The id of what was prompted, run and variant, where the line has an id."""
        said = self.metadata
        if said is None or not isinstance(said.id, str) or said.id in {"", UNKNOWN}:
            return None
        return AskedFields(said.id, said.run, said.variant).key

    @property
    def asked(self) -> list[ToolMessage]:
        """The messages before the answer."""
        return self.messages[:-1] if self.messages and self.messages[-1].role == "assistant" else self.messages

    @property
    def asked_text(self) -> str:
        """The text of these messages."""
        return "\n".join(content_text(message.content) for message in self.asked)


class Former(msgspec.Struct):
    """A line of a version before 1.0."""

    index: Annotated[int, msgspec.Meta(ge=0)]
    choices: list[FormerChoice] = []
    model: str | None = None
    raw_input: Metadata | None = None

    def today(self) -> EvalScopeLine:
        """Give the same as a line of today."""
        raw = self.raw_input or Metadata()
        choices = [ToolChoice(one.message, one.finish_reason) for one in self.choices]
        asked = [ToolMessage(raw.query)] if raw.query else []
        return EvalScopeLine(self.index, self.model, ToolOutput(choices=choices), asked, raw)


def read(file: InputFile, order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read predictions, in whatever order they came back."""
    key_of, folder = _keys(file, order), model_by_predictions_folder(file.path)
    for number, line in _lines(file):
        key, output = key_of(line), line.model_output or ToolOutput()
        problem, field = _("the prompt specifies a run, but its output has several choices"), "model_output.choices"
        found = predictions_of(
            key,
            [Response(content_text(one.message.content), one.stop_reason, output.error) for one in output.choices],
            several=MedzhError(
                problem, file=file.path, line=number, field=field, expected=_("one of the two"), found=key.id
            ),
            error=output.error or "no output",
            model=(output.model or line.model or folder or None) if output.choices else None,
            question=StoredQuestion(tuple((role_named(one.role), content_text(one.content)) for one in line.asked)),
        )
        yield from ((number, one) for one in found)


def _lines(file: InputFile) -> Iterator[tuple[int, EvalScopeLine]]:
    is_former = "model_output" not in head_of(file).first
    decoder = msgspec.json.Decoder(Former if is_former else EvalScopeLine)
    for number, raw in numbered_lines(file):
        one = decoded(decoder, without_constants(raw), file, number)
        check_duplicate_keys(raw, file.path, number)
        yield number, one.today() if is_former else one


def _keys(file: InputFile, order: SentOrder) -> Callable[[EvalScopeLine], AnswerKey]:
    """Go through the file once, for what each line is the answer to; texts are not kept but where they are compared."""
    path, indices = file.path, dict[AnswerKey, list[int]]()
    unnamed: list[AskedPosition] = []
    lines: dict[int, int] = {}
    for number, line in _lines(file):
        if line.index in lines:
            raise MedzhError(
                _("duplicate index"),
                file=path,
                line=number,
                field="index",
                expected=_("distinct values"),
                found=line.index,
                advice=_("keep one of the two lines; line {lines} has the same index", lines=lines[line.index]),
            )
        lines[line.index] = number
        if line.key is not None:
            indices.setdefault(line.key, []).append(line.index)
        else:
            unnamed.append(AskedPosition(line.index, line.asked_text, number))
            if not line.asked_text.strip():
                raise MedzhError(
                    _("the line has no id and no question (EvalScope before 1.7), so its prompt cannot be identified"),
                    file=path,
                    line=number,
                    field="metadata.id",
                    expected=_("the id or the sent messages"),
                    advice=_(
                        "include the id in the metadata of each sample, use EvalScope 1.7 or later, or write "
                        "one line per "
                        'prediction: {"id": …, "prediction": …}'
                    ),
                )
        if indices and unnamed:
            problem, expected = _("some lines have an id and others do not"), _("ids for all predictions or for none")
            raise MedzhError(problem, file=path, line=number, field="metadata.id", expected=expected)
    if unnamed:
        # How often each prompt can have been sent before the next, judging by the highest index.
        count = max(one.position for one in unnamed) + 1
        times = {count // len(known) for known in order().values() if known and count % len(known) == 0} - {0, 1}
        places = placed(unnamed, order(), path, (as_sets, *map(in_a_row, sorted(times))))
        return lambda line: places[line.index]
    for one in indices.values():
        one.sort()

    def by_id(line: EvalScopeLine) -> AnswerKey:
        key = line.key or AnswerKey("")
        return key._replace(run=key.run or bisect_left(indices[key], line.index))

    return by_id
