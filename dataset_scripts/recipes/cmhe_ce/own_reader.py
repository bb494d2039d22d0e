"""CMHE-CE from a user's own file: in the interchange form, or in another one with a mapping file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from dataset_scripts.mapping.importing import Importer, one_split
from dataset_scripts.mapping.interchange import Fault, Form, row_schema
from dataset_scripts.mapping.sifting import Duplicates, damage_in, sift_rows
from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.cmhe_ce.names import MAPPING
from dataset_scripts.recipes.cmhe_ce.records import concept_id_of, contradictions, record_of
from medzh_score.files.package_files import package_file
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.mapping.interchange import Row
    from dataset_scripts.recipe import Built, Record, SourceFile

WHOLE = "cmhe_ce"
MINI = "cmhe_ce-mini"
SPLIT = "test"  # the paper has no other
DERIVED = ("concept_id", "concept_en", "aliases", "options_mode", "tree_numbers", "scope_note", "prompt")
ADVICE = "give a file of questions with --source FILE"
_CLASSES = {
    "medicine": ("drug", "药物", "药品"),
    "disease": ("diseases", "疾病"),
    "test": ("medical test", "checkup", "医学检查", "检查"),
}
_ASPECTS = {
    "cause": ("causes", "病因"),
    "symptom": ("symptoms", "症状"),
    "treatment": ("treatments", "治疗"),
    "screening": ("screening methods", "筛查"),
    "pharmacokinetics": ("药代动力学",),
    "indication": ("indications", "适应症"),
    "side effect": ("side effects", "副作用"),
    "interaction": ("interactions", "相互作用"),
    "procedure": ("操作过程",),
    "screened disease": ("screened diseases", "筛查的疾病"),
}


def class_named(text: str) -> str:
    """Give a class its name in our records; an unknown text comes back as it is.

    >>> class_named("Checkup"), class_named("other")
    ('test', 'other')
    """
    return _named(text, _CLASSES)


def aspect_named(text: str) -> str:
    """Give an aspect its name in our records; an unknown text comes back as it is.

    >>> aspect_named("副作用"), aspect_named("Cause")
    ('side effect', 'cause')
    """
    return _named(text, _ASPECTS)


def _named(text: str, known: Mapping[str, tuple[str, ...]]) -> str:
    plain = text.strip().lower()
    return next((name for name, others in known.items() if plain == name or plain in others), text)


NAMES = {"concept_class": class_named, "aspect": aspect_named}


def form() -> Form:
    """Give CMHE-CE's interchange form."""
    schema = read_schema(package_file("medzh_score", "schemas/cmhe_ce.schema.json"))
    return Form(row_schema(schema, derived=DERIVED, free=(), splits=(SPLIT,)), {WHOLE: SPLIT, MINI: SPLIT})


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read questions from a user's own file, in which classes and aspects may have Chinese names."""
    shape = form()
    sift = partial(sift_rows, shape=shape, faults_of=_of_one, duplicates=Duplicates(_identity, _repeated))
    importer = Importer(shape, NAMES, sift, ADVICE, aliases=True)
    return one_split(
        importer,
        files,
        mapping=MAPPING,
        split=SPLIT,
        make=lambda row: record_of(row.fields, source=row.source, recipe=recipe),
        notes_of=_notes,
    )


def _of_one(row: Row) -> Iterator[Fault]:
    fields = row.fields
    several = [(name, text) for name in ("options", "aliases") for text in fields.get(name, ())]
    yield from damage_in(row, [("concept", fields["concept"]), ("question", fields["question"]), *several])
    for name, problem in contradictions(fields):
        yield Fault(row, name, problem, found=fields.get(name))


def _identity(row: Row) -> str:
    concept = row.fields.get("concept_id") or concept_id_of(row.fields["concept"])
    return f"{concept}:{fold(row.fields['question'])}"


def _repeated(row: Row, first: Row) -> Fault:
    expected = f"each question on a concept once, and {first.seen_from(row)} has it"
    return Fault(row, "question", "repeats another row", expected, row.fields["question"])


def _notes(records: Sequence[Record]) -> Iterator[str]:
    bare = sum(not record["aliases"] and not record["concept_en"] for record in records)
    if bare:
        yield f"{bare:,} questions name no alias and no English name: only the Chinese name can be masked"
