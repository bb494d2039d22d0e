"""The essay questions of PediaBench, another benchmark by PeMeBench's authors, as records in the form of PeMeBench."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dataset_scripts.files.workbooks import first_sheet
from dataset_scripts.mapping.sifting import DAMAGE
from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.pemebench.records import CLASSES, entity_notes, is_wordless, record_of
from dataset_scripts.recipes.pemebench.wording import by_rule, kind_of, task_of
from medzh_score.configs.pemebench.words import department_named
from medzh_score.messages.errors import MedzhError
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import Record, SourceFile

RECIPE = "rebuilt"
ESSAY = "pediabench-essay"
COLUMNS = ("Disease Groups", "questions", "answers")
# Why a row becomes no record, in the order in which it is asked: a cell has no word, PeMeBench has no class for its
# disease group, it holds a character that no text has, its question stands before it in the same class with the same
# answer, or with another one.
REASONS = ("no text", "no class", "damaged", "repeated", "other answer")
NO_CLASS = "none"
OTHER = "the essay questions of PediaBench, another benchmark by the same authors: this is not PeMeBench"


def read_pediabench(file: SourceFile) -> Built:
    """Read the essay questions of PediaBench, without entities.

    Its disease groups become PeMeBench's departments by their other names; the wording of a question gives its task and
    kind. Texts are taken as they stand, but for blanks around them. The first of equal questions stays.
    """
    records: dict[str, Record] = {}
    groups: Counter[str] = Counter()
    dropped: Counter[tuple[str, str]] = Counter()
    for group, question, answer in _rows(file.path):
        groups[group] += 1
        record = _record(group, question, answer, file.name)
        if isinstance(record, str):
            dropped[group, record] += 1
            continue
        first = records.setdefault(record["id"], record)
        if first is not record:
            same = fold(first["answer"]) == fold(record["answer"])
            dropped[group, "repeated" if same else "other answer"] += 1
    if not records:
        found = ", ".join(f"{count:,} {reason}" for (_, reason), count in dropped.items()) or "no rows"
        raise MedzhError("no question can be used", file=file.path, expected="essay questions", found=found)
    listed = list(records.values())
    tables = (_by_group(groups, dropped), by_rule(record["question"] for record in listed))
    return Built({"test": listed}, notes=(OTHER, *_missing(listed), *entity_notes(listed)), tables=tables)


def _rows(file: Path) -> Iterator[tuple[str, str, str]]:
    sheet = first_sheet(file)
    head = [cell.strip() for cell in sheet[0]] if sheet else []
    for column in COLUMNS:
        if head.count(column) != 1:
            problem = "a column stands twice" if column in head else "a column is missing"
            raise MedzhError(
                problem, file=file, line=1, field=column, expected=", ".join(COLUMNS), found=", ".join(head)
            )
    places = [head.index(column) for column in COLUMNS]
    for cells in sheet[1:]:
        group, question, answer = (cells[place].strip() if place < len(cells) else "" for place in places)
        if group or question or answer:
            yield group, question, answer


def _record(group: str, question: str, answer: str, source: str) -> Record | str:
    """Make a record of a row, or give the reason why not."""
    if not group or is_wordless(question) or is_wordless(answer):
        return "no text"
    department = _class(group)
    if department == NO_CLASS:
        return "no class"
    if DAMAGE.search(question) or DAMAGE.search(answer):
        return "damaged"
    return record_of(
        question=question,
        answer=answer,
        department=department,
        task=task_of(question),
        kind=kind_of(question),
        entities=(),
        source=source,
        recipe=RECIPE,
        upstream_key="",
    )


def _by_group(groups: Counter[str], dropped: Counter[tuple[str, str]]) -> BuildTable:
    rows: list[tuple[str | int, ...]] = []
    for group in sorted(groups, key=lambda name: ([*CLASSES, NO_CLASS].index(_class(name)), name)):
        lost = [dropped[group, reason] for reason in REASONS]
        rows.append((group or "(blank)", _class(group), groups[group], *lost, groups[group] - sum(lost)))
    sums = (sum(int(row[place]) for row in rows) for place in range(2, len(rows[0])))
    return BuildTable(
        title="Rows of PediaBench's essay questions by disease group: left out by reason, and kept",
        columns=("disease group", "class", "found", *REASONS, "kept"),
        rows=(*rows, ("all", "all", *sums)),
    )


def _class(group: str) -> str:
    department = department_named(group)
    return department if department in CLASSES else NO_CLASS


def _missing(records: Sequence[Record]) -> Iterator[str]:
    there = {record["department"] for record in records}
    absent = [name for name in CLASSES if name not in there]
    if absent:
        yield f"no question is of the classes {', '.join(absent)}"
