"""TCMD from a user's own file: in the interchange form, or in another one with a mapping file."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from dataset_scripts.files.stored import Stored
from dataset_scripts.mapping.importing import Importer, nothing_left, own_prompt_notes
from dataset_scripts.mapping.interchange import Form, row_schema
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipe import Built
from dataset_scripts.recipes.tcmd.grouping import MEMBER_LEFT_OUT, bundles
from dataset_scripts.recipes.tcmd.records import SINGLE, records_of
from dataset_scripts.recipes.tcmd.sifting import sift
from dataset_scripts.recipes.tcmd.values import NAMES
from medzh_score.files.package_files import package_file
from medzh_score.messages.errors import MedzhError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.mapping.interchange import Fault, Row
    from dataset_scripts.recipe import Record, SourceFile
    from dataset_scripts.recipes.tcmd.sifting import Found

WHOLE = "tcmd"
SPLIT_OF = {"tcmd-train": "train", "tcmd-test": "test"}
SOURCES = (WHOLE, *SPLIT_OF)
MAPPING = "tcmd-mapping"
SPLITS = ("test", "train")
SHARED = {"A3": "case", "B1": "options"}
DERIVED = ("group_id", "position", "realm", "realm_en", "subject_en", "prompt")
ADVICE = "give one file with both splits, or --source tcmd-test=FILE and, where there is one, --source tcmd-train=FILE"


def form() -> Form:
    """Give TCMD's interchange form, in which ``group_id`` may be any name of the group."""
    schema = read_schema(package_file("medzh_score", "schemas/tcmd.schema.json"))
    return Form(row_schema(schema, derived=DERIVED, free=("group_id",), splits=SPLITS), SPLIT_OF)


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read questions from a user's own files: one whose rows name their split, or one for each split."""
    data = {name: file.path for name, file in files.items() if name != MAPPING}
    if WHOLE in data and len(data) > 1:
        raise MedzhError("a file with both splits and one for a split", field="--source", advice=ADVICE)
    shape = form()
    importer = Importer(shape, NAMES, partial(_sifted, shape), ADVICE, last=MEMBER_LEFT_OUT)
    imported = importer.read(files, MAPPING)
    groups = imported.kept
    if not any(found.split == "test" for found in groups):
        raise nothing_left(imported, "test", data.get("tcmd-test") or next(iter(data.values())), ADVICE)
    splits: dict[str, Stored] = {split: Stored() for split in SPLITS}
    alone: Counter[str] = Counter()
    prompts = own_prompt_notes(_recorded(groups, recipe, splits, alone))
    notes = (*imported.notes, *_alone(alone), *prompts)
    return Built({split: records for split, records in splits.items() if records}, notes=notes, tables=imported.tables)


def _recorded(
    groups: Sequence[Found], recipe: str, splits: Mapping[str, Stored], alone: Counter[str]
) -> Iterator[tuple[Row, Record]]:
    """Put the records of groups into their splits, each given beside its row; count questions alone by their type."""
    for found in groups:
        group = found.group
        alone[group.kind] += len(found.rows) == 1
        for row, record in zip(found.rows, records_of(group, recipe, found.identifier), strict=True):
            splits[found.split].append(record)
            yield row, record


def _sifted(shape: Form, rows: Sequence[Row], faults: Sequence[Fault]) -> tuple[list[Found], list[Fault]]:
    """Find the groups that can stand in the data set, and one fault of each row that cannot."""
    wrong = {id(fault.row): fault for fault in faults}
    kept = sift(bundles(rows, shape, wrong), wrong)
    return kept, [wrong[id(row)] for row in rows if id(row) in wrong]


def _alone(counts: Counter[str]) -> list[str]:
    return [
        f"{number:,} {kind} questions stand alone: no other row has their {SHARED[kind]}, or no row beside them"
        for kind, number in sorted(counts.items())
        if number and kind not in SINGLE
    ]
