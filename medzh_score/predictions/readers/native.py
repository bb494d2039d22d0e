"""Our own lines: ``{"id": "sdak-disease_cause-0001-f", "prediction": "正确。…", "run": 0}``."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import msgspec

from medzh_score.files.document import keys_once, lines_with_twins, refuse_twins
from medzh_score.files.json_text import NO_JSON, without_constants
from medzh_score.files.lines import decoded, numbered_blocks, wrong_field
from medzh_score.predictions.readers.prediction import Prediction, settled, stated
from medzh_score.prompts.codes import no_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from medzh_score.files.input_file import InputFile
    from medzh_score.predictions.readers.head import Head
    from medzh_score.prompts.codes import SentOrder

NAME = "native"
SHAPE = '{"id": …, "prediction": …}'
READ = Prediction.__struct_fields__


class Row(Prediction, frozen=True, gc=False):
    """A line in which nothing may stand for a text: the model gave nothing, or its request failed."""

    prediction: str | msgspec.UnsetType | None = msgspec.UNSET  # type: ignore[assignment]


NO_PREDICTION = "Object missing required field `prediction`"
ROW = msgspec.json.Decoder(Row)


def recognises(head: Head) -> bool:
    """Say whether a file begins with a native line."""
    return head.form == "lines" and head.has("id") and (head.has("prediction") or head.has("error"))


def read(file: InputFile, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read native lines."""
    for numbers, predictions in blocks(file):
        yield from zip(numbers, predictions, strict=True)


def blocks(file: InputFile) -> Iterator[tuple[Sequence[int], Sequence[Prediction]]]:
    """Read native lines, many at a time, which is how they are read fast; no block is empty."""
    decoder = msgspec.json.Decoder(Prediction)
    for first, lines, block in numbered_blocks(file):
        if suspect := lines_with_twins(block, READ):
            raw = block.split(b"\n")
            if not keys_once(b"\n".join([raw[place] for place in suspect])):
                for place in suspect:
                    refuse_twins(raw[place], file.path, first + place, READ)
        try:
            predictions = decoder.decode_lines(block)
        except NO_JSON:
            predictions = []
        if len(predictions) == lines:
            told = b"finish_reason" in block or [one for one in predictions if one.error is not None]
            yield range(first, first + lines), [*map(settled, predictions)] if told else predictions
        else:
            # A blank line, a wrong one, or one without a text: line by line, for the numbers to be right.
            yield from _one_by_one(file, first, block)


def _one_by_one(file: InputFile, first: int, block: bytes) -> Iterator[tuple[Sequence[int], Sequence[Prediction]]]:
    for number, line in enumerate(io.BytesIO(block), first):
        if not line.isspace():
            row = decoded(ROW, without_constants(line), file, number)
            try:
                yield (number,), (_settled(row),)
            except msgspec.ValidationError as error:
                raise wrong_field(str(error), file.path, number) from error


def prediction_of(fields: Mapping[str, object]) -> Prediction:
    """Take what a line says from its fields."""
    return _settled(msgspec.convert(fields, Row))


def _settled(row: Row) -> Prediction:
    fields = msgspec.structs.asdict(row)
    if row.prediction is msgspec.UNSET and stated(row.error) is None:
        raise msgspec.ValidationError(NO_PREDICTION)
    return settled(Prediction(**{**fields, "prediction": row.prediction or ""}))
