"""What came back for a stage of a recipe: answers of models and filled sheets, the later file winning."""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from dataset_scripts.files.digests import sha256
from dataset_scripts.rounds.answer_files import ANSWERS, FILLED, files_back
from dataset_scripts.rounds.question_ids import is_of
from medzh_score.errors import MedzhError
from medzh_score.readers.recognise import find_reader
from medzh_score.readers.sent_order import no_order
from medzh_score.sheets import asked_columns, filled, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence
    from pathlib import Path

    from medzh_score.readers.prediction import Prediction

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

UNNAMED = "unnamed"
BROKEN_OFF = ("length", "content_filter")  # why a text ends before its end, in the words of the OpenAI interface


@dataclass
class CameBack(Generic[K, T]):
    """What the files of a stage say, by id; by id and rater where several raters stand side by side.

    Attributes
    ----------
    values : dict of K to T
        What was read.
    by : dict of K to str
        Who answered.
    unreadable : set of K
        Those of which no answer could be read, though one came back.
    replaced : int
        How many values of an earlier file a later one replaced.
    stale : int
        How many answers are to what is no longer asked.
    backups : int
        How many files were passed over, for their names end as those of backups do.
    files : list of (str, str)
        Name and SHA-256 of each file that answers something that is asked, in the order in which they count.
    """

    values: dict[K, T] = field(default_factory=dict)
    by: dict[K, str] = field(default_factory=dict)
    unreadable: set[K] = field(default_factory=set)
    replaced: int = 0
    stale: int = 0
    backups: int = 0
    files: list[tuple[str, str]] = field(default_factory=list)


def read_answers(folder: Path, asked: Container[str], read: Callable[[str, str], T | None]) -> CameBack[str, T]:
    """Read every ``answers*`` file of a stage, in the order of the numbers in their names.

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
        If a file is of no known form, has no id of the stage, gives two values for one of them, or names a run.
    """
    files, backups = files_back(folder, ANSWERS)
    found: CameBack[str, T] = CameBack(backups=backups)
    for path in files:
        here: dict[str, T] = {}
        stale: list[str] = []
        lines = 0
        for number, prediction in find_reader(path, None).read(path, no_order):
            lines += 1
            if prediction.id not in asked:
                stale.append(prediction.id)
                continue
            _check_alone(prediction, path, number)
            _check_once(prediction.id, here, path, number)
            value = _value(prediction, read)
            if value is not None:
                here[prediction.id] = value
                found.by[prediction.id] = prediction.model or UNNAMED
            elif prediction.error is None:
                found.unreadable.add(prediction.id)
        _add(found, here, stale, lines, path)
    return found


def read_sheets(
    folder: Path, asked: Mapping[str, Mapping[str, str]], values: Mapping[str, tuple[str, ...]]
) -> CameBack[str, dict[str, str]]:
    """Read every ``filled*`` sheet of a stage, in the order of the numbers in their names.

    Parameters
    ----------
    folder : Path
        The stage's; it need not be there.
    asked : mapping of str to mapping of str to str
        The read-only columns of each row, by id, as they were sent.
    values : mapping of str to tuple of str
        The columns that people fill in, with what they may hold.

    Returns
    -------
    CameBack
        Of each row the value of each column that it asks for. A blank row is not answered.

    Raises
    ------
    MedzhError
        If a sheet cannot be read, holds a value that is not allowed, judges a row twice, has no row of the stage, or
        has another text in a read-only column of a row that was filled in: the answer would not be to what was asked.
    """
    return _read_filled(folder, asked, values, ("id",), row_of)


def read_ratings(
    folder: Path, asked: Mapping[str, Mapping[str, str]], values: Mapping[str, tuple[str, ...]]
) -> CameBack[tuple[str, str], dict[str, str]]:
    """Read every ``filled*`` sheet of a stage in which several raters stand side by side.

    Parameters
    ----------
    folder : Path
        The stage's; it need not be there.
    asked : mapping of str to mapping of str to str
        The read-only columns of each row, by id.
    values : mapping of str to tuple of str
        The columns that people fill in, with what they may hold.

    Returns
    -------
    CameBack
        Of each row and rater, as `rating_of` gives them, the value of each column that it asks for. A later file
        replaces values of the same rater alone.

    Raises
    ------
    MedzhError
        As `read_sheets`, where one rater judges a row twice in a file; and if a filled row does not name its rater.
    """
    return _read_filled(folder, asked, values, ("id", "rater"), rating_of)


