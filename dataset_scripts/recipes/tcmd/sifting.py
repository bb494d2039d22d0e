"""Which groups of a user's file can stand in one data set: none twice, none in both splits, none with equal options."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.digests import text_digest
from dataset_scripts.mapping.interchange import Fault
from dataset_scripts.mapping.sifting import damage_in
from dataset_scripts.recipes.tcmd.grouping import disagreements, group_of, leave_out
from dataset_scripts.recipes.tcmd.records import NAMES_OF, content_id, folded_parts, whole_text
from medzh_score.configs.tcmd.exam import LETTERS
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dataset_scripts.mapping.interchange import Row
    from dataset_scripts.recipes.tcmd.groups import Group
    from dataset_scripts.recipes.tcmd.records import Folded

TEXTS = ("stem", "question", "explanation")
LABEL = re.compile(r"\s*[(（]?([A-Ea-eＡ-Ｅａ-ｅ])\s*[.．、:：)）]")


@dataclass(frozen=True, slots=True)
class Found:
    """The rows of a group, one for each of its questions, in their order."""

    rows: tuple[Row, ...]
    split: str  # to which they belong
    identifier: str

    @property
    def group(self) -> Group:
        """The group that they make."""
        return group_of(self.rows[0].source, [row.fields for row in self.rows])


@dataclass(frozen=True, slots=True)
class _Sound:
    """A group without a fault of its own, and by what it is known among the others."""

    found: Found
    texts: tuple[bytes, ...]  # of its questions
    case: bytes | None


def sift(bundled: Iterable[list[Row]], wrong: dict[int, Fault]) -> list[Found]:
    """Find the groups that can stand in one data set, and add the faults of the rows of all others.

    Of equal questions the first is kept, one of ``test`` before one of ``train``; of questions that are equal but for
    their answers none is. The rows of a group are read here, once.
    """
    sound: list[_Sound] = []
    for members in bundled:
        one = None if any(id(row) in wrong for row in members) else _examined(members, wrong)
        if one:
            sound.append(one)
        else:
            leave_out(members, wrong)
    for fault in (*_repeated(sound), *_in_test_too(sound)):
        wrong.setdefault(id(fault.row), fault)
    kept = []
    for one in sound:
        if any(id(row) in wrong for row in one.found.rows):
            leave_out(one.found.rows, wrong)
        else:
            kept.append(one.found)
    return kept


def _examined(members: list[Row], wrong: dict[int, Fault]) -> _Sound | None:
    """Give the group that rows make, unless one of them has a fault; the faults are added."""
    fields = [row.fields for row in members]
    if faults := disagreements(members, fields):
        wrong.update((id(fault.row), fault) for fault in faults)
        return None
    if len(members) > 1 and "position" in fields[0]:
        order = sorted(range(len(members)), key=lambda place: fields[place]["position"])
        members, fields = [members[place] for place in order], [fields[place] for place in order]
    group = group_of(members[0].source, fields)
    questions = folded_parts(group)
    rows = zip(members, fields, questions, strict=True)
    if faulty := [fault for row, theirs, question in rows for fault in _of_one(row, theirs, question)]:
        wrong.update((id(fault.row), fault) for fault in reversed(faulty))
        return None
    texts = tuple(
        text_digest(whole_text(group.kind, question, part.answer))
        for question, part in zip(questions, group.parts, strict=True)
    )
    case = text_digest(questions[0].stem or "") if group.stem else None
    return _Sound(Found(tuple(members), fields[0]["split"], content_id(group.kind, questions)), texts, case)


def _of_one(row: Row, fields: Mapping[str, Any], question: Folded) -> Iterator[Fault]:
    options = fields["options"]
    yield from damage_in(row, [*((name, fields.get(name)) for name in TEXTS), *(("options", one) for one in options)])
    if len(set(question.options)) < len(options):
        yield Fault(row, "options", "two options are equal", "different options", options)
    if labelled(options):
        yield Fault(row, "options", "the options begin with their letters", "options without letters", options)
    for name, expected in NAMES_OF[fields["subject"]].items():
        if fields.get(name, expected) != expected:
            yield Fault(row, name, "does not belong to the subject", expected, fields[name])


def labelled(options: Sequence[str]) -> bool:
    """Say whether each option begins with the letter of its place.

    >>> labelled(["A．舌", "B．目"]), labelled(["A型", "B型"])
    (True, False)
    """
    places = zip(options, LETTERS, strict=False)
    return all((match := LABEL.match(option)) and fold(match[1]).upper() == letter for option, letter in places)


def _repeated(sound: Iterable[_Sound]) -> Iterator[Fault]:
    firsts: dict[str, Found] = {}
    twins: dict[str, list[Found]] = {}
    for known in sound:
        earlier = firsts.setdefault(known.found.identifier, known.found)
        if earlier is not known.found:
            twins.setdefault(known.found.identifier, [earlier]).append(known.found)
    for equal in twins.values():
        first, *others = sorted(equal, key=lambda one: one.split != "test")
        if any(_answers(one) != _answers(first) for one in others):
            for one in equal:
                other = next(two for two in equal if _answers(two) != _answers(one))
                expected = f"{_answers(other)}, as {other.rows[0].seen_from(one.rows[0])} has"
                yield Fault(one.rows[0], "answer", "an equal question has another answer", expected, _answers(one))
            continue
        for one in others:
            row = one.rows[0]
            expected = f"each question once, and {first.rows[0].seen_from(row)} has it"
            yield Fault(row, "question", "repeats another row", expected, row.fields["question"])


def _in_test_too(sound: Sequence[_Sound]) -> Iterator[Fault]:
    test: dict[bytes, Row] = {}
    cases: dict[bytes, Row] = {}
    for one in (one for one in sound if one.found.split == "test"):
        for row, text in zip(one.found.rows, one.texts, strict=True):
            test.setdefault(text, row)
        if one.case:
            cases.setdefault(one.case, one.found.rows[0])
    for one in (one for one in sound if one.found.split != "test"):
        for row, text in zip(one.found.rows, one.texts, strict=True):
            if text in test:
                expected = f"no question in both splits, and {test[text].seen_from(row)} has it"
                yield Fault(row, "question", "its text stands in test, too", expected, row.fields["question"])
            elif one.case in cases:
                expected = f"no case in both splits, and {cases[one.case].seen_from(row)} has it"
                yield Fault(row, "stem", "its case stands in test, too", expected, one.found.group.stem)


def _answers(found: Found) -> str:
    return ", ".join(part.answer for part in found.group.parts)
