"""From rows to groups: by the name of a group, an identical stem (A3) or identical adjacent options (B1)."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from dataset_scripts.mapping.interchange import Fault, row_fault
from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion
from dataset_scripts.recipes.tcmd.records import SINGLE
from medzh_score.text.folding import fold, fold_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dataset_scripts.mapping.interchange import Form, Row

    Fields = Mapping[str, Any]

SHARED = ("split", "type", "subject")
MEMBER_LEFT_OUT = "another question of its group was left out"


def bundles(rows: Iterable[Row], shape: Form, wrong: dict[int, Fault]) -> list[list[Row]]:
    """Bring rows together that are one group, by their first rows, and validate each on the way.

    Rows come in the order of their files, and may name their group (``group_id``). ``wrong`` has the fault of each row
    with one, by identity, for two rows may be equal; those that are found are added.
    """
    bundled: dict[tuple[object, ...], list[Row]] = {}
    run, before = count(), None
    number = next(run)
    for row in rows:
        fields, options = row.fields, None
        if id(row) not in wrong and (fault := row_fault(row, fields, shape)):
            wrong[id(row)] = fault
        if fields.get("type") == "B1":
            options = (row.source, fields.get("split"), fields.get("subject"), _folded(fields.get("options")))
        if options is None or options != before:
            number = next(run)
        before = options
        key: tuple[object, ...] = ("place", number)
        if isinstance(fields.get("group_id"), str):
            key = ("name", row.source, fields["group_id"])
        elif fields.get("type") == "A3" and isinstance(fields.get("stem"), str):
            key = ("stem", row.source, str(fields.get("split")), fold(fields["stem"]))
        bundled.setdefault(key, []).append(row)
    return list(bundled.values())


def leave_out(members: Iterable[Row], wrong: dict[int, Fault]) -> None:
    """Fault the rows of a group that have no fault of their own."""
    for row in members:
        wrong.setdefault(id(row), Fault(row, "group_id", MEMBER_LEFT_OUT))


def _folded(options: object) -> tuple[str, ...] | None:
    return tuple(fold_all(list(map(str, options)))) if isinstance(options, list) else None


def disagreements(members: Sequence[Row], fields: Sequence[Fields]) -> list[Fault]:
    """Say which rows do not fit the first row of their group."""
    first = fields[0]
    kind = first["type"]
    if kind in SINGLE and len(members) > 1:
        problem = f"questions of type {kind} stand alone, and this one is in a group"
        return [
            Fault(row, "type", problem, "A3 or B1", theirs["type"]) for row, theirs in zip(members, fields, strict=True)
        ]
    extra = {"A3": ("stem",), "B1": ("options",)}.get(kind, ())
    for name in (*SHARED, *extra) if len(members) > 1 else ():
        for row, theirs in zip(members, fields, strict=True):
            if not _same(theirs, first, name):
                expected = f"what line {members[0].line} has"
                return [Fault(row, name, "is another than in the rest of its group", expected, theirs[name])]
    return _misplaced(members[0], [theirs.get("position") for theirs in fields])


def _same(ours: Fields, theirs: Fields, name: str) -> bool:
    if ours[name] == theirs[name]:
        return True
    if name == "options":
        return _folded(ours[name]) == _folded(theirs[name])
    return fold(str(ours[name])) == fold(str(theirs[name]))


def _misplaced(first: Row, positions: Sequence[int | None]) -> list[Fault]:
    if all(position is None for position in positions) or set(positions) == set(range(1, len(positions) + 1)):
        return []
    expected = f"1 to {len(positions)}, each once, or none in the whole group"
    return [Fault(first, "position", "the positions in its group are not 1 to n", expected, positions)]


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
    stem = first["stem"] if kind == "A3" else None
    return Group(kind, stem, parts, first["subject"], source)
