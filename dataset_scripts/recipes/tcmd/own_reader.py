"""TCMD from a user's own files: one whose rows name their split, or one for each split."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from dataset_scripts.files.records import Records
from dataset_scripts.packaging.features import arrow_schema, read_schema
from dataset_scripts.recipe import Built
from dataset_scripts.recipes.tcmd.grouping import read_groups
from dataset_scripts.recipes.tcmd.records import NAMES_OF, SINGLE, records_of
from dataset_scripts.recipes.tcmd.values import NAMES
from dataset_scripts.user_files.one_split import prompt_notes
from dataset_scripts.user_files.read import read_rows
from dataset_scripts.user_files.rows import Fault, Form, row_schema
from medzh_score.configs.tcmd.exam import LETTERS
from medzh_score.files.package_files import package_file
from medzh_score.messages.errors import MedzhError
from medzh_score.text.folding import fold, fold_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import SourceFile

WHOLE = "tcmd"
SPLIT_OF = {"tcmd-train": "train", "tcmd-test": "test"}
SOURCES = (WHOLE, *SPLIT_OF)
SPLITS = ("test", "train")
SHARED = {"A3": "case", "B1": "options"}
DERIVED = ("group_id", "position", "realm", "realm_en", "subject_en", "prompt")
ADVICE = "give one file with both splits, or --source tcmd-test=FILE and, where there is one, --source tcmd-train=FILE"
LABEL = re.compile(r"\s*[(（]?([A-Ea-eＡ-Ｅａ-ｅ])\s*[.．、:：)）]")


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read questions from a user's own files, in which ``group_id`` may be any name of the group."""
    if WHOLE in files and len(files) > 1:
        raise MedzhError("a file with both splits and one for a split", field="--source", advice=ADVICE)
    schema = read_schema(package_file("medzh_score", "schemas/tcmd.schema.json"))
    form = Form(row_schema(schema, derived=DERIVED, free=("group_id",), splits=SPLITS), SPLIT_OF, NAMES)
    rows, faults = read_rows(files, form, _faults_of)
    faults.refuse()
    groups = read_groups(rows, faults)
    faults.refuse()
    if not any(found.split == "test" for found in groups):
        file = (files.get("tcmd-test") or next(iter(files.values()))).path
        there = f"{len(rows)} rows"
        expected = "questions of the split test"
        raise MedzhError("no question is for test", file=file, expected=expected, found=there, advice=ADVICE)
    splits = {split: Records(arrow_schema(schema)) for split in SPLITS}
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
        yield Fault("options", "two options are equal", "different options", options)
    if labelled(options):
        yield Fault("options", "the options begin with their letters", "options without letters", options)
    for name, expected in NAMES_OF[fields["subject"]].items():
        if fields.get(name, expected) != expected:
            yield Fault(name, "does not belong to the subject", expected, fields[name])


def labelled(options: Sequence[str]) -> bool:
    """Say whether each option begins with the letter of its place.

    >>> labelled(["A．舌", "B．目"]), labelled(["A型", "B型"])
    (True, False)
    """
    places = zip(options, LETTERS, strict=False)
    return all((match := LABEL.match(option)) and fold(match[1]).upper() == letter for option, letter in places)


def _alone(counts: Counter[str]) -> list[str]:
    return [
        f"{number:,} {kind} questions stand alone: no other row has their {SHARED[kind]}, or no row beside them"
        for kind, number in sorted(counts.items())
        if number and kind not in SINGLE
    ]
