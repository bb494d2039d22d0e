"""Chinese names of MeSH's descriptors, from a table that the user brings."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.json_lines import text_suffix
from dataset_scripts.files.stored import Stored
from dataset_scripts.files.workbooks import first_sheet
from dataset_scripts.mapping.data_files import read_data_file
from dataset_scripts.mapping.importing import Importer
from dataset_scripts.mapping.interchange import Form, row_schema
from dataset_scripts.mapping.sifting import damage_in, sift_rows
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.mapping.interchange import Fault, Row
    from dataset_scripts.recipe import BuildTable, SourceFile
    from dataset_scripts.terminology.descriptor import Descriptor

NAMES = "mesh-names"
MAPPING = "cmhe_ce-mapping"
COLUMNS = ("concept", "name")
ALIASES = "aliases"
WORKBOOK = ".xlsx"
TABLES = (".csv", ".tsv", WORKBOOK)
BETWEEN = re.compile("[;；|｜]")
CHINESE = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")
ADVICE = (
    "give a table of Chinese names with --source mesh-names=FILE: "
    "its columns are concept (an identifier of MeSH or an English name), name, and aliases where there are any"
)
_TEXT = {"type": "string", "minLength": 1, "pattern": "\\S"}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": list(COLUMNS),
    "properties": {"concept": _TEXT, "name": _TEXT, ALIASES: {"type": ["array", "null"], "items": _TEXT}},
}
FORM = Form(row_schema(_SCHEMA, derived=(), free=(), splits=("names",)), {NAMES: "names"})


@dataclass
class Named:
    """What a table of names says of the descriptors of MeSH."""

    # by the descriptor's position: its Chinese name, behind it the others in the table's order
    names: dict[int, list[str]] = field(default_factory=dict)
    rows: int = 0
    left_out: Counter[str] = field(default_factory=Counter)  # rows that say nothing of a descriptor, by reason
    notes: tuple[str, ...] = ()  # on the mapping
    tables: tuple[BuildTable, ...] = ()  # what did not map


def read_named(files: Mapping[str, SourceFile], descriptors: Sequence[Descriptor]) -> Named:
    """Read Chinese names, and find the descriptors that they name.

    A row has an identifier of MeSH or an English name (a heading, or an entry term of one heading alone), a Chinese
    name and any number of other names. Of several rows for a descriptor the first gives its name, the others aliases.
    """
    if NAMES not in files:
        raise MedzhError("the Chinese names of concepts are missing", field="--source", advice=ADVICE)
    found = Named()
    rows = list(_rows(files, found))
    known, terms = _index(descriptors)
    for row in rows:
        key = alike(row.fields["concept"])
        index = known.get(key, terms.get(key))
        name = row.fields["name"].strip()
        if index is None:
            found.left_out["an identifier or English name that MeSH does not have, or that is one of several"] += 1
        elif not CHINESE.search(name):
            found.left_out["a name without a Chinese character"] += 1
        else:
            found.names.setdefault(index, []).extend((name, *(row.fields.get(ALIASES) or ())))
    if not found.names:
        expected = "identifiers such as D016878, or English names, beside Chinese names"
        shown = ", ".join(f"{count:,} rows with {reason}" for reason, count in found.left_out.items()) or "no rows"
        raise MedzhError("names no descriptor of MeSH", file=files[NAMES].path, expected=expected, found=shown)
    return found


def alike(text: str) -> str:
    """Fold what does not tell names apart: case, width and the number of blanks.

    >>> alike("ＰＯＥＭＳ  Syndrome ")
    'poems syndrome'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _index(descriptors: Sequence[Descriptor]) -> tuple[dict[str, int], dict[str, int]]:
    """Find descriptors by identifier and name, and by terms that one of them alone has."""
    known = {alike(one.name): index for index, one in enumerate(descriptors)}
    known |= {alike(one.identifier): index for index, one in enumerate(descriptors) if one.identifier}
    every = [{alike(term) for term in one.terms} for one in descriptors]
    counts = Counter(term for own in every for term in own)
    return known, {term: index for index, own in enumerate(every) for term in own if counts[term] == 1}


def _rows(files: Mapping[str, SourceFile], found: Named) -> Iterator[Row]:
    file = files[NAMES]
    if MAPPING in files or text_suffix(file.path) not in TABLES:
        own = {name: one for name, one in files.items() if name in (NAMES, MAPPING)}
        imported = Importer(FORM, {}, _sift, ADVICE).read(own, MAPPING)
        found.rows, found.notes, found.tables = imported.rows, imported.notes, imported.tables
        yield from imported.kept
        return
    rows, stored = [], Stored()
    for line, cells in _cells(file.path):
        found.rows += 1
        fields: dict[str, Any] = {name: (cells.get(name) or "").strip() for name in COLUMNS}
        fields[ALIASES] = [part.strip() for part in BETWEEN.split(cells.get(ALIASES) or "") if part.strip()]
        if fields["name"]:
            rows.append(FORM.row(stored, NAMES, file.path, line, fields))
        else:
            found.left_out["no Chinese name"] += 1
    kept, faults = _sift(rows, [])
    if faults:
        raise faults[0].error(len(faults) - 1)
    yield from kept


def _cells(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    for line, cells in _sheet(path) if path.suffix.lower() == WORKBOOK else read_data_file(path, None):
        for missing in (name for name in COLUMNS if name not in cells):
            expected, shown = ", ".join((*COLUMNS, ALIASES)), ", ".join(cells)
            advice = "rename it, or say with --mapping FILE how the table is to be read"
            raise MedzhError(
                "a column is missing", file=path, field=missing, expected=expected, found=shown, advice=advice
            )
        yield line, cells


def _sheet(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    head, *rows = first_sheet(path) or [[]]
    for line, cells in enumerate(rows, start=2):
        if any(cell.strip() for cell in cells):
            yield line, dict(zip((cell.strip() for cell in head), cells, strict=False))


def _sift(rows: Sequence[Row], faults: Sequence[Fault]) -> tuple[list[Row], list[Fault]]:
    return sift_rows(rows, faults, shape=FORM, faults_of=_of_one)


def _of_one(row: Row) -> Iterator[Fault]:
    names = [("name", row.fields["name"]), *((ALIASES, alias) for alias in row.fields.get(ALIASES) or ())]
    yield from damage_in(row, names)
