"""Which groups of a user's file can stand in one data set: none twice, none in both splits, none with equal options."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.files.digests import text_digest
from dataset_scripts.mapping.interchange import Fault
from dataset_scripts.mapping.sifting import damage_in
from dataset_scripts.recipes.tcmd.records import group_id, whole_text
from medzh_score.configs.tcmd.exam import LETTERS, REALM_OF, SUBJECTS
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dataset_scripts.mapping.interchange import Row
    from dataset_scripts.recipes.tcmd.grouping import Found
    from dataset_scripts.recipes.tcmd.groups import Group

TEXTS = ("stem", "question", "explanation")
LABEL = re.compile(r"\s*[(（]?([A-Ea-eＡ-Ｅａ-ｅ])\s*[.．、:：)）]")


@dataclass(frozen=True, slots=True)
class _Sound:
    """A group without a fault of its own, and by what it is known among the others."""

    found: Found
    identifier: str
    texts: tuple[bytes, ...]  # of its questions
    case: bytes | None


def sift(found: Sequence[Found]) -> tuple[list[Found], list[Fault]]:
    """Separate groups that can stand in one data set from those that cannot.

    Of equal questions the first is kept, one of ``test`` before one of ``train``; of questions that are equal but for
    their answers none is.
    """
    faults: list[Fault] = []
    sound: list[_Sound] = []
    for one in found:
        of_one = list(_of_one(one))
        faults += of_one
        if not of_one:
            sound.append(_known(one))
    faults += [*_repeated(sound), *_in_test_too(sound)]
    wrong = {id(fault.row) for fault in faults}
    return [one.found for one in sound if not any(id(row) in wrong for row in one.found.rows)], faults


def _known(found: Found) -> _Sound:
    group = found.group
    case = text_digest(fold(group.stem)) if group.stem else None
    return _Sound(found, group_id(group), _texts(group), case)


def _of_one(found: Found) -> Iterator[Fault]:
    for row in found.rows:
        fields = row.fields
        options, realm, subject = fields["options"], REALM_OF[fields["subject"]], SUBJECTS[fields["subject"]]
        names = {"realm": realm.name, "realm_en": realm.english, "subject_en": subject.english}
        texts = [*((name, fields.get(name)) for name in TEXTS), *(("options", option) for option in options)]
        yield from damage_in(row, texts)
        if len({fold(option) for option in options}) < len(options):
            yield Fault(row, "options", "two options are equal", "different options", options)
        if labelled(options):
            yield Fault(row, "options", "the options begin with their letters", "options without letters", options)
        for name, expected in names.items():
            if fields.get(name, expected) != expected:
                yield Fault(row, name, "does not belong to the subject", expected, fields[name])


def labelled(options: Sequence[str]) -> bool:
    """Say whether each option begins with the letter of its place.

    >>> labelled(["A．舌", "B．目"]), labelled(["A型", "B型"])
    (True, False)
    """
    matches = [LABEL.match(option) for option in options]
    return all(
        match and fold(match[1]).upper() == LETTERS[place] for place, match in enumerate(matches[: len(LETTERS)])
    )


def _repeated(sound: Iterable[_Sound]) -> Iterator[Fault]:
    firsts: dict[str, Found] = {}
    twins: dict[str, list[Found]] = {}
    for known in sound:
        earlier = firsts.setdefault(known.identifier, known.found)
        if earlier is not known.found:
            twins.setdefault(known.identifier, [earlier]).append(known.found)
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


def _texts(group: Group) -> tuple[bytes, ...]:
    return tuple(
        text_digest(whole_text(group.kind, group.stem, part.question, part.options, part.answer))
        for part in group.parts
    )


def _answers(found: Found) -> str:
    return ", ".join(part.answer for part in found.group.parts)
