"""The open questions of PediaBench, another benchmark by PeMeBench's authors, in the form of PeMeBench."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dataset_scripts.inputs.upstream import first_sheet
from dataset_scripts.inputs.user_rows import DAMAGE
from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.pemebench.records import entity_notes, is_wordless, record_of
from medzh_score.configs.pemebench.prompts import UNASSIGNED, department_named
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from dataset_scripts.recipe import Record, SourceFile

RECIPE = "pediabench"
ESSAY = "pediabench-essay"
COLUMNS = ("Disease Groups", "questions", "answers")
REASONS = {
    "no text": "a cell contains no words",
    "damaged": "a cell contains a character that does not occur in text",
    "repeated": "the same question occurs earlier in the same class",
}
NEITHER = {"task": UNASSIGNED, "kind": UNASSIGNED}
OTHER = _("These are the essay questions of PediaBench, another benchmark by the same authors. They are not PeMeBench.")


def read_pediabench(files: Mapping[str, SourceFile], _seed: int) -> Built:
    """Read all open questions of PediaBench, unchanged.

    Its disease groups become PeMeBench's departments where they are such by another name; it has neither tasks nor
    kinds, so these are ``unassigned``. Of equal questions in a class the first stays.
    """
    file = files[ESSAY]
    records: dict[str, Record] = {}
    found: Counter[str] = Counter()
    dropped: Counter[tuple[str, str]] = Counter()
    for group, question, answer in _rows(file.path):
        department = department_named(group)
        found[department] += 1
        if not group or is_wordless(question) or is_wordless(answer):
            dropped[department, "no text"] += 1
        elif DAMAGE.search(question) or DAMAGE.search(answer):
            dropped[department, "damaged"] += 1
        else:
            fields = {"question": question, "answer": answer, "department": department, **NEITHER}
            record = record_of(fields, source=file.name, recipe=RECIPE)
            if records.setdefault(record["id"], record) is not record:
                dropped[department, "repeated"] += 1
    if not records:
        raise MedzhError(_("no questions can be used"), file=file.path, expected=_("essay questions"), found="no rows")
    listed = list(records.values())
    tables = (_by_department(found, dropped), _by_reason(dropped))
    return Built({"test": listed}, (OTHER, *entity_notes(listed)), tables)


def _rows(file: Path) -> Iterator[tuple[str, str, str]]:
    sheet = first_sheet(file)
    head = [cell.strip() for cell in sheet[0]] if sheet else []
    for column in COLUMNS:
        if head.count(column) != 1:
            problem = _("duplicate column") if column in head else _("a column is missing")
            raise MedzhError(
                problem, file=file, line=1, field=column, expected=", ".join(COLUMNS), found=", ".join(head)
            )
    places = [head.index(column) for column in COLUMNS]
    for cells in sheet[1:]:
        group, question, answer = (cells[place].strip() if place < len(cells) else "" for place in places)
        if group or question or answer:
            yield group, question, answer


def _by_department(found: Counter[str], dropped: Counter[tuple[str, str]]) -> BuildTable:
    rows: list[tuple[str | int, ...]] = []
    for department in sorted(found):
        lost = sum(count for (of, _unused), count in dropped.items() if of == department)
        rows.append((department or "(blank)", found[department], lost, found[department] - lost))
    lost = dropped.total()
    rows.append(("all", found.total(), lost, found.total() - lost))
    columns = ("class", "found", "excluded", "kept")
    return BuildTable("Essay questions of PediaBench by disease group (rows)", columns, tuple(rows))


def _by_reason(dropped: Counter[tuple[str, str]]) -> BuildTable:
    counts: Counter[str] = Counter()
    for (_unused, reason), count in dropped.items():
        counts[reason] += count
    rows = tuple((reason, meaning, counts[reason]) for reason, meaning in REASONS.items())
    title = "Excluded rows by reason (the first reason that applies)"
    return BuildTable(title, ("reason", "meaning", "rows"), rows)
