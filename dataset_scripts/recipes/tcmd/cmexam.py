"""The reader of CMExam, as CSV and as the spreadsheet of its validation split."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dataset_scripts.recipes.banks.cmexam_rows import ABSENT, SEPARATOR, csv_rows, sheet_rows
from dataset_scripts.recipes.banks.options import from_texts
from dataset_scripts.recipes.tcmd.rows import Raw, Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

ANNOTATIONS = ("Medical Discipline", "Clinical Department")


def read_cmexam_csv(file: Path) -> Reading:
    """Read ``train.csv``, ``val.csv`` or ``test_with_annotations.csv`` of CMExam.

    Groups and types are not marked, and nothing names a row.
    """
    return _read(csv_rows(file))


def read_cmexam_xlsx(file: Path) -> Reading:
    """Read ``val.xlsx``, the validation split of CMExam as a spreadsheet."""
    return _read(sheet_rows(file))


def _read(rows: Iterable[Mapping[str, str]]) -> Reading:
    reading = Reading()
    for cells in rows:
        raw = Raw(
            cells["Question"],
            from_texts(SEPARATOR.split(cells["Options"])),
            cells["Answer"] if cells["Answer"] != ABSENT else "",
            cells["Explanation"],
        )
        labels = tuple(f"{name}: {cells[name].strip()}" for name in ANNOTATIONS if cells.get(name, "").strip())
        reading.add(raw, labels=labels)
    return reading
