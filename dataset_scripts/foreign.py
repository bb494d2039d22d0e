"""Tables and objects in a user's own format: JSON Lines, one JSON array, CSV or TSV, each row with its line."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from dataset_scripts.json_lines import UTF_8, decoded_lines, read_array, read_objects
from medzh_score.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".tsv": "tsv"}
SEPARATORS = {"csv": ",", "tsv": "\t"}
ADVICE = "mend the line, or give another file"


def read_foreign(path: Path, form: str | None, encoding: str = UTF_8) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read the rows of a file.

    Parameters
    ----------
    path : Path
        The file.
    form : str or None
        ``jsonl``, ``json`` (one array), ``csv`` or ``tsv`` (with a header); None goes by the file's suffix.
    encoding : str
        ``utf-8`` or ``gb18030``.

    Yields
    ------
    tuple of (int, dict)
        The line on which the row begins, from 1, and its values by name; those of a table are texts.

    Raises
    ------
    MedzhError
        With file and line, if the file is not of that format.
    """
    chosen = form or SUFFIXES.get(path.suffix.lower())
    if chosen is None:
        expected, advice = ", ".join(SUFFIXES), 'say format = "…" in the mapping file'
        raise MedzhError("its format is not known", file=path, expected=expected, found=path.suffix, advice=advice)
    if chosen == "jsonl":
        return read_objects(path, encoding)
    return read_array(path, encoding) if chosen == "json" else _read_table(path, SEPARATORS[chosen], encoding)


def _read_table(path: Path, separator: str, encoding: str) -> Iterator[tuple[int, dict[str, Any]]]:
    text = "\n".join(decoded_lines(path, encoding)).removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    header: list[str] | None = None
    begins = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if header is None:
                    header = _header(path, begins, cells)
                else:
                    yield begins, _row(path, begins, header, cells)
            begins = reader.line_num + 1
    except csv.Error as error:
        raise MedzhError(f"is no such table: {error}", file=path, line=begins, advice=ADVICE) from error


def _header(path: Path, line: int, cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if "" in names or len(set(names)) < len(names):
        problem = "a column has no name" if "" in names else "two columns have one name"
        raise MedzhError(problem, file=path, line=line, expected="a header", found=names, advice=ADVICE)
    return names


def _row(path: Path, line: int, header: list[str], cells: list[str]) -> dict[str, Any]:
    if len(cells) != len(header):
        expected = f"{len(header)} cells, as the header has"
        raise MedzhError("has another number of cells", file=path, line=line, expected=expected, found=len(cells))
    return dict(zip(header, cells, strict=True))
