"""Our own lines: ``{"id": "sdak-disease_cause-0001-f", "prediction": "正确。…", "run": 0}``."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import msgspec

from medzh_score.files.document import keys_once, lines_with_twins, refuse_twins
from medzh_score.files.json_text import NO_JSON, without_constants
from medzh_score.files.lines import decoded, numbered_blocks, wrong_field
from medzh_score.files.parquet_texts import check_texts, parquet_faults
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import quotable
from medzh_score.predictions.readers.head import PARQUET
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
    if head.form == "parquet":
        return head.has("id", "prediction")
    told = head.has("prediction") or head.has("error")
    return head.form == "lines" and head.has("id") and told and not head.has("data_abbr")  # which is of AISBench


def read(file: InputFile, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read native lines."""
    for numbers, predictions in blocks(file):
        yield from zip(numbers, predictions, strict=True)


def blocks(file: InputFile) -> Iterator[tuple[Sequence[int], Sequence[Prediction]]]:
    """Read native lines, many at a time, which is how they are read fast; no block is empty."""
    if file.stored().read(len(PARQUET)) == PARQUET:
        yield from _of_parquet(file)
        return
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


def _of_parquet(file: InputFile) -> Iterator[tuple[Sequence[int], Sequence[Prediction]]]:
    """Read a table with the fields of lines as its columns; no other column is looked at."""
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(file.stored(), pre_buffer=False) as stored:
            known = [name for name in stored.schema_arrow.names if name in READ]
            check_texts(file.stored(), file.path.stat().st_size, file.path, known)
            rows = (row for batch in stored.iter_batches(columns=known, use_threads=False) for row in batch.to_pylist())
            for number, row in enumerate(rows, 1):
                try:
                    # Where a table holds no run, there is none to be wrong.
                    fields = {name: cell for name, cell in row.items() if cell is not None or name == "prediction"}
                    yield (number,), (prediction_of(fields),)
                except msgspec.ValidationError as error:
                    raise wrong_field(str(error), file.path, number) from error
    except parquet_faults() as error:
        problem = f"cannot be read as parquet: {quotable(error)}"
        raise MedzhError(problem, file=file.path, advice="transfer the file again") from error


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
