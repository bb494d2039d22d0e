"""CARE-MI from a user's own file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dataset_scripts.packaging.features import read_schema
from dataset_scripts.recipes.care_mi.records import SOURCES, TRUE, content_id, record_of, stopped
from dataset_scripts.recipes.care_mi.samples import Sample
from dataset_scripts.recipes.open_sets import beside
from dataset_scripts.user_files.one_split import SPLIT, Reader
from dataset_scripts.user_files.rows import Fault, Form, row_schema
from medzh_score.files.package_files import package_file
from medzh_score.text.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from dataset_scripts.recipe import Built, Record, SourceFile
    from dataset_scripts.user_files.rows import Row

WHOLE = "care_mi"
MINI = "care_mi-mini"
DERIVED = ("context", "evidence", "evidence_corpus", "evidence_rank", "rules", "prompt", "answer")
_LABELS = {label.casefold().replace("-", ""): label for label in SOURCES}


def source_named(text: str) -> str:
    """Give our name of a source that a user's file may write otherwise.

    >>> source_named("mlec_qa"), source_named("mine")
    ('MLEC-QA', 'mine')
    """
    return _LABELS.get(text.strip().casefold().replace("-", "").replace("_", ""), text)


def read_own(recipe: str, files: Mapping[str, SourceFile]) -> Built:
    """Read questions from a user's own file.

    The source is part of the question here, not of where the file came from, and so required.
    """
    schema = read_schema(package_file("medzh_score", "schemas/care_mi.schema.json"))
    made = row_schema(schema, derived=DERIVED)
    with_source = {
        **made,
        "required": [*made["required"], "source"],
        "properties": {**made["properties"], "source": schema["properties"]["source"]},
    }
    spellings = {"source": source_named, "asked": str.lower}
    form = Form(with_source, dict.fromkeys(files, SPLIT), spellings, beside=beside(recipe))
    return Reader(form, schema, _faults_of, _identity, _repeated, _record).read(recipe, files)


def _record(row: Row, recipe: str) -> Record:
    fields = row.fields
    true, true_changed = stopped(fields["true_statement"])
    false, false_changed = stopped(fields["false_statement"])
    ends = {"final-stop-true": true_changed, "final-stop-false": false_changed}
    evidence = fields.get("evidence", ())
    corpora = fields.get("evidence_corpus") or [""] * len(evidence)
    ranks = fields.get("evidence_rank") or [0] * len(evidence)
    sample = Sample(
        key="",
        source=fields["source"],
        type=fields["type"],
        asked=fields.get("asked", TRUE) if fields["type"] == "tf" else None,
        context=fields.get("context", ""),
        question=fields["question"],
        true_statement=true,
        false_statement=false,
        false_method=fields["false_method"],
        rules=(*fields.get("rules", ()), *(rule for rule, fired in ends.items() if fired)),
        upstream_key=fields.get("upstream_key", ""),
    )
    return record_of(sample, evidence=list(zip(corpora, ranks, evidence, strict=True)), recipe=recipe)


def _faults_of(fields: Mapping[str, Any]) -> Iterator[Fault]:
    evidence = fields.get("evidence", ())
    true, false = (stopped(fields[name])[0] for name in ("true_statement", "false_statement"))
    if fold(true) == fold(false):
        expected = "another statement than true_statement"
        yield Fault("false_statement", "says what the true one says", expected, fields["false_statement"])
    if fields.get("answer", fields["true_statement"]) != fields["true_statement"]:
        yield Fault("answer", "is not the true statement", fields["true_statement"], fields["answer"])
    if not fields["question"].startswith(fields.get("context", "")):
        yield Fault("context", "is not what the question begins with", fields["question"], fields["context"])
    if fields["type"] == "open" and "asked" in fields:
        yield Fault("asked", "asks about a statement, and the question is open", "none", fields["asked"])
    for name in ("evidence_corpus", "evidence_rank"):
        if fields.get(name) and len(fields[name]) != len(evidence):
            expected = f"one a paragraph of evidence, {len(evidence)}"
            yield Fault(name, "are not as many as the paragraphs", expected, len(fields[name]))


def _identity(fields: Mapping[str, Any]) -> str:
    return content_id(fields["question"], stopped(fields["true_statement"])[0])


def _repeated(row: Row, first: Row) -> Fault:
    expected = f"each question once, and {first.seen_from(row)} has it"
    return Fault("question", "repeats another row", expected, row.fields["question"])
