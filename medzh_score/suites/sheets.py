"""Sheets that people filled in: which round each is of, and which of its rows are filled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medzh_score.benchmark.registry import find_config
from medzh_score.files.input_file import InputFile
from medzh_score.files.sheets import number_in, read_rows
from medzh_score.messages.errors import MedzhError
from medzh_score.predictions.readers.head import head_of
from medzh_score.predictions.readers.prediction import Prediction
from medzh_score.prompts.codes import CODE, MARK, Key, judged_id
from medzh_score.rounds.item_rows import filled
from medzh_score.suites.kept import key_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from medzh_score.benchmark.rounds import Round
    from medzh_score.suites.places import Place
    from medzh_score.suites.plan import Plan

RATER = "rater"


def is_filled_sheet(path: Path, plan: Plan) -> bool:
    """Say whether a file is a sheet of a round of the plan: a table with the columns that people fill in."""
    with InputFile(path) as file:
        head = head_of(file)
    return (
        head.form == "table"
        and not head.has("prediction")
        and any(head.has(*later.values) for _, later in _rounds(plan))
    )


def _rounds(plan: Plan) -> Iterator[tuple[str, Round]]:
    return ((asked.config, later) for asked in plan.configs for later in find_config(asked.config).every_round)


def filled_rows(path: Path, values: Sequence[str]) -> Iterator[tuple[int, str, Mapping[str, str]]]:
    """Give line, id as it was sent, and cells of the rows in which anything is filled in."""
    with InputFile(path) as file:
        for number, cells in read_rows(file, ("id", *values)):
            if any(cells[name].strip() for name in values):
                code, run = cells.get(CODE, ""), number_in(cells, "run", path, number)
                named = cells["id"] if MARK in cells["id"] else judged_id(Key(cells["id"], run), code.lower())
                yield number, named, cells


def rows_as_answers(path: Path, place: Place) -> Iterator[tuple[int, Prediction]]:
    """Give the filled rows of a sheet, with the cells that judge as the answer: as the scorer is to read them."""
    (later,) = (one for one in find_config(place.config).every_round if one.name == place.round)
    for number, named, cells in filled_rows(path, list(later.values)):
        judged = filled(cells, later.values, path, number)
        yield number, Prediction(named, "; ".join(f"{name}: {value}" for name, value in judged.items()))


def kept_rows(suite: Path, place: Place) -> dict[Key, Prediction]:
    """Give what the sheets of a place say; where two judge the same, the later one stands."""
    rows = (row for sheet in place.sheets(suite) for _, row in rows_as_answers(sheet, place))
    return {key_of(row): row for row in rows}


def places_of_sheet(path: Path, plan: Plan, known: Mapping[str, Sequence[Place]]) -> dict[Place, str | None]:
    """Find the rounds that a sheet is of, and its one rater; all its rows must have been asked there."""
    with InputFile(path) as file:
        columns = head_of(file)
    fitting = [(config, later) for config, later in _rounds(plan) if columns.has(*later.values)]
    values = {name for _, later in fitting for name in later.values}
    found: set[Place] | None = None
    raters: dict[str, int] = {}
    for number, named, cells in filled_rows(path, sorted(name for name in values if columns.has(name))):
        able = {(config, later.name) for config, later in fitting}
        here = {place for place in known.get(named, ()) if (place.config, place.round) in able}
        found = here if found is None else found & here
        raters.setdefault(cells.get(RATER, "").strip(), number)
        if not found:
            problem = "judges what this suite did not ask, or not in one round" if here else "judges what was not asked"
            raise MedzhError(problem, file=path, line=number, field="id", found=named)
    if not found:
        raise MedzhError("holds no row that is filled in", file=path, expected=", ".join(sorted(values)))
    if len(raters) > 1:
        problem, lines = "is filled in by several people", ", ".join(filter(None, raters))
        raise MedzhError(problem, file=path, field=RATER, expected="a sheet for each", found=lines)
    return dict.fromkeys(sorted(found), next(iter(raters)) or None)
