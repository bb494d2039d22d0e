"""Our own lines: ``{"id": "sdak-disease_cause-0001-f", "prediction": "正确。…", "run": 0}``."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import msgspec

from medzh_score.io.documents import check_duplicate_keys, keys_once, lines_with_twins
from medzh_score.io.jsonl import NO_JSON, decoded, numbered_blocks, numbered_lines, without_constants, wrong_field
from medzh_score.io.limits import check_texts, parquet_faults
from medzh_score.io.tables import number_in, read_rows
from medzh_score.prompting.positions import no_order
from medzh_score.readers.detect import PARQUET, separator_in
from medzh_score.readers.prediction import Prediction, settled, stated
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from medzh_score.io.open_input import InputFile
    from medzh_score.prompting.positions import SentOrder


NAME = "native"
READ = Prediction.__struct_fields__


class NativeLine(Prediction, frozen=True, gc=False):
    """A line in which nothing may stand for a text: the model gave nothing, or its request failed."""

    prediction: str | msgspec.UnsetType | None = msgspec.UNSET  # type: ignore[assignment]


NO_PREDICTION = "Object missing required field `prediction`"
ROW = msgspec.json.Decoder(NativeLine)


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
                    check_duplicate_keys(raw[place], file.path, first + place, READ)
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
    return _settled(msgspec.convert(fields, NativeLine))


def _settled(row: NativeLine) -> Prediction:
    fields = msgspec.structs.asdict(row)
    if row.prediction is msgspec.UNSET and stated(row.error) is None:
        raise msgspec.ValidationError(NO_PREDICTION)
    return settled(Prediction(**{**fields, "prediction": row.prediction or ""}))


RATER = "rater"  # who fills in a sheet of ours
# What a spreadsheet shows where a text was lost: taken for a formula, or for a date.
LOST = {"#NAME?", "#VALUE!", "#REF!", "#DIV/0!", "#NUM!", "#NULL!"}
DATE = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?|\d\d:\d\d:\d\d", re.ASCII)
NO_VALUE = "#n/a"


def read_table(file: InputFile, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read a table that a tool wrote, or a sheet in which somebody filled in the predictions."""
    _, head = next(numbered_lines(file), (0, b""))
    separator = separator_in(head.decode("utf-8", "replace"))
    for number, row in read_rows(file, ("id", "prediction"), untouched=("prediction",), separator=separator):
        text, rater = row["prediction"], row.get(RATER)
        if not text.strip() and not stated(row.get("error")) and rater == "":
            continue  # nobody has filled in this row of a sheet for people
        _refuse_lost(text.strip(), file, number)
        run, variant = (number_in(row, column, file.path, number) for column in ("run", "variant"))
        model = stated(row.get("model")) or rater or None
        came = "" if text.strip().lower() == NO_VALUE else text
        found = Prediction(row["id"], came, run, variant, model, stated(row.get("finish_reason")), row.get("error"))
        yield number, settled(found)


def _refuse_lost(text: str, file: InputFile, number: int) -> None:
    if text in LOST or (file.is_workbook and DATE.fullmatch(text)):
        raise MedzhError(
            "a spreadsheet has made an error or a date of the text",
            file=file.path,
            line=number,
            field="prediction",
            expected="the text that came back",
            found=text,
            advice="format the column as text, and fill it in again",
        )
