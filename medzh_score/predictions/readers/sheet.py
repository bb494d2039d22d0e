"""A table of predictions: ``id`` and ``prediction``, and perhaps the other fields of a native line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from medzh_score.files.lines import numbered_lines
from medzh_score.files.sheets import number_in, read_rows
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.readers.head import separator_in
from medzh_score.predictions.readers.prediction import Prediction, settled, stated
from medzh_score.prompts.codes import no_order

if TYPE_CHECKING:
    from collections.abc import Iterator

    from medzh_score.files.input_file import InputFile
    from medzh_score.predictions.readers.head import Head
    from medzh_score.prompts.codes import SentOrder

RATER = "rater"  # who fills in a sheet of ours
# What a spreadsheet shows where a text was lost: taken for a formula, or for a date.
LOST = {"#NAME?", "#VALUE!", "#REF!", "#DIV/0!", "#NUM!", "#NULL!"}
DATE = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?|\d\d:\d\d:\d\d", re.ASCII)
NO_VALUE = "#n/a"
SHAPE = "CSV or TSV with the columns id and prediction"


def recognises(head: Head) -> bool:
    """Say whether a file begins with the head of a table of predictions."""
    return head.form == "table" and head.has("id", "prediction")


def read(file: InputFile, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
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
