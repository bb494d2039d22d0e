"""A report as CSV: its tidy rows, with every number as the JSON has it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from medzh_score.files.sheets import sheet_bytes
from medzh_score.report.tidy import COLUMNS, COUNTS_OF_RUNS, NUMBERS_OF_RUNS, tidy_rows

if TYPE_CHECKING:
    from medzh_score.report.report import Report


def as_csv(report: Report) -> str:
    """Write a sheet, as others are written: with a byte order mark, by which spreadsheets know UTF-8.

    What has no value is an empty cell. The values of the runs are lists as in JSON.
    """
    rows = (
        row | {name: json.dumps(row[name]) for name in (NUMBERS_OF_RUNS, COUNTS_OF_RUNS)}
        for row in tidy_rows(report.config, report.model, report.results)
    )
    return sheet_bytes(COLUMNS, rows).decode("utf-8")
