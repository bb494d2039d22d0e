"""A table of predictions: ``id`` and ``prediction``, and perhaps the other fields of a native line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.files.lines import numbered_lines
from medzh_score.files.sheets import number_in, read_rows
from medzh_score.predictions.readers.head import separator_in
from medzh_score.predictions.readers.prediction import Prediction
from medzh_score.prompts.codes import no_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.files.input_file import InputFile
    from medzh_score.predictions.readers.head import Head
    from medzh_score.prompts.codes import SentOrder

NO_ERROR = {"", "nan", "none", "null"}  # how tools write into a cell that there was none
SHAPE = "CSV or TSV with the columns id and prediction"


def recognises(head: Head) -> bool:
    """Say whether a file begins with the head of a table of predictions."""
    return head.form == "table" and head.has("id", "prediction")


def read(file: InputFile, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read a table that a tool wrote, or a sheet in which somebody filled in the predictions."""
    _, head = next(numbered_lines(file), (0, b""))
    separator = separator_in(head.decode("utf-8", "replace"))
    for number, row in read_rows(file, ("id", "prediction"), untouched=("prediction",), separator=separator):
        written = " ".join(row.get("error", "").split())
        error = None if written.lower() in NO_ERROR else written
        if error is None and not row["prediction"].strip():
            continue
        run, variant = (number_in(row, column, file.path, number) for column in ("run", "variant"))
        model = row.get("model") or row.get("rater") or None
        stop = row.get("finish_reason") or None
        yield number, Prediction(row["id"], row["prediction"], run, variant, model, stop, error)
