"""Sheets of workbooks as rows of texts."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from medzh_score.files.workbooks import open_sheets, rows_in
from medzh_score.messages.errors import MedzhError
from medzh_score.messages.privacy import quotable

if TYPE_CHECKING:
    from pathlib import Path


def first_sheet(file: Path) -> list[list[str]]:
    """Read the first sheet of a workbook.

    Gives its rows, from the first; blank cells are empty texts, formulas the values that were stored with them.
    """
    try:
        content = io.BytesIO(file.read_bytes())
    except OSError as error:
        raise MedzhError(f"cannot be read: {error.strerror}", file=file) from error
    try:
        sheet = open_sheets(content, file)[0]
        return [["" if cell is None else str(cell) for cell in row] for row in rows_in(sheet, file)]
    except MedzhError:
        raise
    except Exception as error:  # archives, XML and cells raise some twenty kinds of errors where bytes are damaged
        problem = f"not a spreadsheet that can be read: {type(error).__name__}: {quotable(error)}"
        raise MedzhError(problem, file=file, expected="a workbook in the form of .xlsx") from error
