"""CMHE-DD from a user's own file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.cmhe_dd.records import content_id, record_of, wrong_code
from dataset_scripts.recipes.open_sets import beside
from dataset_scripts.user_files.one_split import SPLIT, Reader
from dataset_scripts.user_files.rows import Fault, Form, row_schema
from medzh_score.files.package_files import package_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dataset_scripts.recipe import Built, Record, SourceFile
    from dataset_scripts.user_files.rows import Row

WHOLE = "cmhe-dd"
MINI = "cmhe-dd-mini"
DERIVED = ("prompt", "answer", "diseases", "coded", "described")
PARTS = {
    "chat": "chat",
    "diagnose-chat": "chat",
    "kamed": "chat",
    "exam": "exam",
    "diagnose-exam": "exam",
    "medqa": "exam",
}


def part_named(text: str) -> str:
    """Give our word for a part of CMHE-DD, which a file names after the part or after its source.

    >>> part_named("Diagnose-Chat"), part_named("other")
    ('chat', 'other')
    """
    return PARTS.get(text.strip().lower(), text)


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read cases from a user's own file, in which codes may be written in any way."""
    schema = read_schema(package_file("medzh_score", "schemas/cmhe_dd.schema.json"))
    codes = {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}}
    loose = {**schema, "properties": {**schema["properties"], "codes": codes}}
    split = dict.fromkeys(files, SPLIT)
    form = Form(row_schema(loose, derived=DERIVED), split, {"part": part_named}, beside=beside(recipe))
    return Reader(form, schema, _faults_of, _identity, _repeated, _record).read(recipe, files)


def _record(row: Row, recipe: str) -> Record:
    fields = row.fields
    return record_of(
        description=fields["description"],
        codes=fields["codes"],
        diseases=fields.get("diseases", ()),
        part=fields["part"],
        source=row.source,
        recipe=recipe,
        upstream_key=fields.get("upstream_key", ""),
    )


def _faults_of(fields: Mapping[str, Any]) -> Iterator[Fault]:
    diseases = fields.get("diseases", ())
    for code in fields["codes"]:
        if wrong_code(code):
            yield Fault("codes", "is no code of ICD-10", "a code whose category ICD-10 has, such as J30.4", code)
    if diseases and len(diseases) != len(fields["codes"]):
        expected = f"one name a code, {len(fields['codes'])}"
        yield Fault("diseases", "are not as many as the codes", expected, len(diseases))


def _identity(fields: Mapping[str, Any]) -> str:
    return content_id(fields["description"])


def _repeated(row: Row, first: Row) -> Fault:
    expected = f"each description once, and {first.seen_from(row)} has it"
    return Fault("description", "repeats another row", expected, row.fields["description"])
