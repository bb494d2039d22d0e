"""A filled sheet as predictions: CSV with ``id`` and ``prediction``, and perhaps ``run`` and ``variant``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.readers.prediction import Prediction
from medzh_score.readers.sent_order import no_order
from medzh_score.sheets import number_in, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from medzh_score.readers.head import Head
    from medzh_score.readers.sent_order import SentOrder

SHAPE = "a CSV sheet with the columns id and prediction"


def recognises(head: Head) -> bool:
    """Say whether a file begins with the head of a sheet of predictions.

    Parameters
    ----------
    head : Head
        What it begins with.
    """
    return head.form == "table" and head.has("id", "prediction")


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
