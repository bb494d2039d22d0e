"""What a reader found in drawn records, for the card: the JSON of ``medzh-build tally CONFIG records``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dataset_scripts.recipe import BuildTable
from medzh_score.files.document import read_document
from medzh_score.files.input_file import InputFile
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from pathlib import Path

EXPECTED = "what medzh-build tally CONFIG records --to json wrote"


class _Table(msgspec.Struct):
    title: str
    columns: list[str]
    rows: list[list[str | int | float | None]]


class _Reading(msgspec.Struct):
    config: str
    drawn_from: str
    table: _Table


def reading_table(file: Path, config: str, recipe: str, fingerprint: str) -> BuildTable | None:
    """Give the rates of a reading, and say whether it was of this very content; None where it is of another recipe."""
    with InputFile(file) as opened:
        reading: _Reading = read_document(opened, _Reading, EXPECTED)
    if reading.config != config or not reading.drawn_from:
        raise MedzhError(
            "is no reading of its records", file=file, field="config", expected=EXPECTED, found=reading.config
        )
    read_recipe, _, rest = reading.drawn_from.partition("/")
    if read_recipe != recipe:
        return None
    of_this = rest.partition("/")[0] == fingerprint[:8]
    which = "of this very build" if of_this else "of another build by this recipe; this one was not read"
    rows = tuple(tuple(_cell(value) for value in row) for row in reading.table.rows)
    return BuildTable(f"{reading.table.title} ({which})", tuple(reading.table.columns), rows)


def _cell(value: str | float | None) -> str | int:
    """Write a rate with one decimal: the manifest holds texts and whole numbers."""
    if value is None:
        return "-"
    return f"{value:.1f}" if isinstance(value, float) else value
