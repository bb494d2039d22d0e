"""CMHE-HD from a user's own file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.cmhe_hd.records import content_id, record_of
from dataset_scripts.recipes.open_sets import beside
from dataset_scripts.user_files.one_split import SPLIT, Reader
from dataset_scripts.user_files.rows import Fault, Form, row_schema
from medzh_score.configs.cmhe_hd.prompts import BY_RULE, answer_named, gold, partition_named
from medzh_score.files.package_files import package_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Built, Record, SourceFile
    from dataset_scripts.user_files.rows import Row

WHOLE = "cmhe_hd"
MINI = "cmhe_hd-mini"
DERIVED = ("prompt", "answer", "edits", "rule")
NAMES = {"partition": partition_named, "answer": answer_named}


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read dialogues from a user's own file.

    Partitions and answers may have the paper's other names or Chinese ones; the answer follows from the partition.
    """
    schema = read_schema(package_file("medzh_score", "schemas/cmhe_hd.schema.json"))
    form = Form(row_schema(schema, derived=DERIVED), dict.fromkeys(files, SPLIT), NAMES, beside=beside(recipe))
    return Reader(form, schema, _faults_of, _identity, _repeated, _record, _edit_notes).read(recipe, files)


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


def _faults_of(fields: Mapping[str, Any]) -> Iterator[Fault]:
    edits = fields.get("edits", ())
    expected = gold(fields["partition"])
    if fields.get("answer", expected) != expected:
        words = f"{expected}, for the partition is {fields['partition']}"
        yield Fault("answer", "is not that of its partition", words, fields["answer"])
    if edits and fields["partition"] not in ("tampered", BY_RULE):
        yield Fault("edits", "stand at a response that is not tampered", "none", edits)


def _identity(fields: Mapping[str, Any]) -> str:
    return content_id(fields["question"], fields["response"])


def _repeated(row: Row, first: Row) -> Fault:
    expected = f"each dialogue once, and {first.seen_from(row)} has it"
    if row.fields["partition"] != first.fields["partition"]:
        problem = "an equal dialogue is in another partition"
        return Fault("partition", problem, expected, row.fields["partition"])
    return Fault("response", "repeats another row", expected, row.fields["response"])


def _edit_notes(records: Sequence[Record]) -> tuple[str, ...]:
    without = sum(record["partition"] == "tampered" and not record["edits"] for record in records)
    return (f"of {without:,} tampered responses nobody says what was changed (edits)",) if without else ()
