"""A study that people make: what it draws, the sheet that goes out, and the table that comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from medzh_score.files.input_file import InputFile
from medzh_score.files.sheets import read_rows
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from medzh_score.benchmark.tables import Table


@dataclass(frozen=True)
class Drawn:
    """The rows of a sheet.

    Attributes
    ----------
    rows : tuple of dict of str to str
        In their order; columns to be filled in are left out.
    notes : tuple of str
        What whoever drew it should know.
    """

    rows: tuple[dict[str, str], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tally:
    """What a filled sheet says.

    Attributes
    ----------
    table : Table
        In the form of the paper's.
    notes : tuple of str
        What was not counted, and who filled it in.
    decimals : int
        Of its numbers, as the paper prints them.
    drawn_from : str
        Recipe, fingerprint and seed of what the sheet was drawn from, with slashes between them; empty where the sheet
        does not say.
    """

    table: Table
    notes: tuple[str, ...]
    decimals: int
    drawn_from: str = ""


@dataclass(frozen=True)
class Study:
    """A study of a config: one that its paper made by hand, or that of records, which every config has.

    Attributes
    ----------
    name : str
        As on the command line.
    summary : str
        One sentence: what is drawn, what is filled in, which table it gives.
    needs : {"source", "data"}
        Whether it draws from a user's file or from a build folder.
    source : str
        What that is, in words.
    sample : int
        How many are drawn by default, such as the paper's number of each intent or type.
    columns : tuple of str
        Of the sheet.
    draw : callable
        From the file or folder, the sample and the seed to the rows.
    tally : callable
        From a filled sheet to the table.
    """

    name: str
    summary: str
    needs: Literal["source", "data"]
    source: str
    sample: int
    columns: tuple[str, ...]
    draw: Callable[[Path, int, int], Drawn]
    tally: Callable[[Path], Tally]


def filled_rows(path: Path, required: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """Read a filled sheet."""
    with InputFile(path) as file:
        rows = list(read_rows(file, required))
    if not rows:
        raise MedzhError("the sheet has no rows", file=path, expected="a filled sheet")
    lines: dict[str, int] = {}
    for number, row in rows:
        identifier = row["id"]
        if not identifier:
            raise MedzhError("is blank", file=path, line=number, field="id")
        if identifier in lines:
            raise MedzhError(
                "stands twice in the sheet",
                file=path,
                line=number,
                field="id",
                found=identifier,
                advice=f"keep this line or line {lines[identifier]}",
            )
        lines[identifier] = number
    return rows


def raters_note(rows: Iterable[tuple[int, dict[str, str]]], column: str) -> str:
    """Say who filled the sheet in."""
    names = sorted({row.get("rater") or "unnamed" for _, row in rows if row[column]})
    return f"raters: {', '.join(names) or 'none'}"
