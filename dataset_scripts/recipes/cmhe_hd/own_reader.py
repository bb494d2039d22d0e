"""CMHE-HD from a user's own file: in the interchange form, or in another one with a mapping file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dataset_scripts.mapping.importing import Importer, one_split
from dataset_scripts.mapping.interchange import Fault, Form, row_schema
from dataset_scripts.mapping.sifting import Duplicates, damage_in, sift_rows
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.cmhe_hd.records import content_id, record_of
from medzh_score.configs.cmhe_hd.words import BY_RULE, answer_named, gold, partition_named
from medzh_score.files.package_files import package_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.mapping.interchange import Row
    from dataset_scripts.recipe import Built, Record, SourceFile

WHOLE = "cmhe_hd"
MINI = "cmhe_hd-mini"
MAPPING = "cmhe_hd-mapping"
SPLIT = "test"  # the paper has no other
DERIVED = ("prompt", "answer", "edits", "rule")
NAMES = {"partition": partition_named, "answer": answer_named}
ADVICE = "give a file of dialogues with --source FILE"


def form() -> Form:
    """Give CMHE-HD's interchange form, in which the answer follows from the partition."""
    schema = read_schema(package_file("medzh_score", "schemas/cmhe_hd.schema.json"))
    return Form(row_schema(schema, derived=DERIVED, free=(), splits=(SPLIT,)), {WHOLE: SPLIT, MINI: SPLIT})


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read dialogues from a user's own file.

    Partitions and answers may have the paper's other names or Chinese ones.
    """
    shape = form()
    sift = partial(sift_rows, shape=shape, faults_of=_of_one, duplicates=Duplicates(_identity, _repeated))
    importer = Importer(shape, NAMES, sift, ADVICE, aliases=True)
    return one_split(
        importer, files, mapping=MAPPING, split=SPLIT, make=lambda row: _record(row, recipe), notes_of=_edit_notes
    )


def _record(row: Row, recipe: str) -> Record:
    fields = row.fields
    return record_of(
        question=fields["question"],
        response=fields["response"],
        partition=fields["partition"],
        edits=fields.get("edits", ()),
        rule=fields.get("rule"),
        source=row.source,
        recipe=recipe,
        upstream_key=fields.get("upstream_key", ""),
    )


def _of_one(row: Row) -> Iterator[Fault]:
    fields = row.fields
    edits = fields.get("edits", ())
    texts = [("question", fields["question"]), ("response", fields["response"])]
    yield from damage_in(row, [*texts, *(("edits", edit) for edit in edits)])
    expected = gold(fields["partition"])
    if fields.get("answer", expected) != expected:
        words = f"{expected}, for the partition is {fields['partition']}"
        yield Fault(row, "answer", "is not that of its partition", words, fields["answer"])
    if edits and fields["partition"] not in ("tampered", BY_RULE):
        yield Fault(row, "edits", "stand at a response that is not tampered", "none", edits)


def _identity(row: Row) -> str:
    return content_id(row.fields["question"], row.fields["response"])


def _repeated(row: Row, first: Row) -> Fault:
    expected = f"each dialogue once, and {first.seen_from(row)} has it"
    if row.fields["partition"] != first.fields["partition"]:
        problem = "an equal dialogue is in another partition"
        return Fault(row, "partition", problem, expected, row.fields["partition"])
    return Fault(row, "response", "repeats another row", expected, row.fields["response"])


def _edit_notes(records: Sequence[Record]) -> tuple[str, ...]:
    without = sum(record["partition"] == "tampered" and not record["edits"] for record in records)
    return (f"of {without:,} tampered responses nobody says what was changed (edits)",) if without else ()
