"""Whether TCMD's records agree with each other: inside each group, with its id, and across the splits."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from dataset_scripts.files.digests import text_digest
from dataset_scripts.recipes.tcmd.records import NAMES_OF, content_id, folded, member_id, whole_text
from medzh_score.messages.errors import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record
    from dataset_scripts.recipes.tcmd.records import Folded

SHARED = ("type", "realm", "subject", "stem")


def check(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Say what is wrong among the records that no schema can say.

    Records of a group mostly stand together, and are gone through once; groups that do not are gathered at the end.
    """
    of_records: list[str] = []
    of_groups: dict[str, list[str]] = {}
    runs: Counter[str] = Counter()
    across = _Across(splits)
    for split, records in splits.items():
        place = 0
        for identifier, run in groupby(records, key=itemgetter("group_id")):
            members = list(run)
            says = list(map(_folded, members))
            for record, of_one in zip(members, says, strict=True):
                of_records += _of_one(record, of_one)
                across.add(record, of_one, split, place)
                place += 1
            runs[identifier] += 1
            if problems := list(_of_group(identifier, members, says)):
                of_groups[identifier] = problems
    of_groups |= _scattered(splits, {identifier for identifier, number in runs.items() if number > 1})
    in_order = (problem for one in runs for problem in of_groups.get(one, ())) if of_groups else ()
    return [*of_records, *in_order, *across.questions_twice, *across.cases_twice]


def _folded(record: Record) -> Folded:
    return folded(record["stem"], record["question"], record["options"])


def _of_one(record: Record, says: Folded) -> Iterator[str]:
    for name, value in NAMES_OF[record["subject"]].items():
        if record[name] != value:
            yield f"record {record['id']}: /{name}: expected {shown(value)}; found {shown(record[name])}"
    if len(set(says.options)) < len(record["options"]):
        yield f"record {record['id']}: /options: two of them are equal; found {shown(record['options'])}"


def _scattered(splits: Mapping[str, Sequence[Record]], names: set[str]) -> dict[str, list[str]]:
    """Say what is wrong with groups whose records stand apart, in their split or in several."""
    stands: dict[str, set[str]] = defaultdict(set)
    members: dict[str, list[Record]] = defaultdict(list)
    for split, records in splits.items() if names else ():
        for record in records:
            if record["group_id"] in names:
                stands[record["group_id"]].add(split)
                members[record["group_id"]].append(record)
    return {
        name: [f"group {name}: stands in {' and '.join(sorted(stands[name]))}"]
        if len(stands[name]) > 1
        else list(_of_group(name, members[name], list(map(_folded, members[name]))))
        for name in names
    }


def _of_group(identifier: str, members: Sequence[Record], says: Sequence[Folded]) -> Iterator[str]:
    order = sorted(range(len(members)), key=lambda place: members[place]["position"])
    records = [members[place] for place in order]
    first = records[0]
    positions = [record["position"] for record in records]
    if positions != list(range(1, len(records) + 1)):
        yield f"group {identifier}: expected the positions 1 to {len(records)}; found {', '.join(map(str, positions))}"
    for record in records:
        if record["id"] != member_id(identifier, len(records), record["position"]):
            yield f"record {record['id']}: its id is not that of place {record['position']} in {identifier}"
    shared = (*SHARED, "options") if first["type"] == "B1" else SHARED
    differing = [name for name in shared if any(record[name] != first[name] for record in records)]
    if differing:
        yield f"group {identifier}: its members differ in {', '.join(differing)}"
        return
    expected = content_id(first["type"], [says[place] for place in order])
    if identifier != expected:
        yield f"group {identifier}: expected the id of its content, {expected}"


class _Across:
    """What stands in two splits: each text and each case is known by its digest, and by where it stands first."""

    def __init__(self, splits: Mapping[str, Sequence[Record]]) -> None:
        self._splits = splits
        self._last = list(splits)[-1:]
        self._texts: dict[bytes, tuple[str, int]] = {}
        self._cases: dict[bytes, tuple[str, int]] = {}
        self.questions_twice: list[str] = []
        self.cases_twice: list[str] = []

    def add(self, record: Record, says: Folded, split: str, place: int) -> None:
        """Look for the text and the case of a record in the splits before its own."""
        text = whole_text(record["type"], says, record["answer"])
        if first := self._elsewhere(self._texts, text, record, split, place):
            question = shown(record["question"])
            self.questions_twice.append(
                f"record {record['id']}: the text of its question stands in {split} and {first}: {question}"
            )
        if says.stem is not None and (first := self._elsewhere(self._cases, says.stem, record, split, place)):
            self.cases_twice.append(f"record {record['id']}: its case stands in {split} and {first}")

    def _elsewhere(
        self, places: dict[bytes, tuple[str, int]], text: str, record: Record, split: str, place: int
    ) -> str | None:
        """Name split and id of the first record with a text, where that is in another split and another group."""
        digest = text_digest(text)
        if [split] != self._last:  # of which no other split could ask
            places.setdefault(digest, (split, place))
        first_split, first_place = places.get(digest, (split, place))
        if first_split == split:
            return None
        first = self._splits[first_split][first_place]
        return None if first["group_id"] == record["group_id"] else f"{first_split} ({first['id']})"
