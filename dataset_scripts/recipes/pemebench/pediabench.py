"""The essay questions of PediaBench, another benchmark by PeMeBench's authors, as records in the form of PeMeBench."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from dataset_scripts.files.workbooks import first_sheet
from dataset_scripts.mapping.sifting import DAMAGE
from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.pemebench.records import CLASSES, entity_notes, is_wordless, record_of
from dataset_scripts.recipes.pemebench.rule_entities import DICTIONARIES, entities_by_rule
from dataset_scripts.recipes.pemebench.wording import by_rule, kind_of, task_of
from medzh_score.configs.pemebench.words import department_named
from medzh_score.messages.errors import MedzhError
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from dataset_scripts.recipe import Record, SourceFile

RECIPE = "rebuilt"
ESSAY = "pediabench-essay"
COLUMNS = ("Disease Groups", "questions", "answers")
# Why a row becomes no record, in the order in which it is asked: a cell has no word, PeMeBench has no class for its
# disease group, it holds a character that no text has, a scan has spoilt its numbers or words, its answer points to a
# figure or a table that is not there or lacks its beginning, it asks in broken words, its answer is that of another
# question, its question stands before it in the same class with the same answer, or with another one.
REASONS = ("no text", "no class", "damaged", "spoilt", "incomplete", "broken question", "other's answer")
REPEATED = ("repeated", "other answer")
# 10⁹ whose raised digit is none, mg/(kg·d) or g/L without a stroke, formulas in pieces, IgE with a small l; then
# characters that are not used here, and words that are none.
SPOILT = re.compile(
    r"[×xX*]\s*10\s?(?:9|12)\s*[/／]|\d\s?(?:g|mg|μg|ug|mmol|μmol|umol)L(?![a-zA-Z])|g\(kg|ext\{|(?<![A-Za-z])[l1]g[EMGAD](?![a-z])"
    r"|検|査|岀|釆|治疗治疗|建状|盘验|快建|月市部|普茶洛尔|眯唑|发叩|随防|进人|反胎|枸盐|肝毛|一次点击|X\(FⅨ\)|着给予|^痢除"
)
INCOMPLETE = re.compile(
    r"[见（(]\s?(?:文末彩)?[图表]\s?\d|如[上下]?[图表]|见第[一二三四五六七八九十\d]+[章节]|^\s*[（(]?\s*[2-9]\s*[.．、)）](?!\d)"
)
BROKEN = re.compile(r"(?:营养|异物|与疾病)是什么病|如何[^，？]*所需|实辅助")
COMPARED = re.compile(r"(.{2,}?)(?:需要)?(?:跟|与|和)哪些疾病")
NO_CLASS = "none"
BY_RULE = (
    "key entities were found by rule, by no model and no person: numbers with units, and diseases, medicines and "
    "checks of dictionaries that stand in the answer and not in the question; Recall_entity of them is not the paper's"
)
OTHER = "the essay questions of PediaBench, another benchmark by the same authors: this is not PeMeBench"


def read_pediabench(file: SourceFile, dictionaries: Mapping[str, SourceFile] | None = None) -> Built:
    """Read the essay questions of PediaBench; with dictionaries of names, their key entities are found by rule.

    Its disease groups become PeMeBench's departments by their other names; the wording of a question gives its task and
    kind. Texts are taken as they stand, but for blanks around them. The first of equal questions stays.
    """
    records: dict[str, Record] = {}
    groups: Counter[str] = Counter()
    dropped: Counter[tuple[str, str]] = Counter()
    whole = dictionaries is not None and dictionaries.keys() == set(DICTIONARIES)
    entities = entities_by_rule(dictionaries) if dictionaries and whole else _none
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
    tables = (_by_group(groups, dropped), by_rule(record["question"] for record in listed))
    notes = (OTHER, *_missing(listed), *filter(None, [BY_RULE if whole else ""]), *entity_notes(listed))
    return Built({"test": listed}, notes=notes, tables=tables)


def _none(_question: str, _answer: str) -> list[str]:
    return []


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


def _record(
    group: str, question: str, answer: str, source: str, entities: Callable[[str, str], list[str]]
) -> Record | str:
    """Make a record of a row, or give the reason why not."""
    if reason := _fault(group, question, answer):
        return reason
    return record_of(
        question=question,
        answer=answer,
        department=_class(group),
        task=task_of(question),
        kind=kind_of(question),
        entities=entities(question, answer),
        source=source,
        recipe=RECIPE,
        upstream_key="",
    )


def _fault(group: str, question: str, answer: str) -> str:
    """Give the reason for which a row becomes no record; empty where there is none."""
    asked = COMPARED.match(question)
    faults = (
        ("no text", not group or is_wordless(question) or is_wordless(answer)),
        ("no class", _class(group) == NO_CLASS),
        ("damaged", DAMAGE.search(question) or DAMAGE.search(answer)),
        ("spoilt", SPOILT.search(question) or SPOILT.search(answer)),
        ("incomplete", INCOMPLETE.search(answer)),
        ("broken question", BROKEN.search(question)),
        ("other's answer", asked and f"疾病有{asked[1]}（" in answer),  # which sets a disease apart from itself
    )
    return next((reason for reason, found in faults if found), "")


def _by_group(groups: Counter[str], dropped: Counter[tuple[str, str]]) -> BuildTable:
    rows: list[tuple[str | int, ...]] = []
    for group in sorted(groups, key=lambda name: ([*CLASSES, NO_CLASS].index(_class(name)), name)):
        lost = [dropped[group, reason] for reason in (*REASONS, *REPEATED)]
        rows.append((group or "(blank)", _class(group), groups[group], *lost, groups[group] - sum(lost)))
    sums = (sum(int(row[place]) for row in rows) for place in range(2, len(rows[0])))
    return BuildTable(
        title="Rows of PediaBench's essay questions by disease group: left out by reason, and kept",
        columns=("disease group", "class", "found", *REASONS, *REPEATED, "kept"),
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
