"""Sheets as people fill them in: read and written by the standard library."""

from __future__ import annotations

import csv
import io


def sheet_rows(text):
    """Read the text of a sheet."""
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def save_sheet(path, rows):
    """Write rows as a spreadsheet does, with a mark of their encoding."""
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path
