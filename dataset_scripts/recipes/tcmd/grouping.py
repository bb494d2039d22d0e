"""From rows to groups: by the name of a group, an identical stem (A3) or identical adjacent options (B1)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from dataset_scripts.mapping.interchange import Fault
from dataset_scripts.recipes.tcmd.groups import Group, SubQuestion
from dataset_scripts.recipes.tcmd.records import SINGLE
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dataset_scripts.mapping.interchange import Row

SHARED = ("split", "type", "subject")
MEMBER_LEFT_OUT = "another question of its group was left out"


@dataclass(frozen=True, slots=True)
class Found:
    """The rows of a group, one for each of its questions, in their order."""

    rows: tuple[Row, ...]
    split: str  # to which they belong

    @property
    def group(self) -> Group:
        """The group that they make."""
        return _group(self.rows)


def groups_of(rows: Sequence[Row], faults: Iterable[Fault] = ()) -> tuple[list[Found], list[Fault]]:
    """Find the groups, by their first rows, and add the faults of groups that do not agree to those given.

    Rows come in the order of their files, and may name their group (``group_id``) and their ``position``. Groups of
    rows with a fault are left out, too.
    """
    found: list[Found] = []
    # Rows are known by identity: two of them may be equal.
    wrong = {id(fault.row): fault for fault in faults}
    for members in _bundles(rows):
        if not any(id(row) in wrong for row in members):
            wrong.update((id(fault.row), fault) for fault in _disagreements(members))
        if any(id(row) in wrong for row in members):
            for row in members:
                wrong.setdefault(id(row), Fault(row, "group_id", MEMBER_LEFT_OUT))
            continue
        split = members[0].fields["split"]
        if len(members) > 1:
            members.sort(key=lambda row: row.fields.get("position", 0))
        found.append(Found(tuple(members), split))
    return found, [wrong[id(row)] for row in rows if id(row) in wrong]


def _bundles(rows: Iterable[Row]) -> Iterator[list[Row]]:
    bundles: dict[tuple[object, ...], list[Row]] = {}
    run, before = count(), None
    number = next(run)
    for row in rows:
        fields, options = row.fields, None
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
        bundles.setdefault(key, []).append(row)
    yield from bundles.values()


def _folded(options: object) -> tuple[str, ...] | None:
    return tuple(fold(str(option)) for option in options) if isinstance(options, list) else None


def _disagreements(members: Sequence[Row]) -> list[Fault]:
    """Say which rows do not fit the first row of their group."""
    first = members[0].fields
    kind = first["type"]
    if kind in SINGLE and len(members) > 1:
        problem = f"questions of type {kind} stand alone, and this one is in a group"
        return [Fault(row, "type", problem, "A3 or B1", row.fields["type"]) for row in members]
    extra = {"A3": ("stem",), "B1": ("options",)}.get(kind, ())
    for name in (*SHARED, *extra):
        for row in members[1:]:
            if not _same(row.fields, first, name):
                expected = f"what line {members[0].line} has"
                return [Fault(row, name, "is another than in the rest of its group", expected, row.fields[name])]
    return _misplaced(members)


def _same(ours: Mapping[str, object], theirs: Mapping[str, object], name: str) -> bool:
    if name == "options":
        return _folded(ours[name]) == _folded(theirs[name])
    return fold(str(ours[name])) == fold(str(theirs[name]))


def _misplaced(members: Sequence[Row]) -> list[Fault]:
    positions = [row.fields.get("position") for row in members]
    if all(position is None for position in positions) or set(positions) == set(range(1, len(members) + 1)):
        return []
    expected = f"1 to {len(members)}, each once, or none in the whole group"
    return [Fault(members[0], "position", "the positions in its group are not 1 to n", expected, positions)]


def _group(members: Sequence[Row]) -> Group:
    first, *_ = rows = [row.fields for row in members]
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
    return Group(kind, stem, parts, first["subject"], members[0].source)
