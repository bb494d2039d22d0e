"""The rows that come back in a round about items: of filled sheets, and of a model's responses."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from medzh_score.benchmark.judgements import Source
from medzh_score.files.sheets import number_in, read_rows
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.readers.head import head_of
from medzh_score.predictions.readers.recognise import find_reader
from medzh_score.prompts.codes import CODE, MARK, NO_VARIANTS, named_by
from medzh_score.rounds.filled_cells import filled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from medzh_score.benchmark.allowed_values import Allowed
    from medzh_score.benchmark.judgements import Said
    from medzh_score.benchmark.rounds import Round
    from medzh_score.predictions.readers.prediction import Prediction
    from medzh_score.prompts.sent_order import SentOrder

UNREADABLE, EMPTY, FAILED, BLANK = "unreadable", "empty", "failed", "blank"
UNNAMED = "unnamed"  # who does not say who it was


class Row(NamedTuple):
    """A row of a sheet, or a response.

    The run says nothing where there is a code in a blind round; ``said`` is what a person filled in, None of a response;
    ``lacks`` is why there is no value before anything is read.
    """

    path: Path
    number: int
    item: str
    run: int
    code: str
    source: Source
    text: str = ""
    said: Said | None = None
    lacks: str = ""


def rows_in(path: Path, later: Round, order: SentOrder) -> Iterator[Row]:
    """Read the rows of a file. In their order; whether anything has such an id is not looked at."""
    sheet = later.model is None or is_filled_sheet(path, later)
    for row in _filled_rows(path, later.values) if sheet else _responses(path, order):
        _check(row, later)
        yield row


def is_filled_sheet(path: Path, later: Round) -> bool:
    """Look at the head: JSON is responses, and so is a sheet of predictions without the columns of the round."""
    head = head_of(path)
    return head.form == "table" and (not head.has("prediction") or head.has(*later.values))


def _filled_rows(path: Path, values: Mapping[str, Allowed]) -> Iterator[Row]:
    for number, row in read_rows(path, ("id", *values)):
        key, code = named_by(row["id"], row.get(CODE) or "", path, number)
        run = number_in(row, "run", path, number)
        if not code and CODE in row and not row.get("run"):
            # A code that was deleted is not run 0.
            raise MedzhError(
                "is blank, and no run is named",
                file=path,
                line=number,
                field=CODE,
                expected="id and code as they were written",
            )
        if MARK in row["id"] and row.get("run") and run != key.run:
            raise _beside(path, number, row["id"])
        source = Source(row.get("rater") or UNNAMED, "person")
        said = filled(row, values, path, number)
        yield Row(path, number, key.id, key.run or run, code, source, said=said, lacks="" if said else BLANK)


def _responses(path: Path, order: SentOrder) -> Iterator[Row]:
    before = 0
    for number, response in find_reader(path, None).read(path, order):
        if number == before:
            # Numbered as runs, as the choices of a model's answers are, they would judge other answers.
            raise MedzhError("holds several choices", file=path, line=number, field="choices", expected="one a request")
        before = number
        yield _response(response, path, number)


def _response(response: Prediction, path: Path, number: int) -> Row:
    if response.variant:
        raise MedzhError(NO_VARIANTS, file=path, line=number, field="variant", expected="0", found=response.variant)
    key, code = named_by(response.id, "", path, number)
    if code and response.run:
        raise _beside(path, number, response.id)
    source = Source(response.model or UNNAMED, "model")
    lacks = FAILED if response.error is not None else "" if response.prediction.strip() else EMPTY
    return Row(path, number, key.id, key.run or response.run, code, source, response.prediction, lacks=lacks)


def _beside(path: Path, number: int, found: str) -> MedzhError:
    return MedzhError(
        "holds several choices, or a run or variant beside those of its id",
        file=path,
        line=number,
        field="id",
        expected="one response a prompt",
        found=found,
    )


def _check(row: Row, later: Round) -> None:
    """Refuse a run where there is none, and a nameless source among several."""
    if row.lacks == FAILED or (later.many and row.lacks == BLANK):
        return  # a second try, or a person who has not come so far, names both
    if later.about == "records" and row.run:
        raise MedzhError(
            f"round {later.name} is about the records, not about answers in runs",
            file=row.path,
            line=row.number,
            field="run",
            expected="0 or none",
            found=row.run,
        )
    if later.many and row.source.name == UNNAMED:
        raise MedzhError(
            f"does not say who judged, and round {later.name} sets several sources side by side",
            file=row.path,
            line=row.number,
            field="rater",
            expected="a name: in a sheet in the column rater, in a response as model",
        )
