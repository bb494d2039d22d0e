"""CMHE-DD from a user's own file: in the interchange form, or in another one with a mapping file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dataset_scripts.mapping.importing import Importer, one_split
from dataset_scripts.mapping.interchange import Fault, Form, row_schema
from dataset_scripts.mapping.sifting import Duplicates, damage_in, sift_rows
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.cmhe_dd.records import content_id, record_of, wrong_code
from medzh_score.files.package_files import package_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dataset_scripts.mapping.interchange import Row
    from dataset_scripts.recipe import Built, Record, SourceFile

WHOLE = "cmhe-dd"
MINI = "cmhe-dd-mini"
MAPPING = "cmhe-dd-mapping"
SPLIT = "test"  # the paper has no other
DERIVED = ("prompt", "answer", "diseases", "coded", "described")
ADVICE = "give a file of cases with --source FILE"
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


def form() -> Form:
    """Give CMHE-DD's interchange form, in which codes may be written in any way."""
    schema = read_schema(package_file("medzh_score", "schemas/cmhe_dd.schema.json"))
    codes = {"type": "array", "minItems": 1, "items": {"type": "string", "minLength": 1}}
    loose = {**schema, "properties": {**schema["properties"], "codes": codes}}
    return Form(row_schema(loose, derived=DERIVED, free=(), splits=(SPLIT,)), {WHOLE: SPLIT, MINI: SPLIT})


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read cases from a user's own file."""
    shape = form()
    sift = partial(sift_rows, shape=shape, faults_of=_of_one, duplicates=Duplicates(_identity, _repeated))
    importer = Importer(shape, {"part": part_named}, sift, ADVICE, aliases=True)
    return one_split(importer, files, mapping=MAPPING, split=SPLIT, make=lambda row: _record(row, recipe))


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


def _of_one(row: Row) -> Iterator[Fault]:
    fields = row.fields
    diseases = fields.get("diseases", ())
    for code in fields["codes"]:
        if wrong_code(code):
            yield Fault(row, "codes", "is no code of ICD-10", "a code whose category ICD-10 has, such as J30.4", code)
    if diseases and len(diseases) != len(fields["codes"]):
        expected = f"one name a code, {len(fields['codes'])}"
        yield Fault(row, "diseases", "are not as many as the codes", expected, len(diseases))
    yield from damage_in(row, [("description", fields["description"]), *(("diseases", name) for name in diseases)])


def _identity(row: Row) -> str:
    return content_id(row.fields["description"])


def _repeated(row: Row, first: Row) -> Fault:
    expected = f"each description once, and {first.seen_from(row)} has it"
    return Fault(row, "description", "repeats another row", expected, row.fields["description"])
