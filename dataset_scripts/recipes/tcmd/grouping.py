"""From rows to groups: by the name of a group, an identical stem (A3) or identical adjacent options (B1)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.digests import text_digest
from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion
from dataset_scripts.recipes.tcmd.records import SINGLE, content_id, folded_parts, whole_text
from dataset_scripts.user_files.rows import Fault
from medzh_score.text.folding import fold, fold_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dataset_scripts.user_files.rows import Faults, Row

    Fields = Mapping[str, Any]

SHARED = ("split", "type", "subject")


@dataclass(frozen=True, slots=True)
class Found:
    """The rows of a group, one for each of its questions, in their order, and by what it is known among the others."""

    rows: tuple[Row, ...]
    split: str
    identifier: str
    texts: tuple[bytes, ...]  # digests of its questions
    case: bytes | None  # digest of its stem

    @property
    def group(self) -> Group:
        """The group that they make."""
        return group_of(self.rows[0].source, [row.fields for row in self.rows])


def read_groups(rows: Iterable[Row], faults: Faults) -> list[Found]:
    """Bring sound rows together that are one group, by their first rows, and add what is wrong among them."""
    found = [group for members in _bundles(rows) if (group := _examined(members, faults))]
    for row, fault in (*_repeated(found), *_in_test_too(found)):
        faults.add(row.file, row.line, fault)
    return found


def group_of(source: str, rows: Sequence[Fields]) -> Group:
    """Give the group that rows make which stand in its order."""
    first = rows[0]
    kind = first["type"]
    parts = tuple(
        SubQuestion(
            question=fields["question"],
            options=tuple((first if kind == "B1" else fields)["options"]),
            answer=fields["answer"],
            explanation=fields.get("explanation"),
            upstream_key=fields.get("upstream_key", ""),
        )
        for fields in rows
    )
    return Group(kind, first["stem"] if kind == "A3" else None, parts, first["subject"], source)


def _bundles(rows: Iterable[Row]) -> list[list[Row]]:
    bundled: dict[tuple[object, ...], list[Row]] = {}
    run, before = count(), None
    number = next(run)
    for row in rows:
        fields, options = row.fields, None
        if fields["type"] == "B1":
            options = (row.source, fields["split"], fields["subject"], tuple(fold_all(fields["options"])))
        if options is None or options != before:
            number = next(run)
        before = options
        key: tuple[object, ...] = ("place", number)
        if "group_id" in fields:
            key = ("name", row.source, fields["group_id"])
        elif fields["type"] == "A3":
            key = ("stem", row.source, fields["split"], fold(fields["stem"]))
        bundled.setdefault(key, []).append(row)
    return list(bundled.values())


def _examined(members: list[Row], faults: Faults) -> Found | None:
    """Give the group that rows make, unless they do not fit each other."""
    fields = [row.fields for row in members]
    if wrong := list(_disagreements(members, fields)):
        for row, fault in wrong:
            faults.add(row.file, row.line, fault)
        return None
    if len(members) > 1 and "position" in fields[0]:
        order = sorted(range(len(members)), key=lambda place: fields[place]["position"])
        members, fields = [members[place] for place in order], [fields[place] for place in order]
    group = group_of(members[0].source, fields)
    questions = folded_parts(group)
    texts = tuple(
        text_digest(whole_text(group.kind, question, part.answer))
        for question, part in zip(questions, group.parts, strict=True)
    )
    case = text_digest(questions[0].stem or "") if group.stem else None
    return Found(tuple(members), fields[0]["split"], content_id(group.kind, questions), texts, case)


def _disagreements(members: Sequence[Row], fields: Sequence[Fields]) -> Iterator[tuple[Row, Fault]]:
    """Find the rows that do not fit the first row of their group."""
    first, several = fields[0], len(members) > 1
    kind = first["type"]
    if kind in SINGLE and several:
        problem = f"questions of type {kind} stand alone, and this one is in a group"
        for row, theirs in zip(members, fields, strict=True):
            yield row, Fault("type", problem, "A3 or B1", theirs["type"])
        return
    extra = {"A3": ("stem",), "B1": ("options",)}.get(kind, ())
    for name in (*SHARED, *extra) if several else ():
        for row, theirs in zip(members, fields, strict=True):
            if not _same(theirs.get(name), first.get(name)):
                expected = f"what line {members[0].line} has"
                yield row, Fault(name, "is another than in the rest of its group", expected, theirs.get(name))
                return
    positions = [theirs.get("position") for theirs in fields]
    if any(positions) and sorted(filter(None, positions)) != list(range(1, len(positions) + 1)):
        expected = f"1 to {len(positions)}, each once, or none in the whole group"
        yield members[0], Fault("position", "the positions in its group are not 1 to n", expected, positions)


def _same(one: object, other: object) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return fold_all(one) == fold_all(other)
    return fold(str(one)) == fold(str(other))


def _repeated(found: Iterable[Found]) -> Iterator[tuple[Row, Fault]]:
    firsts: dict[str, Found] = {}
    for one in found:
        first = firsts.setdefault(one.identifier, one)
        if first is one:
            continue
        row = one.rows[0]
        where = first.rows[0].seen_from(row)
        if _answers(one) != _answers(first):
            expected = f"{_answers(first)}, as {where} has"
            yield row, Fault("answer", "an equal question has another answer", expected, _answers(one))
        else:
            expected = f"each question once, and {where} has it"
            yield row, Fault("question", "repeats another row", expected, row.fields["question"])


def _in_test_too(found: Sequence[Found]) -> Iterator[tuple[Row, Fault]]:
    test: dict[bytes, Row] = {}
    cases: dict[bytes, Row] = {}
    for one in (one for one in found if one.split == "test"):
        for row, text in zip(one.rows, one.texts, strict=True):
            test.setdefault(text, row)
        if one.case:
            cases.setdefault(one.case, one.rows[0])
    for one in (one for one in found if one.split != "test"):
        for row, text in zip(one.rows, one.texts, strict=True):
            if text in test:
                expected = f"no question in both splits, and {test[text].seen_from(row)} has it"
                yield row, Fault("question", "its text stands in test, too", expected, row.fields["question"])
            elif one.case in cases:
                expected = f"no case in both splits, and {cases[one.case].seen_from(row)} has it"
                yield row, Fault("stem", "its case stands in test, too", expected, one.group.stem)


def _answers(found: Found) -> str:
    return ", ".join(row.fields["answer"] for row in found.rows)
