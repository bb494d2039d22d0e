"""Tables and objects in a user's own format: JSON Lines, one JSON array, CSV or TSV, each row with its line."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.json_lines import UTF_8, decoded_lines, read_array, read_objects, text_suffix
from medzh_score.files.csv_reader import ORDINARY_CELL, csv_reader
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "tsv"}
SEPARATORS = {"csv": ",", "tsv": "\t"}
SHEETS = {".xlsx", ".xls", ".ods"}
ADVICE = "mend the line, or give another file"
MAPPING_ADVICE = "mend the mapping file"


def read_data_file(
    path: Path, form: str | None, encoding: str = UTF_8, columns: Sequence[str] = ()
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the rows of a file."""
    chosen = form or SUFFIXES.get(text_suffix(path))
    if chosen is None:
        expected, advice = ", ".join(SUFFIXES), 'say format = "…" in the mapping file'
        advice = "save the sheet as CSV in UTF-8" if path.suffix.lower() in SHEETS else advice
        raise MedzhError("its format is not known", file=path, expected=expected, found=path.suffix, advice=advice)
    if chosen == "jsonl":
        return read_objects(path, encoding)
    if chosen == "json":
        return read_array(path, encoding)
    return _read_table(path, SEPARATORS[chosen], encoding, columns)


def _read_table(
    path: Path, separator: str, encoding: str, columns: Sequence[str]
) -> Iterator[tuple[int, dict[str, Any]]]:
    text = "\n".join(decoded_lines(path, encoding)).removeprefix("\ufeff")
    lines = io.StringIO(text, newline="")
    reader = csv_reader(lines, largest=ORDINARY_CELL, separator=separator, strict=True)
    header: list[str] | None = None
    begins = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if header is None:
                    header = _header(path, begins, cells, columns)
                else:
                    yield begins, _row(path, begins, header, cells)
            begins = reader.line_num + 1
    except csv.Error as error:
        raise MedzhError(f"is no such table: {error}", file=path, line=begins, advice=ADVICE) from error


def _header(path: Path, line: int, cells: list[str], columns: Sequence[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if "" in names or len(set(names)) < len(names):
        problem = "a column has no name" if "" in names else "two columns have one name"
        raise MedzhError(problem, file=path, line=line, expected="a header", found=names, advice=ADVICE)
    absent = [name for name in columns if name not in names]
    if absent and len(names) == 1:
        problem, advice = "the header has one cell alone", 'separate cells by commas, or by tabs with format = "tsv"'
        raise MedzhError(problem, file=path, line=line, expected=", ".join(columns), found=names[0], advice=advice)
    if absent:
        problem = f"the mapping file names a column that the table does not have: {absent[0]}"
        raise MedzhError(problem, file=path, line=line, expected="one of " + ", ".join(names), advice=MAPPING_ADVICE)
    return names


def _row(path: Path, line: int, header: list[str], cells: list[str]) -> dict[str, Any]:
    if len(cells) != len(header):
        expected = f"{len(header)} cells, as the header has"
        raise MedzhError("has another number of cells", file=path, line=line, expected=expected, found=len(cells))
    return dict(zip(header, cells, strict=True))
