"""Our own lines: ``{"id": "sdak-disease_cause-0001-f", "prediction": "正确。…", "run": 0}``."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Annotated

import msgspec

from medzh_score.files.document import keys_once, lines_with_twins, refuse_twins
from medzh_score.files.json_text import NO_JSON
from medzh_score.files.lines import decoded, numbered_blocks
from medzh_score.predictions.readers.prediction import Prediction
from medzh_score.prompts.codes import no_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from medzh_score.files.input_file import InputFile
    from medzh_score.predictions.readers.head import Head
    from medzh_score.prompts.codes import SentOrder

NAME = "native"
SHAPE = '{"id": …, "prediction": …}'
READ = Prediction.__struct_fields__
NO_ERROR = ""  # how some tools say that there was none


class Failed(msgspec.Struct):
    """A line that says why there is no prediction."""

    id: str
    error: str
    prediction: None = None
    run: Annotated[int, msgspec.Meta(ge=0)] = 0
    variant: Annotated[int, msgspec.Meta(ge=0)] = 0
    model: str | None = None


FAILED = msgspec.json.Decoder(Failed)


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
        if len(predictions) == lines and NO_ERROR not in [one.error for one in predictions]:
            yield range(first, first + lines), predictions
        else:
            # A blank line, a wrong one, or one to be set right: line by line, for the numbers to be right.
            yield from _one_by_one(decoder, file, first, block)


def _one_by_one(
    decoder: msgspec.json.Decoder[Prediction], file: InputFile, first: int, block: bytes
) -> Iterator[tuple[Sequence[int], Sequence[Prediction]]]:
    for number, line in enumerate(io.BytesIO(block), first):
        if not line.isspace():
            yield (number,), (_failure(line) or _answer(decoder, line, file, number),)


def prediction_of(fields: Mapping[str, object]) -> Prediction:
    """Take what a line says from its fields."""
    try:
        return _of_failed(msgspec.convert(fields, Failed))
    except msgspec.ValidationError:
        return _without_blank_error(msgspec.convert(fields, Prediction))


def _answer(decoder: msgspec.json.Decoder[Prediction], line: bytes, file: InputFile, number: int) -> Prediction:
    found: Prediction = decoded(decoder, line, file, number)
    return _without_blank_error(found)


def _without_blank_error(found: Prediction) -> Prediction:
    return msgspec.structs.replace(found, error=None) if found.error == NO_ERROR else found


def _failure(line: bytes) -> Prediction | None:
    """Take a line whose request failed: it may say why in the place of a prediction."""
    try:
        return _of_failed(FAILED.decode(line))
    except NO_JSON:
        return None


def _of_failed(failed: Failed) -> Prediction:
    reason = " ".join(failed.error.split()) or "no reason given"
    return Prediction(failed.id, "", failed.run, failed.variant, failed.model, error=reason)
