"""From a group of TCMD's questions to its records and their ids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataset_scripts.files.digests import content_digest
from medzh_score.configs.tcmd.exam import LETTERS, REALM_OF, SUBJECTS
from medzh_score.configs.tcmd.prompts import alone
from medzh_score.text.folding import fold_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset_scripts.recipe import Record
    from dataset_scripts.recipes.tcmd.groups import Group

# What follows from a subject's Chinese name.
NAMES_OF = {
    name: {"realm": realm.name, "realm_en": realm.english, "subject_en": SUBJECTS[name].english}
    for name, realm in REALM_OF.items()
}
SINGLE = ("A1", "A2")
GENERIC = 15  # characters; a question that is shorter may say nothing but that one option is right


@dataclass(frozen=True, slots=True)
class Folded:
    """What a question says, folded once: by this it is known among others."""

    stem: str | None
    question: str
    options: tuple[str, ...]


def folded(stem: str | None, question: str, options: Sequence[str]) -> Folded:
    """Fold what a question says."""
    first, second, *others = fold_all([stem or "", question, *options])
    return Folded(None if stem is None else first, second, tuple(others))


def records_of(group: Group, recipe: str, identifier: str) -> list[Record]:
    """Make the records of a group, one a question; where the source calls it nothing, its upstream key is its id."""
    names = NAMES_OF[group.subject]
    records = []
    for position, part in enumerate(group.parts, start=1):
        name = member_id(identifier, len(group.parts), position)
        record: Record = {
            "id": name,
            "group_id": identifier,
            "position": position,
            "type": group.kind,
            "realm": names["realm"],
            "realm_en": names["realm_en"],
            "subject": group.subject,
            "subject_en": names["subject_en"],
            "stem": group.stem,
            "question": part.question,
            "options": list(part.options),
            "answer": part.answer,
            "explanation": part.explanation,
            "prompt": "",  # here among the fields, and written from those before it
            "source": group.source,
            "recipe": recipe,
            "upstream_key": part.upstream_key or name,
        }
        record["prompt"] = alone(record)
        records.append(record)
    return records


def group_id(group: Group) -> str:
    """Give the id of a group from its content, never from its position.

    Answers, explanations, subject and source do not count; the order of its questions and of their options does.
    """
    return content_id(group.kind, folded_parts(group))


def folded_parts(group: Group) -> list[Folded]:
    """Fold what the questions of a group say."""
    return [folded(group.stem, part.question, part.options) for part in group.parts]


def content_id(kind: str, questions: Sequence[Folded]) -> str:
    """Give the id of a group with a certain content.

    >>> one, other = folded(None, "心开窍于", ["舌", "目"]), folded(None, "心开窍于 ", ["舌", "目"])
    >>> content_id("A1", [one]) == content_id("A1", [other])
    True
    """
    return f"tcmd-{content_digest([kind, questions[0].stem, [[one.question, one.options] for one in questions]])}"


def member_id(identifier: str, members: int, position: int) -> str:
    """Give the id of a question from its position, from 1; that of one without others is its group's.

    >>> member_id("tcmd-0123456789", 2, 2), member_id("tcmd-0123456789", 1, 1)
    ('tcmd-0123456789-2', 'tcmd-0123456789')
    """
    return identifier if members == 1 else f"{identifier}-{position}"


def whole_text(kind: str, question: Folded, answer: str) -> str:
    """Give the folded text by which a question is recognised: no two splits may have it in common.

    Options count for B1, whose short questions may be asked of several sets of options. What the right option says
    counts for single questions of fewer than ``GENERIC`` characters, such as 下列说法正确的是: they need not ask the
    same where they are worded alike.
    """
    beside = question.options if kind == "B1" else ()
    if kind in SINGLE and len(question.question) < GENERIC:
        letters = zip(LETTERS, question.options, strict=False)
        beside = tuple(option for letter, option in letters if letter == answer)
    return "\n".join([question.stem or "", question.question, *beside])
