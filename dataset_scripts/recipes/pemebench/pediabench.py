"""The essay questions of PediaBench, another benchmark by PeMeBench's authors, as records in the form of PeMeBench."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from dataset_scripts.files.workbooks import first_sheet
from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.pemebench.essay_faults import NO_CLASS, REASONS, class_of, fault
from dataset_scripts.recipes.pemebench.essay_mending import mended_answer, mended_question
from dataset_scripts.recipes.pemebench.records import CLASSES, entity_notes, record_of
from dataset_scripts.recipes.pemebench.rule_entities import entities_by_rule
from dataset_scripts.recipes.pemebench.wording import by_rule, kind_of, task_of
from medzh_score.messages.errors import MedzhError
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import Record, SourceFile

RECIPE = "rebuilt"
ESSAY = "pediabench-essay"
COLUMNS = ("Disease Groups", "questions", "answers")
REPEATED = {
    "repeated": "its question stands before it in the same class, with the same answer",
    "other answer": "its question stands before it in the same class, with another answer",
}
BY_RULE = (
    "key entities were found by rule, by no model and no person: numbers with units, and diseases, medicines and "
    "checks of dictionaries that stand in the answer and not in the question; Recall_entity of them is not the paper's"
)
OTHER = "the essay questions of PediaBench, another benchmark by the same authors: this is not PeMeBench"


def read_pediabench(file: SourceFile, dictionaries: Mapping[str, SourceFile] | None = None) -> Built:
    """Read the essay questions of PediaBench; with dictionaries of names, rules find some of their key entities.

    Its disease groups become PeMeBench's departments by their other names; question and answer give its task, the
    question its kind. Texts are taken as they were printed, as far as that is certain. The first of equal questions
    stays.
    """
    records: dict[str, Record] = {}
    groups: Counter[str] = Counter()
    dropped: Counter[tuple[str, str]] = Counter()
    entities = entities_by_rule(dictionaries) if dictionaries else _not_extracted
    rows = list(_rows(file.path))
    askers = defaultdict(set)
    for _, question, answer in rows:
        askers[fold(answer)].add(fold(question))
    for group, question, answer in rows:
        groups[group] += 1
        record = _record(group, question, answer, file.name, entities)
        if isinstance(record, str):
            dropped[group, record] += 1
            continue
        if len(askers[fold(answer)]) > 1:
            dropped[group, "other's answer"] += 1
            continue
        first = records.setdefault(record["id"], record)
        if first is not record:
            same = fold(first["answer"]) == fold(record["answer"])
            dropped[group, "repeated" if same else "other answer"] += 1
    if not records:
        found = ", ".join(f"{count:,} {reason}" for (_, reason), count in dropped.items()) or "no rows"
        raise MedzhError("no question can be used", file=file.path, expected="essay questions", found=found)
    listed = list(records.values())
    tables = (
        _by_group(groups, dropped),
        _by_reason(dropped),
        by_rule((record["question"], record["answer"]) for record in listed),
    )
    notes = (OTHER, *_missing(listed), *([BY_RULE] if dictionaries else []), *entity_notes(listed))
    return Built({"test": listed}, notes=notes, tables=tables)


def _not_extracted(_question: str, _answer: str) -> None:
    return None


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
            yield group, mended_question(question), mended_answer(answer)


def _record(
    group: str, question: str, answer: str, source: str, entities: Callable[[str, str], Sequence[str] | None]
) -> Record | str:
    """Make a record of a row, or give the reason why not."""
    if reason := fault(group, question, answer):
        return reason
    return record_of(
        question=question,
        answer=answer,
        department=class_of(group),
        task=task_of(question, answer),
        kind=kind_of(question),
        entities=entities(question, answer) or None,  # that rules find none does not say that there is none
        source=source,
        recipe=RECIPE,
        upstream_key="",
    )


def _by_group(groups: Counter[str], dropped: Counter[tuple[str, str]]) -> BuildTable:
    rows: list[tuple[str | int, ...]] = []
    for group in sorted(groups, key=lambda name: ([*CLASSES, NO_CLASS].index(class_of(name)), name)):
        lost = sum(count for (of, _), count in dropped.items() if of == group)
        rows.append((group or "(blank)", class_of(group), groups[group], lost, groups[group] - lost))
    sums = (sum(int(row[place]) for row in rows) for place in range(2, len(rows[0])))
    return BuildTable(
        title="Rows of PediaBench's essay questions by disease group",
        columns=("disease group", "class", "found", "left out", "kept"),
        rows=(*rows, ("all", "all", *sums)),
    )


def _by_reason(dropped: Counter[tuple[str, str]]) -> BuildTable:
    counts: Counter[str] = Counter()
    for (_, reason), count in dropped.items():
        counts[reason] += count
    return BuildTable(
        title="Rows that were left out, by reason; the first that holds counts",
        columns=("reason", "meaning", "rows"),
        rows=tuple((reason, meaning, counts[reason]) for reason, meaning in (REASONS | REPEATED).items()),
    )


def _missing(records: Sequence[Record]) -> Iterator[str]:
    there = {record["department"] for record in records}
    absent = [name for name in CLASSES if name not in there]
    if absent:
        yield f"no question is of the classes {', '.join(absent)}"
