"""Whether TCMD's records agree with each other: inside each group, with its id, and across the splits."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from dataset_scripts.recipes.tcmd.records import content_id, member_id, whole_text
from medzh_score.configs.tcmd.exam import REALM_OF, SUBJECTS
from medzh_score.messages.errors import shown
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record

SHARED = ("type", "realm", "subject", "stem")
NAMES = ("realm", "realm_en", "subject_en")


def check(splits: Mapping[str, Sequence[Record]]) -> list[str]:
    """Say what is wrong among the records that no schema can say."""
    groups: dict[str, list[Record]] = defaultdict(list)
    places: dict[str, set[str]] = defaultdict(set)
    problems: list[str] = []
    for split, records in splits.items():
        for record in records:
            problems += _of_one(record)
            groups[record["group_id"]].append(record)
            places[record["group_id"]].add(split)
    for identifier, members in groups.items():
        if len(places[identifier]) > 1:
            problems.append(f"group {identifier}: stands in {' and '.join(sorted(places[identifier]))}")
        else:
            problems += _of_group(identifier, sorted(members, key=lambda member: member["position"]))
    return [*problems, *_in_two_splits(splits), *_cases_in_two_splits(splits)]


def _of_one(record: Record) -> Iterator[str]:
    subject = record["subject"]
    realm = REALM_OF[subject]
    expected = dict(zip(NAMES, (realm.name, realm.english, SUBJECTS[subject].english), strict=True))
    for name, value in expected.items():
        if record[name] != value:
            yield f"record {record['id']}: /{name}: expected {shown(value)}; found {shown(record[name])}"
    if len({fold(option) for option in record["options"]}) < len(record["options"]):
        yield f"record {record['id']}: /options: two of them are equal; found {shown(record['options'])}"


def _of_group(identifier: str, members: Sequence[Record]) -> Iterator[str]:
    first = members[0]
    positions = [member["position"] for member in members]
    if positions != list(range(1, len(members) + 1)):
        yield f"group {identifier}: expected the positions 1 to {len(members)}; found {', '.join(map(str, positions))}"
    for member in members:
        if member["id"] != member_id(identifier, len(members), member["position"]):
            yield f"record {member['id']}: its id is not that of place {member['position']} in {identifier}"
    shared = (*SHARED, "options") if first["type"] == "B1" else SHARED
    differing = [name for name in shared if any(member[name] != first[name] for member in members)]
    if differing:
        yield f"group {identifier}: its members differ in {', '.join(differing)}"
        return
    questions = [(member["question"], member["options"]) for member in members]
    expected = content_id(first["type"], first["stem"], questions)
    if identifier != expected:
        yield f"group {identifier}: expected the id of its content, {expected}"


def _in_two_splits(splits: Mapping[str, Sequence[Record]]) -> Iterator[str]:
    seen: dict[str, tuple[str, Record]] = {}
    for split, records in splits.items():
        for record in records:
            text = whole_text(record["type"], record["stem"], record["question"], record["options"], record["answer"])
            first_split, first = seen.setdefault(text, (split, record))
            if first_split != split and first["group_id"] != record["group_id"]:
                yield (
                    f"record {record['id']}: the text of its question stands in {split} and {first_split} "
                    f"({first['id']}): {shown(record['question'])}"
                )


def _cases_in_two_splits(splits: Mapping[str, Sequence[Record]]) -> Iterator[str]:
    seen: dict[str, tuple[str, Record]] = {}
    for split, records in splits.items():
        for record in records:
            if record["stem"] is None:
                continue
            first_split, first = seen.setdefault(fold(record["stem"]), (split, record))
            if first_split != split and first["group_id"] != record["group_id"]:
                yield f"record {record['id']}: its case stands in {split} and {first_split} ({first['id']})"