def row_of(row: Mapping[str, str]) -> str:
    """Say which row was filled in.

    Parameters
    ----------
    row : mapping of str to str
        The cells.
    """
    return row["id"]


def rating_of(row: Mapping[str, str]) -> tuple[str, str]:
    """Say which row was filled in by whom, where several raters stand side by side.

    Parameters
    ----------
    row : mapping of str to str
        The cells.

    Returns
    -------
    tuple of (str, str)
        The id, and the rater's name, of which case, width and surplus space do not count.

    Examples
    --------
    >>> rating_of({"id": "rating-1", "rater": "Dr.  Ｌi"})
    ('rating-1', 'dr. li')
    """
    return row["id"], " ".join(unicodedata.normalize("NFKC", row.get("rater", "")).split()).casefold()


def _read_filled(
    folder: Path,
    asked: Mapping[str, Mapping[str, str]],
    values: Mapping[str, tuple[str, ...]],
    keys: tuple[str, ...],
    key_of: Callable[[Mapping[str, str]], K],
) -> CameBack[K, dict[str, str]]:
    files, backups = files_back(folder, FILLED)
    found: CameBack[K, dict[str, str]] = CameBack(backups=backups)
    for path in files:
        here: dict[K, dict[str, str]] = {}
        stale: list[str] = []
        rows = 0
        for number, row in read_rows(path, (*keys, *values)):
            rows += 1
            if row["id"] not in asked:
                stale.append(row["id"])
                continue
            sent = asked[row["id"]]
            open_here = asked_columns(sent, values)
            _check_unchanged(row, {column: sent[column] for column in values if column not in open_here}, path, number)
            if said := filled(row, open_here, path, number):
                _check_named(row, keys, path, number)
                _check_once(key_of(row), here, path, number)
                _check_unchanged(row, sent, path, number)
                here[key_of(row)] = said
                found.by[key_of(row)] = row.get("rater") or UNNAMED
        _add(found, here, stale, rows, path)
    return found


def _check_named(row: Mapping[str, str], keys: tuple[str, ...], path: Path, number: int) -> None:
    if "rater" in keys and not row["rater"]:
        expected = "the name of who filled the row in"
        raise MedzhError("is blank", file=path, line=number, field="rater", expected=expected)


def _check_unchanged(row: Mapping[str, str], sent: Mapping[str, str], path: Path, number: int) -> None:
    for column, text in sent.items():
        if column in row and _letters(row[column]) != _letters(text):
            raise MedzhError(
                "is a read-only column, and was changed",
                file=path,
                line=number,
                field=column,
                expected=text,
                found=row[column],
                advice="write back what stood there, and say in the other columns if it is not right",
            )


def _letters(text: str) -> str:
    """Leave out what spreadsheets change: white space, and the apostrophe before what looks like a formula."""
    return "".join(text.split()).removeprefix("'")


def _check_alone(prediction: Prediction, path: Path, number: int) -> None:
    if prediction.run or prediction.variant:
        field = "run" if prediction.run else "variant"
        raise MedzhError(
            "each prompt is asked once", file=path, line=number, field=field, expected="0", advice="keep one answer"
        )


def _check_once(key: K, here: Container[K], path: Path, number: int) -> None:
    if key in here:
        raise MedzhError(
            "is answered twice in one file",
            file=path,
            line=number,
            field="id",
            found=" by ".join(key) if isinstance(key, tuple) else key,
            advice="keep one of the answers, or put the better one into a later file",
        )


def _value(prediction: Prediction, read: Callable[[str, str], T | None]) -> T | None:
    if prediction.error is not None or prediction.finish_reason in BROKEN_OFF or not prediction.prediction.strip():
        return None
    return read(prediction.prediction, prediction.id)


def _add(found: CameBack[K, T], here: Mapping[K, T], stale: Sequence[str], lines: int, path: Path) -> None:
    """Take what a file says; one of which nothing is asked any more is passed over, one of another stage refused."""
    found.stale += len(stale)
    if 0 < lines == len(stale):
        if not any(is_of(path.parent.name, identifier) for identifier in stale):
            raise MedzhError(
                "answers nothing that is asked here",
                file=path,
                field="id",
                expected="the ids of the prompts or of the sheet beside it",
                found=stale[0],
                advice="it belongs elsewhere: move it away",
            )
        return
    found.replaced += sum(name in found.values for name in here)
    found.values |= here
    found.unreadable -= found.values.keys()
    found.files.append((path.name, sha256(path)))
