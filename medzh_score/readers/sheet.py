"""A filled sheet as predictions: CSV with the columns ``id`` and ``prediction``, and perhaps ``run``."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from medzh_score.errors import MedzhError
from medzh_score.readers.prediction import Prediction
from medzh_score.sheets import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

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
    names = next(csv.reader([line.decode("utf-8", "replace")]), [])
    return dict.fromkeys(names, "")


def recognises(first: Mapping[str, object]) -> bool:
    """Say whether a file's first line is the head of a sheet of predictions.

    Parameters
    ----------
    first : mapping
        The column names as keys.
    """
    return {"id", "prediction"} <= set(first) and all(value == "" for value in first.values())


def read(path: Path) -> Iterator[tuple[int, Prediction]]:
    """Read a sheet in which somebody filled in the predictions; rows left blank are passed over.

    Parameters
    ----------
    path : Path
        CSV, UTF-8.

    Yields
    ------
    (int, Prediction)
        The line's number and what it says.
    """
    for number, row in read_rows(path, ("id", "prediction")):
        if not row["prediction"]:
            continue
        run = row.get("run") or "0"
        if not run.isdecimal():
            raise MedzhError("not a run", file=path, line=number, field="run", expected="a number from 0", found=run)
        yield number, Prediction(row["id"], row["prediction"], int(run), model=row.get("rater") or None)
