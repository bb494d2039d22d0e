"""The reader of disease.csv (QASystemOnMedicalGraph): one disease a row, lists as cells, in GB18030."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from dataset_scripts.recipes.sdak.content import Content, Value, split_list
from medzh_score.files.csv_reader import ORDINARY_CELL, csv_reader
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ENCODING = "gb18030"
KINDS = {
    "infection": "Disease-Infectivity",
    "department": "Disease-Department",
    "checklist": "Disease-Examination",
    "symptom": "Disease-Symptom",
    "complication": "Diseases-Complication",
    "treatment": "Disease-Method",
    "drug": "Disease-Medicine",
}
COLUMNS = ("name", "alias", *KINDS)
MORE_LINK = "[详细]"  # the site's "more" link, which ends a cell

# The site fills the complications of diseases that have none with these (乳泣, 五更泄 and 蚊子叮咬 all "lead to"
# 脑血管瘤) and with names that merely share a character with the disease, so the whole cell is worth nothing.
FILLERS = frozenset(
    {"脑囊虫病", "脑血管瘤", "发作性睡病", "颅咽管瘤", "副鼻窦炎", "新生儿泪囊炎", "垂体性侏儒症"},
)
# The one value of a cell where it is filler: 指节垫, 口腔白斑 and 气球状细胞痣 have it; beside others it is real.
LONE_FILLERS = frozenset({"脓毒症和菌血症"})


def read_disease_csv(file: Path, source: str) -> Content:
    """Read disease.csv: a value for each member of each cell, one without text for an empty cell, and aliases."""
    content = Content()
    rows = _rows(file)
    header = next(rows, (0, []))[1]
    for missing in (column for column in COLUMNS if column not in header):
        raise MedzhError(
            "a column is missing",
            file=file,
            line=1,
            field=missing,
            expected=", ".join(COLUMNS),
            found=", ".join(header),
        )
    for line, row in rows:
        cells = dict(zip(header, row, strict=False))
        name = cells.get("name", "").strip()
        if not name:
            raise MedzhError("a disease has no name", file=file, line=line, field="name", expected="a text")
        misplaced = len(row) != len(header) or any(row[i].strip() for i, head in enumerate(header) if not head)
        for column, kind in KINDS.items():
            content.values += _values(kind, name, cells.get(column, ""), source, misplaced=misplaced)
        if not misplaced:
            content.aliases.setdefault(name, set()).update(split_list(cells["alias"]))
    return content


def _rows(file: Path) -> Iterator[tuple[int, list[str]]]:
    raw = file.read_bytes()
    if not raw.isascii() and _is_utf8(raw):
        # Much of it would decode as GB18030, to nonsense; GB18030 of more than a few characters is never UTF-8.
        raise MedzhError("not GB18030", file=file, expected=f"the encoding {ENCODING}", found="UTF-8")
    try:
        text = raw.decode(ENCODING).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise MedzhError("not GB18030", file=file, line=line, found=raw[error.start : error.end]) from error
    reader = csv_reader(io.StringIO(text, newline=""), largest=ORDINARY_CELL, strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise MedzhError(f"not CSV: {error}", file=file, line=reader.line_num) from error


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _values(kind: str, name: str, cell: str, source: str, *, misplaced: bool) -> list[Value]:
    texts = _members(kind, cell)
    dropped = None
    if misplaced:
        dropped = "misplaced"
    elif kind == "Diseases-Complication" and (FILLERS.intersection(texts) or LONE_FILLERS.issuperset(texts)):
        dropped = "filler"
    return [Value(kind, name, text, source, dropped=dropped) for text in texts] or [
        Value(kind, name, "", source, dropped="no value"),
    ]


def _members(kind: str, cell: str) -> list[str]:
    cell = cell.replace(MORE_LINK, " ").strip()
    if kind == "Disease-Infectivity":
        return [cell] if cell else []
    # Only treatments are separated by commas: inside a symptom they belong to it (红色或紫色，稍高起的丘疹).
    return split_list(cell) if kind == "Disease-Method" else re.split(r"\s+", cell) if cell else []
