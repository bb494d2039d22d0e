"""Questions of TCMD: single ones, and groups with a shared stem or shared options."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from dataset_scripts.digests import content_digest
from dataset_scripts.inputs.user_rows import Fault
from medzh_score.configs.tcmd.exam import LETTERS, REALM_OF, SUBJECTS
from medzh_score.configs.tcmd.prompts import alone
from medzh_score.text.fold import fold, fold_all
from medzh_score.ui.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dataset_scripts.inputs.user_rows import Faults, Row
    from dataset_scripts.recipe import Record

    Fields = Mapping[str, Any]


@dataclass(frozen=True)
class SubQuestion:
    """One question with one answer."""

    question: str  # of an A3 group without its stem
    options: tuple[str, ...]  # two to five, without their letters
    answer: str  # the letter of the right option
    explanation: str | None  # the explanation of the source, if it has one
    upstream_key: str  # its key in the source


@dataclass(frozen=True)
class Group:
    """A single question, or a question group that shares a stem (A3) or options (B1)."""

    kind: str  # A1 (a statement), A2 (a case), A3 (a shared stem) or B1 (shared options)
    stem: str | None  # of an A3 group
    parts: tuple[SubQuestion, ...]  # one for A1 and A2
    subject: str  # the Chinese name of one of the 18, as the paper's Figure 1 prints it
    source: str


# What follows from a subject's Chinese name.
NAMES_OF = {
    name: {"realm": realm.name, "realm_en": realm.english, "subject_en": SUBJECTS[name].english}
    for name, realm in REALM_OF.items()
}
SINGLE = ("A1", "A2")
GENERIC = 15  # characters; shorter questions may be generic


@dataclass(frozen=True, slots=True)
class Folded:
    """The folded texts of a question, which identify it."""

    stem: str | None
    question: str
    options: tuple[str, ...]


def folded(stem: str | None, question: str, options: Sequence[str]) -> Folded:
    """Fold the texts of a question."""
    first, second, *others = fold_all([stem or "", question, *options])
    return Folded(None if stem is None else first, second, tuple(others))


def records_of(group: Group, recipe: str, identifier: str) -> list[Record]:
    """Make the records of a group, one per question; without a key in the source, the upstream key is the id."""
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
    """Return the id of a group from its content, never from its position.

    Answers, explanations, subject and source do not count; the order of its questions and of their options does.
    """
    return content_id(group.kind, folded_parts(group))


def folded_parts(group: Group) -> list[Folded]:
    """Fold the texts of the questions of a group."""
    return [folded(group.stem, part.question, part.options) for part in group.parts]


def content_id(kind: str, questions: Sequence[Folded]) -> str:
    """Return the id of a group from its content.

    >>> one, other = folded(None, "心开窍于", ["舌", "目"]), folded(None, "心开窍于 ", ["舌", "目"])
    >>> content_id("A1", [one]) == content_id("A1", [other])
    True
    """
    return f"tcmd-{content_digest([kind, questions[0].stem, [[one.question, one.options] for one in questions]])}"


def member_id(identifier: str, members: int, position: int) -> str:
    """Return the id of a question from its position, from 1; that of one without others is its group's.

    >>> member_id("tcmd-0123456789", 2, 2), member_id("tcmd-0123456789", 1, 1)
    ('tcmd-0123456789-2', 'tcmd-0123456789')
    """
    return identifier if members == 1 else f"{identifier}-{position}"


def whole_text(kind: str, question: Folded, answer: str) -> str:
    """Return the folded text that identifies a question, which must be in one split only.

    Options count for B1, whose short questions may be asked of several sets of options. What the right option says
    counts for single questions of fewer than ``GENERIC`` characters, such as 下列说法正确的是: they need not ask the
    same where they are translated alike.
    """
    beside = question.options if kind == "B1" else ()
    if kind in SINGLE and len(question.question) < GENERIC:
        letters = zip(LETTERS, question.options, strict=False)
        beside = tuple(option for letter, option in letters if letter == answer)
    return "\n".join([question.stem or "", question.question, *beside])


SHARED = ("split", "type", "subject")


@dataclass(frozen=True, slots=True)
class Found:
    """The rows of a group, one per question, in order, and its identity."""

    rows: tuple[Row, ...]
    group: Group  # that they make
    split: str
    identifier: str
    texts: tuple[str, ...]  # of its questions, folded
    case: str | None  # its stem, folded


def read_groups(rows: Iterable[Row], faults: Faults) -> list[Found]:
    """Combine valid rows into groups, by their first rows, and add the errors of the groups."""
    found = [group for members in _bundles(rows) if (group := _examined(members, faults))]
    for row, fault in (*_repeated(found), *_in_test_too(found)):
        faults.add(row.file, row.line, fault)
    return found


def group_of(source: str, rows: Sequence[Fields]) -> Group:
    """Return the group of rows in order."""
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
    """Return the group of rows, or None if they contradict each other."""
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
        whole_text(group.kind, question, part.answer) for question, part in zip(questions, group.parts, strict=True)
    )
    case = questions[0].stem if group.stem else None
    return Found(tuple(members), group, fields[0]["split"], content_id(group.kind, questions), texts, case)


def _disagreements(members: Sequence[Row], fields: Sequence[Fields]) -> Iterator[tuple[Row, Fault]]:
    """Find the rows that do not fit the first row of their group."""
    first, several = fields[0], len(members) > 1
    kind = first["type"]
    if kind in SINGLE and several:
        problem = _(
            "questions of type {kind} are single questions, but this question is in a question group", kind=kind
        )
        for row, theirs in zip(members, fields, strict=True):
            yield row, Fault("type", problem, _("A3 or B1"), theirs["type"])
        return
    extra = {"A3": ("stem",), "B1": ("options",)}.get(kind, ())
    for name in (*SHARED, *extra) if several else ():
        for row, theirs in zip(members, fields, strict=True):
            if not _same(theirs.get(name), first.get(name)):
                expected = _("the value of line {members_line}", members_line=members[0].line)
                yield (
                    row,
                    Fault(name, _("the value differs from the rest of the question group"), expected, theirs.get(name)),
                )
                return
    positions = [theirs.get("position") for theirs in fields]
    if any(positions) and sorted(filter(None, positions)) != list(range(1, len(positions) + 1)):
        expected = _(
            "each number from 1 to {n_positions} once, or no positions in the whole question group",
            n_positions=len(positions),
        )
        yield (
            members[0],
            Fault("position", _("the positions in the question group are not 1 to n"), expected, positions),
        )


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
            expected = _("{answers}, as in {where}", answers=_answers(first), where=where)
            yield row, Fault("answer", _("the same question has a different answer"), expected, _answers(one))
        else:
            expected = _("each question only once (first: {seen_from})", seen_from=where)
            yield row, Fault("question", _("the row repeats another row"), expected, row.fields["question"])


def _in_test_too(found: Sequence[Found]) -> Iterator[tuple[Row, Fault]]:
    test: dict[str, Row] = {}
    cases: dict[str, Row] = {}
    for one in (one for one in found if one.split == "test"):
        for row, text in zip(one.rows, one.texts, strict=True):
            test.setdefault(text, row)
        if one.case:
            cases.setdefault(one.case, one.rows[0])
    for one in (one for one in found if one.split != "test"):
        for row, text in zip(one.rows, one.texts, strict=True):
            if text in test:
                expected = _(
                    "each question in only one split (also in {seen_from})", seen_from=test[text].seen_from(row)
                )
                yield (
                    row,
                    Fault("question", _("the question is also in the test split"), expected, row.fields["question"]),
                )
            elif one.case in cases:
                expected = _(
                    "each case in only one split (also in {seen_from})", seen_from=cases[one.case].seen_from(row)
                )
                yield row, Fault("stem", _("the case is also in the test split"), expected, one.group.stem)


def _answers(found: Found) -> str:
    return ", ".join(row.fields["answer"] for row in found.rows)
