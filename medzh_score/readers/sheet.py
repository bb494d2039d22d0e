"""A filled sheet as predictions: CSV with ``id`` and ``prediction``, and perhaps ``run`` and ``variant``."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from medzh_score.csv_reader import csv_reader
from medzh_score.readers.prediction import Prediction
from medzh_score.readers.sent_order import no_order
from medzh_score.sheets import number_in, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from medzh_score.readers.sent_order import SentOrder

SHAPE = "a CSV sheet with the columns id and prediction"


def head(line: bytes) -> dict[str, object]:
    """Read the first line of a file as the head of a sheet.

    Parameters
    ----------
    line : bytes
        The line.

    Returns
    -------
    dict
        The column names as keys.
    """
    text = line.decode("utf-8", "replace").partition("\r")[0]
    try:
        names = next(csv_reader([text]), [])
    except csv.Error:
        return {}
    return dict.fromkeys(names, "")


def recognises(first: Mapping[str, object]) -> bool:
    """Say whether a file's first line is the head of a sheet of predictions.

    Parameters
    ----------
    first : mapping
        The column names as keys.
    """
    return {"id", "prediction"} <= set(first) and all(value == "" for value in first.values())


def read(path: Path, _order: SentOrder = no_order) -> Iterator[tuple[int, Prediction]]:
    """Read a sheet in which somebody filled in the predictions; rows left blank are passed over.

    Parameters
    ----------
    path : Path
        CSV, UTF-8.
    _order : callable
        Not looked at: ids are named.

    Yields
    ------
    (int, Prediction)
        The line's number and what it says.
    """
    for number, row in read_rows(path, ("id", "prediction"), untouched=("prediction",)):
        if not row["prediction"].strip():
            continue
        run, variant = (number_in(row, column, path, number) for column in ("run", "variant"))
        yield number, Prediction(row["id"], row["prediction"], run, variant, model=row.get("rater") or None)
