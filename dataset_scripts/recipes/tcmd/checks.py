"""Whether TCMD's records agree with each other: inside each group, with its id, and across the splits."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataset_scripts.files.digests import text_digest
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
    groups: dict[str, list[tuple[str, int]]] = defaultdict(list)
    texts, cases = _Firsts(splits), _Firsts(splits)
    problems: list[str] = []
    questions_twice: list[str] = []
    cases_twice: list[str] = []
    for split, records in splits.items():
        for place, record in enumerate(records):
            problems += _of_one(record)
            questions_twice += _in_two_splits(texts, split, place, record)
            cases_twice += _case_in_two_splits(cases, split, place, record)
            groups[record["group_id"]].append((split, place))
    for identifier, places in groups.items():
        stands = {split for split, _ in places}
        if len(stands) > 1:
            problems.append(f"group {identifier}: stands in {' and '.join(sorted(stands))}")
        else:
            members = [splits[split][place] for split, place in places]
            problems += _of_group(identifier, sorted(members, key=lambda member: member["position"]))
    return [*problems, *questions_twice, *cases_twice]


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


@dataclass
class _Firsts:
    """Where each text first stands, by its digest."""

    splits: Mapping[str, Sequence[Record]]
    places: dict[bytes, tuple[str, int]] = field(default_factory=dict)

    def elsewhere(self, text: str, split: str, place: int) -> str | None:
        """Name split and id of the first record with a text, where that is in another split and another group."""
        first_split, first_place = self.places.setdefault(text_digest(text), (split, place))
        if first_split == split:
            return None
        record, first = self.splits[split][place], self.splits[first_split][first_place]
        return None if first["group_id"] == record["group_id"] else f"{first_split} ({first['id']})"


def _in_two_splits(texts: _Firsts, split: str, place: int, record: Record) -> Iterator[str]:
    text = whole_text(record["type"], record["stem"], record["question"], record["options"], record["answer"])
    if first := texts.elsewhere(text, split, place):
        question = shown(record["question"])
        yield f"record {record['id']}: the text of its question stands in {split} and {first}: {question}"


def _case_in_two_splits(cases: _Firsts, split: str, place: int, record: Record) -> Iterator[str]:
    if record["stem"] is not None and (first := cases.elsewhere(fold(record["stem"]), split, place)):
        yield f"record {record['id']}: its case stands in {split} and {first}"
