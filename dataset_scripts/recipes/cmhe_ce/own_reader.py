"""CMHE-CE from a user's own file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.cmhe_ce.records import concept_id_of, contradictions, record_of
from dataset_scripts.recipes.open_sets import beside
from dataset_scripts.user_files.one_split import SPLIT, Reader
from dataset_scripts.user_files.rows import Fault, Form, row_schema
from medzh_score.files.package_files import package_file
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from dataset_scripts.recipe import Built, Record, SourceFile
    from dataset_scripts.user_files.rows import Row

WHOLE = "cmhe_ce"
MINI = "cmhe_ce-mini"
DERIVED = ("concept_id", "concept_en", "aliases", "options_mode", "tree_numbers", "scope_note", "prompt")
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


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read questions from a user's own file, in which classes and aspects may have Chinese names."""
    schema = read_schema(package_file("medzh_score", "schemas/cmhe_ce.schema.json"))
    form = Form(row_schema(schema, derived=DERIVED), dict.fromkeys(files, SPLIT), NAMES, beside=beside(recipe))
    return Reader(form, schema, _faults_of, _identity, _repeated, _record, _notes).read(recipe, files)


def _record(row: Row, recipe: str) -> Record:
    return record_of(row.fields, source=row.source, recipe=recipe)


def _faults_of(fields: Mapping[str, Any]) -> Iterator[Fault]:
    for name, problem in contradictions(fields):
        yield Fault(name, problem, found=fields.get(name))


def _identity(fields: Mapping[str, Any]) -> str:
    concept = fields.get("concept_id") or concept_id_of(fields["concept"])
    return f"{concept}:{fold(fields['question'])}"


def _repeated(row: Row, first: Row) -> Fault:
    expected = f"each question on a concept once, and {first.seen_from(row)} has it"
    return Fault("question", "repeats another row", expected, row.fields["question"])


def _notes(records: Sequence[Record]) -> Iterator[str]:
    bare = sum(not record["aliases"] and not record["concept_en"] for record in records)
    if bare:
        yield f"{bare:,} questions name no alias and no English name: only the Chinese name can be masked"
