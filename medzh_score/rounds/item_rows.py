"""The rows that come back in a round about items: of filled sheets, and of a model's responses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medzh_score.benchmark.judgements import Source
from medzh_score.benchmark.rounds import Between, expected
from medzh_score.extraction.whole_text import answer_text
from medzh_score.files.sheets import number_in, read_rows
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.readers.head import head_of
from medzh_score.predictions.readers.recognise import find_reader
from medzh_score.prompts.codes import CODE, MARK, NO_VARIANTS, Key, judged_item_of
from medzh_score.rounds.binding import Named, fault_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from medzh_score.benchmark.judgements import Said
    from medzh_score.benchmark.rounds import Allowed, Round
    from medzh_score.files.input_file import InputFile
    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.prompts.codes import SentOrder


# What a cell to fill in holds where nothing is asked in its row; Excel would not take a hyphen for a text.
NOT_ASKED = "/"
# What spreadsheets and people write in a column of yes and no.
SAME = {"是": "yes", "true": "yes", "1": "yes", "y": "yes", "否": "no", "false": "no", "0": "no", "n": "no"}


def asked_columns(row: Mapping[str, str], values: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Say which of the columns to fill in a row asks for: those in which it does not hold `NOT_ASKED`.

    Examples
    --------
    >>> asked_columns({"question": "…", "fluent": "/"}, {"right": ("1", "0"), "fluent": ("yes", "no")})
    {'right': ('1', '0')}
    """
    return {column: allowed for column, allowed in values.items() if row.get(column) != NOT_ASKED}


def filled(row: Mapping[str, str], values: Mapping[str, Allowed], path: Path, number: int) -> dict[str, str]:
    """Take the value of each column as a person filled it in; empty where all are blank.

    Case does not matter to the values that a column may hold, and 是, true, 1 and y are a yes, 否, false, 0 and n a no,
    unless they are values themselves. Numbers stand in their shortest form.

    Examples
    --------
    >>> filled({"clear": "YES", "right": "否"}, {"clear": ("yes", "no"), "right": ("yes", "no")}, "filled.csv", 2)
    {'clear': 'yes', 'right': 'no'}
    """
    found: dict[str, str] = {}
    for column, allowed in values.items():
        value = _value(row.get(column, ""), allowed)
        if value is None:
            raise MedzhError(
                "not a value of this column",
                file=path,
                line=number,
                field=column,
                expected=expected(allowed),
                found=row[column],
            )
        found[column] = value
    if not any(found.values()):
        return {}
    for column, allowed in values.items():
        if not found[column]:
            raise MedzhError(
                "is blank while the row's other values are filled in",
                file=path,
                line=number,
                field=column,
                expected=expected(allowed),
            )
    return found


def _value(written: str, allowed: Allowed) -> str | None:
    """Give what a cell says in the words of its column; None where it is none of them."""
    if isinstance(allowed, Between):
        return allowed.read(written) if written else ""
    if not allowed or not written or written in allowed:
        return written
    lower = written.lower()
    known = SAME[lower] if lower not in allowed and SAME.get(lower) in allowed else lower
    return known if known in allowed else None


UNREADABLE, EMPTY, FAILED, BLANK = "unreadable", "empty", "failed", "blank"
UNNAMED = "unnamed"  # who does not say who it was


@dataclass(frozen=True, slots=True)
class Row(Named):
    """A row of a sheet, or a response.

    Its run says nothing where a code stands in the place of the run. ``said`` is what a person filled in, None of a
    response; ``lacks`` is why there is no value before anything is read.
    """

    source: Source
    text: str = ""
    said: Said | None = None
    lacks: str = ""


def rows_in(file: InputFile, later: Round, order: SentOrder) -> Iterator[Row]:
    """Read the rows of a file. In their order; whether anything has such an id is not looked at."""
    sheet = later.model is None or is_filled_sheet(file, later)
    for row in _filled_rows(file, later.values) if sheet else _responses(file, order):
        _check(row, later)
        yield row


def is_filled_sheet(file: InputFile, later: Round) -> bool:
    """Look at the head: JSON is responses, and so is a sheet of predictions without the columns of the round."""
    head = head_of(file)
    return head.form == "table" and (not head.has("prediction") or head.has(*later.values))


def _filled_rows(file: InputFile, values: Mapping[str, Allowed]) -> Iterator[Row]:
    path = file.path
    for number, cells in read_rows(file, ("id", *values)):
        key, code = judged_item_of(cells["id"], cells.get(CODE) or "", path, number)
        run = number_in(cells, "run", path, number)
        if not code and CODE in cells and not cells.get("run"):
            # A code that was deleted is not run 0.
            problem, expected = "is blank, and no run is named", "id and code as they were written"
            raise MedzhError(problem, file=path, line=number, field=CODE, expected=expected)
        if MARK in cells["id"] and cells.get("run") and run != key.run:
            raise several_in(path, number, cells["id"])
        source, said = Source(cells.get("rater") or UNNAMED, "person"), filled(cells, values, path, number)
        yield Row(path, number, Key(key.id, key.run or run), code, source, said=said, lacks="" if said else BLANK)


def _responses(file: InputFile, order: SentOrder) -> Iterator[Row]:
    path, before = file.path, 0
    for number, response in find_reader(file, None).read(file, order):
        if number == before:
            # Numbered as runs, as the choices of a model's answers are, they would judge other answers.
            raise MedzhError("holds several choices", file=path, line=number, field="choices", expected="one a request")
        before = number
        if response.variant:
            raise MedzhError(NO_VARIANTS, file=path, line=number, field="variant", expected="0", found=response.variant)
        key, code = judged_item_of(response.id, "", path, number)
        row = response_row(path, number, Key(key.id, key.run or response.run), code, response)
        if code and response.run:
            raise several_in(path, number, response.id)
        yield row


def response_row(path: Path, number: int, key: Key, code: str, response: Prediction) -> Row:
    """Take a model's response to what an id names, without reasoning."""
    text = answer_text(response.prediction)
    lacks = FAILED if response.error is not None else "" if text.strip() else EMPTY
    return Row(path, number, key, code, Source(response.model or UNNAMED, "model"), text, lacks=lacks)


def several_in(path: Path, number: int, found: str) -> MedzhError:
    """Make the error that a line with several responses to one prompt is refused with."""
    problem = "holds several choices, or a run or variant beside those of its id"
    return MedzhError(problem, file=path, line=number, field="id", expected="one response a prompt", found=found)


def _check(row: Row, later: Round) -> None:
    """Refuse a run where there is none, and a nameless source among several."""
    if row.lacks == FAILED or (later.many and row.lacks == BLANK):
        return  # a second try, or a person who has not come so far, names both
    if later.about == "records" and row.key.run:
        problem = f"round {later.name} is about the records, not about answers in runs"
        raise fault_in(row, problem, "run", expected="0 or none", found=row.key.run)
    if later.many and row.source.name == UNNAMED:
        problem = f"does not say who judged, and round {later.name} sets several sources side by side"
        raise fault_in(row, problem, "rater", expected="a name: in a sheet in the column rater, in a response as model")
