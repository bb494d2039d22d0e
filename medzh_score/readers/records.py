"""Predictions given in Python: dicts, a Dataset of Hugging Face or a DataFrame; neither library is imported here."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from medzh_score.data.integrity import canonical
from medzh_score.io.jsonl import wrong_field
from medzh_score.io.open_input import Input
from medzh_score.readers import native
from medzh_score.readers.files import Opened, PredictionFiles, in_batches
from medzh_score.readers.prediction import Prediction
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _
from medzh_score.ui.privacy import Unredacted

if TYPE_CHECKING:
    from collections.abc import Iterator


NAME, READER = "predictions", "python"  # what stands in a report for the file and its form
PLACE = Path(NAME)
FIELDS, REQUIRED = Prediction.__struct_fields__, ("id", "prediction")
EXPECTED = _("one or more paths, a list of dicts, a Dataset or a DataFrame")


@dataclass(frozen=True)
class Rows:
    """What can be gone through again and again, and gives mappings; of a DataFrame the rows."""

    given: Iterable[Any]

    def __iter__(self) -> Iterator[Any]:
        """Go through the rows."""
        columns = getattr(self.given, "columns", None)
        if columns is None:
            return iter(self.given)
        names = [name for name in columns if name in FIELDS]
        if "id" not in names:
            found = ", ".join(map(str, columns))
            raise MedzhError(_("a column is missing"), file=NAME, expected=", ".join(REQUIRED), found=found)
        for name in names:
            if names.count(name) > 1:
                raise MedzhError(_("duplicate column"), file=NAME, found=name)
        table: Any = self.given
        return (dict(zip(names, cells, strict=True)) for cells in zip(*(table[name] for name in names), strict=True))


def given_rows(predictions: Iterable[Any]) -> Rows:
    """Take what is no path as rows, or refuse it."""
    advice = None
    if isinstance(predictions, Mapping):
        problem, advice = _("the value is a single mapping"), _("select a split of a DatasetDict, such as data['test']")
    elif not hasattr(predictions, "__iter__"):
        problem = _("the object is not iterable")
    elif hasattr(predictions, "__next__"):
        problem, advice = _("the object can be iterated only once"), _("pass list(predictions)")
    else:
        return Rows(predictions)
    found = Unredacted(type(predictions).__name__)
    raise MedzhError(problem, field=NAME, expected=EXPECTED, found=found, advice=advice)


@dataclass(frozen=True, kw_only=True)
class PredictionRows(PredictionFiles):
    """Rows as a set of predictions; where files have lines they have rows, counted from 1, too."""

    paths: tuple[Path, ...] = (PLACE,)
    rows: Rows

    def __post_init__(self) -> None:
        """Refuse what says how files are read."""
        for option, given in (("--from", self.reader), ("--file-per-run", self.file_per_run)):
            if given:
                raise MedzhError(
                    _("the option applies only to files, but rows were passed"),
                    field=option,
                    advice=_("omit this option"),
                )

    def untouched(self) -> Iterator[Opened]:
        """Give the rows as one file."""
        digest = RowsDigest()
        yield Opened(PLACE, READER, in_batches(digest.passing(_predictions(self.rows))), digest.read_as)


class RowsDigest:
    """The SHA-256 of predictions as canonical JSON, a line each, with the fields that say something, as they pass."""

    def __init__(self) -> None:
        self._found = hashlib.sha256()

    def passing(self, predictions: Iterable[tuple[int, Prediction]]) -> Iterator[tuple[int, Prediction]]:
        """Let predictions pass."""
        for number, one in predictions:
            fields = {name: value for name, value in msgspec.structs.asdict(one).items() if value or name in REQUIRED}
            self._found.update(canonical(fields).encode("utf-8") + b"\n")
            yield number, one

    def read_as(self, reader: str) -> Input:
        """Account for what passed."""
        return Input(NAME, self._found.hexdigest(), reader)


def rows_digest(file: Path) -> str:
    """Give the hash that the predictions of a file would have as rows, whatever the form of the file."""
    digest = RowsDigest()
    for one in PredictionFiles((file,)).untouched():
        for _unused in digest.passing(one.lines):
            pass
    return digest.read_as(READER).sha256


def _predictions(rows: Iterable[Any]) -> Iterator[tuple[int, Prediction]]:
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise MedzhError(_("wrong type"), file=NAME, line=number, expected=_("a dict"), found=row)
        fields = {name: _plain(row[name], name, number) for name in FIELDS if name in row}
        try:
            yield number, native.prediction_of(fields)
        except msgspec.ValidationError as error:
            raise wrong_field(str(error), PLACE, number) from error


def _plain(value: object, name: str, number: int) -> object:
    """Take a value as JSON could write it, a scalar of NumPy as Python's, and NaN as null."""
    import numpy as np

    value = value.item() if isinstance(value, np.generic) else value
    # As pandas writes that nothing stands there; its NA is no number.
    if (isinstance(value, float) and value != value) or type(value).__name__ == "NAType":  # noqa: PLR0124
        return None
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as error:
            problem = _("the text contains an unpaired surrogate")
            expected = _("a string that can be encoded in UTF-8")
            found = value[error.start]
            advice = _("replace it with \\ufffd; the text was cut inside a character, such as an emoji")
            raise MedzhError(
                problem, file=NAME, line=number, field=name, expected=expected, found=found, advice=advice
            ) from error
    return value


@contextmanager
def naming_rows() -> Iterator[None]:
    """Let errors say the row, where they would say the line of a file."""
    try:
        yield
    except MedzhError as error:
        if error.file == NAME and error.line is not None:
            error.file, error.line = f"{NAME}, row {error.line}", None
            error.expected = error.expected and error.expected.replace(f"as in {NAME}, line", f"as in {NAME}, row")
        raise
