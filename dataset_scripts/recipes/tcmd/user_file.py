"""TCMD from files of the user: one whose rows state their split, or one for each split."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, Any

from dataset_scripts.inputs.user_file import prompt_notes, read_rows
from dataset_scripts.inputs.user_rows import Fault, Form, row_schema
from dataset_scripts.packaging.schema import read_schema
from dataset_scripts.recipe import BuildTable, Built
from dataset_scripts.recipes.tcmd.records import NAMES_OF, SINGLE, read_groups, records_of
from medzh_score.configs.tcmd.exam import LETTERS, REALM_OF, SUBJECTS, TYPES
from medzh_score.io.paths import package_file
from medzh_score.scoring.paper import load_paper
from medzh_score.text.fold import fold, fold_all
from medzh_score.ui.errors import MedzhError
from medzh_score.ui.i18n import _, _n

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Record, SourceFile


WHOLE = "tcmd"
SPLIT_OF = {"tcmd-train": "train", "tcmd-test": "test"}
SOURCES = (WHOLE, *SPLIT_OF)
SPLITS = ("test", "train")
SHARED = {"A3": "case", "B1": "options"}
DERIVED = ("group_id", "position", "realm", "realm_en", "subject_en", "prompt")
ADVICE = _(
    "provide one file with both splits, or `--source tcmd-test=FILE` and, optionally, `--source tcmd-train=FILE`"
)
LABEL = re.compile(r"\s*[(（]?([A-Ea-eＡ-Ｅａ-ｅ])\s*[.．、:：)）]")


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read questions from a user's own files, in which ``group_id`` may be any name of the group."""
    if WHOLE in files and len(files) > 1:
        raise MedzhError(
            _("a file with both splits cannot be combined with a file for one split"), field="--source", advice=ADVICE
        )
    schema = read_schema(package_file("medzh_score", "schemas/tcmd.schema.json"))
    form = Form(row_schema(schema, derived=DERIVED, free=("group_id",), splits=SPLITS), SPLIT_OF, NAMES)
    rows, faults = read_rows(files, form, _faults_of)
    faults.refuse()
    groups = read_groups(rows, faults)
    faults.refuse()
    if not any(found.split == "test" for found in groups):
        file = (files.get("tcmd-test") or next(iter(files.values()))).path
        there = f"{len(rows)} rows"
        expected = _("questions of the test split")
        raise MedzhError(
            _("no question is in the test split"), file=file, expected=expected, found=there, advice=ADVICE
        )
    splits: dict[str, list[Record]] = {split: [] for split in SPLITS}
    alone: Counter[str] = Counter()
    other_prompts = 0
    for found in groups:
        group = found.group
        alone[group.kind] += len(found.rows) == 1
        for row, record in zip(found.rows, records_of(group, recipe, found.identifier), strict=True):
            splits[found.split].append(record)
            other_prompts += row.fields.get("prompt", record["prompt"]) != record["prompt"]
    notes = (*_alone(alone), *prompt_notes(other_prompts))
    return Built({split: records for split, records in splits.items() if records}, notes=notes)


def _faults_of(fields: Mapping[str, Any]) -> Iterator[Fault]:
    options = fields["options"]
    if len(set(fold_all(options))) < len(options):
        yield Fault("options", _("two options are equal"), _("different options"), options)
    if labelled(options):
        yield Fault("options", _("the options start with their letters"), _("options without letters"), options)
    for name, expected in NAMES_OF[fields["subject"]].items():
        if fields.get(name, expected) != expected:
            yield Fault(name, _("the value does not belong to the subject"), expected, fields[name])


def labelled(options: Sequence[str]) -> bool:
    """Return whether each option begins with the letter of its position.

    >>> labelled(["A．舌", "B．目"]), labelled(["A型", "B型"])
    (True, False)
    """
    places = zip(options, LETTERS, strict=False)
    return all((match := LABEL.match(option)) and fold(match[1]).upper() == letter for option, letter in places)


def _alone(counts: Counter[str]) -> list[str]:
    return [
        _n(
            "{n:,} {kind} question is not in a question group, because no other row (for B1, no adjacent row) has the "
            "same {shared}.",
            "{n:,} {kind} questions are not in a question group, because no other row (for B1, no adjacent row) has "
            "the same {shared}.",
            number,
            kind=kind,
            shared=SHARED[kind],
        )
        for kind, number in sorted(counts.items())
        if number and kind not in SINGLE
    ]


# A4 is A3 with a case that continues. Question banks do not separate them, and the paper has A3 only.
TYPE = re.compile(r"(?P<kind>A1|A2|A3|A4|B1|A3[/、+]A4)型?题?")


def type_named(written: str) -> str:
    """Return the type of a name; an unknown name is unchanged.

    >>> type_named("A3/A4型题"), type_named("b1"), type_named("X")
    ('A3', 'B1', 'X')
    """
    found = TYPE.fullmatch(_plain(written).replace(" ", "").upper())
    if found is None:
        return written
    return "A3" if "A4" in found["kind"] else found["kind"]


def subject_named(written: str) -> str:
    """Return the subject of a Chinese or English name, in any case, with or without the asterisk of Figure 1.

    An unknown name is unchanged.

    >>> subject_named("内科学*"), subject_named("internal medicine of TCM"), subject_named("内经")
    ('内科学', '中医内科学', '内经')
    """
    return _SUBJECTS.get(_plain(written).removesuffix("*").strip().casefold(), written)


def _plain(written: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", written).split())


_SUBJECTS = {
    name.casefold(): subject.name for subject in SUBJECTS.values() for name in (subject.name, _plain(subject.english))
}
NAMES = {"type": type_named, "subject": subject_named}


TITLE = "Questions in train/test: Table 1 of the paper and this build"
Pair = tuple[int, int]
Row = tuple[Pair, ...]


def table_1(splits: Mapping[str, Sequence[Record]]) -> BuildTable:
    """Count the questions by subject and type, with those of the paper.

    Cells are ``train/test``, of the paper and of the build in turn.
    """
    counts = Counter(
        (record["subject"], record["type"], split) for split, records in splits.items() for record in records
    )
    paper = printed()
    here = {
        subject: tuple((counts[subject, kind, "train"], counts[subject, kind, "test"]) for kind in TYPES)
        for subject in SUBJECTS
    }
    rows = [(REALM_OF[subject].name, subject, *_cells(paper[subject], here[subject])) for subject in SUBJECTS]
    rows.append(("all", "all", *_cells(_sum(paper.values()), _sum(here.values()))))
    heads = [f"{kind}, {whose}" for kind in (*TYPES, "all") for whose in ("paper", "here")]
    return BuildTable(TITLE, ("realm", "subject", *heads), tuple(rows))


def printed() -> dict[str, Row]:
    """Return the counts of the paper: ``train`` and ``test`` of each type, by the Chinese name of the subject."""
    (table,) = (table for table in load_paper("tcmd").tables if table.number == 1)
    return {
        subject_named(str(row["subject"])): tuple(
            (int(row[f"{kind.lower()}_train"] or 0), int(row[f"{kind.lower()}_test"] or 0)) for kind in TYPES
        )
        for row in table.rows
    }


def _cells(paper: Row, here: Row) -> Iterator[str]:
    for pairs in (*zip(paper, here, strict=True), (_whole(paper), _whole(here))):
        yield from (f"{train}/{test}" for train, test in pairs)


def _whole(row: Row) -> Pair:
    return sum(train for train, _unused in row), sum(test for _unused, test in row)


def _sum(rows: Iterable[Row]) -> Row:
    return tuple(_whole(column) for column in zip(*rows, strict=True))
