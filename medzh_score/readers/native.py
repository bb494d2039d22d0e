"""Our own lines, ``{"id": "sdak-disease_cause-0001-f", "prediction": "正确。…"}``, and tables of their fields."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import msgspec

from medzh_score.io.documents import check_duplicate_keys, lines_with_twins
from medzh_score.io.jsonl import NO_JSON, decoded, numbered_blocks, numbered_lines, without_constants, wrong_field
from medzh_score.io.limits import check_texts, parquet_faults
from medzh_score.io.tables import number_in, read_rows
from medzh_score.prompting.positions import no_order
from medzh_score.readers.detect import PARQUET, separator_in
from medzh_score.readers.prediction import Prediction, text_or_none, without_failed_text
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import quotable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from medzh_score.io.open_input import InputFile
    from medzh_score.prompting.positions import SentOrder

    Batch = tuple[Sequence[int], Sequence[Prediction]]  # numbers of lines, and what they say


FIELDS = Prediction.__struct_fields__
ANNOTATOR = "annotator"  # who fills in a sheet of ours
# What a spreadsheet shows where a text was lost: taken for a formula, or for a date.
LOST = {"#NAME?", "#VALUE!", "#REF!", "#DIV/0!", "#NUM!", "#NULL!"}
SPREADSHEET_DATE = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?|\d\d:\d\d:\d\d", re.ASCII)
NO_VALUE = "#n/a"


class NativeLine(Prediction, frozen=True, gc=False):
    """A line in which nothing may stand for a text: the model gave nothing, or its request failed."""

    prediction: str | msgspec.UnsetType | None = msgspec.UNSET  # type: ignore[assignment]


LINE, TEXT_LINE = msgspec.json.Decoder(NativeLine), msgspec.json.Decoder(Prediction)


def read(file: InputFile, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read native lines."""
    for numbers, predictions in blocks(file):
        yield from zip(numbers, predictions, strict=True)


def blocks(file: InputFile) -> Iterator[Batch]:
    """Read native lines, many at a time, which is how they are read fast; no block is empty."""
    if file.stored().read(len(PARQUET)) == PARQUET:
        yield from _of_parquet(file)
        return
    for first, lines, block in numbered_blocks(file):
        if suspect := lines_with_twins(block, FIELDS):
            raw = block.split(b"\n")
            for place in suspect:
                check_duplicate_keys(raw[place], file.path, first + place, FIELDS)
        try:
            predictions = TEXT_LINE.decode_lines(block)
        except NO_JSON:
            predictions = []
        if len(predictions) == lines:
            may_fail = any(one.error is not None or one.finish_reason is not None for one in predictions)
            yield range(first, first + lines), [*map(without_failed_text, predictions)] if may_fail else predictions
            continue
        # A blank line, a wrong one, or one without a text: line by line, for the numbers to be right.
        for number, line in enumerate(io.BytesIO(block), first):
            if not line.isspace():
                row = decoded(LINE, without_constants(line), file, number)
                try:
                    yield (number,), (_prediction(row),)
                except msgspec.ValidationError as error:
                    raise wrong_field(str(error), file.path, number) from error


def _of_parquet(file: InputFile) -> Iterator[Batch]:
    """Read a table with the fields of lines as its columns; no other column is looked at."""
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(file.stored(), pre_buffer=False) as stored:
            known = [name for name in stored.schema_arrow.names if name in FIELDS]
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
        problem = _("invalid Parquet file: {error}", error=quotable(error))
        raise MedzhError(problem, file=file.path, advice=_("copy or download it again")) from error


def prediction_of(fields: Mapping[str, object]) -> Prediction:
    """Take what a line says from its fields."""
    return _prediction(msgspec.convert(fields, NativeLine))


def _prediction(row: NativeLine) -> Prediction:
    if row.prediction is msgspec.UNSET and text_or_none(row.error) is None:
        raise msgspec.ValidationError("Object missing required field `prediction`")
    return without_failed_text(Prediction(**{**msgspec.structs.asdict(row), "prediction": row.prediction or ""}))


def read_table(file: InputFile, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read a table that a tool wrote, or a sheet in which somebody filled in the predictions."""
    _unused, head = next(numbered_lines(file), (0, b""))
    separator = separator_in(head.decode("utf-8", "replace"))
    for number, row in read_rows(file, ("id", "prediction"), untouched=("prediction",), separator=separator):
        text, annotator, error = row["prediction"], row.get(ANNOTATOR), row.get("error")
        shown = text.strip()
        if not shown and not text_or_none(error) and annotator == "":
            continue  # nobody has filled in this row of a sheet for people
        if shown in LOST or (file.is_workbook and SPREADSHEET_DATE.fullmatch(shown)):
            raise MedzhError(
                _("a spreadsheet program converted the text to an error or a date"),
                file=file.path,
                line=number,
                field="prediction",
                expected=_("the text that the model returned"),
                found=shown,
                advice=_("format the column as text and enter the text again"),
            )
        run, variant = (number_in(row, column, file.path, number) for column in ("run", "variant"))
        model, reason = text_or_none(row.get("model")) or annotator or None, text_or_none(row.get("finish_reason"))
        text = "" if shown.lower() == NO_VALUE else text
        yield number, without_failed_text(Prediction(row["id"], text, run, variant, model, reason, error))
