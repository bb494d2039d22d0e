"""Make a disease-name dictionary from the Chinese editions of ICD-10 and the built-in one."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from dataset_scripts.inputs.upstream import first_sheet
from medzh_score.io.paths import package_file
from medzh_score.terminology.disease_names import OURS, read_rows
from medzh_score.terminology.icd_codes import normal_code
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import SourceFile

    Row = tuple[str, str]  # code and name

NATIONAL, TREE = "icd10-national", "icd10-cn-codes"
SOURCES = (NATIONAL, TREE)
TUMOUR, CANCER = "恶性肿瘤", "癌"


def read_names(files: Mapping[str, SourceFile]) -> list[Row]:
    """Read all names that the sources have, and those that ship with the package."""
    tables = []
    if NATIONAL in files:
        tables.append(_national(files[NATIONAL].path))
    if TREE in files:
        tables.append(read_rows(files[TREE].path))
    tables.append(read_rows(package_file("medzh_score", OURS)))
    return merged(tables)


def merged(tables: Sequence[Sequence[Row]]) -> list[Row]:
    """Put tables together: a name keeps the codes of the first one that has it.

    >>> merged([[("C16.9", "胃恶性肿瘤")], [("C16.1", "胃癌"), ("J18.9", "肺炎")]])
    [('C16.9', '胃恶性肿瘤'), ('C16.9', '胃癌'), ('J18.9', '肺炎')]
    """
    rows: list[Row] = []
    known: set[str] = set()
    for table in tables:
        for part in (table, list(_colloquial(table))):
            new = [(code, name) for code, name in part if name not in known]
            known |= {name for _unused, name in new}
            rows += new
    return rows


def _colloquial(table: Iterable[Row]) -> Iterable[Row]:
    return (
        (code, name.removesuffix(TUMOUR) + CANCER) for code, name in table if name.endswith(TUMOUR) and name != TUMOUR
    )


def _national(path: Path) -> list[Row]:
    # A row of a workbook ends with its last cell: some are shorter than two.
    head, *rows = [(*row, "", "")[:2] for row in first_sheet(path)] or [("", "")]
    if not rows or normal_code(rows[0][0]) is None:
        expected = _("a workbook with ICD-10 codes and names in the first two columns")
        raise MedzhError(
            _("the file is not the national clinical edition of ICD-10"),
            file=path,
            expected=expected,
            found=", ".join(head),
        )
    return [(code.strip(), name.strip()) for code, name in rows if code.strip() and name.strip()]


def table_bytes(rows: Sequence[Row]) -> bytes:
    """Write a dictionary as ``medzh-score score --dictionary`` reads it."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow(("code", "name"))
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")
