"""What came back for a stage of a recipe: answers of models and filled sheets, the later file winning."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from dataset_scripts.sources import sha256
from medzh_score.errors import MedzhError
from medzh_score.readers.recognise import find_reader
from medzh_score.sheets import read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping
    from pathlib import Path

    from medzh_score.readers.prediction import Prediction

T = TypeVar("T")

ANSWERS = "answers*"
FILLED = "filled*"
UNNAMED = "unnamed"
BROKEN_OFF = ("length", "content_filter")  # why a text ends before its end, in the words of the OpenAI interface


@dataclass
class CameBack(Generic[T]):
    """What the files of a stage say.

    Attributes
    ----------
    values : dict of str to T
        What was read, by id.
    by : dict of str to str
        Who answered, by id.
    unreadable : set of str
        The ids of which no answer could be read, though one came back.
    replaced : int
        How many values of an earlier file a later one replaced.
    stale : int
        How many answers are to what is no longer asked.
    files : list of (str, str)
        Name and SHA-256 of each file, in the order in which they count.
    """

    values: dict[str, T] = field(default_factory=dict)
    by: dict[str, str] = field(default_factory=dict)
    unreadable: set[str] = field(default_factory=set)
    replaced: int = 0
    stale: int = 0
    files: list[tuple[str, str]] = field(default_factory=list)


def read_answers(folder: Path, asked: Container[str], read: Callable[[str, str], T | None]) -> CameBack[T]:
    """Read every ``answers*`` file of a stage, in the order of their names.

    Parameters
    ----------
    folder : Path
        The stage's; it need not be there.
    asked : container of str
        The ids that are asked.
    read : callable
        From a text and its id to a value, or None where the text is unreadable.

    Returns
    -------
    CameBack
        A request that failed counts as not answered. A text that is empty, cut off or refused is unreadable, and so is
        one that `read` cannot read: it never takes the place of a value.

    Raises
    ------
    MedzhError
        If a file is of no known form, knows none of the ids, gives two values for one of them, or names a run.
    """
    found: CameBack[T] = CameBack()
    for path in _files(folder, ANSWERS):
        here: dict[str, T] = {}
        lines = stale = 0
        for number, prediction in find_reader(path, None).read(path):
            lines += 1
            if prediction.id not in asked:
                stale += 1
                continue
            _check_alone(prediction, path, number)
            _check_once(prediction.id, here, path, number)
            value = _value(prediction, read)
            if value is not None:
                here[prediction.id] = value
                found.by[prediction.id] = prediction.model or UNNAMED
            elif prediction.error is None:
                found.unreadable.add(prediction.id)
        _add(found, here, stale, path, none_known=0 < lines == stale)
    return found


def read_sheets(folder: Path, asked: Container[str], values: Mapping[str, tuple[str, ...]]) -> CameBack[dict[str, str]]:
    """Read every ``filled*`` sheet of a stage, in the order of their names.

    Parameters
    ----------
    folder : Path
        The stage's; it need not be there.
    asked : container of str
        The ids of the rows.
    values : mapping of str to tuple of str
        The columns that people fill in, with what they may hold.

    Returns
    -------
    CameBack
        Of each row the value of each column. A blank row is not answered.

    Raises
    ------
    MedzhError
        If a sheet cannot be read, holds a value that is not allowed, judges a row twice or knows none of the rows.
    """
    found: CameBack[dict[str, str]] = CameBack()
    for path in _files(folder, FILLED):
        here: dict[str, dict[str, str]] = {}
        rows = stale = 0
        for number, row in read_rows(path, ("id", *values)):
            rows += 1
            if row["id"] not in asked:
                stale += 1
            elif filled := _filled(row, values, path, number):
                _check_once(row["id"], here, path, number)
                here[row["id"]] = filled
                found.by[row["id"]] = row.get("rater") or UNNAMED
        _add(found, here, stale, path, none_known=0 < rows == stale)
    return found


def _filled(row: Mapping[str, str], values: Mapping[str, tuple[str, ...]], path: Path, number: int) -> dict[str, str]:
    """Take the values of a row; none where all are blank. A column that names no values holds any text."""
    filled = {column: row[column].lower() if values[column] else row[column] for column in values}
    if not any(filled.values()):
        return {}
    for column, value in filled.items():
        if not value or (values[column] and value not in values[column]):
            raise MedzhError(
                "not a value of this column" if value else "is blank while others of the row are filled in",
                file=path,
                line=number,
                field=column,
                expected=" or ".join(values[column]) or "a text",
                found=row[column],
            )
    return filled


def _files(folder: Path, pattern: str) -> list[Path]:
    return sorted((path for path in folder.glob(pattern) if path.is_file()), key=lambda path: path.name)


def _check_alone(prediction: Prediction, path: Path, number: int) -> None:
    if prediction.run or prediction.variant:
        field = "run" if prediction.run else "variant"
        raise MedzhError(
            "each prompt is asked once", file=path, line=number, field=field, expected="0", advice="keep one answer"
        )


def _check_once(identifier: str, here: Container[str], path: Path, number: int) -> None:
    if identifier in here:
        raise MedzhError(
            "is answered twice in one file",
            file=path,
            line=number,
            field="id",
            found=identifier,
            advice="keep one of the answers, or put the better one into a later file",
        )


def _value(prediction: Prediction, read: Callable[[str, str], T | None]) -> T | None:
    if prediction.error is not None or prediction.finish_reason in BROKEN_OFF or not prediction.prediction.strip():
        return None
    return read(prediction.prediction, prediction.id)


def _add(found: CameBack[T], here: Mapping[str, T], stale: int, path: Path, *, none_known: bool) -> None:
    if none_known:
        raise MedzhError(
            "answers nothing that is asked here",
            file=path,
            field="id",
            expected="the ids of the prompts or of the sheet beside it",
            advice="it belongs to another build: move it away",
        )
    found.replaced += sum(name in found.values for name in here)
    found.stale += stale
    found.values |= here
    found.unreadable -= found.values.keys()
    found.files.append((path.name, sha256(path)))
